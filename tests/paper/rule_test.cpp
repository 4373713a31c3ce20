#include "tare/paper/rule.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace tare::detail::paper;

// Two estimators on three sizes. Biases: a -1, 2, 3; b 4, 4, -7.
Frame biases() {
  Frame out;
  const double a[] = {-1, 2, 3}, b[] = {4, 4, -7};
  for (int i = 0; i < 3; ++i) {
    out.add({{"label", "a"}, {"n", 100.0 * (i + 1)}, {"bias", a[i]}, {"se", 3.0}, {"group", i < 2 ? "p" : "q"}});
    out.add({{"label", "b"}, {"n", 100.0 * (i + 1)}, {"bias", b[i]}, {"se", 4.0}, {"group", i < 2 ? "p" : "q"}});
  }
  return out;
}

double value(const std::string& rule) {
  const auto out = evaluate(biases(), rule);
  EXPECT_TRUE(out) << (out ? "" : tare::detail::sentence(out.error()));
  return out ? *out : std::nan("");
}

TEST(rule, is_arithmetic) {
  EXPECT_EQ(value("1 + 2 * 3 - 8 / 4"), 5);
  EXPECT_EQ(value("-(1 + 2) * -2"), 6);
  EXPECT_EQ(value("1 < 2 and 3 <= 3 and 2 > 1 and 2 >= 2 and 1 == 1"), 1);
  EXPECT_EQ(value("1 > 2 or 3 < 2"), 0);
  EXPECT_EQ(value("1 > 2 and 1 > 2 or 1 < 2"), 1);
  EXPECT_EQ(value("abs(-3) + sqrt(16) + least(3; 1; 2) + most(3; 1; 2)"), 11);
}

TEST(rule, aggregates_rows) {
  EXPECT_EQ(value("mean(bias; label=a)"), 4.0 / 3);
  EXPECT_EQ(value("mean_abs(bias; label=a)"), 2);
  EXPECT_EQ(value("mean_abs(bias; label=b)"), 5);
  EXPECT_EQ(value("max_abs(bias)"), 7);
  EXPECT_EQ(value("min(bias; n<=200)"), -1);
  EXPECT_EQ(value("count(bias; label=a|b, n=100)"), 2);
  EXPECT_EQ(value("value(bias; label=b, n=300)"), -7);
  EXPECT_DOUBLE_EQ(value("rms(bias; label=a)"), std::sqrt(14.0 / 3));
  EXPECT_DOUBLE_EQ(value("sd(bias; label=b, n<=200)"), 0);
}

// Three independent values with standard error 3: their mean has 3 / sqrt(3).
TEST(rule, knows_the_standard_error_of_a_mean) { EXPECT_DOUBLE_EQ(value("se_mean(se; label=a)"), std::sqrt(3.0)); }

TEST(rule, says_where_something_is_least) {
  EXPECT_EQ(value("at_min(n, bias; label=a)"), 100);
  EXPECT_EQ(value("at_max(n, bias; label=a)"), 300);
  EXPECT_EQ(value("at_min_abs(n, bias; label=b)"), 100);  // the first of equals
}

TEST(rule, correlates_ranks) {
  EXPECT_DOUBLE_EQ(value("spearman(n, bias; label=a)"), 1);
  EXPECT_DOUBLE_EQ(value("spearman(n, se; label=a)"), 0);  // constant
  // ranks 1 2 3 against 2.5 2.5 1: -1.5 / sqrt(2 * 1.5)
  EXPECT_DOUBLE_EQ(value("spearman(n, bias; label=b)"), -1.5 / std::sqrt(3.0));
}

TEST(rule, reads_off_a_line) {
  EXPECT_DOUBLE_EQ(value("read_off(bias, n, 0.5; label=a)"), 150);
  EXPECT_DOUBLE_EQ(value("read_off(bias, n, 2.5; label=a)"), 250);
  EXPECT_DOUBLE_EQ(value("read_off(bias, n, 99; label=a)"), 300);
}

// |a| - |b| = -3, -2, -4: mean -3, sd 1, so t = -3 sqrt(3).
TEST(rule, pairs_rows) {
  EXPECT_DOUBLE_EQ(value("paired_t(bias; label=a; label=b)"), -3 * std::sqrt(3.0));
  EXPECT_EQ(value("sign_share(bias; label=b; label=a)"), 1);
}

TEST(rule, measures_gaps_between_columns) {
  EXPECT_EQ(value("mean_gap(n, se; label=a, n=100)"), 97);
  EXPECT_EQ(value("max_gap(n, se)"), 297);
}

// Groups p: -1, 2, 4, 4 (mean 2.25, variance 67/12 - ...), q: 3, -7 (mean -2, variance 50).
TEST(rule, compares_variance_between_and_inside_groups) {
  const double p = ((3.25 * 3.25) + (0.25 * 0.25) + 2 * (1.75 * 1.75)) / 3, q = 50;
  const double between = (4.25 / 2) * (4.25 / 2) * 2;
  EXPECT_DOUBLE_EQ(value("variance_ratio(bias, group)"), between / ((p + q) / 2));
}

TEST(rule, goes_through_groups) {
  EXPECT_DOUBLE_EQ(value("share(n; mean_abs(bias; label=a) < 3)"), 2.0 / 3);
  EXPECT_EQ(value("mean_of(n; value(bias; label=b))"), 1.0 / 3);
  EXPECT_EQ(value("max_of(label; mean_abs(bias))"), 5);
  EXPECT_EQ(value("min_of(label; mean_abs(bias))"), 2);
  EXPECT_DOUBLE_EQ(value("spearman_of(n; value(bias; label=a))"), 1);
}

TEST(rule, says_what_is_wrong) {
  const auto problem = [](const char* rule) {
    const auto out = evaluate(biases(), rule);
    return out ? std::string("none") : tare::detail::sentence(out.error());
  };
  EXPECT_NE(problem("mean(bias; label=z) < 1").find("found no rows"), std::string::npos);
  EXPECT_NE(problem("value(bias)").find("6 rows"), std::string::npos);
  EXPECT_NE(problem("median(bias)").find("no function 'median'"), std::string::npos);
  EXPECT_NE(problem("1 +").find("missing"), std::string::npos);
  EXPECT_NE(problem("(1").find("not closed"), std::string::npos);
  EXPECT_NE(problem("1 2").find("cannot read"), std::string::npos);
  EXPECT_NE(problem("mean").find("parentheses"), std::string::npos);
  EXPECT_NE(problem("1 / 0").find("no finite value"), std::string::npos);
  EXPECT_NE(problem("paired_t(bias; label=a; n=100)").find("3 and 2"), std::string::npos);
  EXPECT_NE(problem("share(n; mean(bias; label=z))").find("found no rows"), std::string::npos);
}

TEST(filled, puts_numbers_into_words) {
  const auto words = filled(
      biases(),
      "a {mean_abs(bias; label=a)|.0f}, b {mean_abs(bias; label=b)}, both {count(bias; label=a|b)|.1f}, {-0.001|.1f}");
  ASSERT_TRUE(words);
  EXPECT_EQ(*words, "a 2, b 5.00, both 6.0, 0.0");
  EXPECT_FALSE(filled(biases(), "{mean(bias"));
  EXPECT_FALSE(filled(biases(), "{mean(nothing)}"));
}

}  // namespace
