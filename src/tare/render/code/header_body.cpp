#include "tare/render/code/header_body.hpp"

#include "tare/render/code/numbers.hpp"

namespace tare::inner::render {
namespace {

std::string table(std::string_view name, const std::vector<double>& numbers) {
  std::string out = fmt::format("constexpr double {}[] = {{", name);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    out += (i ? "," : "") + std::string(i % 6 == 0 ? "\n    " : " ") + literal(numbers[i]);
  return out + (numbers.empty() ? "0.0};  // none\n" : "};\n");  // an array has an element
}

std::string places(std::string_view name, const std::vector<std::size_t>& numbers) {
  std::string out = fmt::format("constexpr std::size_t {}[] = {{", name);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    out += (i ? "," : "") + std::string(i % 12 == 0 ? "\n    " : " ") + std::to_string(numbers[i]);
  return out + "};\n";
}

HeaderBody body_of(const Recipe& recipe, const Recipe::Tempered& map) {
  const char* probabilities = recipe.input == Kind::logits ? "false" : "true";
  HeaderBody out;
  out.tables = fmt::format("constexpr double v = {};  // 1 / temperature\n", literal(map.v));
  out.statements = fmt::format("  tempered(row, columns, {}, v, out);\n", probabilities);
  if (map.weights.empty()) return out;
  out.tables += table("weights", map.weights);
  out.statements += fmt::format(
      "  double plain[columns];\n  tempered(row, columns, {}, 1, plain);\n  mix(weights, plain, columns, out);\n",
      probabilities);
  return out;
}

HeaderBody body_of(const Recipe& recipe, const Recipe::Affine& map) {
  const bool probs = recipe.input != Kind::logits;
  HeaderBody out;
  out.tables = "constexpr std::size_t features = columns < 2 ? 2 : columns;\n" + table("w", map.w) + table("b", map.b);
  out.statements = "  double x[features], u[features];\n";
  if (map.features == Recipe::Features::log_probabilities)
    out.statements += fmt::format("  log_features(row, columns, {}, x);\n", probs);
  else if (map.features == Recipe::Features::exact_logarithms && probs)
    out.statements += "  exact_log_features(row, columns, x);\n";
  else
    out.statements += fmt::format("  logit_features(row, columns, {}, x);\n", probs);
  out.statements += fmt::format("  affine(x, features, w, {}, b, u);\n  softmax(u, features);\n", map.w.size());
  out.statements += "  for (std::size_t j = 0; j < columns; ++j) out[j] = u[features - columns + j];\n";
  return out;
}

constexpr std::string_view searches = R"(
// How many of the rising numbers from x to end are below the score, and how many are not above it.
inline std::size_t count_below(const double* x, const double* end, double score) {
  const double* from = x;
  for (std::size_t n = static_cast<std::size_t>(end - from); n > 0;) {
    const std::size_t half = n / 2;
    if (from[half] < score) {
      from += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return static_cast<std::size_t>(from - x);
}
inline std::size_t count_not_above(const double* x, const double* end, double score) {
  const double* from = x;
  for (std::size_t n = static_cast<std::size_t>(end - from); n > 0;) {
    const std::size_t half = n / 2;
    if (score < from[half]) {
      n = half;
    } else {
      from += half + 1;
      n -= half + 1;
    }
  }
  return static_cast<std::size_t>(from - x);
}
)";

// What the curve of class j makes of a score; empty complement: 1 minus it.
struct CurveCode {
  std::string value, complement = {};
};
CurveCode curve_code(Recipe::Shape shape) {
  constexpr const char* step = "y[y_from[j] + count_below(x + x_from[j], x + x_from[j + 1], {})]";
  switch (shape) {
    case Recipe::Shape::sigmoid:
      return {"sigma(a[j] * score + b[j])", "sigma(-(a[j] * score + b[j]))"};
    case Recipe::Shape::beta:
      return {"sigma(beta_log_odds(score, a[j], b[j], c[j]))", "sigma(-beta_log_odds(score, a[j], b[j], c[j]))"};
    case Recipe::Shape::steps:
      return {fmt::format(fmt::runtime(step), "score")};
    case Recipe::Shape::sigmoid_steps:
      return {fmt::format(fmt::runtime(step), "sigma(a[j] * score + b[j])")};
    case Recipe::Shape::linear:
      return {
          "on_line(x + x_from[j], y + y_from[j], x_from[j + 1] - x_from[j], "
          "count_not_above(x + x_from[j], x + x_from[j + 1], score), score)"};
    case Recipe::Shape::stairs:
      break;
  }
  return {"y[y_from[j] + (score < x[x_from[j]] ? 0 : count_not_above(x + x_from[j], x + x_from[j + 1], score) - 1)]"};
}

std::string curve_tables(const Recipe::Curves& map) {
  std::vector<double> a, b, c, x, y;
  std::vector<std::size_t> x_from{0}, y_from{0};
  for (const Recipe::Curve& curve : map.curve) {
    a.push_back(curve.a);
    b.push_back(curve.b);
    c.push_back(curve.c);
    x.insert(x.end(), curve.x.begin(), curve.x.end());
    y.insert(y.end(), curve.y.begin(), curve.y.end());
    x_from.push_back(x.size());
    y_from.push_back(y.size());
  }
  std::string out;
  if (of_log_odds(map.shape)) out += table("a", a) + table("b", b);
  if (map.shape == Recipe::Shape::beta) out += table("c", c);
  if (map.shape == Recipe::Shape::sigmoid || map.shape == Recipe::Shape::beta) return out;
  // the searches first: their parameters would shadow the tables
  return std::string(searches) + "\n" + out + table("x", x) + table("y", y) + places("x_from", x_from) +
         places("y_from", y_from);
}

HeaderBody body_of(const Recipe& recipe, const Recipe::Curves& map) {
  const bool logits = recipe.input == Kind::logits, odds = of_log_odds(map.shape);
  const CurveCode code = curve_code(map.shape);
  HeaderBody out{.tables = curve_tables(map), .statements = {}};
  out.tables += fmt::format("\ninline double curve(std::size_t j, double score) {{\n  return {};\n}}\n", code.value);
  if (recipe.columns > 2) {
    out.statements = fmt::format(
        "  const RowFacts facts = row_facts(row, columns, {0}, {1});\n  for (std::size_t j = 0; j < columns; ++j)\n"
        "    out[j] = curve(j, score_of_class(static_cast<double>(row[j]), j, facts, {0}, {1}));\n"
        "  normalise(row, columns, {0}, out);\n",
        logits, odds);
    return out;
  }
  out.statements = fmt::format("  const double score = score_of_two(row, columns, {}, {});\n", logits, odds);
  out.statements += "  out[columns - 1] = curve(0, score);\n";
  if (recipe.columns == 1) return out;
  if (code.complement.empty()) {
    out.statements += "  out[0] = 1 - out[1];\n";
  } else {
    out.tables +=
        fmt::format("inline double complement(std::size_t j, double score) {{\n  return {};\n}}\n", code.complement);
    out.statements += "  out[0] = complement(0, score);\n";
  }
  return out;
}

}  // namespace

HeaderBody header_body(const Recipe& recipe) {
  return std::visit([&](const auto& map) { return body_of(recipe, map); }, recipe.map);
}

}  // namespace tare::inner::render
