#include "tare/paper/rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>

#include "tare/paper/value.hpp"

namespace tare::detail::paper {
namespace {

// Pieces between separators that stand outside of parentheses.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] != separator || depth > 0) continue;
    out.push_back(trimmed(text.substr(from, i - from)));
    from = i + 1;
  }
  out.push_back(trimmed(text.substr(from)));
  return out;
}

// Reads and computes at once. The first problem is kept, and everything after it is 0.
class Evaluator {
 public:
  Evaluator(const Frame& frame, std::string_view text, Where given, std::string& problem)
      : frame_(frame), all_(text), rest_(text), given_(std::move(given)), problem_(problem) {}

  double whole() {
    const double out = either();
    if (!peek().empty()) fail("cannot read '" + std::string(peek()) + "'");
    return out;
  }

 private:
  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = fmt::format("{} in the rule '{}'", what, all_);
    rest_ = {};
  }
  std::string_view peek() {
    rest_ = trimmed(rest_);
    return rest_;
  }
  bool take(std::string_view token) {
    if (!peek().starts_with(token)) return false;
    // "or" must not be the beginning of a name
    if (std::isalpha(static_cast<unsigned char>(token[0])) && rest_.size() > token.size() &&
        std::isalnum(static_cast<unsigned char>(rest_[token.size()])))
      return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  double either() {
    double out = both();
    while (take("or")) out = (both() != 0) || (out != 0) ? 1 : 0;
    return out;
  }
  double both() {
    double out = comparison();
    while (take("and")) out = (comparison() != 0) && (out != 0) ? 1 : 0;
    return out;
  }
  double comparison() {
    const double a = sum();
    if (take("<=")) return a <= sum() ? 1 : 0;
    if (take(">=")) return a >= sum() ? 1 : 0;
    if (take("==")) return a == sum() ? 1 : 0;
    if (take("<")) return a < sum() ? 1 : 0;
    if (take(">")) return a > sum() ? 1 : 0;
    return a;
  }
  double sum() {
    double out = product();
    while (true) {
      if (take("+"))
        out += product();
      else if (take("-"))
        out -= product();
      else
        return out;
    }
  }
  double product() {
    double out = single();
    while (true) {
      if (take("*"))
        out *= single();
      else if (take("/"))
        out /= single();
      else
        return out;
    }
  }
  double single() {
    if (take("-")) return -single();
    if (take("(")) {
      const double out = either();
      if (!take(")")) fail("a parenthesis is not closed");
      return out;
    }
    const std::string_view text = peek();
    if (text.empty()) {
      fail("something is missing");
      return 0;
    }
    if (std::isalpha(static_cast<unsigned char>(text[0]))) return call();
    double out = 0;
    const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (code != std::errc{})
      fail("cannot read '" + std::string(text) + "'");
    else
      rest_.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    return out;
  }

  double call() {
    const std::string_view text = peek();
    std::size_t end = 0;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
    const std::string name(text.substr(0, end));
    std::size_t close = end;
    for (int depth = 0; close < text.size(); ++close) {
      if (text[close] == '(') ++depth;
      if (text[close] == ')' && --depth == 0) break;
    }
    if (end >= text.size() || text[end] != '(' || close >= text.size()) {
      fail("'" + name + "' needs arguments in parentheses");
      return 0;
    }
    const auto arguments = split(text.substr(end + 1, close - end - 1), ';');
    rest_.remove_prefix(close + 1);
    return apply(name, arguments);
  }

  double inner(std::string_view expression, const Where& given) {
    Evaluator evaluator(frame_, expression, given, problem_);
    return evaluator.whole();
  }

  std::vector<std::size_t> rows(std::string_view conditions) {
    const auto where = Where::parse(conditions);
    std::vector<std::size_t> out;
    if (!where) {
      fail(sentence(where.error()));
      return out;
    }
    for (std::size_t r = 0; r < frame_.size(); ++r)
      if (given_.holds(frame_, r) && where->holds(frame_, r)) out.push_back(r);
    return out;
  }

  double apply(const std::string& name, const std::vector<std::string_view>& arguments) {
    if (name == "abs" || name == "sqrt" || name == "log") {
      const double x = inner(arguments[0], given_);
      return name == "abs" ? std::abs(x) : name == "sqrt" ? std::sqrt(std::max(x, 0.0)) : std::log(std::max(x, 1e-300));
    }
    if (name == "least" || name == "most") {
      double out = inner(arguments[0], given_);
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        const double x = inner(arguments[i], given_);
        out = name == "least" ? std::min(out, x) : std::max(out, x);
      }
      return out;
    }
    if (name == "share" || name.ends_with("_of")) return over_groups(name, arguments);
    std::vector<std::vector<std::size_t>> chosen;
    for (std::size_t i = 1; i < arguments.size(); ++i) chosen.push_back(rows(arguments[i]));
    if (chosen.empty()) chosen.push_back(rows({}));
    std::string what;
    const double out = aggregate(frame_, name, split(arguments[0], ','), chosen, what);
    if (!what.empty()) fail(what);
    return out;
  }

  double over_groups(const std::string& name, const std::vector<std::string_view>& arguments) {
    if (arguments.size() != 2) {
      fail(name + " needs a column and an expression");
      return 0;
    }
    std::vector<double> keys, results;
    for (const Cell& value : values_of(frame_, arguments[0], rows({}))) {
      Where given = given_;
      given.also(std::string(arguments[0]), value);
      const auto* number = std::get_if<double>(&value);
      keys.push_back(number ? *number : static_cast<double>(keys.size()));
      results.push_back(inner(arguments[1], given));
    }
    if (results.empty()) {
      fail("there is no value in the column " + std::string(arguments[0]));
      return 0;
    }
    const double count = static_cast<double>(results.size());
    if (name == "share")
      return static_cast<double>(std::ranges::count_if(results, [](double x) { return x != 0; })) / count;
    if (name == "mean_of") return std::accumulate(results.begin(), results.end(), 0.0) / count;
    if (name == "min_of") return *std::ranges::min_element(results);
    if (name == "max_of") return *std::ranges::max_element(results);
    if (name == "spearman_of") return spearman(keys, results);
    fail("there is no function '" + name + "'");
    return 0;
  }

  const Frame& frame_;
  std::string_view all_, rest_;
  Where given_;
  std::string& problem_;
};

}  // namespace

Result<double> evaluate(const Frame& frame, std::string_view expression) {
  std::string problem;
  const double out = Evaluator(frame, expression, {}, problem).whole();
  if (problem.empty() && !std::isfinite(out)) problem = fmt::format("the rule '{}' has no finite value", expression);
  if (!problem.empty())
    return Error{.code = Errc::undefined,
                 .what = foreign(problem),
                 .remedy = "src/tare/paper/rule.hpp lists what rules may say"};
  return out;
}

Result<std::string> filled(const Frame& frame, std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    out += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('}');
    if (close == std::string_view::npos)
      return Error{Errc::bad_input, fmt::format("a brace is not closed in '{}'", foreign(text))};
    std::string_view inside = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    int digits = 2;
    // the last bar with a format behind it; other bars are alternatives of a condition
    if (const std::size_t bar = inside.rfind("|."); bar != std::string_view::npos && inside.ends_with("f")) {
      const std::string_view number = inside.substr(bar + 2, inside.size() - bar - 3);
      std::from_chars(number.data(), number.data() + number.size(), digits);
      inside = inside.substr(0, bar);
    }
    const auto value = evaluate(frame, inside);
    if (!value) return value.error();
    std::string number = fmt::format("{:.{}f}", *value, std::clamp(digits, 0, 12));
    if (number.starts_with("-") && number.find_first_not_of("-0.") == std::string::npos) number.erase(0, 1);
    out += number;
  }
  return out;
}

}  // namespace tare::detail::paper
