#include "tare/render/csv/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "tare/core/clean.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

// Would a spreadsheet take the text for a formula? Numbers are none, whatever their sign.
bool may_be_formula(std::string_view text) {
  constexpr std::string_view beginnings[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
  if (std::ranges::none_of(beginnings, [&](auto b) { return text.starts_with(b); })) return false;
  const std::string_view digits = text.substr(text[0] == '+' ? 1 : 0);
  double number = 0;
  const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return digits.starts_with('-') != text.starts_with('-') || stop != digits.data() + digits.size() ||
         fault == std::errc::invalid_argument;
}

}  // namespace

std::string csv_number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : ""; }

std::string csv_line(const std::vector<std::string>& cells) {
  std::string out;
  for (const std::string& given : cells) {
    if (&given != cells.data()) out += ',';
    const std::string text = (may_be_formula(given) ? "'" : "") + clean(given);
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
      out += text;
      continue;
    }
    out += '"';
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
  return out + "\n";
}

std::string csv(const Survey& survey) {
  return csv(estimates_table(all_rows(survey.measured), Reader::csv, survey.class_names));
}
std::string csv(const TestReport& report) { return csv(tests_table(report, Reader::csv)); }
std::string csv(const Comparison& comparison) { return csv(methods_table(comparison, Reader::csv)); }
std::string csv(const GroupReport& report) { return csv(groups_table(report, all_rows(report.lines), Reader::csv)); }
std::string csv(const ModelTable& models) { return csv(models_table(models, Reader::csv)); }
std::string csv(const SimTable& table) { return csv(simulation_table(table, Reader::csv)); }
std::string csv(const BiasReport& report) { return csv(corrections_table(report.corrections, Reader::csv)); }
std::string csv(const WatchReport& report) { return csv(days_table(report, all_rows(report.days), Reader::csv)); }

}  // namespace tare::detail::render
