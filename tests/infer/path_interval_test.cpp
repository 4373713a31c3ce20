#include "../examples/studies/path_interval.hpp"

#include <gtest/gtest.h>

#include "infer/support.hpp"
#include "tare/analysis/estimate_rows.hpp"

namespace {

namespace analysis = tare::detail::analysis;
namespace infer = tare::detail::infer;
using tare::detail::testing::must;
using tare::detail::testing::simulated;

TEST(path_interval, solves_along_the_path_and_beyond_it) {
  const infer::SquarePath path{{0, 1, 4}, {2, 3, 5}};
  EXPECT_EQ(infer::solved(path, 1), 0);  // less than calibration shows
  EXPECT_EQ(infer::solved(path, 2), 0);
  EXPECT_NEAR(infer::solved(path, 2.5), 0.5, 1e-12);
  EXPECT_NEAR(infer::solved(path, 4), 2.5, 1e-12);
  EXPECT_NEAR(infer::solved(path, 7), 6, 1e-12);
}

TEST(path_interval, passes_over_quantiles_that_fall_by_chance) {
  const infer::SquarePath path{{0, 1, 4}, {2, 1, 6}};
  EXPECT_NEAR(infer::solved(path, 4), 2, 1e-12);
}

std::vector<std::optional<infer::Interval>> intervals(const tare::detail::measure::Sample& sample,
                                                      const std::vector<infer::ResampledChoice>& lines,
                                                      std::uint64_t seed, int threads = 1) {
  std::vector<std::optional<double>> terms;
  for (const auto& line : lines) terms.push_back(infer::term_of(line, must(line.estimator->run(sample, line.options))));
  const auto cells = infer::null_cells(sample.ordered(), 15);
  const auto calibrated = infer::null_values(cells, lines, seed, 0, threads);
  return infer::path_intervals(cells, lines, terms, calibrated, {.draws = 80, .seed = seed, .threads = threads});
}

std::vector<infer::ResampledChoice> some_lines() {
  auto out = must(analysis::make_choices({.estimators = {"ece_ew", "ece_em", "debias_em"}}));
  for (auto& line : out) line.resamples = 80;
  return out;
}

// Uniform scores: with the curve c^2 the true errors are 1/6 and the root of 1/30; with the curve c they are 0, which
// no interval of a biased estimator holds unless its bias is in it.
TEST(path_interval, holds_the_true_error) {
  const auto lines = some_lines();
  for (const bool perfect : {false, true}) {
    std::vector<int> held(lines.size());
    constexpr int samples = 60;
    for (int i = 0; i < samples; ++i) {
      const auto rows =
          simulated(500, 4000 + static_cast<std::uint64_t>(i), [&](double c) { return perfect ? c : c * c; });
      const auto found = intervals(rows.view(), lines, 1);
      for (std::size_t l = 0; l < lines.size(); ++l) {
        ASSERT_TRUE(found[l]);
        const double truth = perfect ? 0 : lines[l].norm() == 1 ? 1.0 / 6 : std::sqrt(1.0 / 30);
        held[l] += found[l]->low <= truth && truth <= found[l]->high;
      }
    }
    for (std::size_t l = 0; l < lines.size(); ++l)
      EXPECT_GE(held[l], 51) << lines[l].estimator->name << " l" << *lines[l].norm()
                             << (perfect ? " perfect" : "");  // 85%: 3.5 standard errors
  }
}

TEST(path_interval, threads_change_no_bit) {
  const auto lines = some_lines();
  const auto rows = simulated(300, 9, [](double c) { return c * c; });
  const auto one = intervals(rows.view(), lines, 7), three = intervals(rows.view(), lines, 7, 3);
  for (std::size_t l = 0; l < lines.size(); ++l) {
    ASSERT_TRUE(one[l] && three[l]);
    EXPECT_EQ(one[l]->low, three[l]->low);
    EXPECT_EQ(one[l]->high, three[l]->high);
  }
}

TEST(path_interval, does_not_exist_where_no_curve_can_be_fitted) {
  const auto lines = some_lines();
  const auto rows = simulated(50, 9, [](double) { return 1.0; });  // all hits
  for (const auto& i : intervals(rows.view(), lines, 7)) EXPECT_FALSE(i);
}

}  // namespace
