#include "tare/fit/isotonic.hpp"

#include "tare/numeric/order/order.hpp"
#include "tare/numeric/order/pav.hpp"

namespace tare::detail::fit {
namespace {

std::vector<numeric::ScoreBlock> pooled(const Problem& problem) {
  if (problem.weight.empty()) return numeric::pooled_rows(problem.score, problem.label, problem.threads);
  const auto data = numeric::order(problem.score, problem.label, problem.weight, problem.threads);
  numeric::Pooling<double> pooling;
  for (std::size_t g = 0; g < data.groups(); ++g)
    pooling.add({data.score(g), data.score(g), data.mass(g), data.hits(g)});
  return pooling.finish();
}

Isotonic curve_of(std::span<const numeric::ScoreBlock> blocks, bool step) {
  Isotonic out{.step = step};
  for (const numeric::ScoreBlock& block : blocks) {
    out.x.push_back(block.first);
    out.y.push_back(block.rate());
    if (step || block.first == block.last) continue;
    out.x.push_back(block.last);
    out.y.push_back(block.rate());
  }
  return out;
}

// The rows of a block get its rate. Of weighted rows only the sums are known.
std::vector<MappedRows> mapped_rows(std::span<const numeric::ScoreBlock> blocks) {
  std::vector<MappedRows> out;
  out.reserve(blocks.size());
  for (const numeric::ScoreBlock& block : blocks) out.push_back({block.rate(), block.hits, block.mass - block.hits});
  return out;
}

struct Fitted {
  Isotonic curve;
  std::vector<MappedRows> rows = {};  // of a problem that is alone
};

}  // namespace

Isotonic isotonic_curve(const Problem& problem, bool step) { return curve_of(pooled(problem), step); }

void Isotonic::prepare_map() {
  guide = KnotGuide(x);
  pieces.clear();
  pieces.push_back({x.front() - 1, 1, y.front(), y.front()});
  for (std::size_t i = 1; i < x.size(); ++i)
    pieces.push_back({x[i - 1], x[i] - x[i - 1], y[i - 1], step ? y[i - 1] : y[i]});
  pieces.push_back({x.back(), 1, y.back(), y.back()});
}

namespace {

Result<Recipe> isotonic_recipe(const Model& model) {
  const std::size_t count = problems(model.columns);
  const auto shape = word(model, "shape");
  if (!shape) return shape.error();
  if (*shape != "linear" && *shape != "step") return bad_parameter("shape", "is '" + *shape + "', not linear or step");
  auto x = lists(model, "x", count, {0, 1});
  if (!x) return x.error();
  auto y = lists(model, "y", count, {0, 1});
  if (!y) return y.error();
  Recipe::Curves out{*shape == "step" ? Recipe::Shape::stairs : Recipe::Shape::linear};
  for (std::size_t j = 0; j < count; ++j) {
    Recipe::Curve curve{.x = std::move((*x)[j]), .y = std::move((*y)[j])};
    const std::string place = " in list " + std::to_string(j);
    if (curve.x.empty()) return bad_parameter("x", "has no knots" + place);
    if (curve.x.size() != curve.y.size()) return bad_parameter("y", "has another length than 'x'" + place);
    for (std::size_t i = 1; i < curve.x.size(); ++i) {
      if (!(curve.x[i - 1] < curve.x[i])) return bad_parameter("x", "does not rise" + place);
      if (!(curve.y[i - 1] <= curve.y[i])) return bad_parameter("y", "falls" + place);
    }
    out.curve.push_back(std::move(curve));
  }
  return recipe_of(model, std::move(out));
}

Result<Model> fit_isotonic(const MulticlassView& view, const Options& options) {
  Lists x, y;
  const bool alone = problems(view.columns()) == 1;
  auto fitted = fit_problems(view, Scale::probability, options.threads, [&](const Problem& p) -> Fitted {
    const auto blocks = pooled(p);
    return {curve_of(blocks, options.step), alone ? mapped_rows(blocks) : std::vector<MappedRows>()};
  });
  for (auto& [curve, rows] : fitted) {
    x.push_back(std::move(curve.x));
    y.push_back(std::move(curve.y));
  }
  Model model = model_of(view, "isotonic");
  model.parameters["shape"] = options.step ? "step" : "linear";
  model.parameters["x"] = std::move(x);
  model.parameters["y"] = std::move(y);
  // A class that a logit masks gets 0 whatever the map says, and weights are not in the blocks as they are.
  if (alone && view.weight().empty() && (view.columns() == 1 || view.kind() == Kind::probs))
    return with_nll(std::move(model), view, fitted.front().rows, options);
  return with_nll(std::move(model), view, isotonic_recipe, options);
}

}  // namespace

constinit const Calibrator isotonic_calibrator{
    .name = "isotonic",
    .title = "isotonic regression",
    .summary = "the non-decreasing map of the scores that fits the labels best; needs a few thousand rows",
    .citation = "Zadrozny & Elkan 2002; Ayer et al. 1955",
    .complexity = 4,
    .options = "shape",
    .fit = fit_isotonic,
    .recipe = isotonic_recipe};

}  // namespace tare::detail::fit
