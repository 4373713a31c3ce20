// The table of curves. To add one: write its file and its test, then its line here.
#include "tare/simulate/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "tare/core/suggest.hpp"
#include "tare/simulate/flipped_power.hpp"
#include "tare/simulate/identity.hpp"
#include "tare/simulate/isotonic.hpp"
#include "tare/simulate/log_log.hpp"
#include "tare/simulate/logflip_logflip.hpp"
#include "tare/simulate/logistic.hpp"
#include "tare/simulate/logit_logflip.hpp"
#include "tare/simulate/logit_logit.hpp"
#include "tare/simulate/power.hpp"

namespace tare::inner::simulate {

std::span<const CurveRow> curves() {
  static constexpr std::array rows{
      identity_row, logit_logit_row,   logit_logflip_row, log_log_row,  logflip_logflip_row,
      power_row,    flipped_power_row, logistic_row,      isotonic_row,
  };
  return rows;
}

const CurveRow* find_curve(std::string_view name) {
  const auto rows = curves();
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const CurveRow& r) { return r.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

Curve identity() { return {.row = find_curve("identity")}; }

namespace {

// A family and which of its coefficients are given.
struct Named {
  const CurveRow* row = nullptr;
  bool b0 = true;
  bool b1 = true;
};

Named find_named(std::string_view name) {
  if (const CurveRow* row = find_curve(name)) return {row};
  for (const auto& [suffix, b0, b1] : {std::tuple{"_b0_b1", true, true}, {"_b0", true, false}, {"_b1", false, true}}) {
    if (!name.ends_with(suffix)) continue;
    const CurveRow* row = find_curve(name.substr(0, name.size() - std::string_view(suffix).size()));
    if (row && row->link != Link::none) return {row, b0, b1};
  }
  return {};
}

Error unknown_curve(std::string_view name) {
  std::vector<std::string> known;
  std::string all;
  for (const CurveRow& row : curves()) {
    known.emplace_back(row.name);
    all += (all.empty() ? "" : " ") + known.back();
  }
  return {.code = Errc::bad_option,
          .what = fmt::format("there is no curve '{}'", foreign(name)),
          .remedy = did_you_mean(name, known, "there are: " + all)};
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

Result<Curve> parse_curve(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  const Named named = find_named(name);
  if (!named.row) return unknown_curve(name);
  const CurveRow& row = *named.row;
  std::vector<std::string_view> wanted(row.coefficients.begin(), row.coefficients.end());
  if (!named.b1) wanted.pop_back();
  if (!named.b0) wanted.erase(wanted.begin());
  const std::string remedy = usage(name, wanted, row.repeats);

  std::vector<double> given;
  if (colon < text.size()) {
    auto read = numbers(text.substr(colon + 1));
    if (!read)
      return Error{.code = Errc::bad_option,
                   .what = fmt::format("in the curve '{}': {}", foreign(text), read.error().what),
                   .remedy = remedy};
    given = *std::move(read);
  }
  const bool fits = row.repeats ? !given.empty() && given.size() % wanted.size() == 0 : given.size() == wanted.size();
  if (!fits)
    return Error{
        .code = Errc::bad_option,
        .what = fmt::format("the curve '{}' has {} coefficient{}{}, and there {} {} in '{}'", name,
                            row.repeats ? "pairs of" : fmt::format("{}", wanted.size()), wanted.size() == 1 ? "" : "s",
                            wanted.empty() ? "" : fmt::format(" ({})", fmt::join(wanted, ", ")),
                            given.size() == 1 ? "is" : "are", given.size(), foreign(text)),
        .remedy = remedy};
  if (!named.b1) given.push_back(0);
  if (!named.b0) given.insert(given.begin(), 0);
  if (row.wrong)
    if (const std::string what = row.wrong(given); !what.empty())
      return Error{.code = Errc::bad_option,
                   .what = fmt::format("in the curve '{}': {}", foreign(text), what),
                   .remedy = remedy};
  return Curve{.row = &row, .coefficients = std::move(given)};
}

std::string to_text(const Curve& curve) {
  if (curve.coefficients.empty()) return std::string(curve.row->name);
  return fmt::format("{}:{}", curve.row->name, fmt::join(curve.coefficients, ","));
}

}  // namespace tare::inner::simulate
