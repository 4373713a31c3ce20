#include "tare/state/width_state.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace {

using tare::inner::measure::find;
using tare::inner::state::WidthState;
using tare::inner::testing::must;
using tare::inner::testing::Rows;

TEST(width_state, any_split_of_the_data_gives_the_same_bits) {
  const auto all = tare::inner::testing::calibrated(1000, 7);
  for (const char* name : {"ece_ew", "debias_ew", "mce_ew"}) {
    const double whole = must(find(name)->run(all.view(), {})).value;
    for (const std::size_t cut : {1U, 17U, 500U, 999U}) {
      const auto middle = static_cast<std::ptrdiff_t>(cut);
      const Rows head{{all.score.begin(), all.score.begin() + middle}, {all.label.begin(), all.label.begin() + middle}};
      const Rows tail{{all.score.begin() + middle, all.score.end()}, {all.label.begin() + middle, all.label.end()}};
      auto a = must(WidthState::make(15)), b = must(WidthState::make(15));
      a.add(tail.view());
      b.add(head.view());
      ASSERT_TRUE(a.merge(b));
      EXPECT_EQ(must(a.finish(*find(name))).value, whole) << name << " " << cut;
    }
  }
}

TEST(width_state, mixes_weighted_and_unweighted_parts) {
  auto a = must(WidthState::make(2));
  a.add(Rows{{0.2, 0.9}, {0, 1}, {0.5, 1.5}}.view());
  a.add(Rows{{0.3}, {1}}.view());
  const auto e = must(a.finish(*find("ece_ew"), {.norm = 1}));
  // lower bin: weight 1.5, mean score 0.4/1.5, rate 1/1.5; upper: weight 1.5, gap 0.1
  EXPECT_NEAR(e.value, 0.5 * (0.6 / 1.5) + 0.5 * 0.1, 1e-14);
}

// Weights of 1e-7: the same error as with weights of 1, and the same bits for every split.
TEST(width_state, small_weights_count_like_large_ones) {
  Rows all = tare::inner::testing::calibrated(1000, 7);
  const double plain = must(find("ece_ew")->run(all.view(), {})).value;
  all.weight.assign(1000, 1e-7);
  auto whole = must(WidthState::make(15));
  whole.add(all.view());
  const double value = must(whole.finish(*find("ece_ew"))).value;
  EXPECT_NEAR(value, plain, 1e-6 * plain);
  for (const std::ptrdiff_t cut : {1, 17, 999}) {
    const Rows head{{all.score.begin(), all.score.begin() + cut},
                    {all.label.begin(), all.label.begin() + cut},
                    {all.weight.begin(), all.weight.begin() + cut}};
    const Rows tail{{all.score.begin() + cut, all.score.end()},
                    {all.label.begin() + cut, all.label.end()},
                    {all.weight.begin() + cut, all.weight.end()}};
    auto a = must(WidthState::make(15));
    a.add(tail.view());
    a.add(head.view());
    EXPECT_EQ(must(a.finish(*find("ece_ew"))).value, value) << cut;
  }
}

TEST(width_state, refuses_what_it_cannot_do) {
  auto a = must(WidthState::make(15));
  EXPECT_FALSE(a.merge(must(WidthState::make(10))));
  EXPECT_EQ(a.finish(*find("ece_ew")).error().code, tare::inner::Errc::undefined);
  EXPECT_EQ(a.finish(*find("sweep_em")).error().code, tare::inner::Errc::unsupported);
  for (const int bins : {0, -1, tare::inner::options::bins.most + 1})
    EXPECT_EQ(WidthState::make(bins).error().code, tare::inner::Errc::bad_option) << bins;
}

}  // namespace
