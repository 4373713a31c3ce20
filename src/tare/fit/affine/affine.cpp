#include "tare/fit/affine/affine.hpp"

#include <Eigen/Core>
#include <bit>
#include <deque>
#include <numeric>

#include "tare/core/options.hpp"
#include "tare/fit/affine/affine_curvature.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/temperature.hpp"
#include "tare/fit/zeros.hpp"

namespace tare::detail::fit {
namespace {

using numeric::Minimum;

constexpr std::size_t newton_unknowns = 400;  // vector: K <= 200; matrix and Dirichlet: K <= 19
constexpr Bounds parameter_range{-1e100, 1e100};

struct Data : AffineOutlook {
  numeric::LogitSurvey survey = {};
};

Data look(const MulticlassView& view, const AffineTask& task, int threads) {
  Data out{{}, numeric::survey(logit_rows(view), numeric::RowSums::float64, threads)};
  std::vector<char> seen(view.classes());
  for (std::size_t i = 0; i < view.size(); ++i)
    seen[static_cast<std::size_t>(view.label()[i])] |= view.weight().empty() || view.weight()[i] > 0;
  for (std::size_t c = 0; c < seen.size(); ++c)
    if (!seen[c]) out.missing.push_back(c);
  // by its intercept; or, because ln p is never positive, by its diagonal entry, which has no penalty
  out.missing_unbounded = !out.missing.empty() && (task.mu == 0 || task.features == Features::log_probabilities);
  return out;
}

// The curvature at the start says little about the end: look again now and then.
Minimum rounds_of_lbfgs(const AffineProblem& problem, numeric::MinimiseOptions how, std::span<double> x) {
  AffinePreconditioner preconditioner(problem);
  Minimum m;
  int left = how.max_iterations, done = 0;
  for (int round = 50; left > 0; round *= 2) {
    preconditioner.move_to(x);
    preconditioner.prepare(0);
    how.max_iterations = std::min(round, left);
    m = numeric::lbfgs([&](std::span<const double> at, std::span<double> g) { return problem(at, g); }, x, how,
                       [&](std::span<double> r) { preconditioner(r); });
    done += m.iterations;
    left -= how.max_iterations;
    if (m.stop != Minimum::Stop::limit) break;
  }
  m.iterations = done;
  return m;
}

// A full W of many classes: L-BFGS is quick where the classes overlap or are all separable. Where some are separable it
// creeps, and Newton's method goes on.
Minimum many_unknowns(const AffineProblem& problem, const AffineTask& task, Data& data, numeric::MinimiseOptions how,
                      std::span<double> x) {
  const int first = task.lambda > 0 ? 150 : 50;
  const int most = how.max_iterations;
  how.max_iterations = std::min(first, most);
  Minimum m = rounds_of_lbfgs(problem, how, x);
  if (m.stop != Minimum::Stop::limit || most <= first) return m;
  // Where no optimum exists there is nothing to converge to. Once that is proven, stop after 40 steps, or when five
  // steps gain little; rows that are all right are sent on their way by making all parameters larger.
  const Separation separation(problem);
  const bool may_separate = task.lambda == 0 && task.mu == 0 && !problem.streamed();
  std::deque<double> last;
  unsigned steps = 0;
  bool all_right = false;
  const auto enough = how.stop;
  how.stop = [&](std::span<const double> at, double value) {
    last.push_back(value);
    if (last.size() > 6) last.pop_front();
    if (enough(at, value)) return true;
    if (!may_separate) return false;
    all_right = value < 0.5 && separation.all_rows_right(at);
    ++steps;
    if (!data.separable && std::has_single_bit(steps) && steps >= 4) data.separable = separation.find(at);
    const bool slow = last.size() > 5 && last.front() - value <= 4e-3 * value;
    return all_right || (data.separable && (slow || steps >= 40));
  };
  how.max_iterations = most - first;
  AffineCurvature curvature(problem);
  m = numeric::newton_cg(curvature, x, how);
  m.iterations += first;
  if (!all_right) return m;
  data.separable.reset();
  std::vector<double> g(x.size());
  for (int i = 0; i < 60 && !enough(x, m.value); ++i) {
    for (double& v : x) v *= 2;
    m.value = problem(x, g);
  }
  m.gradient = 0;
  for (const double v : g) m.gradient = std::max(m.gradient, std::abs(v));
  return m;
}

// Without a penalty a total NLL below ln 2 proves that every row is classified right, and then the NLL falls for
// ever along the same parameters. The penalty leaves the diagonal free, so with it only logits that are
// already right do so.
Minimum solve(const AffineProblem& problem, const AffineTask& task, Data& data, const Options& options,
              std::span<double> x) {
  numeric::MinimiseOptions how{.gradient = std::max(1e-13, 1e-9 / std::max(1.0, problem.scale()))};
  const double enough = data.survey.least_weight / 2 / data.survey.total_weight;
  const bool free = task.diagonal || task.lambda == 0 || data.survey.all_right;
  how.at_infinity = data.missing_unbounded;
  how.stop = [=](std::span<const double>, double value) { return free && value <= enough; };
  const bool small = problem.size() <= newton_unknowns;
  how.max_iterations = options.max_iterations > 0 ? options.max_iterations : small ? 200 : task.diagonal ? 3000 : 500;
  if (!small) return task.diagonal ? rounds_of_lbfgs(problem, how, x) : many_unknowns(problem, task, data, how, x);
  return numeric::newton(
      [&](std::span<const double> at, std::span<double> g) { return problem(at, g); },
      [&](std::span<const double> at, std::span<double> g, std::span<double> h) { return problem(at, g, h); }, x, how);
}

// Back to the units of the input, intercepts centred (only their differences matter), two columns to one
// where the input has one.
void save(const AffineProblem& problem, const AffineTask& task, std::span<const double> x, Model& model) {
  const std::size_t k = problem.classes();
  std::vector<double> w, b(k);
  for (std::size_t c = 0; c < k; ++c) {
    b[c] = x[problem.intercept_at(c)];
    for (std::size_t j = task.diagonal ? c : 0; j < (task.diagonal ? c + 1 : k); ++j)
      w.push_back(x[problem.weight_at(c, j)] / problem.scale());
  }
  const double centre = std::accumulate(b.begin(), b.end(), 0.0) / static_cast<double>(k);
  for (double& v : b) v -= centre;
  if (model.columns == 1 && task.features == Features::logits) {
    // logits (-z/2, z/2): the difference of the two outputs is slope z + intercept
    const double slope = task.diagonal ? (w[0] + w[1]) / 2 : (w[0] - w[1] - w[2] + w[3]) / 2;
    model.parameters["w"] = std::vector{slope};
    model.parameters["b"] = std::vector{b[1] - b[0]};
    return;
  }
  model.parameters[task.diagonal ? "w" : "W"] = std::move(w);
  model.parameters["b"] = std::move(b);
}

}  // namespace

void conclude(const Minimum& m, const AffineTask& task, const AffineOutlook& data, FitReport& report) {
  const std::string remedy = task.diagonal ? "use temperature, or fit on more rows"
                             : task.lambda == 0
                                 ? "give lambda and mu (ODIR), for example K (K-1) / 10 each, or use temperature"
                             : data.missing.empty() ? "fit on more rows, some of them misclassified"
                                                    : "fit on rows of all classes";
  report.status = FitStatus::unbounded;
  if (m.stop == Minimum::Stop::asked && data.separable) {
    report.note = "a linear function tells class " + std::to_string(*data.separable) +
                  " from all others without error, so the NLL falls for ever as the parameters grow; stopped after 40 "
                  "steps of Newton's method, or when five lowered it by less than 0.4%; " +
                  remedy;
  } else if (m.stop == Minimum::Stop::asked) {
    report.note =
        "every row is classified right, so the NLL falls for ever as the parameters grow; stopped when all rows "
        "together cost less than half a row; " +
        remedy;
  } else if (m.stop == Minimum::Stop::not_finite) {
    report.status = FitStatus::iteration_limit;
    report.note = "stopped where a number became too large for the computer; check the scale of the logits";
  } else if (m.stop == Minimum::Stop::limit || (m.stop == Minimum::Stop::rounding && m.gradient > 1e-8)) {
    report.status = FitStatus::iteration_limit;
    report.note =
        m.stop == Minimum::Stop::limit
            ? "stopped by max_iterations before the gradient vanished; allow more, or give a larger lambda and mu"
            : "stopped where rounding hides any further progress";
  } else if (data.missing_unbounded) {
    report.note = class_list(data.missing) + (data.missing.size() == 1 ? " never occurs" : " never occur") +
                  " in the data, so the NLL falls for ever as its probability goes to 0; "
                  "stopped when the gradient vanished; " +
                  remedy;
  } else if (m.stop == Minimum::Stop::drifting) {
    report.note =
        "the NLL falls for ever in some direction (a class is separable); stopped when the gradient vanished; " +
        remedy;
  } else {
    report.status = FitStatus::converged;
  }
}

namespace {

Result<Model> fit_affine(const MulticlassView& view, const AffineTask& task, const Options& options) {
  if (const auto fine = all_of({in_range(options::lambda, task.lambda), in_range(options::mu, task.mu)}); !fine)
    return fine.error();
  const auto start = temperature(view, {.threads = options.threads});
  if (!start) return start.error();
  Data data = look(view, task, options.threads);
  const AffineProblem problem(view, task, options.threads);
  const double t = std::get<double>(start->parameters.at("temperature"));
  std::vector<double> x(problem.size());
  for (std::size_t c = 0; c < problem.classes(); ++c) x[problem.weight_at(c, c)] = problem.scale() / t;

  const Minimum m = solve(problem, task, data, options, x);
  Model model = model_of(view, task.method);
  save(problem, task, x, model);
  model.fit = {.iterations = m.iterations,
               .gradient = m.gradient * std::max(1.0, problem.scale()),
               .nll_before = start->fit.nll_before,
               .nll_after = problem.nll(x)};
  if (!std::isfinite(*model.fit.gradient)) model.fit.gradient.reset();
  conclude(m, task, data, model.fit);
  return model;
}

Result<Model> fit_vector(const MulticlassView& view, const Options& options) {
  return fit_affine(view, {.method = "vector", .diagonal = true}, options);
}

// The penalties are parameters, too.
Result<Model> fit_penalised(const MulticlassView& view, const AffineTask& task, const Options& options) {
  auto model = fit_affine(view, task, options);
  if (!model) return model;
  model->parameters["lambda"] = task.lambda;
  model->parameters["mu"] = task.mu;
  return model;
}

Result<Model> fit_matrix(const MulticlassView& view, const Options& options) {
  const double lambda = options.lambda.value_or(0), mu = options.mu.value_or(lambda);
  return fit_penalised(view, {.method = "matrix", .lambda = lambda, .mu = mu}, options);
}

// 0.1 for every entry off the diagonal, whatever K: with 5,000 rows of a network on CIFAR-100, 0.001 overfits badly
// (test NLL 1.60 against 1.02), and on CIFAR-10 anything from 0.01 to 10 serves.
double dirichlet_lambda(std::size_t k) { return 0.1 * static_cast<double>(k) * static_cast<double>(k - 1); }

Result<Model> fit_dirichlet(const MulticlassView& view, const Options& options) {
  const double lambda = options.lambda.value_or(dirichlet_lambda(view.classes())), mu = options.mu.value_or(lambda);
  return fit_penalised(
      view, {.method = "dirichlet", .features = Features::log_probabilities, .lambda = lambda, .mu = mu}, options);
}

template <Features features, bool diagonal>
Result<Recipe> affine_recipe(const Model& model) {
  const std::size_t k = feature_count(model.columns);
  const bool one = model.columns == 1 && features == Features::logits;
  auto w = list(model, diagonal || one ? "w" : "W", one ? 1 : diagonal ? k : k * k, parameter_range);
  if (!w) return w.error();
  auto b = list(model, "b", one ? 1 : k, parameter_range);
  if (!b) return b.error();
  return recipe_of(model, Recipe::Affine{features, *std::move(w), *std::move(b)});
}

}  // namespace

constinit const Calibrator vector_calibrator{.name = "vector",
                                             .title = "vector scaling",
                                             .summary = "one factor and one intercept per class",
                                             .citation = "Guo et al. 2017, section 4.2",
                                             .complexity = 3,
                                             .fit = fit_filled<fit_vector>,
                                             .recipe = filled_recipe<affine_recipe<Features::logits, true>>};

constinit const Calibrator matrix_calibrator{
    .name = "matrix",
    .title = "matrix scaling",
    .summary = "a linear map of all logits; overfits many classes unless lambda and mu hold it back",
    .citation = "Guo et al. 2017, section 4.2; Kull et al. 2019 (ODIR)",
    .complexity = 5,
    .options = "lambda mu max_iterations",
    .fit = fit_filled<fit_matrix>,
    .recipe = filled_recipe<affine_recipe<Features::logits, false>>};

constinit const Calibrator dirichlet_calibrator{
    .name = "dirichlet",
    .title = "Dirichlet calibration",
    .summary = "a linear map of all log-probabilities, held back by a penalty off the diagonal",
    .citation = "Kull et al. 2019",
    .complexity = 5,
    .options = "lambda mu max_iterations",
    .fit = fit_filled<fit_dirichlet>,
    .recipe = filled_recipe<affine_recipe<Features::log_probabilities, false>>};

}  // namespace tare::detail::fit
