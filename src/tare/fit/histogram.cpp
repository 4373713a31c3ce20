#include "tare/fit/histogram.hpp"

#include "tare/core/options.hpp"

namespace tare::detail::fit {
namespace {

std::vector<double> width_values(const Problem& problem, std::size_t b) {
  const auto sums = numeric::width_bins(problem.score, problem.label, problem.weight, b, problem.threads);
  std::vector<double> values(b);
  for (std::size_t j = 0; j < b; ++j)
    values[j] = sums[j].mass != 0 ? sums[j].mean_label() : (static_cast<double>(j) + 0.5) / static_cast<double>(b);
  return values;
}

}  // namespace

Result<std::size_t> checked_bins(const Options& options) {
  if (const auto fine = in_range(options::bins, options.bins); !fine) return fine.error();
  return static_cast<std::size_t>(options.bins);
}

Steps mass_steps(const Problem& problem, std::size_t b) {
  Steps out;
  double last = 0;
  for (const auto& bin : numeric::mass_bins(problem.score, problem.label, problem.weight, b, problem.threads)) {
    if (bin.mass == 0) continue;
    if (!out.values.empty()) out.edges.push_back(half_way(last, bin.first));
    out.values.push_back(bin.mean_label());
    last = bin.last;
  }
  return out;
}

namespace {

Result<Recipe> histogram_recipe(const Model& model) {
  const std::size_t count = problems(model.columns);
  const auto binning = word(model, "binning");
  if (!binning) return binning.error();
  if (*binning == "mass") return steps_recipe(model, Recipe::Shape::steps);
  if (*binning != "width") return bad_parameter("binning", "is '" + *binning + "', not width or mass");
  const auto values = lists(model, "values", count, {0, 1});
  if (!values) return values.error();
  Recipe::Curves out{Recipe::Shape::steps};
  for (const auto& v : *values) {
    if (v.empty()) return bad_parameter("values", "has a list without numbers");
    Recipe::Curve curve{.y = v};  // the edges of the estimators' own bins
    for (std::size_t j = 1; j < v.size(); ++j) curve.x.push_back(numeric::width_edge(j, v.size()));
    out.curve.push_back(std::move(curve));
  }
  return recipe_of(model, std::move(out));
}

Result<Model> fit_histogram(const MulticlassView& view, const Options& options) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  Model model = model_of(view, "histogram");
  if (options.binning == numeric::Binning::width) {
    model.parameters["binning"] = "width";
    model.parameters["values"] =
        fit_problems(view, Scale::probability, options.threads, [&](const Problem& p) { return width_values(p, *b); });
  } else {
    model.parameters["binning"] = "mass";
    save(fit_problems(view, Scale::probability, options.threads, [&](const Problem& p) { return mass_steps(p, *b); }),
         model);
  }
  return with_nll(std::move(model), view, histogram_recipe, options);
}

}  // namespace

constinit const Calibrator histogram_calibrator{
    .name = "histogram",
    .title = "histogram binning",
    .summary = "every bin of scores predicts the share of its rows that came true",
    .citation = "Zadrozny & Elkan 2001; Guo et al. 2017, Eq. 7",
    .complexity = 4,
    .options = "bins binning",
    .fit = fit_histogram,
    .recipe = histogram_recipe};

}  // namespace tare::detail::fit
