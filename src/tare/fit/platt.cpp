#include "tare/fit/platt.hpp"

#include <algorithm>
#include <cmath>

#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/solve/small_newton.hpp"

namespace tare::detail::fit {

ScoreSeparation::ScoreSeparation(const Problem& problem) {
  numeric::ExactSum negatives, positives;
  problem.score.visit([&](auto score) {
    for (std::size_t i = 0; i < score.size(); ++i) {
      numeric::stop_if_asked_at(i);
      const double w = problem.weight.empty() ? 1 : problem.weight[i], s = static_cast<double>(score[i]);
      if (w == 0) continue;
      ClassRange& range = problem.label[i] ? positive : negative;
      range.low = std::min(range.low, s);
      range.high = std::max(range.high, s);
      (problem.label[i] ? positives : negatives).add(w);
    }
  });
  negative.weight = negatives.value();
  positive.weight = positives.value();
}

Sigmoid fit_sigmoid(const Problem& problem, bool smooth_targets, int max_iterations) {
  const ScoreSeparation classes(problem);
  Sigmoid out;
  if (!smooth_targets && (classes.one_class() || (!classes.one_score() && (classes.rising() || classes.falling())))) {
    out = fit_sigmoid(problem, true, max_iterations);
    out.outcome.status = FitStatus::unbounded;
    out.outcome.note = classes.one_class() ? one_class_note : separated_note;
    return out;
  }
  const double t1 = smooth_targets ? classes.smooth_1() : 1, t0 = smooth_targets ? classes.smooth_0() : 0;
  if (classes.one_score()) {
    const double z = std::min(classes.negative.low, classes.positive.low);
    const double n = classes.negative.weight + classes.positive.weight;
    const double t = (classes.positive.weight * t1 + classes.negative.weight * t0) / n;
    out.b = std::log(t) - std::log1p(-t) - z;
    out.outcome = {.gradient = std::abs(out(z) - t) * std::max(1.0, std::abs(z)), .note = one_score_note};
    return out;
  }
  const LogisticData data{.x = {mapped(problem, [](double z) { return std::clamp(z, -1e100, 1e100); })},
                          .label = problem.label,
                          .weight = problem.weight,
                          .target_1 = t1,
                          .target_0 = t0};
  const LogisticFit fit =
      fit_logistic(data, {.max_iterations = max_iterations > 0 ? max_iterations : LogisticOptions{}.max_iterations,
                          .threads = problem.threads});
  out.a = fit.slope[0];
  out.b = fit.intercept;
  out.outcome = {.iterations = fit.iterations, .gradient = fit.gradient};
  if (fit.gradient > certified_gradient) {
    out.outcome.status = FitStatus::iteration_limit;
    out.outcome.note = stopped_note;
  }
  return out;
}

namespace {

Result<Recipe> platt_curves(const Model& model) {
  const std::size_t count = problems(model.columns);
  const auto a = list(model, "a", count), b = list(model, "b", count);
  if (!a) return a.error();
  if (!b) return b.error();
  Recipe::Curves out{Recipe::Shape::sigmoid, std::vector<Recipe::Curve>(count)};
  for (std::size_t j = 0; j < count; ++j) out.curve[j] = {.a = (*a)[j], .b = (*b)[j]};
  return recipe_of(model, std::move(out));
}

Result<Model> fit_platt_curves(const MulticlassView& view, const Options& options) {
  const auto curves = fit_problems(view, Scale::log_odds, options.threads, [&](const Problem& p) {
    return fit_sigmoid(p, options.smooth_targets, options.max_iterations);
  });
  Model model = model_of(view, "platt");
  model.parameters["a"] = parts_of(curves, &Sigmoid::a);
  model.parameters["b"] = parts_of(curves, &Sigmoid::b);
  model.fit = merged(parts_of(curves, &Sigmoid::outcome));
  return with_nll(std::move(model), view, platt_curves, options);
}

}  // namespace

constinit const Calibrator platt_calibrator{
    .name = "platt",
    .title = "Platt scaling",
    .summary = "slope and intercept on the log-odds; two numbers per class, good for few rows",
    .citation = "Platt 1999; Guo et al. 2017, section 4.1",
    .complexity = 3,
    .options = "smooth_targets max_iterations",
    .fit = fit_filled<fit_platt_curves>,
    .recipe = filled_recipe<platt_curves>};

namespace {

using UnitSum = numeric::FixedSum<62>;  // of numbers in [-1, 1]

// Sums over rows; the last of the D features is the constant 1.
template <std::size_t D>
struct Sums {
  numeric::FixedSum<52> loss;
  std::array<UnitSum, D> gradient;
  std::array<UnitSum, D*(D + 1) / 2> curvature;  // lower triangle by rows
  void merge(const Sums& other) {
    loss.merge(other.loss);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i].merge(other.gradient[i]);
    for (std::size_t i = 0; i < curvature.size(); ++i) curvature[i].merge(other.curvature[i]);
  }
};

// The mean loss and its derivatives in the factors of the scaled features: these are divided by a power of two into
// [-1, 1], so that their sums fit fixed point.
template <std::size_t D>
class LogisticProblem {
 public:
  using Vector = numeric::SmallVector<D>;
  struct Point {
    double value = 0;
    Vector gradient = {};
    numeric::SmallMatrix<D> hessian = {};
  };

  LogisticProblem(const LogisticData& data, const LogisticOptions& options) : data_(data), threads_(options.threads) {
    if (options.nonnegative) std::fill(lower.begin(), lower.end() - 1, 0.0);
    const std::uint64_t unit = numeric::mass_unit(data.weight);
    numeric::u128 total = 0;
    if (data.weight.empty())
      total = data.label.size();
    else
      for (const double w : data.weight) {
        numeric::stop_if_asked_at(mass_.size());
        mass_.push_back(static_cast<std::int64_t>(numeric::to_mass(w, unit)));
        total += static_cast<numeric::u128>(mass_.back());
      }
    total_ = static_cast<double>(total);
    // a mass beyond 2^54 needs a smaller one for the sum to stay below 2^126 units
    loss_scale_ = std::min(1.0, 0x1p54 / numeric::power_of_two_above(total_));
    for (std::size_t j = 0; j + 1 < D; ++j) {
      double largest = 0;
      for (std::size_t i = 0; i < data.x[j].size(); ++i)
        if (mass_of(i) > 0) largest = std::max(largest, std::abs(data.x[j][i]));
      scale[j] = largest > 0 ? numeric::power_of_two_above(largest) : 1;
    }
  }

  [[nodiscard]] Point at(const Vector& theta) const {
    constexpr std::size_t chunk = 16384;
    const std::size_t n = data_.label.size(), chunks = (n + chunk - 1) / chunk;
    std::vector<Sums<D>> parts(chunks);
    numeric::parallel_for(chunks, threads_, [&](std::size_t c) {
      for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) add(theta, i, parts[c]);
    });
    for (std::size_t c = 1; c < chunks; ++c) parts[0].merge(parts[c]);
    Point out{.value = parts[0].loss.value() / loss_scale_ / total_};
    for (std::size_t j = 0, at = 0; j < D; ++j) {
      out.gradient[j] = value(parts[0].gradient[j]);
      for (std::size_t l = 0; l <= j; ++l, ++at) out.hessian[j][l] = out.hessian[l][j] = value(parts[0].curvature[at]);
    }
    return out;
  }

  // Largest component of the gradient that may still be followed, in the caller's units.
  [[nodiscard]] double residual(const Vector& theta, const Point& at, const Vector&) const {
    double out = 0;
    for (std::size_t j = 0; j < D; ++j)
      if (!numeric::is_held(theta[j], at.gradient[j], lower[j]))
        out = std::max(out, std::abs(at.gradient[j]) * scale[j]);
    return out;
  }

  Vector scale = numeric::filled<D>(1);
  Vector lower = numeric::SmallNewtonOptions<D>{}.lower;

 private:
  [[nodiscard]] double value(const UnitSum& sum) const { return sum.value() / total_; }

  [[nodiscard]] std::int64_t mass_of(std::size_t i) const { return mass_.empty() ? 1 : mass_[i]; }

  void add(const Vector& theta, std::size_t i, Sums<D>& sums) const {
    const std::int64_t mass = mass_of(i);
    if (mass == 0) return;  // may lie outside the scale
    Vector x;
    double eta = 0;
    for (std::size_t j = 0; j + 1 < D; ++j) {
      x[j] = data_.x[j][i] / scale[j];
      eta += theta[j] * x[j];
    }
    x[D - 1] = 1;
    eta += theta[D - 1];
    const double e = std::exp(-std::abs(eta)), t = data_.label[i] ? data_.target_1 : data_.target_0;
    const double h = e / ((1 + e) * (1 + e));
    // q - t without cancellation for t = 1: sigma(eta) - 1 = -sigma(-eta)
    const double small = e / (1 + e);
    const double residual = eta >= 0 ? (1 - t) - small : small - t;
    const double loss = std::log1p(e) + (eta >= 0 ? (1 - t) * eta : -t * eta);
    sums.loss.add_mass(std::min(loss, 0x1p20) * loss_scale_, mass);  // a larger one only has to look large
    for (std::size_t j = 0, at = 0; j < D; ++j) {
      sums.gradient[j].add_small_mass(residual * x[j], mass);
      for (std::size_t l = 0; l <= j; ++l, ++at) sums.curvature[at].add_small_mass(h * x[j] * x[l], mass);
    }
  }

  const LogisticData& data_;
  int threads_;
  std::vector<std::int64_t> mass_;
  double total_ = 0;       // mass
  double loss_scale_ = 1;  // a power of two
};

// With slopes 0, the best intercept.
double start(const LogisticData& data) {
  const std::uint64_t unit = numeric::mass_unit(data.weight);
  numeric::u128 ones = 0, all = 0;
  for (std::size_t i = 0; i < data.label.size(); ++i) {
    numeric::stop_if_asked_at(i);
    const std::uint64_t mass = data.weight.empty() ? 1 : numeric::to_mass(data.weight[i], unit);
    all += mass;
    if (data.label[i]) ones += mass;
  }
  const double share = static_cast<double>(ones) / static_cast<double>(all);
  const double t = share * data.target_1 + (1 - share) * data.target_0;
  return std::log(t) - std::log1p(-t);
}

template <std::size_t D>
LogisticFit fitted(const LogisticData& data, const LogisticOptions& options) {
  LogisticProblem<D> problem(data, options);
  numeric::SmallVector<D> theta{};
  theta[D - 1] = start(data);
  const auto best = numeric::small_newton<D>(problem, theta,
                                             {.residual = 1e-14,
                                              .enough = certified_gradient * 1e-3,
                                              .max_iterations = options.max_iterations,
                                              .lower = problem.lower});
  LogisticFit out{.slope = {}, .intercept = best.x[D - 1], .gradient = best.residual, .iterations = best.iterations};
  for (std::size_t j = 0; j + 1 < D; ++j) {
    out.slope.push_back(best.x[j] / problem.scale[j]);
    out.at_bound = out.at_bound || numeric::is_held(best.x[j], best.at.gradient[j], problem.lower[j]);
  }
  return out;
}

}  // namespace

LogisticFit fit_logistic(const LogisticData& data, const LogisticOptions& options) {
  return data.x.size() == 1 ? fitted<2>(data, options) : fitted<3>(data, options);
}

}  // namespace tare::detail::fit
