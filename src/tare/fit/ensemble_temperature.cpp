#include "tare/fit/ensemble_temperature.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/rows/map.hpp"
#include "tare/fit/temperature.hpp"
#include "tare/fit/zeros.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/solve/rising_root.hpp"
#include "tare/numeric/solve/small_newton.hpp"

namespace tare::detail::fit {
namespace {

constexpr double tolerance = 1e-10;

// Exact sums of shares of the total weight times numbers below 2^54, in units of 2^-70: the unit of the weights
// cannot matter, and a ratio of 1 in one of 10^6 rows still has 50 bits.
using ShareSum = numeric::FixedSum<70>;

class Likelihood {
 public:
  Likelihood(std::span<const Three> p, std::span<const double> weight)
      : p_(p), weight_(weight), total_(total_weight(p.size(), weight)) {}

  // Mean of p_j / q for every j, and of their products.
  struct Ratios {
    Three mean;
    std::array<Three, 3> product;
    double value;
  };
  Ratios at(const Three& mix) {
    ++iterations;
    std::array<ShareSum, 3> mean;
    std::array<std::array<ShareSum, 3>, 3> product;
    ShareSum value;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      const double share = (weight_.empty() ? 1 : weight_[i]) / total_;
      if (share == 0) continue;
      const double q = mix[0] * p_[i][0] + mix[1] * p_[i][1] + mix[2] * p_[i][2];
      Three r;
      // a row that the mixture excludes would cost infinitely much: say so with a large finite ratio
      for (std::size_t j = 0; j < 3; ++j) r[j] = p_[i][j] == 0 ? 0 : std::min(p_[i][j] / q, 1e8);
      value.add((q > 0 ? -std::log(q) : 1e4) * share);
      for (std::size_t j = 0; j < 3; ++j) {
        mean[j].add(r[j] * share);
        for (std::size_t l = 0; l <= j; ++l) product[j][l].add(r[j] * r[l] * share);
      }
    }
    Ratios out{};
    for (std::size_t j = 0; j < 3; ++j) {
      out.mean[j] = mean[j].value();
      for (std::size_t l = 0; l <= j; ++l) out.product[j][l] = out.product[l][j] = product[j][l].value();
    }
    out.value = value.value();
    return out;
  }

  int iterations = 0;

 private:
  // In units of a power of two near the largest weight, so that neither order nor size can round it differently.
  static double total_weight(std::size_t n, std::span<const double> weight) {
    if (weight.empty()) return static_cast<double>(n);
    const double unit = numeric::power_of_two_above(*std::max_element(weight.begin(), weight.end()));
    numeric::ExactSum total;
    for (const double w : weight) total.add(w / unit);
    return total.value() * unit;
  }
  std::span<const Three> p_;
  std::span<const double> weight_;
  double total_;
};

double violation(const Three& w, const Three& mean) {
  double worst = 0;
  for (std::size_t j = 0; j < 3; ++j)
    worst = std::max(worst, w[j] > 0 ? std::abs(mean[j] - 1) : std::max(0.0, mean[j] - 1));
  return worst;
}

// Best point on the edge from corner a to corner b: the slope of the mean of -ln q there rises.
Three on_edge(Likelihood& f, std::size_t a, std::size_t b) {
  numeric::RisingRoot root(1e-15, 1 - 1e-15);  // the corners are no optima, and may cost infinitely much
  double t = 0.5;
  Three w{};
  for (int i = 0; i < 100; ++i) {
    w = {};
    w[a] = 1 - t;
    w[b] = t;
    const auto r = f.at(w);
    const double slope = r.mean[a] - r.mean[b];
    if (std::abs(slope) <= tolerance / 10) return w;
    const double to = root.next(t, slope, r.product[a][a] - 2 * r.product[a][b] + r.product[b][b]);
    if (std::abs(to - t) <= 1e-16) return w;
    t = to;
  }
  return w;
}

// The mean of -ln q plus the sum of the weights, for any weights that are not negative: its minimum has sum 1, so no
// unknown is the rest of the others.
struct MixtureProblem {
  struct Evaluation {
    double value = 0;
    Three gradient = {};
    numeric::SmallMatrix<3> hessian = {};
    Three mean = {};
  };
  [[nodiscard]] Evaluation at(const Three& w) const {
    const auto r = f.at(w);
    return {r.value + w[0] + w[1] + w[2], {1 - r.mean[0], 1 - r.mean[1], 1 - r.mean[2]}, r.product, r.mean};
  }
  [[nodiscard]] static double residual(const Three& w, const Evaluation& at, const Three&) {
    return violation(w, at.mean);
  }
  Likelihood& f;
};

Three inside(Likelihood& f) {
  MixtureProblem problem{f};
  const Three w = numeric::small_newton<3>(problem, numeric::filled<3>(1.0 / 3),
                                           {.residual = tolerance / 10, .enough = tolerance, .lower = {0, 0, 0}})
                      .x;
  const double sum = w[0] + w[1] + w[2];
  return {w[0] / sum, w[1] / sum, w[2] / sum};
}

}  // namespace

Mixture best_mixture(std::span<const Three> p, std::span<const double> weight) {
  Likelihood f(p, weight);
  Mixture best;
  bool first = true;
  // True if this is the optimum; keeps the best so far for data that no face passes by rounding.
  const auto passes = [&](const Three& w) {
    const auto r = f.at(w);
    const double v = violation(w, r.mean);
    if (first || v <= tolerance || (best.violation > tolerance && r.value < best.value)) best = {w, v, r.value, 0};
    first = false;
    return v <= tolerance;
  };
  const auto done = [&] {
    best.iterations = f.iterations;
    return best;
  };
  for (std::size_t j = 0; j < 3; ++j) {
    Three corner{};
    corner[j] = 1;
    if (passes(corner)) return done();
  }
  for (const auto& [a, b] : {std::pair{0U, 2U}, std::pair{0U, 1U}, std::pair{1U, 2U}})
    if (passes(on_edge(f, a, b))) return done();
  passes(inside(f));
  return done();
}

namespace {

// What each of the three gives to the label, row by row.
std::vector<Three> of_labels(const MulticlassView& view, double v, int threads) {
  const std::size_t n = view.size(), k = view.columns(), rows = std::clamp<std::size_t>(65536 / k, 1, 4096);
  const bool probabilities = view.kind() == Kind::probs;
  std::vector<Three> out(n);
  numeric::parallel_for((n + rows - 1) / rows, threads, [&](std::size_t c) {
    const std::size_t first = c * rows, count = std::min(rows, n - first);
    const Reals in = rows_of(view.values(), k, first, count);
    std::vector<double> q(count * k);
    for (std::size_t which = 0; which < 2; ++which) {
      tempered_softmax(in, k, probabilities, which == 0 ? v : 1, q);
      for (std::size_t i = 0; i < count; ++i) {
        const auto y = static_cast<std::size_t>(view.label()[first + i]);
        out[first + i][which] = k > 1 ? q[i * k + y] : y == 1 ? q[i] : 1 - q[i];
      }
    }
    for (std::size_t i = 0; i < count; ++i) out[first + i][2] = 1 / static_cast<double>(view.classes());
  });
  return out;
}

Result<Model> fit_ensemble(const MulticlassView& view, const Options& options) {
  const auto scaled = temperature(view, options);
  if (!scaled) return scaled.error();
  const double t = std::get<double>(scaled->parameters.at("temperature"));
  const auto mixture = best_mixture(of_labels(view, 1 / t, options.threads), view.weight());
  Model model = *scaled;
  model.method = "ensemble_temperature";
  model.parameters["weights"] = std::vector<double>(mixture.w.begin(), mixture.w.end());
  model.fit.iterations += mixture.iterations;
  model.fit.gradient = std::max(scaled->fit.gradient.value_or(0), mixture.violation);
  model.fit.nll_after = mixture.value;
  if (model.fit.status == FitStatus::converged && mixture.violation > 1e-8) {
    model.fit.status = FitStatus::iteration_limit;
    model.fit.note = "the weights stopped where rounding hides any further progress";
  }
  return model;
}

Result<Recipe> plain_ensemble(const Model& model) {
  const auto t = number(model, "temperature", {smallest_temperature * (1 - 1e-9), largest_temperature * (1 + 1e-9)});
  if (!t) return t.error();
  auto w = list(model, "weights", 3, {0, 1});
  if (!w) return w.error();
  const double sum = (*w)[0] + (*w)[1] + (*w)[2];
  if (std::abs(sum - 1) > 1e-12) return bad_parameter("weights", "do not sum to 1");
  return recipe_of(model, Recipe::Tempered{.v = 1 / *t, .weights = *std::move(w)});
}

}  // namespace

constinit const Calibrator ensemble_temperature_calibrator{
    .name = "ensemble_temperature",
    .title = "ensemble temperature scaling",
    .summary = "mixes the tempered, the raw and the uniform prediction; never changes the top label",
    .citation = "Zhang et al. 2020",
    .complexity = 2,
    .keeps_top_label = true,
    .fit = fit_filled<fit_ensemble, true>,
    .recipe = filled_recipe<plain_ensemble, true>};

}  // namespace tare::detail::fit
