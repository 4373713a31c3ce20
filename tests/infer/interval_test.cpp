#include "tare/infer/interval.hpp"

#include <gtest/gtest.h>

#include "infer/support.hpp"

namespace {

namespace infer = tare::infer;
namespace measure = tare::measure;
using tare::Estimate;
using tare::testing::must;
using tare::testing::simulated;

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

TEST(interval, of_a_squared_error_is_clipped_then_rooted) {
  const measure::Row& row = *measure::find("debias_em");
  Estimate e{.value = 0.1, .squared = 0.01, .squared_se = 0.001};
  auto i = infer::interval_of(row, e, 100);
  ASSERT_TRUE(i);
  EXPECT_NEAR(i->low * i->low, 0.01 - 1.959963984540054e-3, 1e-15);
  EXPECT_NEAR(i->high * i->high, 0.01 + 1.959963984540054e-3, 1e-15);
  e.squared_se = 0.01;
  EXPECT_EQ(infer::interval_of(row, e, 100)->low, 0);
  e.squared = -0.1;
  EXPECT_EQ(infer::interval_of(row, e, 100)->high, 0);
}

TEST(interval, of_a_plug_in_error_does_not_exist) {
  const measure::Row& row = *measure::find("ece_ew");
  EXPECT_FALSE(infer::interval_of(row, {.value = 0.1}, 100));
  EXPECT_NE(infer::no_interval_reason(row).find("bootstrap"), std::string::npos);
}

// Uniform scores with the curve c^2: the true squared error is the integral of (c - c^2)^2, 1/30. With 15 bins the
// binned error differs from it by less than a tenth of a standard error at this n.
TEST(interval, of_the_debiased_error_covers_the_true_one) {
  const double truth = std::sqrt(1.0 / 30);
  for (const auto* name : {"debias_em", "debias_ew"}) {
    const measure::Row& row = *measure::find(name);
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

}  // namespace
