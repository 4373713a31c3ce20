// How the public interface (include/tare) reaches the rooms: what its handles hold, how its calls begin and end, and
// its words for what the rooms return.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <tare/calibrators.hpp>
#include <tare/simulation.hpp>
#include <type_traits>
#include <utility>

#include "tare/core/call_options.hpp"
#include "tare/core/errors.hpp"
#include "tare/core/model.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/progress.hpp"
#include "tare/core/results.hpp"
#include "tare/core/test_report.hpp"
#include "tare/fit/spec.hpp"
#include "tare/numeric/floating_point.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail {

// What a handle holds.
template <class T>
struct Held final : support::Counted {
  explicit Held(T value_in) : value(std::move(value_in)) {}
  T value;
};
template <class T>
support::Handle hold(T value) {
  return support::Handle(new Held<T>(std::move(value)));
}
template <class T>
T& held(const support::Handle& handle) {
  return static_cast<Held<std::remove_const_t<T>>*>(handle.get())->value;
}

struct StoredPredictions {
  Predictions predictions;
  bool labelled = true;
};
struct Fitted {
  Model model;
  std::shared_ptr<const fit::Map> map;
};

struct Access {
  static tare::Predictions make(StoredPredictions rows) { return tare::Predictions(hold(std::move(rows))); }
  static const StoredPredictions& rows(const tare::Predictions& p) { return held<StoredPredictions>(p.rows_); }
  static Calibrator make(Fitted fitted) { return Calibrator(hold(std::move(fitted))); }
  static const Fitted& fitted(const Calibrator& c) { return held<Fitted>(c.model_); }
  static Truth make(simulate::Truth truth) { return Truth(hold(std::move(truth))); }
  static const simulate::Truth& truth(const Truth& t) { return held<simulate::Truth>(t.truth_); }
};

namespace api {

inline Reals reals(const tare::Reals& r) {
  if (r.is_float()) return std::span(static_cast<const float*>(r.data()), r.size());
  return std::span(static_cast<const double*>(r.data()), r.size());
}
EstimateRow estimate_row(const Measured& measured);
tare::Verdict verdict(const detail::TestReport& report);

struct Stopped {};  // the caller's progress threw

// Run, checked and in the words of the rooms. Progress is called on the calling thread.
struct Going {
  int threads = 1;
  std::uint64_t seed = 1;
  Progress progress = {};
};
Result<Going> going(const Run& run);

// The options of a call in the struct of the room that answers it.
template <class Options, class Table, class Public>
Options asked(const Table& table, Public options, const Going& going) {
  Options out;
  copy(table(options), table(out));
  out.threads = going.threads;
  if constexpr (requires { out.seed; }) out.seed = going.seed;
  if constexpr (requires { out.progress; }) out.progress = going.progress;
  return out;
}

Error cancelled();
Error out_of_memory();
Error internal_error(const char* what);
Error unlabelled();

// Every exported call goes through here: no exception leaves it, the caller's floating-point environment is set aside,
// and `cancel` is heeded: to the end, unless the work has an end of its own, after which something has changed.
enum class Done { can_be_cancelled, is_done };
template <Done done = Done::can_be_cancelled, class Work>
auto guarded(const std::atomic<bool>* cancel, const Work& work) noexcept -> decltype(work()) {
  try {
    const numeric::FloatingPoint environment;
    const numeric::CancelScope watched(cancel);
    auto result = work();
    if constexpr (done == Done::can_be_cancelled) numeric::stop_if_asked();
    return result;
  } catch (const numeric::Interrupted&) {
    return cancelled();
  } catch (const Stopped&) {
    return cancelled();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& e) {
    return internal_error(e.what());
  } catch (...) {
    return internal_error("an exception of unknown type");
  }
}

// The same for calls that work long: work(going).
template <Done done = Done::can_be_cancelled, class Work>
auto guarded(const Run& run, const Work& work) noexcept {
  using Out = std::invoke_result_t<Work, const Going&>;
  return guarded<done>(run.cancel, [&]() -> Out {
    const auto how = going(run);
    if (!how) return how.error();
    return work(*how);
  });
}

// What a result holds behind its plain data, as text: show(of). A result that somebody else made has nothing to show.
template <class T, class Show>
Result<std::string> shown(const support::Handle& behind, const char* maker, const Show& show) noexcept {
  return guarded(nullptr, [&]() -> Result<std::string> {
    if (behind.get() == nullptr)
      return bad_input(std::string("this was not made by ") + maker,
                       std::string("only what ") + maker + " returned can be shown");
    return show(held<const T>(behind));
  });
}

}  // namespace api
}  // namespace tare::detail
