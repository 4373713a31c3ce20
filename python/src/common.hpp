// What the files of the Python module share: errors become exceptions, work runs without the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/call_options.hpp"
#include "tare/core/progress.hpp"
#include "tare/core/result.hpp"
#include "tare/core/results.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/read/assemble.hpp"
#include "tare/read/dataset.hpp"
#include "tare/state/running.hpp"

namespace tare::detail::python {

namespace nb = nanobind;

struct Failure {  // becomes tare.Error
  Error error;
};

template <class T>
T value_or_raise(Result<T> result) {
  if (!result) throw Failure{std::move(result).error()};
  return *std::move(result);
}

// While it lives: no lock is held, and Ctrl-C stops the library's loops. Once interrupted() the Python exception is
// set.
class Unlocked {
 public:
  Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  static const std::atomic<bool>& stop();  // for loops that have a flag of their own

 private:
  nb::gil_scoped_release released_;
  numeric::CancelScope cancel_scope_;
};

// Calls work() without the lock; what it returns is a Result.
template <class Work>
auto unlocked(const Work& work) {
  using Value = std::remove_cvref_t<decltype(*work())>;
  std::optional<Result<Value>> result;
  bool interrupted = false;
  {
    const Unlocked lock;
    try {
      result.emplace(work());
    } catch (const numeric::Interrupted&) {
      interrupted = true;
    }
    interrupted = interrupted || Unlocked::stop();
  }
  if (interrupted) throw nb::python_error();
  return value_or_raise(*std::move(result));
}

// Calls a Python function with (stage, done, total), ten times a second at most; None: never.
Progress progress_of(const nb::object& callable);

// A running state for callers of any thread. Whoever waits for `busy` does not hold the interpreter's lock.
struct SharedState {
  explicit SharedState(state::Running made) : running(std::move(made)) {}
  state::Running running;
  mutable std::mutex busy = {};
};

// One fold as the façade hands it over: {"logits": array, "labels": array}, {"file": path, "split": "val"} or {"state":
// state}. Arrays and states stay where they are; they outlive the call because its arguments do.
class GivenFold {
 public:
  GivenFold(const nb::dict& fold, bool labelled);
  [[nodiscard]] Result<Predictions> load(int threads) const;

 private:
  bool labelled_;
  const SharedState* state_ = nullptr;
  std::optional<read::Fold> names_ = {};
  read::Parts parts_ = {};
  std::vector<std::string> class_names_ = {};  // for people; labels are indices already
  std::string used_ = {};                      // arrays of a file that Python has read, and what they are
  struct Elsewhere {                           // confidences of a matrix on a GPU
    Kind kind;
    std::size_t k;
    MatrixScores scores;
  };
  std::optional<Elsewhere> elsewhere_ = {};
};

read::Array array_of(nb::handle object, const std::string& name);
read::Role role_of(const std::string& name);

// Python's whole numbers have any size; what does not fit into ours is out of every range.
template <class T>
T number_of(const Option<T>& option, const nb::int_& given) {
  T out = 0;
  if (!nb::try_cast<T>(given, out)) throw Failure{out_of_range(option, nb::str(given).c_str())};
  if (const auto fine = in_range(option, out); !fine) throw Failure{fine.error()};
  return out;
}

inline int threads_of(const nb::object& asked) {  // None: all cores
  return asked.is_none() ? numeric::hardware_threads() : number_of(options::threads, nb::cast<nb::int_>(asked));
}

std::optional<Reduction> reduction_of(const std::string& name);  // empty: the default rule

std::string python_name(std::string_view option);  // an option as a keyword: max_iterations, lambda_
nb::dict options_of_calls();                       // every table of options, for _options.py

// The values of a dict, by the names of the table, where the table says; None: the default.
void read_options(const OptionTable& table, const nb::dict& given);
template <class Options, class Table>
Options given_options(const Table& table, const nb::dict& given, const nb::object& progress = nb::none()) {
  Options out;
  if constexpr (requires { out.threads; }) out.threads = numeric::hardware_threads();
  if constexpr (requires { out.progress; }) out.progress = progress_of(progress);
  read_options(table(out), given);
  return out;
}

void bind_calls(nb::module_& m);
void bind_model(nb::module_& m);
void bind_state(nb::module_& m);
void bind_stream(nb::module_& m);
void bind_pictures(nb::module_& m);
void bind_watch(nb::module_& m);
void bind_arrow(nb::module_& m);

}  // namespace tare::detail::python
