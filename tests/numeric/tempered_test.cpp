// A pass of a temperature over rows in parts: any split gives the same bits, and they are those of one pass.
#include "tare/numeric/simd/tempered.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tare::detail::numeric {
namespace {

constexpr std::size_t n = 1000, k = 7;

struct Data {
  std::vector<double> z = std::vector<double>(n * k);
  std::vector<std::int32_t> label = std::vector<std::int32_t>(n);
  Data() {
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = 9 * std::sin(0.7 * static_cast<double>(i * i % 1013));
    for (std::size_t i = 0; i < n; ++i) label[i] = static_cast<std::int32_t>(i * 31 % k);
  }
  [[nodiscard]] LogitRows rows(std::size_t from, std::size_t to) const {
    return {.values = std::span<const double>(z).subspan(from * k, (to - from) * k),
            .k = k,
            .label = std::span<const std::int32_t>(label).subspan(from, to - from)};
  }
};

TEST(tempered_pass, any_split_gives_the_bits_of_the_whole) {
  const Data data;
  TemperedPass whole{.v = 0.8};
  whole.add(data.rows(0, n));
  for (const std::size_t step : {1U, 63U, 64U, 500U}) {
    TemperedPass parts{.v = 0.8};
    for (std::size_t end = n; end > 0; end -= std::min(end, step)) {
      TemperedPass part{.v = 0.8};
      part.add(data.rows(end - std::min(end, step), end), 2);
      parts.merge(part);
    }
    EXPECT_EQ(parts.rows, whole.rows);
    EXPECT_TRUE(parts.log_normaliser == whole.log_normaliser && parts.label == whole.label);
    EXPECT_TRUE(parts.mean == whole.mean && parts.variance == whole.variance);
    EXPECT_EQ(parts.range, whole.range);
    EXPECT_FALSE(parts.all_right);
    EXPECT_EQ(parts.nll().slope, whole.nll().slope);
  }
}

// By the formulas, in long double.
TEST(tempered_pass, loss_slope_and_curvature_are_those_of_the_rows) {
  const Data data;
  const long double v = 0.8L;
  long double loss = 0, slope = 0, curvature = 0;
  for (std::size_t i = 0; i < n; ++i) {
    long double s0 = 0, s1 = 0, s2 = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const long double z = data.z[i * k + j], e = std::exp(v * z);
      s0 += e;
      s1 += z * e;
      s2 += z * z * e;
    }
    const long double y = data.z[i * k + static_cast<std::size_t>(data.label[i])];
    loss += std::log(s0) - v * y;
    slope += s1 / s0 - y;
    curvature += s2 / s0 - s1 / s0 * (s1 / s0);
  }
  TemperedPass pass{.v = 0.8};
  pass.add(data.rows(0, n));
  const TemperedNll found = pass.nll();
  EXPECT_NEAR(found.loss, static_cast<double>(loss / n), 1e-12);
  EXPECT_NEAR(found.slope, static_cast<double>(slope / n), 1e-12);
  EXPECT_NEAR(found.curvature, static_cast<double>(curvature / n), 1e-10);
}

TEST(tempered_pass, knows_whether_every_row_is_right) {
  const std::vector<double> z{2, 0, 0, 3};
  const std::vector<std::int32_t> label{0, 1};
  TemperedPass pass;
  pass.add({.values = std::span<const double>(z), .k = 2, .label = label});
  EXPECT_TRUE(pass.all_right);
  EXPECT_EQ(pass.range, 3);
}

}  // namespace
}  // namespace tare::detail::numeric
