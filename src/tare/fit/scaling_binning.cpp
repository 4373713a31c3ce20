#include "tare/fit/scaling_binning.hpp"

#include <algorithm>
#include <bit>

#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/numeric/order/radix_sort.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::fit {
namespace {

// How many of the mass units 0 .. end-1 lie in rows of rank part, part + 3, ...
std::uint64_t units_in_part(std::uint64_t end, std::uint64_t unit, std::uint64_t part) {
  const std::uint64_t whole = end / (3 * unit), rest = end % (3 * unit);
  const std::uint64_t from = part * unit;
  return whole * unit + (rest > from ? std::min(rest - from, unit) : 0);
}

// Sorts like the finite number: the bits of a negative one fall where it rises.
std::uint64_t rising_key(double z) {
  const auto bits = std::bit_cast<std::uint64_t>(z + 0.0);  // -0 is 0
  return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

struct ScoredRow {
  std::uint64_t key;
  std::size_t index;
};

// Every bin's mean of the outputs; a bin without rows predicts its centre.
std::vector<double> means(const Steps& bins, std::span<const double> output, std::span<const double> weight) {
  const std::size_t b = bins.edges.size() + 1;
  const std::uint64_t unit = numeric::mass_unit(weight);
  std::vector<numeric::Moments> sum(b);
  std::vector<bool> any(b, false);
  for (std::size_t i = 0; i < output.size(); ++i) {
    numeric::stop_if_asked_at(i);
    const std::uint64_t mass = weight.empty() ? 1 : numeric::to_mass(weight[i], unit);
    if (mass == 0) continue;
    const std::size_t j = bins.index(output[i]);
    sum[j].add(output[i], mass);
    any[j] = true;
  }
  std::vector<double> out(b);
  for (std::size_t j = 0; j < b; ++j) {
    const double low = j == 0 ? 0 : bins.edges[j - 1], high = j + 1 == b ? 1 : bins.edges[j];
    out[j] = any[j] ? std::clamp(sum[j].mean(), 0.0, 1.0) : low + (high - low) / 2;
  }
  return out;
}

}  // namespace

std::vector<std::vector<double>> three_parts(const Problem& problem) {
  const std::size_t n = problem.label.size();
  const auto rows = problem.score.visit([&](auto score) {
    return numeric::radix_sorted<ScoredRow>(
        n,
        [&](std::size_t i) {
          return ScoredRow{rising_key(static_cast<double>(score[i])), i};
        },
        [](const ScoredRow& r) { return r.key; }, problem.threads);
  });
  const std::uint64_t unit = numeric::mass_unit(problem.weight);
  std::vector<std::vector<double>> parts(3, std::vector<double>(n));
  std::uint64_t end = 0;
  for (const bool positive : {false, true})
    for (std::size_t at = 0; at < n; ++at) {
      numeric::stop_if_asked_at(at);
      const std::size_t i = rows[at].index;
      if ((problem.label[i] != 0) != positive) continue;
      const std::uint64_t from = end;
      end += problem.weight.empty() ? 1 : numeric::to_mass(problem.weight[i], unit);
      for (std::size_t part = 0; part < 3; ++part)
        parts[part][i] = static_cast<double>(units_in_part(end, unit, part) - units_in_part(from, unit, part)) /
                         static_cast<double>(unit);
    }
  return parts;
}

ScalingBinning fit_scaling_binning(const Problem& problem, std::size_t b, const Options& options) {
  const bool few = total_weight(problem.label.size(), problem.weight) < 3;
  std::vector<std::vector<double>> parts(3);
  std::array<std::span<const double>, 3> weight{problem.weight, problem.weight, problem.weight};
  if (!options.share_rows && !few) {
    parts = three_parts(problem);
    for (std::size_t j = 0; j < 3; ++j) weight[j] = parts[j];
  }
  ScalingBinning out;
  out.scaling = fit_sigmoid({problem.score, problem.label, weight[0], problem.threads}, options.smooth_targets,
                            options.max_iterations);
  const std::vector<double> output = mapped(problem, [&](double z) {
    const double p = out.scaling(z);
    return p >= 0 ? p : 0.0;  // never NaN: places in memory are computed from it
  });
  out.bins = mass_steps({std::span<const double>(output), problem.label, weight[1], problem.threads}, b);
  out.bins.values = means(out.bins, output, weight[2]);
  if (few && !options.share_rows && out.scaling.outcome.note.empty())
    out.scaling.outcome.note = "fewer than three rows: every step uses all of them";
  return out;
}

namespace {

Result<Recipe> scaling_binning_curves(const Model& model) {
  const std::size_t count = problems(model.columns);
  const auto a = list(model, "a", count), b = list(model, "b", count);
  if (!a) return a.error();
  if (!b) return b.error();
  auto out = steps_recipe(model, Recipe::Shape::sigmoid_steps);
  if (!out) return out.error();
  auto& curves = std::get<Recipe::Curves>(out->map).curve;
  for (std::size_t j = 0; j < count; ++j) {
    curves[j].a = (*a)[j];
    curves[j].b = (*b)[j];
  }
  return out;
}

Result<Model> fit_scaling_binning_curves(const MulticlassView& view, const Options& options) {
  const auto bins = checked_bins(options);
  if (!bins) return bins.error();
  const auto curves = fit_problems(view, Scale::log_odds, options.threads,
                                   [&](const Problem& p) { return fit_scaling_binning(p, *bins, options); });
  const auto scalings = parts_of(curves, &ScalingBinning::scaling);
  Model model = model_of(view, "scaling_binning");
  model.parameters["a"] = parts_of(scalings, &Sigmoid::a);
  model.parameters["b"] = parts_of(scalings, &Sigmoid::b);
  save(parts_of(curves, &ScalingBinning::bins), model);
  model.fit = merged(parts_of(scalings, &Sigmoid::outcome));
  return with_nll(std::move(model), view, scaling_binning_curves, options);
}

}  // namespace

constinit const Calibrator scaling_binning_calibrator{
    .name = "scaling_binning",
    .title = "scaling-binning",
    .summary = "Platt scaling rounded to the means of equal-mass bins; its own error can be measured",
    .citation = "Kumar, Liang & Ma 2019",
    .complexity = 4,
    .options = "bins share_rows smooth_targets max_iterations",
    .fit = fit_filled<fit_scaling_binning_curves>,
    .recipe = filled_recipe<scaling_binning_curves>};

}  // namespace tare::detail::fit
