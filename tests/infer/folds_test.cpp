#include "tare/infer/resample/folds.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/data.hpp"

namespace {

using tare::detail::infer::random_folds;
using tare::detail::infer::RowsOf;

TEST(random_folds, are_of_equal_size) {
  const std::vector<std::int32_t> label(103, 1);
  std::map<int, int> count;
  for (const int f : random_folds(label, 5, 1)) ++count[f];
  ASSERT_EQ(count.size(), 5u);
  for (const auto& [f, rows] : count) EXPECT_TRUE(rows == 20 || rows == 21) << f;
}

// The share of a class in a fold varies as that of rows drawn without looking: its variance over many drawings is that
// of the hypergeometric distribution, 100 (1/2)(1/2)(400/499). With strata it would be 0.
TEST(random_folds, do_not_look_at_labels) {
  std::vector<std::int32_t> label;
  for (int i = 0; i < 500; ++i) label.push_back(i % 2);
  double sum = 0, squares = 0;
  constexpr int drawings = 2000;
  for (std::uint64_t seed = 0; seed < drawings; ++seed) {
    const auto fold = random_folds(label, 5, seed);
    double ones = 0;
    for (std::size_t i = 0; i < 500; ++i) ones += fold[i] == 0 && label[i] == 1;
    sum += ones;
    squares += ones * ones;
  }
  const double mean = sum / drawings, variance = squares / drawings - mean * mean;
  EXPECT_NEAR(mean, 50, 0.5);
  EXPECT_NEAR(variance, 100 * 0.25 * 400 / 499, 3);
}

TEST(random_folds, leave_every_class_in_training) {
  std::vector<std::int32_t> label(200, 0);
  for (std::size_t i = 0; i < 90; ++i) label[i] = static_cast<std::int32_t>(1 + i / 2);  // 45 classes of two rows
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto fold = random_folds(label, 5, seed);
    for (std::size_t i = 0; i < 90; i += 2) EXPECT_NE(fold[i], fold[i + 1]) << i;
  }
}

TEST(random_folds, depend_on_the_seed_and_nothing_else) {
  const std::vector<std::int32_t> label(50, 0);
  EXPECT_EQ(random_folds(label, 5, 1), random_folds(label, 5, 1));
  EXPECT_NE(random_folds(label, 5, 1), random_folds(label, 5, 2));
  EXPECT_NE(random_folds(label, 5, 1), random_folds(label, 5, 1, 1));
}

TEST(rows_of, copies_rows_labels_and_weights) {
  const std::vector<float> z{0, 1, 2, 3, 4, 5};
  const std::vector<std::int32_t> label{0, 1, 0};
  const std::vector<double> weight{1, 2, 3};
  const auto view = tare::detail::testing::must(
      tare::detail::multiclass_view(tare::detail::Kind::logits, std::span<const float>(z), 2, label, weight));
  const RowsOf some(view, {2, 1});
  const auto copy = tare::detail::testing::must(some.view());
  EXPECT_EQ(copy.values()[0], 4);
  EXPECT_EQ(copy.values()[3], 3);
  EXPECT_EQ(copy.label()[1], 1);
  EXPECT_EQ(copy.weight()[0], 3);
}

TEST(rows_of, without_any_weight_are_no_view_and_no_crash) {
  const std::vector<double> z{0, 1, 2, 3}, weight{1e-3, 0};
  const std::vector<std::int32_t> label{0, 1};
  const auto view = tare::detail::testing::must(
      tare::detail::multiclass_view(tare::detail::Kind::logits, std::span<const double>(z), 2, label, weight));
  EXPECT_TRUE(RowsOf(view, {0}).view());
  EXPECT_TRUE(RowsOf(view, {0}).have_weight());
  EXPECT_FALSE(RowsOf(view, {1}).view());
  EXPECT_FALSE(RowsOf(view, {1}).have_weight());
}

}  // namespace
