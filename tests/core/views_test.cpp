#include "tare/core/views.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tare/core/workers.hpp"

namespace {

using namespace tare::detail;
using Scores = std::vector<double>;
using Floats = std::vector<float>;
using Hits = std::vector<std::uint8_t>;
using Labels = std::vector<std::int32_t>;

const double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
Reals reals(const std::vector<T>& v) {
  return Reals(std::span<const T>(v));
}

template <class T>
std::string binary(const std::vector<T>& score, const Hits& label, const Scores& weight = {}) {
  const auto v = binary_view(reals(score), label, weight);
  if (v) return "fine";
  EXPECT_FALSE(v.error().remedy.empty());
  return sentence(v.error());
}

template <class T>
std::string matrix(Kind kind, const std::vector<T>& values, std::size_t k, const Labels& label,
                   const Scores& weight = {}, double tolerance = row_sum_tolerance) {
  const auto v = multiclass_view(kind, reals(values), k, label, weight, tolerance);
  if (v) return "fine";
  EXPECT_FALSE(v.error().remedy.empty());
  return sentence(v.error());
}

TEST(binary_view, shows_what_it_was_given) {
  const Scores score = {0, 0.5, 1};
  const Hits label = {0, 1, 1};
  const Scores weight = {1, 2, 0};
  const auto v = binary_view(reals(score), label, weight);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->size(), 3U);
  EXPECT_EQ(v->score()[1], 0.5);
  EXPECT_FALSE(v->score().is_float32());
  EXPECT_EQ(v->label().data(), label.data());
  EXPECT_EQ(v->weight().data(), weight.data());
}

TEST(binary_view, accepts_both_ends_and_negative_zero) {
  EXPECT_EQ(binary(Scores{0, -0.0, 1, 5e-324}, {0, 0, 1, 1}), "fine");
  EXPECT_EQ(binary(Floats{0, -0.0F, 1, 1e-45F}, {0, 0, 1, 1}), "fine");
}

TEST(binary_view, names_row_and_value_of_a_bad_score) {
  EXPECT_EQ(binary(Scores{0.5, 3.2}, {0, 1}), "value at row 1 is 3.2, not in [0, 1]");
  EXPECT_EQ(binary(Floats{0.1F, 1.2F}, {0, 1}), "value at row 1 is 1.2, not in [0, 1]");
  EXPECT_EQ(binary(Scores{1 + 1e-9}, {1}), "value at row 0 is 1.000000001, not in [0, 1]");
  EXPECT_EQ(binary(Scores{-5e-324}, {1}), "value at row 0 is -5e-324, not in [0, 1]");
  EXPECT_EQ(binary(Scores{0, nan}, {1, 1}), "value at row 1 is nan, not in [0, 1]");
  EXPECT_EQ(binary(Scores{INFINITY}, {1}), "value at row 0 is inf, not in [0, 1]");
}

TEST(binary_view, finds_the_first_bad_row_wherever_it_is) {
  for (const std::size_t at : {0U, 1U, 63U, 4095U, 4096U, 4097U, 9999U}) {
    Floats score(10000, 0.5F);
    score[at] = std::numeric_limits<float>::quiet_NaN();
    score.back() = at < 9999 ? 7 : score.back();
    EXPECT_EQ(binary(score, Hits(10000, 1)), "value at row " + std::to_string(at) + " is nan, not in [0, 1]");
  }
}

TEST(binary_view, the_hint_depends_on_how_far_off_the_score_is) {
  const auto hint = [](double x) { return binary_view(reals(Scores{x}), Hits{1}).error().remedy; };
  EXPECT_NE(hint(3.2).find("logits"), std::string::npos);
  EXPECT_NE(hint(1 + 1e-9).find("clip"), std::string::npos);
  EXPECT_NE(hint(nan).find("missing"), std::string::npos);
}

TEST(binary_view, checks_labels_and_lengths) {
  EXPECT_EQ(binary(Scores{0.5, 0.5, 0.5}, {0, 1, 2}), "hit at row 2 is 2, not 0 or 1");
  EXPECT_EQ(binary(Scores{0.5, 0.5}, {1}), "hits: 1 of them, but 2 rows");
  EXPECT_EQ(binary(Scores{}, {}), "there are no rows");
}

TEST(binary_view, checks_weights) {
  const auto with = [](const Scores& w) { return binary(Scores(w.size(), 0.5), Hits(w.size(), 1), w); };
  EXPECT_EQ(with({1, 0, 2.5}), "fine");
  EXPECT_EQ(binary(Scores{0.5, 0.5}, {1, 0}, {1}), "weights: 1 of them, but 2 rows");
  EXPECT_EQ(with({1, -1}).substr(0, 24), "weight at row 1 is -1, n");
  EXPECT_EQ(with({1, nan}).substr(0, 24), "weight at row 1 is nan, ");
  EXPECT_EQ(with({1, INFINITY}).substr(0, 24), "weight at row 1 is inf, ");
  EXPECT_EQ(with({1e-9, 1}), "fine");
  EXPECT_EQ(with({1e-7, 1e-7}), "fine");
  EXPECT_EQ(with({0, 0}), "weights: all weights are 0");
  EXPECT_EQ(with({1e-13, 1e-14}), "weights: the largest weight is 1e-13, below 1e-12");
}

TEST(multiclass_view, counts_columns_and_classes) {
  const Scores values = {0.25, 0.75, 0.5, 0.5};
  const Labels label = {1, 0};
  const auto v = multiclass_view(Kind::probs, reals(values), 2, label);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->size(), 2U);
  EXPECT_EQ(v->columns(), 2U);
  EXPECT_EQ(v->classes(), 2U);
  const Labels four = {1, 0, 0, 1};
  const auto one = multiclass_view(Kind::probs, reals(values), 1, four);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->classes(), 2U);
}

TEST(multiclass_view, logits_may_be_any_finite_number) {
  EXPECT_EQ(matrix(Kind::logits, Scores{-1e300, 1e300, 0, -0.0}, 2, {0, 1}), "fine");
  EXPECT_EQ(matrix(Kind::logits, Scores{0, 1, 2, nan}, 2, {0, 1}),
            "value at row 1, column 1 is nan, not a finite number");
  EXPECT_EQ(matrix(Kind::logits, Floats{0, -INFINITY, 2, 1}, 2, {0, 1}),
            "value at row 0, column 1 is -inf, not a finite number");
  EXPECT_EQ(matrix(Kind::logits, Scores{0, INFINITY}, 1, {0, 1}), "value at row 1 is inf, not a finite number");
}

TEST(multiclass_view, names_row_column_and_value_of_a_bad_probability) {
  EXPECT_EQ(matrix(Kind::probs, Scores{0.5, 0.5, -0.2, 1.2}, 2, {0, 1}),
            "value at row 1, column 0 is -0.2, not in [0, 1]");
  EXPECT_EQ(matrix(Kind::probs, Floats{0.5, 0.5, 0, 1.2F}, 2, {0, 1}),
            "value at row 1, column 1 is 1.2, not in [0, 1]");
  EXPECT_EQ(matrix(Kind::probs, Scores{0.5, nan}, 1, {0, 1}), "value at row 1 is nan, not in [0, 1]");
}

TEST(multiclass_view, rows_of_probabilities_sum_to_one_within_the_tolerance) {
  EXPECT_EQ(matrix(Kind::probs, Scores{0.5, 0.5, 0.25, 0.5}, 2, {0, 1}),
            "values at row 1: probabilities sum to 0.75, not to 1");
  EXPECT_EQ(matrix(Kind::probs, Scores{0.5, 0.5009}, 2, {0}), "fine");
  EXPECT_EQ(matrix(Kind::probs, Scores{0.5, 0.502}, 2, {0}), "values at row 0: probabilities sum to 1.002, not to 1");
  EXPECT_EQ(matrix(Kind::probs, Scores{0.5, 0.502}, 2, {0}, {}, row_sum_tolerance_float16), "fine");
  EXPECT_EQ(matrix(Kind::probs, Scores{0.2, 0.9}, 1, {0, 1}), "fine");  // one column: no sum
}

TEST(multiclass_view, finds_the_first_row_that_does_not_sum_to_one) {
  for (const std::size_t k : {2U, 3U, 10U, 1000U})
    for (const std::size_t at : {0U, 1U, 499U}) {
      Floats p(500 * k, 1.0F / static_cast<float>(k));
      p[at * k + k / 2] = 0;
      p[499 * k] = 0;
      const std::string message = matrix(Kind::probs, p, k, Labels(500, 1), {}, 1e-4);
      EXPECT_EQ(message.substr(0, message.find(':')), "values at row " + std::to_string(at)) << k;
    }
}

TEST(multiclass_view, checks_labels_lengths_and_weights) {
  EXPECT_EQ(matrix(Kind::logits, Scores(6), 3, {0, 3}), "label at row 1 is 3, not in 0..2");
  EXPECT_EQ(matrix(Kind::logits, Scores(6), 3, {-1, 2}), "label at row 0 is -1, not in 0..2");
  EXPECT_EQ(matrix(Kind::logits, Scores(2), 1, {0, 2}), "label at row 1 is 2, not in 0..1");
  EXPECT_EQ(matrix(Kind::logits, Scores(6), 3, {0, 1, 2}), "labels: 3 of them, but 2 rows");
  EXPECT_EQ(matrix(Kind::logits, Scores{}, 3, {}), "there are no rows");
  EXPECT_EQ(matrix(Kind::logits, Scores(4), 2, {0, 1}, {1}), "weights: 1 of them, but 2 rows");
  EXPECT_EQ(matrix(Kind::logits, Scores(4), 2, {0, 1}, {1, -2}).substr(0, 21), "weight at row 1 is -2");
}

// Whoever checks the parts, and in whatever order, the first row that is wrong is named.
TEST(views, lent_workers_find_the_same) {
  constexpr std::size_t n = 4000000;
  Scores score(n, 0.5);
  Hits hit(n, 1);
  Labels label(n, 1);
  std::size_t asked = 0;
  const ScopedValidationWorkers lent([&](std::size_t parts, const std::function<void(std::size_t)>& part) {
    asked += parts;
    for (std::size_t i = parts; i-- > 0;) part(i);
  });
  EXPECT_EQ(binary(score, hit), "fine");
  EXPECT_EQ(matrix(Kind::probs, score, 2, Labels(n / 2, 1)), "fine");
  EXPECT_EQ(matrix(Kind::logits, score, 1, label), "fine");
  EXPECT_GT(asked, 8U);
  hit[3999999] = 2;
  hit[1500000] = 3;
  EXPECT_NE(binary(score, hit).find("1500000"), std::string::npos) << binary(score, hit);
  label[3999999] = 2;
  label[2500001] = -1;
  EXPECT_NE(matrix(Kind::logits, score, 1, label).find("2500001"), std::string::npos);
  score[2000001] = 0.9;
  score[3999998] = 2;
  EXPECT_NE(matrix(Kind::probs, score, 2, Labels(n / 2, 1)).find("1000000"), std::string::npos);
  EXPECT_NE(binary(score, hit).find("3999998"), std::string::npos);
}

}  // namespace
