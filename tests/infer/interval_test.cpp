#include "tare/infer/interval/interval.hpp"

#include <gtest/gtest.h>

#include "infer/support.hpp"

namespace {

namespace infer = tare::detail::infer;
namespace measure = tare::detail::measure;
using tare::detail::Estimate;
using tare::detail::SquareSpread;
using tare::detail::testing::must;
using tare::detail::testing::simulated;

// scipy 1.17: binomtest(k, n).proportion_ci(method="wilson")
TEST(wilson, agrees_with_scipy) {
  const auto some = infer::wilson(0.3, 10);
  EXPECT_NEAR(some.low, 0.10779127, 1e-7);
  EXPECT_NEAR(some.high, 0.60322185, 1e-7);
  const auto none = infer::wilson(0, 20);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.16112516, 1e-7);
  EXPECT_EQ(infer::wilson(1, 20).high, 1);
}

// With N = 1e-6, c = 1e-3 and D = 0.01: (D - q)^2 is 1.96^2 c q + 2.5^2 N at the low end, 1.96^2 (c q + N) at the high
// one.
TEST(interval, of_a_debiased_error_solves_for_the_squared_error) {
  const measure::Estimator& row = *measure::find("debias_em");
  Estimate e{.value = 0.1, .spread = SquareSpread{.squared = 0.01, .se_null = 1e-3, .per_square = 1e-3}};
  auto i = infer::interval_of(row, e, 1000);
  ASSERT_TRUE(i);
  const double low = i->low * i->low, high = i->high * i->high;
  EXPECT_NEAR((0.01 - low) * (0.01 - low), 3.841458820694124 * 1e-3 * low + 6.25e-6, 1e-15);
  EXPECT_NEAR((0.01 - high) * (0.01 - high), 3.841458820694124 * (1e-3 * high + 1e-6), 1e-15);
  e.spread->squared = 0.0024;  // less than 2.5 sqrt(N): zero is plausible
  EXPECT_EQ(infer::interval_of(row, e, 1000)->low, 0);
  e.spread->squared = -0.1;  // noise in the other direction does not shrink what is plausible to nothing
  EXPECT_EQ(infer::interval_of(row, e, 1000)->low, 0);
  EXPECT_GT(infer::interval_of(row, e, 1000)->high, 0);
}

TEST(interval, of_a_plug_in_error_does_not_exist) {
  const measure::Estimator& row = *measure::find("ece_ew");
  EXPECT_FALSE(infer::interval_of(row, {.value = 0.1}, 100));
  EXPECT_NE(infer::no_interval_reason(row).find("bootstrap"), std::string_view::npos);
}

// Uniform scores with the curve c^2: the true squared error is the integral of (c - c^2)^2, 1/30. With 15 bins the
// binned error differs from it by less than a tenth of a standard error at this n.
TEST(interval, of_the_debiased_error_covers_the_true_one) {
  const double truth = std::sqrt(1.0 / 30);
  for (const auto* name : {"debias_em", "debias_ew"}) {
    const measure::Estimator& row = *measure::find(name);
    constexpr int samples = 1500;
    int covered = 0;
    for (int i = 0; i < samples; ++i) {
      const auto rows = simulated(2000, 77 + static_cast<std::uint64_t>(i), [](double c) { return c * c; });
      const auto e = must(row.run(rows.view(), {}));
      const auto interval = infer::interval_of(row, e, 2000);
      ASSERT_TRUE(interval);
      covered += interval->low <= truth && truth <= interval->high;
    }
    const double share = static_cast<double>(covered) / samples;
    RecordProperty(name, std::to_string(share));
    EXPECT_GT(share, 0.93) << name;
    EXPECT_LT(share, 0.97) << name;
  }
}

// With N = 1e-6, c = 1e-3 and D = 0.01: (D - q)^2 is 1.96^2 c q + 3.2^2 N at the low end, 1.96^2 (c q + N) at the high
// one.
TEST(interval, of_rank_poly_solves_for_the_true_squared_error) {
  const measure::Estimator& row = *measure::find("rank_poly");
  Estimate e{.value = 0.1, .spread = SquareSpread{.squared = 0.01, .se_null = 1e-3, .per_square = 1e-3}};
  e.widest = e.spread;
  auto i = infer::interval_of(row, e, 1000);
  ASSERT_TRUE(i);
  const double low = i->low * i->low, high = i->high * i->high;
  EXPECT_LT(low, 0.01);
  EXPECT_GT(high, 0.01);
  EXPECT_NEAR((0.01 - low) * (0.01 - low), 3.841458820694124 * 1e-3 * low + 10.24e-6, 1e-15);
  EXPECT_NEAR((0.01 - high) * (0.01 - high), 3.841458820694124 * (1e-3 * high + 1e-6), 1e-15);
  e.widest->se_null = 1e-2;  // what a higher degree does not exclude
  EXPECT_GT(infer::interval_of(row, e, 1000)->high, i->high);
  e.spread->squared = 0.0031;  // less than 3.2 sqrt(N): zero is plausible
  EXPECT_EQ(infer::interval_of(row, e, 1000)->low, 0);
  e.spread->squared = -0.5;
  e.value = 0;
  const auto below = infer::interval_of(row, e, 1000);
  EXPECT_EQ(below->low, 0);
  EXPECT_GT(below->high, 0);
}

template <class Draw>
double coverage_of_rank_poly(double truth, int samples, const Draw& draw) {
  const measure::Estimator& row = *measure::find("rank_poly");
  int covered = 0;
  for (int i = 0; i < samples; ++i) {
    const auto rows = draw(static_cast<std::uint64_t>(i));
    const auto interval = infer::interval_of(row, must(row.run(rows.view(), {})), 1000);
    EXPECT_TRUE(interval);
    covered += interval->low <= truth && truth <= interval->high;
  }
  return static_cast<double>(covered) / samples;
}

TEST(interval, of_rank_poly_covers_the_true_error) {
  using tare::detail::testing::shaped;
  const double large = coverage_of_rank_poly(std::sqrt(1.0 / 30), 800, [](std::uint64_t seed) {
    return simulated(1000, 500 + seed, [](double c) { return c * c; });
  });
  EXPECT_GT(large, 0.92);
  EXPECT_LT(large, 0.985);
  // (c^2 - c) / 10: an error of 1.8 points, about what noise alone shows at this n
  const double small = coverage_of_rank_poly(std::sqrt(1.0 / 3000), 800, [](std::uint64_t seed) {
    return simulated(1000, 9000 + seed, [](double c) { return c + (c * c - c) / 10; });
  });
  EXPECT_GT(small, 0.92);
  for (const auto* shape : {"uniform", "grid", "piled"})
    EXPECT_GT(coverage_of_rank_poly(0, 800, [&](std::uint64_t seed) { return shaped(shape, 1000, seed); }), 0.92)
        << shape;
}

}  // namespace
