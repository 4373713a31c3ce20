// The table of tests. To add one: write its file and its test, then its line here.
#include <algorithm>
#include <array>
#include <string>

#include "tare/core/suggest.hpp"
#include "tare/infer/tests/classical.hpp"
#include "tare/infer/tests/smooth_test.hpp"
#include "tare/infer/tests/statistic.hpp"
#include "tare/measure/rank_poly/rank_poly.hpp"

namespace tare::detail::infer {
namespace {

// The test of rank_poly: Z = max_K ( D_K / sqrt(N_K) - sqrt(K) ), the largest leave-one-out squared error over all
// degrees, each in units of its noise under calibration and less what K terms are worth by chance
// (docs/methods/rank_poly.md).
constexpr Test rank_poly_test{
    .name = "rank_poly",
    .title = "Z of rank_poly",
    .summary = "the squared gap that the other rows predict, over all degrees, in units of its noise",
    .citation = "this project, docs/methods/rank_poly.md",
    .statistic = measure::rank_poly_z};

}  // namespace

std::span<const Test> all_tests() {
  static const std::array tests{
      smooth_test_row, rank_poly_test, spiegelhalter_test, hosmer_lemeshow_test, cox_slope_test, cox_intercept_test,
  };
  return tests;
}

// The first test, the errors that are tested, the other tests.
std::vector<std::string_view> default_statistics() {
  std::vector<std::string_view> out{all_tests().front().name};
  for (const measure::Estimator& estimator : measure::all())
    if (estimator.roles.tested) out.push_back(estimator.name);
  for (const Test& test : all_tests().subspan(1)) out.push_back(test.name);
  return out;
}

std::vector<std::string_view> statistic_names() {
  std::vector<std::string_view> out;
  for (const Test& test : all_tests()) out.push_back(test.name);
  for (const measure::Estimator& e : measure::all())
    if (e.is_error && std::ranges::find(out, e.name) == out.end()) out.push_back(e.name);
  return out;
}

Error labels_cannot_vary() {
  return {.code = Errc::undefined,
          .what = "every score is 0 or 1: the labels of a calibrated model cannot vary",
          .remedy = {}};
}

Result<Statistic> find_statistic(std::string_view name, measure::Options options) {
  for (const Test& test : all_tests())
    if (test.name == name) return Statistic{.test = &test};
  const measure::Estimator* estimator = measure::find(name);
  if (estimator && estimator->is_error) {
    if (estimator->norms != measure::Norms::none && !has_norm(*estimator, options.norm))
      options.norm = 3 - options.norm;
    return Statistic{.choice = {estimator, options}};
  }
  if (estimator)
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

}  // namespace tare::detail::infer
