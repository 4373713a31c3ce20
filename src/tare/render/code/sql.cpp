#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <tare/version.hpp>
#include "tare/render/code/code.hpp"

namespace tare::detail::render {
namespace {

using Text = std::string;

// With an exponent it is a double in every dialect; without, a decimal number in some.
Text sql_number(double x) {
  Text out = literal(x);
  return out.find('e') == Text::npos ? out + "e0" : out;
}

// Pieces of SQL. What is repeated is in parentheses; EXP is only asked for what neither overflows nor underflows.

Text sum_of(const Text& a, double b) { return b == 0 ? a : fmt::format("({} + {})", a, sql_number(b)); }
Text times(double a, const Text& b) { return a == 1 ? b : fmt::format("({} * {})", sql_number(a), b); }

Text logistic(const Text& z) {
  return fmt::format(
      "CASE WHEN {0} < -700.0 THEN 0.0 WHEN {0} > 700.0 THEN 1.0 WHEN {0} >= 0.0 THEN 1.0 / (1.0 + EXP(-{0})) ELSE "
      "EXP({0}) / (1.0 + EXP({0})) END",
      z);
}
Text in_parentheses(const Text& text) { return "(" + text + ")"; }

// Log-odds of a probability, at most `most` away from 0.
Text log_odds_sql(const Text& p, double most) {
  const double low = std::exp(-most), high = 1 - low;
  return fmt::format("(CASE WHEN {0} <= {1} THEN {2} WHEN {0} >= {3} THEN {4} ELSE LN({0} / (1.0 - {0})) END)", p,
                     sql_number(std::max(low, 2.2250738585072014e-308)), sql_number(-most), sql_number(high),
                     sql_number(most));
}
constexpr double curve_odds = 36.04365338911715, clipped_odds = 708.3964185322641;  // of 1 - 2^-52; of the least double

// ln(1 + exp(-|z|)) and from it ln sigma(z).
Text log_sigma_sql(const Text& z, bool of_minus_z) {
  const Text soft = fmt::format("(CASE WHEN ABS({0}) > 700.0 THEN 0.0 ELSE LN(1.0 + EXP(-ABS({0}))) END)", z);
  return of_minus_z ? fmt::format("((CASE WHEN {0} > 0.0 THEN -{0} ELSE 0.0 END) - {1})", z, soft)
                    : fmt::format("((CASE WHEN {0} < 0.0 THEN {0} ELSE 0.0 END) - {1})", z, soft);
}

Text case_of(const std::vector<std::pair<Text, Text>>& when, const Text& last) {
  if (when.empty()) return last;
  Text out = "CASE";
  for (const auto& [condition, value] : when) out += "\n    WHEN " + condition + " THEN " + value;
  return out + "\n    ELSE " + last + " END";
}

Text steps_sql(const Text& p, const Recipe::Curve& c) {
  std::vector<std::pair<Text, Text>> when;
  for (std::size_t i = 0; i < c.x.size(); ++i) when.emplace_back(p + " <= " + sql_number(c.x[i]), sql_number(c.y[i]));
  return case_of(when, sql_number(c.y.back()));
}

Text knots_sql(const Text& p, const Recipe::Curve& c, bool linear) {
  std::vector<std::pair<Text, Text>> when;
  if (linear) when.emplace_back(p + " < " + sql_number(c.x[0]), sql_number(c.y[0]));
  for (std::size_t i = 1; i < c.x.size(); ++i) {
    const double rise = c.y[i] - c.y[i - 1];
    when.emplace_back(p + " < " + sql_number(c.x[i]),
                      linear && rise != 0
                          ? fmt::format("{} + {} * (({} - {}) / {})", sql_number(c.y[i - 1]), sql_number(rise), p,
                                        sql_number(c.x[i - 1]), sql_number(c.x[i] - c.x[i - 1]))
                          : sql_number(c.y[i - 1]));
  }
  return case_of(when, sql_number(c.y.back()));
}

// One number per row, as the map sees it: log-odds or a probability.
struct Input {
  Text text;
  bool logits;
  [[nodiscard]] Text odds(double most) const { return logits ? text : log_odds_sql(text, most); }
  [[nodiscard]] Text probability() const { return logits ? in_parentheses(logistic(text)) : text; }
};

Text expression(const Input& in, const Recipe&, const Recipe::Tempered& map) {
  const Text z = in.odds(clipped_odds), tempered = logistic(times(map.v, z));
  if (map.weights.empty()) return tempered;
  return fmt::format("{} * ({}) + {} * ({}) + {}", sql_number(map.weights[0]), tempered, sql_number(map.weights[1]),
                     logistic(z), sql_number(map.weights[2] / 2));
}

// The difference of the two outputs is slope_1 x_1 + slope_0 x_0 + b; the features x are (-z/2, z/2) or (ln(1-p), ln
// p).
Text expression(const Input& in, const Recipe& recipe, const Recipe::Affine& map) {
  const auto& w = map.w;
  const double b = map.b.size() == 1 ? map.b[0] : map.b[1] - map.b[0];
  double slope_0 = -1, slope_1 = 1;  // the identity
  if (w.size() == 1) slope_0 = -w[0], slope_1 = w[0];
  if (w.size() == 2) slope_0 = -w[0], slope_1 = w[1];
  if (w.size() == 4) slope_0 = w[2] - w[0], slope_1 = w[3] - w[1];
  const bool halves = map.features != Recipe::Features::log_probabilities && (in.logits || recipe.columns == 1);
  if (halves || slope_0 == -slope_1) {
    const double slope = (slope_1 - slope_0) / 2;
    if (map.features == Recipe::Features::exact_logarithms && !in.logits)  // what is 0 or 1 stays so
      return fmt::format("CASE WHEN {0} <= 0.0 THEN 0.0 WHEN {0} >= 1.0 THEN 1.0 ELSE {1} END", in.text,
                         logistic(sum_of(fmt::format("LN({0} / (1.0 - {0}))", in.text), b)));
    return logistic(in_parentheses(sum_of(times(slope, in.odds(clipped_odds)), b)));
  }
  const Text z = in.odds(clipped_odds);
  return logistic(in_parentheses(fmt::format("{} * {} + {} * {} + {}", sql_number(slope_1), log_sigma_sql(z, false),
                                             sql_number(slope_0), log_sigma_sql(z, true), sql_number(b))));
}

Text expression(const Input& in, const Recipe&, const Recipe::Curves& map) {
  const Recipe::Curve& c = map.curve[0];
  const Text line = in_parentheses(sum_of(times(c.a, in.odds(curve_odds)), c.b));
  switch (map.shape) {
    case Recipe::Shape::sigmoid:
      return logistic(line);
    case Recipe::Shape::beta: {
      const Text z = in.odds(curve_odds);
      return logistic(in_parentheses(fmt::format("{} * {} - {} * {} + {}", sql_number(c.a), log_sigma_sql(z, false),
                                                 sql_number(c.b), log_sigma_sql(z, true), sql_number(c.c))));
    }
    case Recipe::Shape::steps:
      return steps_sql(in.probability(), c);
    case Recipe::Shape::sigmoid_steps:
      return steps_sql(in_parentheses(logistic(line)), c);
    case Recipe::Shape::linear:
    case Recipe::Shape::stairs:
      break;
  }
  return knots_sql(in.probability(), c, map.shape == Recipe::Shape::linear);
}

// 0 and 1 as the map takes them.
Text filled(const Text& p, const Recipe::Fill& fill) {
  const double odds = 1 - 0x1p-20, most = odds / (1 + odds);
  const double rate = fill.keep_top ? std::min(fill.certain, most) : fill.certain;
  return fmt::format("(CASE WHEN {0} < {1} THEN {2} WHEN {0} >= 1.0 THEN {3} ELSE {0} END)", p, sql_number(0x1p-53),
                     sql_number(rate), sql_number(1 - rate));
}

// No control characters, and nothing else that begins a new line: the name stands in a comment, too.
bool is_one_line(std::string_view text) {
  for (const std::string_view breaks : {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"})
    if (text.find(breaks) != std::string_view::npos) return false;
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; });
}

// a, a.b, "a b", or several of them with points between.
bool is_column(std::string_view text) {
  std::size_t at = 0;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  for (;;) {
    if (at < text.size() && text[at] == '"') {
      const std::size_t end = text.find('"', at + 1);
      if (end == std::string_view::npos || end == at + 1 || !is_one_line(text.substr(at, end - at))) return false;
      at = end + 1;
    } else {
      if (at >= text.size() || !letter(text[at])) return false;
      while (at < text.size() && (letter(text[at]) || (text[at] >= '0' && text[at] <= '9'))) ++at;
    }
    if (at == text.size()) return true;
    if (text[at++] != '.') return false;
  }
}

std::string_view meaning(const Recipe& recipe) {
  if (recipe.input == Kind::confidences) return "the confidence of the predicted class";
  return recipe.input == Kind::logits ? "the log-odds of class 1 (its logit minus that of class 0)"
                                      : "the probability of class 1";
}

}  // namespace

Result<std::string> sql_expression(const Recipe& recipe, const CodeOptions& options) {
  if (recipe.columns > 2)
    return Error{.code = Errc::unsupported,
                 .what = "a map of " + std::to_string(recipe.columns) +
                         " classes needs all numbers of a row, and SQL is given one",
                 .remedy = "fit a map of the confidences (`confidences` and `correct`), or export a header or ONNX"};
  if (!is_column(options.score))
    return Error{.code = Errc::bad_option,
                 .what = "'" + foreign(options.score) + "' is not the name of a column",
                 .remedy = "name a column, like p, t.p or \"a name\", in one line"};
  Input in{Text(options.score), recipe.input == Kind::logits};
  if (recipe.fill) in.text = filled(in.text, *recipe.fill);
  const Text value = std::visit([&](const auto& map) { return expression(in, recipe, map); }, recipe.map);
  return fmt::format(
      "-- {}\n-- Written by tare {}. An expression: SELECT ( ... ) AS calibrated FROM a table whose column {} holds\n"
      "-- {}. NULL stays NULL.\nCASE WHEN {} IS NULL THEN NULL ELSE\n  {}\nEND\n",
      in_comment(options.about), TARE_VERSION, options.score, meaning(recipe), options.score, value);
}

}  // namespace tare::detail::render
