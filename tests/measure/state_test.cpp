#include "tare/measure/state.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace {

using tare::measure::find;
using tare::measure::WidthState;
using tare::testing::must;
using tare::testing::Rows;

TEST(width_state, any_split_of_the_data_gives_the_same_bits) {
  const auto all = tare::testing::calibrated(1000, 7);
  for (const char* name : {"ece_ew", "debias_ew", "mce_ew"}) {
    const double whole = must(find(name)->run(all.view(), {})).value;
    for (const std::size_t cut : {1U, 17U, 500U, 999U}) {
      const auto middle = static_cast<std::ptrdiff_t>(cut);
      const Rows head{{all.score.begin(), all.score.begin() + middle}, {all.label.begin(), all.label.begin() + middle}};
      const Rows tail{{all.score.begin() + middle, all.score.end()}, {all.label.begin() + middle, all.label.end()}};
      WidthState a(15), b(15);
      a.add(tail.view());
      b.add(head.view());
      ASSERT_TRUE(a.merge(b));
      EXPECT_EQ(must(a.finish(*find(name))).value, whole) << name << " " << cut;
    }
  }
}

TEST(width_state, mixes_weighted_and_unweighted_parts) {
  WidthState a(2);
  a.add(Rows{{0.2, 0.9}, {0, 1}, {0.5, 1.5}}.view());
  a.add(Rows{{0.3}, {1}}.view());
  const auto e = must(a.finish(*find("ece_ew"), {.norm = 1}));
  // lower bin: weight 1.5, mean score 0.4/1.5, rate 1/1.5; upper: weight 1.5, gap 0.1
  EXPECT_NEAR(e.value, 0.5 * (0.6 / 1.5) + 0.5 * 0.1, 1e-14);
}

TEST(width_state, refuses_what_it_cannot_do) {
  WidthState a(15);
  EXPECT_FALSE(a.merge(WidthState(10)));
  EXPECT_EQ(a.finish(*find("ece_ew")).error().code, tare::Errc::undefined);
  EXPECT_EQ(a.finish(*find("sweep_em")).error().code, tare::Errc::unsupported);
}

}  // namespace
