// The families of curves and their table. To add one: write it and its test, then its line in the table.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

#include "tare/core/suggest.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {
namespace {

// A non-decreasing curve through knots (x, y), linear between them and level outside. Two knots at one x are a jump, at
// which the curve has the upper value: so steps are of this kind too. fit/fit_truth.hpp estimates one from data.

// The weighted mean of the values at the two knots beside p; value(i) is that of knot i.
template <class Value>
double between(ScorePoint p, std::span<const double> knots, const Value& value) {
  const std::size_t right = numeric::first_that(0, knots.size() / 2, [&](std::size_t i) {  // the first beyond p
    return p.c < 0.5 ? knots[2 * i] > p.c : 1 - knots[2 * i] < p.u;
  });
  if (right == 0) return value(0);
  if (right == knots.size() / 2) return value(right - 1);
  const double x0 = knots[2 * right - 2], x1 = knots[2 * right];
  const double to_left = p.c < 0.5 ? p.c - x0 : (1 - x0) - p.u;  // with u, a line that ends at (1, 1) keeps its misses
  const double to_right = p.c < 0.5 ? x1 - p.c : p.u - (1 - x1);
  return (to_right * value(right - 1) + to_left * value(right)) / (x1 - x0);
}

double isotonic_hit(ScorePoint p, std::span<const double> knots) {
  return between(p, knots, [&](std::size_t i) { return knots[2 * i + 1]; });
}

double isotonic_miss(ScorePoint p, std::span<const double> knots) {
  return between(p, knots, [&](std::size_t i) { return 1 - knots[2 * i + 1]; });
}

std::string wrong_isotonic(std::span<const double> knots) {
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const bool is_x = i % 2 == 0;
    if (knots[i] < 0 || knots[i] > 1) return std::string("every ") + (is_x ? "x" : "y") + " must be in [0, 1]";
    if (i >= 2 && knots[i] < knots[i - 2]) return is_x ? "the x must not fall" : "the y must not fall";
    if (is_x && i >= 4 && knots[i] == knots[i - 4]) return "no x may occur three times";
  }
  return "";
}

std::vector<ScorePoint> isotonic_breaks(std::span<const double> knots) {
  std::vector<ScorePoint> out;
  const auto add = [&](double x) {
    if (x > 0 && x < 1 && (out.empty() || out.back().c < x)) out.push_back({x, 1 - x});
  };
  add(std::min(knots[1], knots[0]));  // level before the first knot: it crosses at its own height
  for (std::size_t i = 0; i < knots.size(); i += 2) {
    add(knots[i]);
    const bool last = i + 2 == knots.size();
    const double x0 = knots[i], y0 = knots[i + 1];
    const double x1 = last ? 1 : knots[i + 2], y1 = last ? y0 : knots[i + 3];
    const double gap0 = y0 - x0, gap1 = y1 - x1;
    if ((gap0 < 0) != (gap1 < 0)) add(std::clamp(x0 + (x1 - x0) * (gap0 / (gap0 - gap1)), x0, x1));
  }
  return out;
}

constexpr std::array<std::string_view, 2> isotonic_knots{"x", "y"};

constinit const CurveFamily isotonic_family{.name = "isotonic",
                                            .formula = "linear between the knots (x, y)",
                                            .coefficients = isotonic_knots,
                                            .hit = isotonic_hit,
                                            .miss = isotonic_miss,
                                            .repeats = true,
                                            .wrong = wrong_isotonic,
                                            .breaks = isotonic_breaks};

constexpr std::array<std::string_view, 2> b0_b1{"b0", "b1"};

template <Link g, Link t>
constexpr CurveFamily glm(std::string_view name, std::string_view formula) {
  return {.name = name,
          .formula = formula,
          .coefficients = b0_b1,
          .hit = [](ScorePoint p, std::span<const double> b) { return inverse_hit<g>(predictor<t>(p, b)); },
          .miss = [](ScorePoint p, std::span<const double> b) { return inverse_miss<g>(predictor<t>(p, b)); },
          .link = g,
          .transform = t};
}

// T = c: perfect calibration.
constexpr CurveFamily perfect{.name = "identity",
                              .formula = "c",
                              .coefficients = {},
                              .hit = [](ScorePoint p, std::span<const double>) { return p.c; },
                              .miss = [](ScorePoint p, std::span<const double>) { return p.u; },
                              .breaks = [](std::span<const double>) { return std::vector<ScorePoint>{}; }};

// logit T = b0 + b1 logit c: Platt's curve. The identity is b0 = 0, b1 = 1. Roelofs et al. 2022, Table 3.
constexpr CurveFamily logit_logit = glm<Link::logit, Link::logit>("logit_logit", "sigma(b0 + b1 ln(c/(1-c)))");

// logit T = b0 + b1 ln(1 - c): rises where b1 < 0, and never is the identity. Roelofs et al. 2022, Table 3.
constexpr CurveFamily logit_logflip = glm<Link::logit, Link::logflip>("logit_logflip", "sigma(b0 + b1 ln(1-c))");

// ln T = b0 + b1 ln c. The identity is b0 = 0, b1 = 1; above 1 where b0 > 0. Roelofs et al. 2022, Table 3.
constexpr CurveFamily log_log = glm<Link::log, Link::log>("log_log", "exp(b0) c^b1");

// ln(1 - T) = b0 + b1 ln(1 - c). The identity is b0 = 0, b1 = 1; below 0 near c = 0 where b0 > 0. Roelofs et al. 2022,
// Table 3.
constexpr CurveFamily logflip_logflip = glm<Link::logflip, Link::logflip>("logflip_logflip", "1 - exp(b0) (1-c)^b1");

constexpr std::array<std::string_view, 1> power_d{"d"};

std::string wrong_power(std::span<const double> d) { return d[0] > 0 ? "" : "d must be above 0"; }

// T = c^d: overconfident everywhere for d > 1. Roelofs et al. 2022, Figures 2, 5 and 13.
constexpr CurveFamily power_family{
    .name = "power",
    .formula = "c^d",
    .coefficients = power_d,
    .hit = [](ScorePoint p, std::span<const double> d) { return std::exp(d[0] * log_of_score(p)); },
    .miss = [](ScorePoint p, std::span<const double> d) { return -std::expm1(d[0] * log_of_score(p)); },
    .wrong = wrong_power};

// T = 1 - (1 - c)^d: underconfident everywhere for d > 1. Roelofs et al. 2022, the authors' synthetic studies.
constexpr CurveFamily flipped_power{
    .name = "flipped_power",
    .formula = "1 - (1-c)^d",
    .coefficients = power_d,
    .hit = [](ScorePoint p, std::span<const double> d) { return -std::expm1(d[0] * log_of_complement(p)); },
    .miss = [](ScorePoint p, std::span<const double> d) { return std::exp(d[0] * log_of_complement(p)); },
    .wrong = wrong_power};

constexpr std::array<std::string_view, 2> logistic_a_b{"a", "b"};

// T = sigma(a (c - b)). Roelofs et al. 2022, Figure 14: a = 10, b = 0.5.
constexpr CurveFamily logistic{
    .name = "logistic",
    .formula = "sigma(a (c - b))",
    .coefficients = logistic_a_b,
    .hit = [](ScorePoint p, std::span<const double> a) { return inverse_hit<Link::logit>(a[0] * (p.c - a[1])); },
    .miss = [](ScorePoint p, std::span<const double> a) { return inverse_miss<Link::logit>(a[0] * (p.c - a[1])); }};

// A family and which of its coefficients are given.
struct Named {
  const CurveFamily* family = nullptr;
  bool b0 = true;
  bool b1 = true;
};

Named find_named(std::string_view name) {
  if (const CurveFamily* family = find_curve(name)) return {family};
  for (const auto& [suffix, b0, b1] : {std::tuple{"_b0_b1", true, true}, {"_b0", true, false}, {"_b1", false, true}}) {
    if (!name.ends_with(suffix)) continue;
    const CurveFamily* family = find_curve(name.substr(0, name.size() - std::string_view(suffix).size()));
    if (family && family->link != Link::none) return {family, b0, b1};
  }
  return {};
}

// Of something that has a name in a table.
template <class Row>
Error unknown(const char* what, std::string_view name, std::span<const Row> rows) {
  std::vector<std::string> known;
  for (const Row& row : rows) known.emplace_back(row.name);
  return {.code = Errc::bad_option,
          .what = fmt::format("there is no {} '{}'", what, foreign(name)),
          .remedy = did_you_mean(name, known, fmt::format("there are: {}", fmt::join(known, " ")))};
}

std::string usage(std::string_view name, const std::vector<std::string_view>& wanted, bool repeats) {
  if (wanted.empty()) return fmt::format("write {}", name);
  return fmt::format("write {}:{}{}", name, fmt::join(wanted, ","),
                     repeats ? fmt::format(",{},...", fmt::join(wanted, ",")) : "");
}

Result<std::vector<double>> numbers(std::string_view text) {
  std::vector<double> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    double x = 0;
    const auto [rest, code] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (code != std::errc{} || rest != word.data() + word.size() || !std::isfinite(x))
      return Error{Errc::bad_option, fmt::format("'{}' is not a number", foreign(word))};
    out.push_back(x);
    at = end + 1;
  }
  return out;
}

}  // namespace

std::span<const CurveFamily> curves() {
  static const std::array families{
      perfect,      logit_logit,   logit_logflip, log_log,         logflip_logflip,
      power_family, flipped_power, logistic,      isotonic_family,
  };
  return families;
}

const CurveFamily* find_curve(std::string_view name) {
  const auto families = curves();
  const auto at = std::ranges::find(families, name, &CurveFamily::name);
  return at == families.end() ? nullptr : &*at;
}

Curve identity() { return {.family = find_curve("identity")}; }

Result<Curve> parse_curve(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  const Named named = find_named(name);
  if (!named.family) return unknown("curve", name, curves());
  const CurveFamily& family = *named.family;
  std::vector<std::string_view> wanted(family.coefficients.begin(), family.coefficients.end());
  if (!named.b1) wanted.pop_back();
  if (!named.b0) wanted.erase(wanted.begin());
  const std::string remedy = usage(name, wanted, family.repeats);

  std::vector<double> given;
  if (colon < text.size()) {
    auto read = numbers(text.substr(colon + 1));
    if (!read)
      return Error{.code = Errc::bad_option,
                   .what = fmt::format("in the curve '{}': {}", foreign(text), read.error().what),
                   .remedy = remedy};
    given = *std::move(read);
  }
  const bool fits =
      family.repeats ? !given.empty() && given.size() % wanted.size() == 0 : given.size() == wanted.size();
  if (!fits)
    return Error{.code = Errc::bad_option,
                 .what = fmt::format("the curve '{}' has {} coefficient{}{}, and there {} {} in '{}'", name,
                                     family.repeats ? "pairs of" : fmt::format("{}", wanted.size()),
                                     wanted.size() == 1 ? "" : "s",
                                     wanted.empty() ? "" : fmt::format(" ({})", fmt::join(wanted, ", ")),
                                     given.size() == 1 ? "is" : "are", given.size(), foreign(text)),
                 .remedy = remedy};
  if (!named.b1) given.push_back(0);
  if (!named.b0) given.insert(given.begin(), 0);
  if (family.wrong)
    if (const std::string what = family.wrong(given); !what.empty())
      return Error{.code = Errc::bad_option,
                   .what = fmt::format("in the curve '{}': {}", foreign(text), what),
                   .remedy = remedy};
  return Curve{.family = &family, .coefficients = std::move(given)};
}

std::string to_text(const Curve& curve) {
  if (curve.coefficients.empty()) return std::string(curve.family->name);
  return fmt::format("{}:{}", curve.family->name, fmt::join(curve.coefficients, ","));
}

std::span<const PublishedModel> models() {
  static constexpr std::array<PublishedModel, 10> rows{{
      {"resnet110_c10", "ResNet-110, CIFAR-10", 2.7752, 0.0478, "logflip_logflip_b0_b1:-0.24,0.30"},
      {"resnet110_SD_c10", "ResNet-110 SD, CIFAR-10", 2.1714, 0.0394, "logit_logflip_b0_b1:-0.27,-0.35"},
      {"resnet_wide32_c10", "Wide ResNet-32, CIFAR-10", 2.3806, 0.0379, "logit_logit_b1:0.26"},
      {"densenet40_c10", "DenseNet-40, CIFAR-10", 1.9824, 0.0397, "logit_logflip_b1:-0.26"},
      {"resnet110_c100", "ResNet-110, CIFAR-100", 1.1823, 0.1081, "logflip_logflip_b0_b1:-0.11,0.28"},
      {"resnet110_SD_c100", "ResNet-110 SD, CIFAR-100", 1.1233, 0.1147, "logit_logit_b0_b1:-0.88,0.49"},
      {"resnet_wide32_c100", "Wide ResNet-32, CIFAR-100", 1.0611, 0.0650, "logflip_logflip_b0_b1:-0.13,0.21"},
      {"densenet40_c100", "DenseNet-40, CIFAR-100", 1.0805, 0.0808, "logit_logit_b0_b1:-0.97,0.34"},
      {"resnet152_imgnet", "ResNet-152, ImageNet", 1.1359, 0.2069, "logflip_logflip_b0_b1:-0.12,0.58"},
      {"densenet161_imgnet", "DenseNet-161, ImageNet", 1.1928, 0.2206, "log_log_b0_b1:-0.03,1.27"},
  }};
  return rows;
}

Result<Truth> model(std::string_view name, bool perfect) {
  const auto rows = models();
  const auto at = std::ranges::find(rows, name, &PublishedModel::name);
  if (at == rows.end()) return unknown("model", name, rows);
  auto curve = perfect ? Result<Curve>(identity()) : parse_curve(at->curve);
  assert(curve);
  Truth out{.name = std::string(name) + (perfect ? " perfect" : "")};
  out.scores = {.kind = ScoreKind::beta, .alpha = at->alpha, .beta = at->beta};
  out.curve = *std::move(curve);
  return out;
}

}  // namespace tare::detail::simulate
