#include "tare/fit/prior_shift.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tare/core/result.hpp"
#include "tare/fit/class_shares.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/rows/map.hpp"
#include "tare/numeric/simd/tempered.hpp"
#include "tare/numeric/solve/minimise.hpp"

namespace tare::detail::fit {
namespace {

constexpr Bounds shift_range{-1e100, 1e100};
constexpr std::size_t newton_shifts = 200;

// The old shares, scaled to 1.
Result<std::vector<double>> checked_prior(std::vector<double> prior, std::size_t k) {
  const auto wrong = [](std::string what, std::string remedy) {
    return Error{
        .code = Errc::bad_option, .what = std::move(what), .place = {.array = "prior"}, .remedy = std::move(remedy)};
  };
  if (prior.size() != k)
    return wrong(std::to_string(prior.size()) + " shares for " + std::to_string(k) + " classes",
                 k == 2 ? "give the shares of class 0 and of class 1" : "give one share per class");
  for (const double p : prior)
    if (!(p > 0 && p < 1))
      return wrong("a share of " + number_text(p) + " is not between 0 and 1",
                   "every class needs a share: what the model never saw has no ratio of new to old");
  const double total = std::accumulate(prior.begin(), prior.end(), 0.0);
  if (!(std::abs(total - 1) <= 1e-3))
    return wrong("the shares sum to " + std::to_string(total) + ", not to 1", "give the shares of all classes");
  if (std::abs(total - 1) > 1e-12)
    for (double& p : prior) p /= total;
  return prior;
}

Error no_prior() {
  return {.code = Errc::bad_option,
          .what = "without labels, the shares of the classes that the model was calibrated for must be known",
          .remedy = "pass `prior`, one share per class, or `labels`"};
}

void add_note(FitReport& report, const std::string& note) { report.note += (report.note.empty() ? "" : "; ") + note; }

struct LabelTargets {
  std::vector<double> share;
  std::vector<std::size_t> missing = {};  // classes that never occur, and get a millionth of what the model gives them
  std::vector<double> start = {};
};

LabelTargets label_targets(const ShiftedRows& rows) {
  LabelTargets out{rows.label_shares()};
  out.start.resize(rows.classes());
  const Eigen::VectorXd model = rows.at(out.start, false).mean;
  double given_away = 0;
  for (std::size_t c = 0; c < out.share.size(); ++c) {
    if (out.share[c] > 0) continue;
    out.share[c] = least_ratio * model(static_cast<Eigen::Index>(c));
    given_away += out.share[c];
    if (out.share[c] > 0) out.missing.push_back(c);
  }
  for (std::size_t c = 0; c < out.share.size(); ++c) {
    if (rows.label_shares()[c] > 0) out.share[c] *= 1 - given_away;
    // what is below the range of numbers, though its label occurs, is beyond any fit: the status will say so
    if (out.share[c] > 0) out.start[c] = std::log(out.share[c] / std::max(model(static_cast<Eigen::Index>(c)), 1e-300));
  }
  return out;
}

// Minimises mean ln sum_c p(c) exp(b_c) - sum_c share_c b_c, which is convex.
numeric::Minimum fit_to_labels(const ShiftedRows& rows, const std::vector<double>& share, int max_iterations,
                               std::span<double> b) {
  const auto k = static_cast<Eigen::Index>(rows.classes());
  const Eigen::Map<const Eigen::VectorXd> target(share.data(), k);
  const auto sloped = [&](std::span<const double> at, std::span<double> gradient, const ShiftedRows::Moments& m) {
    Eigen::Map<Eigen::VectorXd>(gradient.data(), k) = m.mean - target;
    return m.value - target.dot(Eigen::Map<const Eigen::VectorXd>(at.data(), k));
  };
  const auto value = [&](std::span<const double> at, std::span<double> gradient) {
    return sloped(at, gradient, rows.at(at, false));
  };
  const bool small = rows.classes() <= newton_shifts;
  const numeric::MinimiseOptions how{.gradient = 1e-12,
                                     .max_iterations = max_iterations > 0 ? max_iterations
                                                       : small            ? 200
                                                                          : 3000};
  if (small)
    return numeric::newton(
        value,
        [&](std::span<const double> at, std::span<double> gradient, std::span<double> hessian) {
          const auto m = rows.at(at, true);
          Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> h(hessian.data(), k, k);
          h = Eigen::MatrixXd(m.mean.asDiagonal()) - m.square;
          h.array() += 1 / static_cast<double>(k);  // a number added to all intercepts changes nothing
          return sloped(at, gradient, m);
        },
        b, how);
  const Eigen::VectorXd mean = rows.at(b, false).mean;
  return numeric::lbfgs(value, b, how, [&](std::span<double> r) {
    for (Eigen::Index c = 0; c < k; ++c) r[static_cast<std::size_t>(c)] /= std::max(mean(c) * (1 - mean(c)), 1e-12);
  });
}

// Intercepts of classes that some row supports have mean 0; the others say nothing.
void save_shift(std::vector<double> b, const std::vector<char>& supported, Model& model) {
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < b.size(); ++c)
    if (supported[c]) sum += b[c], count += 1;
  for (std::size_t c = 0; c < b.size(); ++c) b[c] = supported[c] ? b[c] - sum / count : 0;
  model.parameters["b"] = model.columns == 1 ? std::vector{b[1] - b[0]} : std::move(b);
}

void fit_labelled(const ShiftedRows& rows, const Options& options, Model& model) {
  using Stop = numeric::Minimum::Stop;
  std::vector<char> supported(rows.classes(), 1);
  if (rows.rows() == 0) {
    save_shift(std::vector<double>(rows.classes()), supported, model);
    model.fit.note = "every row gives probability 0 to its label: nothing was shifted";
    return;
  }
  LabelTargets targets = label_targets(rows);
  for (std::size_t c = 0; c < supported.size(); ++c) supported[c] = targets.share[c] > 0;
  const auto m = fit_to_labels(rows, targets.share, options.max_iterations, targets.start);
  save_shift(targets.start, supported, model);
  model.fit = {.iterations = m.iterations, .gradient = m.gradient};
  if (m.stop == Stop::limit || m.stop == Stop::not_finite || (m.stop == Stop::rounding && m.gradient > 1e-8)) {
    model.fit.status = FitStatus::iteration_limit;
    model.fit.note = m.stop == Stop::limit ? "stopped by max_iterations; allow more"
                                           : "stopped where rounding hides any further progress";
  } else if (m.stop == Stop::drifting) {
    model.fit.status = FitStatus::unbounded;
    model.fit.note =
        "probabilities of 0 leave some class without a rival that occurs, so the NLL falls for ever as its intercept "
        "grows; stopped when the gradient vanished; fit on rows of all classes";
  } else if (!targets.missing.empty()) {
    model.fit.status = FitStatus::at_bound;
    add_note(model.fit, class_list(targets.missing) +
                            " without a label in the data: a millionth of the share that the model predicts was kept");
  }
  if (rows.left_out() > 0) add_note(model.fit, "rows with probability 0 for their label were left out");
}

void fit_unlabelled(const ShiftedRows& rows, const std::vector<double>& prior, const Options& options, Model& model) {
  const ClassShares found = class_shares(rows, prior, options.max_iterations);
  save_shift(found.log_ratio, std::vector<char>(prior.size(), 1), model);
  model.parameters["prior"] = prior;
  model.parameters["shares"] = found.share;
  model.fit = {.iterations = found.iterations, .gradient = found.gap};
  if (found.gap > 1e-8) {
    model.fit.status = FitStatus::iteration_limit;
    model.fit.note = "stopped before the gradient proved the shares, at 1e-8; more iterations may help";
  } else if (!found.at_bound.empty()) {
    model.fit.status = FitStatus::at_bound;
    model.fit.note =
        class_list(found.at_bound) + ": the likeliest share in these rows is 0; a millionth of the prior was kept";
  }
  if (!options.unlabelled) add_note(model.fit, "the labels were not used, because the prior was given");
}

Result<Recipe> prior_shift_recipe(const Model& model) {
  auto b = list(model, "b", model.columns, shift_range);
  if (!b) return b.error();
  for (const char* name : {"prior", "shares"})
    if (model.parameters.contains(name))
      if (const auto shares = list(model, name, feature_count(model.columns), {0, 1}); !shares) return shares.error();
  if (b->size() == 1) b->insert(b->begin(), 0.0);
  return recipe_of(model, Recipe::Affine{.features = Features::exact_logarithms, .b = *std::move(b)});
}

}  // namespace

Result<Model> prior_shift(const MulticlassView& view, const Options& options) {
  Model model = model_of(view, "prior_shift");
  if (options.prior.empty()) {
    if (options.unlabelled) return no_prior();
    fit_labelled(ShiftedRows(view, true, options.threads), options, model);
    return with_nll(std::move(model), view, prior_shift_recipe, options);
  }
  const auto prior = checked_prior(options.prior, feature_count(view.columns()));
  if (!prior) return prior.error();
  fit_unlabelled(ShiftedRows(view, false, options.threads), *prior, options, model);
  if (options.unlabelled) return model;
  return with_nll(std::move(model), view, prior_shift_recipe, options);
}

constinit const Calibrator prior_shift_calibrator{
    .name = "prior_shift",
    .title = "prior shift",
    .summary = "one intercept per class: new shares of the classes, with labels or, given the old shares, without",
    .citation = "Saerens et al. 2002",
    .complexity = 3,
    .options = "prior max_iterations",
    .without_labels = true,
    .fit = prior_shift,
    .recipe = prior_shift_recipe};

}  // namespace tare::detail::fit
