#include "tare/render/text/numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

namespace tare::detail::render {
namespace {

constexpr double too_long = 1e15;  // from here on doubles do not even know their ones

// For what plain digits cannot show.
std::optional<std::string> in_words(double x) {
  if (std::isnan(x)) return "undefined";
  if (std::isinf(x)) return x > 0 ? "infinite" : "minus infinite";
  if (std::abs(x) >= too_long) return fmt::format("{:.4g}", x);
  return std::nullopt;
}

bool looks_like_zero(std::string_view digits) { return digits.find_first_not_of("+-0.") == std::string_view::npos; }

}  // namespace

std::string grouped(double whole) {
  if (auto words = in_words(whole)) return *words;
  if (whole > 0 && whole < 0.001) return fmt::format("{:.3g}", whole);  // weights may be counted in any unit
  std::string digits = fmt::format("{:.3f}", whole);
  const std::size_t point = digits.size() - 4;
  if (digits.ends_with(".000")) digits.resize(point);
  for (std::size_t i = point; i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string general(double x, int digits) {
  return std::isfinite(x) ? fmt::format("{:.{}g}", x, digits) : in_words(x).value();
}

std::string visible(double x, int digits) {
  const std::string out = fixed(x, digits);
  return x != 0 && looks_like_zero(out) ? fmt::format("{:.2g}", x) : out;
}

std::string percent(double fraction, int digits) { return visible(100 * fraction, digits); }

std::string signed_percent(double fraction, int digits) { return signed_number(100 * fraction, digits); }

std::string signed_number(double x, int digits, bool exact) {
  if (auto words = in_words(x)) return (std::isfinite(x) && x > 0 ? "+" : "") + *words;
  const std::string out = fmt::format("{:+.{}f}", x, digits);
  if (!looks_like_zero(out)) return out;
  return exact && x != 0 ? fmt::format("{:+.1e}", x) : "+" + out.substr(1);
}

std::string fixed(double x, int digits) {
  if (auto words = in_words(x)) return *words;
  const std::string out = fmt::format("{:.{}f}", x, digits);
  return out.starts_with('-') && looks_like_zero(out) ? out.substr(1) : out;
}

}  // namespace tare::detail::render
