#include "tare/fit/steps.hpp"

#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/report.hpp"

namespace tare::detail::fit {

double half_way(double lower, double upper) {
  const double middle = lower + (upper - lower) / 2;
  return middle < upper ? middle : lower;
}

void save(const std::vector<Steps>& steps, Model& model) {
  model.parameters["edges"] = parts_of(steps, &Steps::edges);
  model.parameters["values"] = parts_of(steps, &Steps::values);
}

Result<Recipe> steps_recipe(const Model& model, Recipe::Shape shape) {
  const std::size_t count = problems(model.columns);
  auto edges = lists(model, "edges", count, {0, 1});
  if (!edges) return edges.error();
  auto values = lists(model, "values", count, {0, 1});
  if (!values) return values.error();
  Recipe::Curves out{shape};
  for (std::size_t j = 0; j < count; ++j) {
    auto& e = (*edges)[j];
    auto& v = (*values)[j];
    if (v.size() != e.size() + 1)
      return bad_parameter("values", "has " + std::to_string(v.size()) + " numbers in list " + std::to_string(j) +
                                         ", not " + std::to_string(e.size() + 1));
    for (std::size_t i = 1; i < e.size(); ++i)
      if (!(e[i - 1] < e[i])) return bad_parameter("edges", "does not rise in list " + std::to_string(j));
    out.curve.push_back({.x = std::move(e), .y = std::move(v)});
  }
  return recipe_of(model, std::move(out));
}

}  // namespace tare::detail::fit
