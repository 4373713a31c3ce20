// The rows of a search for a temperature: slopes are those of the formulas, and neither the order of the rows nor
// threads change a bit of them.
#include "tare/numeric/simd/coarse_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::numeric {
namespace {

struct Rows {
  std::size_t n, k;
  std::vector<double> z = {}, weight = {};
  std::vector<std::int32_t> label = {};

  Rows(std::size_t rows, std::size_t columns, bool weighted) : n(rows), k(columns) {
    for (std::size_t i = 0; i < n * k; ++i) z.push_back(9 * std::sin(0.7 * static_cast<double>(i * i % 1013)) + 30);
    for (std::size_t i = 0; i < n; ++i) label.push_back(static_cast<std::int32_t>(i * 31 % (k == 1 ? 2 : k)));
    if (weighted)
      for (std::size_t i = 0; i < n; ++i) weight.push_back(static_cast<double>(i % 5) * 0.75);
    if (k == 1)
      for (double& x : z) x -= 30;
  }
  [[nodiscard]] LogitRows view() const {
    return {.values = std::span<const double>(z), .k = k, .label = label, .weight = weight};
  }
  [[nodiscard]] Rows reversed() const {
    Rows out = *this;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < k; ++j) out.z[i * k + j] = z[(n - 1 - i) * k + j];
      out.label[i] = label[n - 1 - i];
      if (!weight.empty()) out.weight[i] = weight[n - 1 - i];
    }
    return out;
  }
  // By the formulas, in long double; one column is the row (0, z).
  [[nodiscard]] CoarseRows::Slope plain(double v) const {
    long double slope = 0, curvature = 0, total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<long double> row(z.begin() + static_cast<std::ptrdiff_t>(i * k),
                                   z.begin() + static_cast<std::ptrdiff_t>((i + 1) * k));
      if (k == 1) row.insert(row.begin(), 0);
      long double s0 = 0, s1 = 0, s2 = 0;
      for (const long double x : row) {
        const long double e = std::exp(static_cast<long double>(v) * x);
        s0 += e;
        s1 += x * e;
        s2 += x * x * e;
      }
      const long double w = weight.empty() ? 1 : weight[i], mean = s1 / s0;
      total += w;
      slope += w * (mean - row[static_cast<std::size_t>(label[i])]);
      curvature += w * (s2 / s0 - mean * mean);
    }
    return {static_cast<double>(slope / total), static_cast<double>(curvature / total)};
  }
};

TEST(coarse_rows, slopes_are_those_of_the_formulas) {
  for (const std::size_t k : {1U, 2U, 3U, 7U, 40U})
    for (const bool weighted : {false, true}) {
      const Rows rows(1001, k, weighted);  // no multiple of sixteen
      CoarseRows coarse;
      const LogitSurvey survey = numeric::survey(rows.view(), coarse);
      const LogitSurvey whole = numeric::survey(rows.view());
      EXPECT_EQ(survey.range, whole.range);
      EXPECT_EQ(survey.slope, whole.slope);
      EXPECT_EQ(survey.total_weight, whole.total_weight);
      EXPECT_EQ(survey.all_right, whole.all_right);
      for (const double v : {0.0, 0.3, 1.0, 5.0}) {
        const auto expected = rows.plain(v), got = coarse.at(v);
        EXPECT_NEAR(got.slope, expected.slope, 1e-6) << k << ' ' << v;
        EXPECT_NEAR(got.curvature, expected.curvature, 1e-5 * (1 + expected.curvature)) << k << ' ' << v;
      }
    }
}

TEST(coarse_rows, order_and_threads_change_no_bit) {
  for (const std::size_t k : {2U, 7U})
    for (const bool weighted : {false, true}) {
      const Rows rows(20000, k, weighted), back = rows.reversed();
      CoarseRows one, other;
      numeric::survey(rows.view(), one);
      numeric::survey(back.view(), other, 3);
      for (const double v : {0.5, 2.0}) {
        const auto a = one.at(v), b = other.at(v, 2);
        EXPECT_EQ(a.slope, b.slope);
        EXPECT_EQ(a.curvature, b.curvature);
      }
    }
}

// A row of weight 0 may hold what no other row may.
TEST(coarse_rows, rows_of_weight_zero_are_not_seen) {
  const std::vector<double> z{1, 0, 2, 0, 1e300, -1e300, 0, 1}, weight{1, 2, 0, 1};
  const std::vector<std::int32_t> label{0, 1, 0, 1};
  CoarseRows coarse;
  const LogitSurvey survey =
      numeric::survey({.values = std::span<const double>(z), .k = 2, .label = label, .weight = weight}, coarse);
  EXPECT_EQ(survey.range, 2);
  const double at_zero = (-0.5 * 1 + 2 * (2 - 1.0) + (-0.5)) / 4;  // mean - label: 1/2 - 1, 1 - 0 twice, 1/2 - 1
  EXPECT_NEAR(coarse.at(0).slope, at_zero, 1e-7);
}

}  // namespace
}  // namespace tare::detail::numeric
