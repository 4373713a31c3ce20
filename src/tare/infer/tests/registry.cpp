// The table of tests. To add one: write its file and its test, then its line here.
#include <algorithm>
#include <array>
#include <string>

#include "tare/core/suggest.hpp"
#include "tare/infer/tests/cox.hpp"
#include "tare/infer/tests/hosmer_lemeshow.hpp"
#include "tare/infer/tests/rank_poly.hpp"
#include "tare/infer/tests/spiegelhalter.hpp"
#include "tare/infer/tests/statistic.hpp"

namespace tare::inner::infer {

std::span<const TestRow> all_tests() {
  static constexpr std::array rows{
      rank_poly_row, spiegelhalter_row, hosmer_lemeshow_row, cox_slope_row, cox_intercept_row,
  };
  return rows;
}

std::span<const std::string_view> default_statistics() {
  static constexpr std::array<std::string_view, 8> names{
      "rank_poly", "debias_em", "sweep_em", "ks", "spiegelhalter", "hosmer_lemeshow", "cox_slope", "cox_intercept"};
  return names;
}

std::vector<std::string_view> statistic_names() {
  std::vector<std::string_view> out;
  for (const TestRow& row : all_tests()) out.push_back(row.name);
  for (const measure::Row& row : measure::all())
    if (row.is_error && std::find(out.begin(), out.end(), row.name) == out.end()) out.push_back(row.name);
  return out;
}

Result<Statistic> find_statistic(std::string_view name, measure::Options options) {
  for (const TestRow& row : all_tests())
    if (row.name == name) return Statistic{.test = &row, .options = options};
  const measure::Row* row = measure::find(name);
  if (row && row->is_error) {
    if (row->norms == measure::Norms::two) options.norm = 2;
    return Statistic{.estimator = row, .options = options};
  }
  if (row)
    return Error{
        .code = Errc::bad_option,
        .what = std::string(name) + " is not a test of calibration: it measures something else as well",
        .remedy = "spiegelhalter is the test made of the Brier score, cox_intercept the one made of the accuracy"};
  std::vector<std::string> known;
  for (const auto known_name : statistic_names()) known.emplace_back(known_name);
  return Error{.code = Errc::bad_option,
               .what = "there is no statistic '" + foreign(name) + "'",
               .remedy = did_you_mean(name, known, "`tare list` names the tests and the estimators")};
}

}  // namespace tare::inner::infer
