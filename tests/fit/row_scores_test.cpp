#include "tare/fit/one_vs_rest.hpp"

#include <cmath>

#include "fit/maps.hpp"

namespace {

using namespace tare::detail;
using fit::RowScores;
using fit::Scale;

std::vector<double> column(Kind kind, std::size_t columns, const std::vector<double>& rows, Scale scale,
                           std::size_t j) {
  std::vector<double> buffer;
  const RowScores scores(kind, columns, std::span<const double>(rows), scale);
  const Reals out = scores.column(j, buffer);
  std::vector<double> values;
  for (std::size_t i = 0; i < out.size(); ++i) values.push_back(out[i]);
  return values;
}

TEST(row_scores, two_classes_are_one_problem) {
  EXPECT_EQ(fit::problems(1), 1U);
  EXPECT_EQ(fit::problems(2), 1U);
  EXPECT_EQ(fit::problems(3), 3U);
}

TEST(row_scores, log_odds_of_logits_keep_their_digits) {
  // p of class 0 is 1 - 2 e^-50: its log-odds are 50 - ln 2, and as a double p is 1
  const auto top = column(Kind::logits, 3, {50, 0, 0}, Scale::log_odds, 0);
  EXPECT_NEAR(top[0], 50 - std::log(2), 1e-13);
  const auto other = column(Kind::logits, 3, {50, 0, 0}, Scale::log_odds, 1);
  EXPECT_NEAR(other[0], -50, 1e-13);
  EXPECT_EQ(column(Kind::logits, 3, {1e4, -1e4, -1e4}, Scale::log_odds, 0)[0], 2e4 - std::log(2));
  EXPECT_EQ(column(Kind::logits, 2, {-3, 4}, Scale::log_odds, 0)[0], 7);
  EXPECT_EQ(column(Kind::logits, 1, {7}, Scale::log_odds, 0)[0], 7);
}

TEST(row_scores, log_odds_of_probabilities_are_clamped) {
  for (const double p : {0.0, 1e-300})
    EXPECT_EQ(column(Kind::probs, 1, {p}, Scale::log_odds, 0)[0], -fit::largest_log_odds);
  EXPECT_EQ(column(Kind::probs, 1, {1}, Scale::log_odds, 0)[0], fit::largest_log_odds);
  EXPECT_NEAR(column(Kind::probs, 1, {0.75}, Scale::log_odds, 0)[0], std::log(3), 1e-15);
  EXPECT_NEAR(fit::largest_log_odds, std::log(0x1p52 - 1), 1e-13);
  // the other column knows how far from 1 it is
  EXPECT_NEAR(column(Kind::probs, 2, {1e-10, 1}, Scale::log_odds, 0)[0], 10 * std::log(10), 1e-12);
  EXPECT_NEAR(column(Kind::probs, 3, {1e-10, 1, 1e-10}, Scale::log_odds, 1)[0], -std::log(2e-10), 1e-12);
}

TEST(row_scores, float32_logits_give_float64_scores) {
  const std::vector<float> narrow{1.5F, -2.25F, 0.75F, 30.0F, 29.5F, -10.0F};
  const std::vector<double> wide(narrow.begin(), narrow.end());
  for (const Scale scale : {Scale::probability, Scale::log_odds})
    for (std::size_t j = 0; j < 3; ++j) {
      std::vector<double> buffer;
      const RowScores scores(Kind::logits, 3, std::span<const float>(narrow), scale);
      const Reals out = scores.column(j, buffer);
      EXPECT_EQ((std::vector<double>{out[0], out[1]}), column(Kind::logits, 3, wide, scale, j));
    }
}

TEST(row_scores, probabilities_are_the_softmax) {
  const std::vector<double> row{1, 2, 3};
  const double sum = std::exp(1) + std::exp(2) + std::exp(3);
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_NEAR(column(Kind::logits, 3, row, Scale::probability, j)[0], std::exp(row[j]) / sum, 1e-15);
  EXPECT_NEAR(column(Kind::logits, 2, {1, 2}, Scale::probability, 0)[0], 1 / (1 + std::exp(-1)), 1e-15);
  EXPECT_NEAR(column(Kind::logits, 1, {-1}, Scale::probability, 0)[0], 1 / (1 + std::exp(1)), 1e-15);
  EXPECT_EQ(column(Kind::probs, 2, {0.3, 0.7}, Scale::probability, 0)[0], 0.7);
}

}  // namespace
