#include "tare/simulate/fit/fit_truth.hpp"

#include <algorithm>
#include <cmath>

#include "tare/numeric/order/pav.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/solve/small_newton.hpp"
#include "tare/simulate/fit/glm.hpp"

namespace tare::detail::simulate {
namespace {

// Every score once, with the weight up to it: neither memory nor time depends on what the rows weigh.
Scores scores_of(const numeric::Ordered& data) {
  Scores out{.kind = ScoreKind::empirical};
  for (std::size_t g = 0; g < data.groups(); ++g) {
    numeric::stop_if_asked_at(g);
    out.values.push_back({data.score(g), 1 - data.score(g)});
    out.ends.push_back(static_cast<double>(data.mass_before(g + 1)) / static_cast<double>(data.unit()));
  }
  return out;
}

// Saturated scores tied at 0 and 1.
numeric::Ordered tied(const numeric::Ordered& data) {
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    numeric::stop_if_asked_at(g);
    if (data.mass(g) == 0) continue;
    const double c = data.score(g), to = saturated_high(c) ? 1 : saturated_low(c) ? 0 : c;
    if (score.empty() || score.back() != to) {
      score.push_back(to);
      mass.push_back(0);
      hits.push_back(0);
    }
    mass.back() += data.mass(g);
    hits.back() += data.hits(g);
  }
  return {std::move(score), mass, hits, data.unit()};
}

using Pair = std::array<double, 2>;

// Coefficients on a line or in the plane: b = sum of x_i directions_i.
template <std::size_t D>
struct Space {
  std::array<Pair, D> directions;

  [[nodiscard]] Pair point(const numeric::SmallVector<D>& x) const {
    Pair b = {};
    for (std::size_t i = 0; i < D; ++i)
      for (std::size_t j = 0; j < 2; ++j) b[j] += x[i] * directions[i][j];
    return b;
  }
  [[nodiscard]] numeric::SmallVector<D> gradient(const GlmValue& at) const {
    numeric::SmallVector<D> out;
    for (std::size_t i = 0; i < D; ++i) out[i] = numeric::dot(at.gradient, directions[i]);
    return out;
  }
  [[nodiscard]] numeric::SmallMatrix<D> curvature(const std::array<double, 3>& h) const {
    numeric::SmallMatrix<D> out;
    for (std::size_t i = 0; i < D; ++i)
      for (std::size_t j = 0; j < D; ++j) {
        const Pair &a = directions[i], &b = directions[j];
        out[i][j] = a[0] * b[0] * h[0] + (a[0] * b[1] + a[1] * b[0]) * h[1] + a[1] * b[1] * h[2];
      }
    return out;
  }
};
constexpr Space<2> plane{{{{1, 0}, {0, 1}}}};

bool definite(const std::array<double, 3>& h) {
  return h[0] > 0 && h[2] > 0 && h[0] * h[2] > h[1] * h[1] * (1 + 1e-14);
}
bool definite(const numeric::SmallMatrix<1>& h) { return h[0][0] > 0; }
bool definite(const numeric::SmallMatrix<2>& h) { return definite(std::array{h[0][0], h[0][1], h[1][1]}); }

// The negative log-likelihood in a space. Where its Hessian is not definite, the expectation of it is the curvature.
template <std::size_t D>
struct CurveProblem {
  using Vector = numeric::SmallVector<D>;
  struct Evaluation {
    double value = 0;
    Vector gradient = {};
    numeric::SmallMatrix<D> hessian = {};
    GlmValue glm = {};
  };
  [[nodiscard]] Evaluation at(const Vector& x) const {
    const Pair b = space.point(x);
    const GlmValue value = glm(b[0], b[1]);
    Evaluation out{value.nll, space.gradient(value), space.curvature(value.hessian), value};
    if (!definite(out.hessian)) out.hessian = space.curvature(value.expected);
    return out;
  }
  // Twice what it can still fall.
  [[nodiscard]] static double residual(const Vector&, const Evaluation& at, const Vector& step) {
    return -numeric::dot(at.gradient, step);
  }
  [[nodiscard]] bool strays(const Vector& x) const {
    const Pair b = space.point(x);
    return std::max(std::abs(b[0]), std::abs(b[1])) > 1e5;
  }
  const Glm& glm;
  const Space<D>& space;
};

struct Optimum {
  Pair b = {};
  GlmValue value = {};
  int iterations = 0;
  double gradient = 0;
  bool found = false;
};

template <std::size_t D>
Optimum minimise(const Glm& glm, const Space<D>& space, const numeric::SmallVector<D>& x, double rows) {
  CurveProblem<D> problem{glm, space};
  const auto best = numeric::small_newton<D>(problem, x, {.residual = 1e-20, .max_iterations = 100});
  Optimum out{space.point(best.x), best.at.glm, best.iterations};
  for (const double g : best.at.gradient) out.gradient = std::max(out.gradient, std::abs(g) / rows);
  out.found = best.residual < 1e-14 && definite(best.at.hessian) && !problem.strays(best.x);
  return out;
}

struct Task {
  const CurveFamily& family;
  const GlmRows& rows;
  const GlmRows& coarse;
  bool b0 = true;
  bool b1 = true;
};

// A first guess on joined rows, unless it is impossible on the rows themselves; then the rows.
template <std::size_t D>
Optimum minimise(const Task& task, const Glm& glm, const Space<D>& space, numeric::SmallVector<D> x) {
  const double all = task.rows.hits + task.rows.misses;
  if (task.coarse.cells.size() < task.rows.cells.size()) {
    const Optimum guess = minimise(Glm(task.coarse, task.family.link, task.family.transform), space, x, all);
    if (guess.found && std::isfinite(glm(guess.b[0], guess.b[1]).nll)) {
      // back from b to x: the plane, or a line whose second component is 1
      if constexpr (D == 2)
        x = guess.b;
      else
        x = {guess.b[1]};
    }
  }
  return minimise(glm, space, x, all);
}

double constant(const Task& task) {
  const double p = task.rows.hits / (task.rows.hits + task.rows.misses);
  switch (task.family.link) {
    case Link::log:
      return std::log(p);
    case Link::logflip:
      return std::log1p(-p);
    default:
      return std::log(task.rows.hits / task.rows.misses);
  }
}

// Whether no finite slope is best: a threshold on the score parts hits and misses; for the links that cannot jump from
// 0 to 1, when all hits have the highest score (log) or all misses the lowest (logflip).
bool separated(const Task& task) {
  // hits and misses in ascending order of the score; saturated rows are the ends
  double low_hit = 3, high_hit = -3, low_miss = 3, high_miss = -3;
  const auto see = [&](const GlmCell& cell, double z) {
    if (cell.hits > 0) low_hit = std::min(low_hit, z), high_hit = std::max(high_hit, z);
    if (cell.misses > 0) low_miss = std::min(low_miss, z), high_miss = std::max(high_miss, z);
  };
  see(task.rows.low, -2);
  see(task.rows.high, 2);
  for (const GlmCell& cell : task.rows.cells) see(cell, cell.at.c < 0.5 ? cell.at.c - 0.5 : 0.5 - cell.at.u);
  const double top = std::max(high_hit, high_miss), bottom = std::min(low_hit, low_miss);
  if (task.family.link == Link::log) return low_hit == top && (task.b0 || top == 2);
  if (task.family.link == Link::logflip) return high_miss == bottom && (task.b0 || bottom == -2);
  if (task.b0) return high_miss <= low_hit || high_hit <= low_miss;
  if (task.family.transform != Link::logit) return false;  // ln(1 - c) has one sign
  return (high_miss <= 0 && low_hit >= 0) || (high_hit <= 0 && low_miss >= 0);
}

// Standard errors from the observed information, in the directions that are free.
std::vector<std::optional<double>> standard_errors(const Task& task, const GlmValue& at) {
  const auto& h = at.hessian;
  if (task.b0 && task.b1) {
    if (!definite(h)) return {std::nullopt, std::nullopt};
    const double det = h[0] * h[2] - h[1] * h[1];
    return {std::sqrt(h[2] / det), std::sqrt(h[0] / det)};
  }
  const double own = task.b0 ? h[0] : h[2];
  const std::optional<double> error = own > 0 ? std::optional(1 / std::sqrt(own)) : std::nullopt;
  if (task.b0) return {error, std::nullopt};
  return {std::nullopt, error};
}

CurveFit report(const Task& task, const Optimum& at, FitStatus status, std::string note) {
  CurveFit out{.name = std::string(task.family.name) + (task.b0 ? "_b0" : "") + (task.b1 ? "_b1" : ""),
               .curve = {&task.family, {at.b[0], at.b[1]}},
               .parameters = task.b0 + task.b1,
               .nll = at.value.nll,
               .aic = 2 * (task.b0 + task.b1) + 2 * at.value.nll,
               .errors = {std::nullopt, std::nullopt},
               .status = status,
               .iterations = at.iterations,
               .gradient = at.gradient,
               .note = std::move(note)};
  if (status == FitStatus::converged) out.errors = standard_errors(task, at.value);
  return out;
}

CurveFit finished(const Task& task, const Optimum& at) {
  if (at.found) return report(task, at, FitStatus::converged, "");
  if (std::max(std::abs(at.b[0]), std::abs(at.b[1])) > 1e5)
    return report(task, at, FitStatus::unbounded, "a steeper curve is always better");
  return report(task, at, FitStatus::iteration_limit, "stopped before the gradient vanished");
}

CurveFit fit_constant(const Task& task, const Glm& glm) {
  const Pair b = {constant(task), 0};
  const GlmValue value = glm(b[0], b[1]);
  return report(task, {b, value, 0, std::abs(value.gradient[0]) / (task.rows.hits + task.rows.misses), true},
                FitStatus::converged, "");
}

// Both coefficients under b1 >= 0 and b0 + b1 t <= 0. The problem is convex, but for the saturated misses, so an
// optimum on a bound is known by the sign of the gradient there; only when there is none is the inside searched.
CurveFit fit_bounded(const Task& task, const Glm& glm) {
  const Pair level = {constant(task), 0};
  const GlmValue at_level = glm(level[0], level[1]);
  if (at_level.gradient[1] >= 0)
    return report(task, {level, at_level, 0, 0, true}, FitStatus::at_bound,
                  "the best curve of this kind that does not fall is level");
  const double t = glm.highest();
  const Space<1> edge{{{{-t, 1}}}};
  if (std::isfinite(glm(-t, 1).nll)) {
    const Optimum at = minimise(task, glm, edge, {1});
    if (at.found && at.value.gradient[0] <= 0)
      return report(task, at, FitStatus::at_bound,
                    task.family.link == Link::log ? "the curve reaches 1 at the highest score"
                                                  : "the curve reaches 0 at the lowest score");
  }
  return finished(task, minimise(task, glm, plane, level));
}

CurveFit fit_glm(const Task& task) {
  const Glm glm(task.rows, task.family.link, task.family.transform);
  if (!task.b1) return fit_constant(task, glm);
  const bool one_score = task.b0 && glm.distinct() == 1;
  if (one_score || separated(task)) {
    const Pair level = {constant(task), 0};
    return report(task, {level, glm(level[0], 0)}, FitStatus::unbounded,
                  one_score ? "all scores are equal, so any slope will do"
                            : "the score separates hits from misses, so a steeper curve is always better");
  }
  if (!task.b0)
    return finished(task, minimise(task, glm, Space<1>{{{{0, 1}}}}, {task.family.link == Link::logit ? 0.0 : 1.0}));
  if (task.family.link != Link::logit) return fit_bounded(task, glm);
  return finished(task, minimise(task, glm, plane, {constant(task), 0}));
}

}  // namespace

Result<FittedTruth> fit_truth(const measure::Sample& sample, const FitTruthOptions& options) {
  const numeric::Ordered& data = sample.ordered();
  FittedTruth out;
  const auto scores = fit_beta_scores(data, options.saturated);
  if (scores) out.scores = *scores;
  if (options.scores == ScoreKind::beta) {
    if (!scores) return scores.error();
    out.truth.scores = {.kind = ScoreKind::beta, .alpha = scores->alpha, .beta = scores->beta};
  } else if (options.scores == ScoreKind::empirical) {
    out.truth.scores = scores_of(data);
  }
  // without a Beta fit, saturated scores are taken as spread evenly
  auto table = fit_curves(data, out.scores.value_or(BetaFit{.saturated = options.saturated}));
  if (!table) return table.error();
  out.table = *std::move(table);
  out.truth.curve = options.curve == CurveChoice::aic ? out.table.front().curve : fit_isotonic(data);
  out.truth.name = "fitted";
  return out;
}

Curve fit_isotonic(const numeric::Ordered& data) {
  const numeric::Ordered groups = tied(data);
  Curve out{.family = find_curve("isotonic")};
  auto& knots = out.coefficients;
  const auto knot = [&](double x, double y) {
    const std::size_t n = knots.size();
    if (n >= 2 && knots[n - 2] == x && knots[n - 1] == y) return;
    knots.push_back(x);
    knots.push_back(y);
  };
  for (const numeric::PavBlock& block : numeric::pav(groups)) {
    const double first = groups.score(block.first), last = groups.score(block.last - 1);
    knot(first, block.rate());
    knot(last, block.rate());
  }
  return out;
}

Result<std::vector<CurveFit>> fit_curves(const numeric::Ordered& data, const BetaFit& scores) {
  const GlmRows rows = glm_rows(data, scores);
  if (rows.hits == 0 || rows.misses == 0)
    return Error{.code = Errc::undefined,
                 .what = rows.hits == 0 ? "no prediction is right, so no calibration curve can be fitted"
                                        : "no prediction is wrong, so no calibration curve can be fitted",
                 .remedy = "a curve needs both"};
  const GlmRows coarse = coarser(rows, 2000);
  std::vector<CurveFit> out;
  const double nll = identity_nll(rows);
  out.push_back({.name = "identity", .curve = identity(), .nll = nll, .aic = 2 * nll});
  for (const CurveFamily& row : curves()) {
    if (row.link == Link::none) continue;
    out.push_back(fit_glm({row, rows, coarse, true, true}));
    out.push_back(fit_glm({row, rows, coarse, false, true}));
    out.push_back(fit_glm({row, rows, coarse, true, false}));
  }
  const auto usable = [](const CurveFit& f) {
    return f.status == FitStatus::converged || f.status == FitStatus::at_bound;
  };
  std::ranges::stable_sort(
      out, [&](const CurveFit& a, const CurveFit& b) { return usable(a) != usable(b) ? usable(a) : a.aic < b.aic; });
  return out;
}

}  // namespace tare::detail::simulate
