#include "tare/reduce/reduce.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/data.hpp"

namespace {

using tare::detail::BinaryData;
using tare::detail::Errc;
using tare::detail::Kind;
using tare::detail::OneVsRest;
using tare::detail::Predictions;
using tare::detail::Reduction;
using tare::detail::testing::must;

// A matrix that stays alive as long as its predictions.
template <class T>
struct Matrix {
  Kind kind;
  std::size_t k;
  std::vector<T> values;
  std::vector<std::int32_t> label;
  std::vector<double> weight = {};

  [[nodiscard]] Predictions predictions() const {
    Predictions out;
    out.kind = kind;
    out.matrix = must(tare::detail::multiclass_view(kind, std::span<const T>(values), k, label, weight));
    out.n = label.size();
    out.k = out.matrix->classes();
    return out;
  }
};

std::vector<double> scores(const BinaryData& d) {
  const auto view = d.view();
  std::vector<double> out(view.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = view.score()[i];
  return out;
}
std::vector<int> labels(const BinaryData& d) {
  const auto view = d.view();
  return {view.label().begin(), view.label().end()};
}

TEST(top_label, takes_the_largest_probability_and_the_lowest_index_on_a_tie) {
  const Matrix<double> m{Kind::probs, 3, {0.2, 0.5, 0.3, 0.4, 0.2, 0.4, 0, 0.5, 0.5}, {1, 2, 1}};
  const auto d = must(top_label(m.predictions()));
  EXPECT_EQ(scores(d), (std::vector<double>{0.5, 0.4, 0.5}));
  EXPECT_EQ(labels(d), (std::vector<int>{1, 0, 1}));
}

TEST(top_label, keeps_float32_probabilities_as_they_are) {
  const Matrix<float> m{Kind::probs, 2, {0.1F, 0.9F}, {1}};
  const auto d = must(top_label(m.predictions()));
  EXPECT_TRUE(d.view().score().is_float32());
  EXPECT_EQ(scores(d), std::vector<double>{static_cast<double>(0.9F)});
}

// exp(log 2) = 2 of 2 + 1 + 1; ties go to the first; 1e4 does not overflow.
TEST(top_label, is_the_softmax_of_logits) {
  const double l = std::log(2.0);
  const Matrix<double> m{Kind::logits, 3, {0, l, 0, 7, 7, 7, 1e4, -1e4, 1e4}, {1, 0, 2}};
  const auto d = must(top_label(m.predictions()));
  EXPECT_NEAR(scores(d)[0], 0.5, 1e-15);
  EXPECT_NEAR(scores(d)[1], 1.0 / 3, 1e-15);
  EXPECT_NEAR(scores(d)[2], 0.5, 1e-15);
  EXPECT_EQ(labels(d), (std::vector<int>{1, 1, 0}));
}

// sigma(log 3) = 3/4; sigma(0) = 1/2 is a tie, so class 0.
TEST(top_label, of_one_log_odds_per_row) {
  const double l = std::log(3.0);
  const Matrix<double> m{Kind::logits, 1, {l, -l, 0, 0, 1e4, -1e4, -0.0}, {1, 1, 0, 1, 1, 1, 0}};
  const auto d = must(top_label(m.predictions()));
  const std::vector<double> expected{0.75, 0.75, 0.5, 0.5, 1, 1, 0.5};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(scores(d)[i], expected[i], 1e-15) << i;
  EXPECT_EQ(labels(d), (std::vector<int>{1, 0, 1, 0, 1, 0, 1}));
}

TEST(top_label, of_one_probability_per_row) {
  const Matrix<float> m{Kind::probs, 1, {0.75F, 0.25F, 0.5F, 0.5F, 0, -0.0F, 1}, {1, 1, 0, 1, 0, 1, 1}};
  const auto d = must(top_label(m.predictions()));
  EXPECT_TRUE(d.view().score().is_float32());
  EXPECT_EQ(scores(d), (std::vector<double>{0.75, 0.75, 0.5, 0.5, 1, 1, 1}));
  EXPECT_EQ(labels(d), (std::vector<int>{1, 0, 1, 0, 1, 0, 1}));
}

TEST(top_label, borrows_confidences_that_are_given) {
  const std::vector<double> score{0.3, 0.9};
  const std::vector<std::uint8_t> hit{0, 1};
  Predictions p;
  p.kind = Kind::confidences;
  p.confidences = must(tare::detail::binary_view(std::span<const double>(score), hit));
  const auto d = must(top_label(p));
  EXPECT_EQ(d.view().label().data(), hit.data());
}

TEST(positive, reads_all_four_binary_shapes_alike) {
  const double l = std::log(3.0);
  const Matrix<double> a{Kind::logits, 1, {l, -l}, {1, 0}}, b{Kind::logits, 2, {5, 5 + l, 9998 + l, 9998}, {1, 0}},
      c{Kind::probs, 1, {0.75, 0.25}, {1, 0}}, e{Kind::probs, 2, {0.25, 0.75, 0.75, 0.25}, {1, 0}};
  for (const auto* m : {&a, &b, &c, &e}) {
    const auto d = must(positive(m->predictions()));
    EXPECT_NEAR(scores(d)[0], 0.75, 1e-12);
    EXPECT_NEAR(scores(d)[1], 0.25, 1e-12);
    EXPECT_EQ(labels(d), (std::vector<int>{1, 0}));
  }
}

TEST(positive, keeps_small_probabilities_to_full_relative_precision) {
  const Matrix<double> m{Kind::logits, 2, {0, -50, 0, 50, 0, 1e4, 1e4, 0}, {0, 1, 1, 0}};
  const auto s = scores(must(positive(m.predictions())));
  EXPECT_DOUBLE_EQ(s[0], std::exp(-50.0));
  EXPECT_EQ(s[1], 1);
  EXPECT_EQ(s[2], 1);
  EXPECT_EQ(s[3], 0);
}

TEST(positive, keeps_float32_probabilities_and_does_not_copy_a_single_column) {
  const Matrix<float> one{Kind::probs, 1, {0.1F, 0.7F}, {0, 1}}, two{Kind::probs, 2, {0.9F, 0.1F}, {0}};
  const auto d = must(positive(one.predictions()));
  d.view().score().visit([&](auto s) { EXPECT_EQ(static_cast<const void*>(s.data()), one.values.data()); });
  EXPECT_TRUE(must(positive(two.predictions())).view().score().is_float32());
}

TEST(classwise, gives_one_problem_per_class_that_sum_to_one) {
  const Matrix<double> m{Kind::logits, 3, {std::log(2.0), 0, 0, 1e4, -1e4, 1e4 - std::log(3.0)}, {2, 0}, {2, 3}};
  const auto all = must(OneVsRest::make(m.predictions()));
  ASSERT_EQ(all.classes(), 3U);
  const double expected[3][2] = {{0.5, 0.75}, {0.25, 0}, {0.25, 0.25}};
  for (std::size_t c = 0; c < 3; ++c) {
    const auto d = all.problem(c);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(scores(d)[i], expected[c][i], 1e-11);
    EXPECT_EQ(labels(d), (std::vector<int>{c == 2, c == 0}));
    EXPECT_EQ(d.view().weight()[1], 3);
  }
}

TEST(classwise, of_binary_input_is_two_problems) {
  const double l = std::log(3.0);
  const Matrix<double> a{Kind::logits, 1, {l}, {1}}, b{Kind::logits, 2, {0, l}, {1}}, c{Kind::probs, 1, {0.75}, {1}},
      e{Kind::probs, 2, {0.25, 0.75}, {1}};
  for (const auto* m : {&a, &b, &c, &e}) {
    const auto all = must(OneVsRest::make(m->predictions()));
    ASSERT_EQ(all.classes(), 2U);
    EXPECT_NEAR(scores(all.problem(0))[0], 0.25, 1e-15);
    EXPECT_NEAR(scores(all.problem(1))[0], 0.75, 1e-15);
    EXPECT_EQ(labels(all.problem(0))[0], 0);
    EXPECT_EQ(labels(all.problem(1))[0], 1);
  }
}

TEST(classwise, keeps_float32_probabilities_as_they_are) {
  const Matrix<float> m{Kind::probs, 3, {0.1F, 0.2F, 0.7F}, {1}};
  const auto all = must(OneVsRest::make(m.predictions()));
  const auto d = all.problem(1);
  EXPECT_TRUE(d.view().score().is_float32());
  EXPECT_EQ(scores(d)[0], static_cast<double>(0.2F));
}

TEST(choose_reduction, is_positive_for_two_classes_and_top_label_for_more) {
  const Matrix<double> one{Kind::logits, 1, {0}, {1}}, two{Kind::logits, 2, {0, 0}, {1}},
      three{Kind::logits, 3, {0, 0, 0}, {1}};
  EXPECT_EQ(must(choose_reduction(one.predictions(), {})), Reduction::positive);
  EXPECT_EQ(must(choose_reduction(two.predictions(), {})), Reduction::positive);
  EXPECT_EQ(must(choose_reduction(three.predictions(), {})), Reduction::top_label);
  EXPECT_EQ(must(choose_reduction(two.predictions(), Reduction::top_label)), Reduction::top_label);
  EXPECT_EQ(must(choose_reduction(three.predictions(), Reduction::classwise)), Reduction::classwise);
}

TEST(choose_reduction, refuses_what_the_input_cannot_give_and_says_what_to_do) {
  const Matrix<double> three{Kind::logits, 3, {0, 0, 0}, {1}};
  const auto wide = choose_reduction(three.predictions(), Reduction::positive);
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().code, Errc::unsupported);
  EXPECT_FALSE(wide.error().remedy.empty());
  EXPECT_EQ(positive(three.predictions()).error().code, Errc::unsupported);

  const std::vector<double> score{0.3};
  const std::vector<std::uint8_t> hit{0};
  Predictions p;
  p.kind = Kind::confidences;
  p.confidences = must(tare::detail::binary_view(std::span<const double>(score), hit));
  EXPECT_EQ(must(choose_reduction(p, {})), Reduction::top_label);
  for (const auto wish : {Reduction::positive, Reduction::classwise}) {
    const auto r = choose_reduction(p, wish);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, Errc::unsupported);
    EXPECT_FALSE(r.error().remedy.empty());
  }
  EXPECT_EQ(positive(p).error().code, Errc::unsupported);
  EXPECT_EQ(OneVsRest::make(p).error().code, Errc::unsupported);
}

TEST(reduce, gives_the_same_bits_with_any_number_of_threads) {
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal(0, 3);
  Matrix<float> m{Kind::logits, 7, {}, {}};
  for (std::size_t i = 0; i < 20'001; ++i) {
    for (std::size_t j = 0; j < m.k; ++j) m.values.push_back(static_cast<float>(normal(rng)));
    m.label.push_back(static_cast<std::int32_t>(rng() % m.k));
  }
  const auto p = m.predictions();
  const auto top = scores(must(top_label(p)));
  const auto third = scores(must(OneVsRest::make(p)).problem(3));
  for (const int threads : {2, 3}) {
    EXPECT_EQ(scores(must(top_label(p, threads))), top);
    EXPECT_EQ(scores(must(OneVsRest::make(p, threads)).problem(3, threads)), third);
  }
}

}  // namespace
