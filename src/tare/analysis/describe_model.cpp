#include "tare/analysis/describe_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/core/errors.hpp"
#include "tare/fit/rows/map.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::analysis {
namespace {

constexpr std::size_t parts = 50, widest = 24;

double middle(std::size_t i) { return (static_cast<double>(i) + 0.5) / parts; }

// Rows in which class j has the probability and the others share the rest, before and after the map. Their logits sum
// to 0, as those of trained networks nearly do: what vector and matrix scaling make of a row depends on that sum.
std::vector<double> curve_of(const fit::Map& map, const Recipe& recipe, std::size_t j) {
  const std::size_t k = recipe.columns;
  std::vector<double> in, out(parts * k), curve;
  for (std::size_t i = 0; i < parts; ++i) {
    const double p = middle(i), others = static_cast<double>(std::max<std::size_t>(k, 2) - 1), rest = (1 - p) / others;
    const double mean = (std::log(p) + others * std::log(rest)) / static_cast<double>(k);
    for (std::size_t c = 0; c < k; ++c) {
      const double share = c == j || k == 1 ? p : rest;
      in.push_back(recipe.input != Kind::logits ? share : k == 1 ? std::log(p / (1 - p)) : std::log(share) - mean);
    }
  }
  map.apply(std::span<const double>(in), out);
  for (std::size_t i = 0; i < parts; ++i) curve.push_back(out[i * k + (k == 1 ? 0 : j)]);
  return curve;
}

double moved(const std::vector<double>& curve) {
  double out = 0;
  for (std::size_t i = 0; i < parts; ++i) out += std::abs(curve[i] - middle(i));
  return out / parts;
}

std::string number(double x) { return fmt::format("{:.6g}", x); }

std::string listed(const std::vector<double>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 10); ++i)
    out += (i ? ", " : "") + fmt::format("{:.4g}", numbers[i]);
  return numbers.size() > 10 ? out + fmt::format(", ... ({} in all)", numbers.size()) : out;
}

// Each row and column of a k by k matrix less its mean. A softmax does not see what all rows share, nor rows of logits
// that sum to 0 what a row has in all columns: the fit leaves both open, and they would hide the rest.
void center(std::vector<double>& w, std::size_t k) {
  for (const bool columns : {false, true})
    for (std::size_t i = 0; i < k; ++i) {
      const auto at = [&](std::size_t j) -> double& { return w[columns ? j * k + i : i * k + j]; };
      double mean = 0;
      for (std::size_t j = 0; j < k; ++j) mean += at(j) / static_cast<double>(k);
      for (std::size_t j = 0; j < k; ++j) at(j) -= mean;
    }
}

void add_facts(const Recipe::Tempered& map, ModelDescription& out) {
  out.facts.emplace_back("temperature", number(1 / map.v));
  if (!map.weights.empty()) out.facts.emplace_back("weights", listed(map.weights) + " (tempered, raw, uniform)");
}

void add_facts(const Recipe::Affine& map, ModelDescription& out) {
  const std::size_t k = std::max<std::size_t>(2, out.model.columns);
  if (map.w.size() == k || map.w.size() == 1) out.facts.emplace_back("factors", listed(map.w));
  out.facts.emplace_back("intercepts", listed(map.b));
  out.centered = out.model.columns > 1 && out.model.input == Kind::logits && map.features == Recipe::Features::logits &&
                 map.w.size() > 1;
  if (map.w.size() <= k) return;
  std::vector<double> w = map.w;
  if (out.centered) center(w, k);
  out.block = (k + widest - 1) / widest;
  out.side = (k + out.block - 1) / out.block;
  out.matrix.resize(out.side * out.side);
  std::vector<double> count(out.matrix.size());
  for (std::size_t c = 0; c < k; ++c)
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t at = c / out.block * out.side + j / out.block;
      out.matrix[at] += w[c * k + j];
      count[at] += 1;
    }
  for (std::size_t i = 0; i < count.size(); ++i) out.matrix[i] /= count[i];
}

void add_facts(const Recipe::Curves& map, ModelDescription& out) {
  std::vector<double> a, b;
  std::size_t knots = 0, fewest = map.curve[0].y.size(), most = fewest;
  for (const Recipe::Curve& c : map.curve) {
    a.push_back(c.a);
    b.push_back(c.b);
    knots += c.y.size();
    fewest = std::min(fewest, c.y.size());
    most = std::max(most, c.y.size());
  }
  if (of_log_odds(map.shape)) {
    out.facts.emplace_back("a", listed(a));
    out.facts.emplace_back("b", listed(b));
  }
  if (knots == 0) return;
  const bool steps = map.shape == Recipe::Shape::steps || map.shape == Recipe::Shape::sigmoid_steps;
  out.facts.emplace_back(steps ? "steps" : "knots",
                         map.curve.size() == 1
                             ? std::to_string(knots)
                             : fmt::format("{} in {} curves, {} to {} each", knots, map.curve.size(), fewest, most));
}

}  // namespace

Result<ModelDescription> describe_model(const Model& model, std::optional<std::size_t> shown) {
  const fit::Calibrator* row = fit::find(model.method);
  if (!row) return fit::unknown_method(model.method);
  const auto recipe = row->recipe(model);
  if (!recipe) return recipe.error();
  if (shown && *shown >= model.k)
    return bad_option("there is no class " + std::to_string(*shown),
                      "the classes are 0 to " + std::to_string(model.k - 1));
  ModelDescription out{.model = model, .title = std::string(row->title)};
  std::visit([&](const auto& map) { add_facts(map, out); }, recipe->map);
  if (recipe->fill) out.facts.emplace_back("zeros", "probabilities of 0 become " + number(recipe->fill->certain));
  const auto map = fit::make_map(*recipe);
  if (recipe->columns == 1) {
    out.shown_class = 1;
    out.curve = curve_of(*map, *recipe, 0);
    return out;
  }
  const std::size_t looked_at = std::min<std::size_t>(recipe->columns, 100);
  double most = -1;
  for (std::size_t j = shown.value_or(0); j < (shown ? *shown + 1 : looked_at); ++j) {
    auto curve = curve_of(*map, *recipe, j);
    if (moved(curve) <= most + 1e-9) continue;  // the first of those that move alike
    most = moved(curve);
    out.shown_class = j;
    out.curve = std::move(curve);
  }
  return out;
}

}  // namespace tare::detail::analysis
