#include "tare/infer/resample/folds.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/data.hpp"

namespace {

using tare::inner::infer::RowsOf;
using tare::inner::infer::stratified_folds;

TEST(stratified_folds, deal_every_class_out_evenly) {
  std::vector<std::int32_t> label;
  for (int i = 0; i < 103; ++i) label.push_back(i % 7 == 0 ? 2 : i % 2);
  const auto fold = stratified_folds(label, 5, 1);
  std::map<int, std::map<int, int>> count;  // [class][fold]
  for (std::size_t i = 0; i < label.size(); ++i) ++count[label[i]][fold[i]];
  for (const auto& [c, folds] : count) {
    int low = 1000, high = 0;
    for (int f = 0; f < 5; ++f) {
      const auto at = folds.find(f);
      low = std::min(low, at == folds.end() ? 0 : at->second);
      high = std::max(high, at == folds.end() ? 0 : at->second);
    }
    EXPECT_LE(high - low, 1) << c;
  }
}

TEST(stratified_folds, depend_on_the_seed_and_nothing_else) {
  const std::vector<std::int32_t> label(50, 0);
  EXPECT_EQ(stratified_folds(label, 5, 1), stratified_folds(label, 5, 1));
  EXPECT_NE(stratified_folds(label, 5, 1), stratified_folds(label, 5, 2));
}

TEST(rows_of, copies_rows_labels_and_weights) {
  const std::vector<float> z{0, 1, 2, 3, 4, 5};
  const std::vector<std::int32_t> label{0, 1, 0};
  const std::vector<double> weight{1, 2, 3};
  const auto view = tare::inner::testing::must(
      tare::inner::multiclass_view(tare::inner::Kind::logits, std::span<const float>(z), 2, label, weight));
  const RowsOf some(view, {2, 1});
  const auto copy = tare::inner::testing::must(some.view());
  EXPECT_EQ(copy.values()[0], 4);
  EXPECT_EQ(copy.values()[3], 3);
  EXPECT_EQ(copy.label()[1], 1);
  EXPECT_EQ(copy.weight()[0], 3);
}

TEST(rows_of, without_any_weight_are_no_view_and_no_crash) {
  const std::vector<double> z{0, 1, 2, 3}, weight{1e-3, 0};
  const std::vector<std::int32_t> label{0, 1};
  const auto view = tare::inner::testing::must(
      tare::inner::multiclass_view(tare::inner::Kind::logits, std::span<const double>(z), 2, label, weight));
  EXPECT_TRUE(RowsOf(view, {0}).view());
  EXPECT_TRUE(RowsOf(view, {0}).have_weight());
  EXPECT_FALSE(RowsOf(view, {1}).view());
  EXPECT_FALSE(RowsOf(view, {1}).have_weight());
}

}  // namespace
