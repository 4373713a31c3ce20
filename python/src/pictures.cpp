// Pictures of what no other answer holds, as JSON: their descriptions, or the numbers of curves; python/tare draws
// them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "common.hpp"
#include "tare/analysis/bin_choice.hpp"
#include "tare/analysis/calibrator_map.hpp"
#include "tare/analysis/curves.hpp"
#include "tare/fit/spec.hpp"
#include "tare/render/pictures/plots.hpp"

namespace tare::detail::python {
namespace {

using namespace nb::literals;

std::vector<std::size_t> counts_of(const std::vector<nb::int_>& sizes) {
  std::vector<std::size_t> out;
  for (const nb::int_& n : sizes) out.push_back(number_of(options::n, n));
  return out;
}

// The answer about the fold; without the lock.
template <class Answer>
auto found(const GivenFold& fold, int threads, const Answer& answer) {
  using Found = std::remove_cvref_t<decltype(*answer(std::declval<const Predictions&>()))>;
  return unlocked([&]() -> Result<Found> {
    const auto predictions = fold.load(threads);
    if (!predictions) return predictions.error();
    return answer(*predictions);
  });
}

// Its picture.
template <class Answer>
std::string about(const GivenFold& fold, int threads, const Answer& answer) {
  return render::to_json(value_or_raise(render::picture(found(fold, threads, answer)))).text();
}

std::string rejection(const nb::dict& data, const std::string& reduction, const nb::object& threads) {
  const GivenFold fold(data, true);
  const analysis::RejectionOptions options{.reduction = reduction_of(reduction), .threads = threads_of(threads)};
  return about(fold, options.threads, [&](const Predictions& p) { return analysis::rejection(p, options); });
}

std::string detectable(const nb::dict& data, const std::string& reduction, const nb::int_& bins,
                       const std::vector<nb::int_>& sizes, const nb::int_& seed, const nb::object& threads,
                       const nb::object& progress) {
  const GivenFold fold(data, true);
  const analysis::DetectableCurveOptions options{.test = {.reduction = reduction_of(reduction),
                                                          .bins = number_of(options::bins, bins),
                                                          .seed = number_of(options::seed, seed),
                                                          .threads = threads_of(threads),
                                                          .progress = progress_of(progress)},
                                                 .sizes = counts_of(sizes)};
  return about(fold, options.test.threads,
               [&](const Predictions& p) { return analysis::detectable_curve(p, options); });
}

std::string bin_choice(const nb::dict& data, const std::string& reduction, const std::vector<std::string>& estimators,
                       const nb::int_& bins, const nb::int_& norm, const std::vector<nb::int_>& sizes,
                       const nb::int_& seed, const nb::object& threads, const nb::object& progress) {
  const GivenFold fold(data, true);
  const analysis::BinChoiceOptions options{.reduction = reduction_of(reduction),
                                           .estimators = estimators,
                                           .bins = number_of(options::bins, bins),
                                           .norm = number_of(options::norm, norm),
                                           .sizes = counts_of(sizes),
                                           .seed = number_of(options::seed, seed),
                                           .threads = threads_of(threads),
                                           .progress = progress_of(progress)};
  return about(fold, options.threads, [&](const Predictions& p) { return analysis::bin_choice(p, options); });
}

std::string calibrator_map(const std::string& model, const nb::dict& data, const std::string& reduction,
                           const nb::int_& bins, const nb::object& threads) {
  const GivenFold fold(data, true);
  const Model fitted = value_or_raise(fit::from_json(model, "the calibrator"));
  const analysis::CalibratorMapOptions options{
      .reduction = reduction_of(reduction), .bins = number_of(options::bins, bins), .threads = threads_of(threads)};
  return about(fold, options.threads,
               [&](const Predictions& p) { return analysis::calibrator_map(p, fitted, options); });
}

std::string before_after(const std::string& model, const nb::dict& data, const std::string& reduction,
                         const nb::object& threads) {
  const GivenFold fold(data, true);
  const Model fitted = value_or_raise(fit::from_json(model, "the calibrator"));
  const analysis::NamedCurveOptions options{.reduction = reduction_of(reduction), .threads = threads_of(threads)};
  return render::json(found(fold, options.threads, [&](const Predictions& p) -> Result<std::vector<NamedCurve>> {
    const auto after = analysis::recalibrated(p, fitted, options.threads);
    if (!after) return after.error();
    auto first = analysis::named_curve(p, "before", options);
    if (!first) return first.error();
    auto second = analysis::named_curve(*after, "after " + fitted.method, options);
    if (!second) return second.error();
    return std::vector<NamedCurve>{*std::move(first), *std::move(second)};
  }));
}

std::string curves(const std::vector<std::string>& names, const nb::list& data, const std::string& reduction,
                   const nb::object& threads) {
  const analysis::NamedCurveOptions options{.reduction = reduction_of(reduction), .threads = threads_of(threads)};
  std::vector<NamedCurve> out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const GivenFold fold(nb::cast<nb::dict>(data[i]), true);
    out.push_back(unlocked([&]() -> Result<NamedCurve> {
      const auto predictions = fold.load(options.threads);
      if (!predictions) return predictions.error();
      return analysis::named_curve(*predictions, names[i], options);
    }));
  }
  return render::json(out);
}

}  // namespace

void bind_pictures(nb::module_& m) {
  m.def("rejection", rejection, "data"_a, "reduction"_a, "threads"_a.none());
  m.def("detectable", detectable, "data"_a, "reduction"_a, "bins"_a, "sizes"_a, "seed"_a, "threads"_a.none(),
        "progress"_a.none());
  m.def("bin_choice", bin_choice, "data"_a, "reduction"_a, "estimators"_a, "bins"_a, "norm"_a, "sizes"_a, "seed"_a,
        "threads"_a.none(), "progress"_a.none());
  m.def("calibrator_map", calibrator_map, "model"_a, "data"_a, "reduction"_a, "bins"_a, "threads"_a.none());
  m.def("before_after", before_after, "model"_a, "data"_a, "reduction"_a, "threads"_a.none());
  m.def("curves", curves, "names"_a, "data"_a, "reduction"_a, "threads"_a.none());
}

}  // namespace tare::detail::python
