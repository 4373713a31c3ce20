#include "tare/fit/scaling_binning.hpp"

#include <set>

#include "fit/maps.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

TEST(scaling_binning, matches_the_authors_program_on_shared_rows) {
  const auto golden = golden_calibrators()["binary"]["d08_n100_uniform_c2"]["scaling_binning_10"];
  const Model model =
      fitted("scaling_binning", binary(golden_rows("d08_n100_uniform_c2")), {.bins = 10, .share_rows = true});
  const auto values = std::get<fit::Lists>(model.parameters.at("values")).at(0);
  const auto edges = std::get<fit::Lists>(model.parameters.at("edges")).at(0);
  const auto expected = golden["values"].get<std::vector<double>>();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t j = 0; j < values.size(); ++j) EXPECT_NEAR(values[j], expected[j], 1e-12);
  for (std::size_t j = 0; j < edges.size(); ++j) EXPECT_NEAR(edges[j], golden["edges"][j].get<double>(), 1e-12);
}

// Ranks within (label, score): 0.1 0.4 | 0.2 0.3 0.5 0.6 with labels 0 0 | 1 1 1 1.
TEST(scaling_binning, splits_by_rank_within_the_classes) {
  const std::vector<double> z{0.5, 0.1, 0.3, 0.4, 0.2, 0.6};
  const std::vector<std::uint8_t> y{1, 0, 1, 0, 1, 1};
  const auto parts = fit::three_parts({std::span<const double>(z), y, {}});
  EXPECT_EQ(parts[0], (std::vector<double>{0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(parts[1], (std::vector<double>{1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(parts[2], (std::vector<double>{0, 0, 0, 0, 1, 1}));
}

TEST(scaling_binning, a_weight_may_be_in_several_parts) {
  const std::vector<double> z{0.1, 0.2}, w{2.5, 2};
  const std::vector<std::uint8_t> y{0, 0};
  const auto parts = fit::three_parts({std::span<const double>(z), y, w});
  EXPECT_EQ(parts[0], (std::vector<double>{1, 1}));
  EXPECT_EQ(parts[1], (std::vector<double>{1, 0.5}));
  EXPECT_EQ(parts[2], (std::vector<double>{0.5, 0.5}));
}

TEST(scaling_binning, takes_at_most_as_many_values_as_bins) {
  const Rows rows = calibrated(3000, 4);
  const auto q = applied(fitted("scaling_binning", binary(rows), {.bins = 10}), rows.score);
  EXPECT_EQ(std::set<double>(q.begin(), q.end()).size(), 10U);
}

TEST(scaling_binning, few_rows_are_shared) {
  const Model model = fitted("scaling_binning", binary({{0.3, 0.6}, {1, 0}}));
  EXPECT_FALSE(model.fit.note.empty());
  for (const double q : applied(model, {0, 0.5, 1})) EXPECT_TRUE(q >= 0 && q <= 1);
}

// A bin that no row of the third part falls into predicts its centre: three rows, one per part.
TEST(scaling_binning, every_bin_has_a_value) {
  const Model model = fitted("scaling_binning", binary({{0.2, 0.5, 0.9}, {0, 1, 0}}), {.bins = 15});
  for (const double q : applied(model, {0, 0.2, 0.5, 0.9, 1})) EXPECT_TRUE(q >= 0 && q <= 1);
}

}  // namespace
