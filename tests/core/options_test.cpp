#include "tare/core/options.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace {

using namespace tare::detail;

TEST(options, say_what_is_wrong_with_a_value) {
  EXPECT_EQ(sentence(in_range(options::bins, 0).error()), "bins is 0, not in 1 .. 10,000");
  EXPECT_EQ(sentence(in_range(options::bins, -12).error()), "bins is -12, not in 1 .. 10,000");
  EXPECT_EQ(advice(in_range(options::bins, 0).error()), "15 is the default");
  EXPECT_EQ(sentence(in_range(options::norm, 3).error()), "norm is 3, not 1 or 2");
  EXPECT_EQ(sentence(in_range(options::alpha, 2).error()), "alpha is 2, not between 0 and 1");
  EXPECT_FALSE(in_range(options::alpha, std::nan("")));
  EXPECT_FALSE(in_range(options::lambda, std::nan("")));
  EXPECT_EQ(sentence(in_range(options::lambda, -0.5).error()), "lambda is -0.5, not in [0, 1e12]");
  EXPECT_EQ(sentence(in_range(options::paired_resamples, 19).error()), "resamples is 19, not in 20 .. 1,000,000");
  EXPECT_EQ(sentence(out_of_range(options::threads, "99999999999999999999")),
            "threads is 99999999999999999999, not in 1 .. 1,024");
}

TEST(options, the_first_fault_counts) {
  EXPECT_TRUE(all_of({}));
  EXPECT_TRUE(all_of({in_range(options::bins, 15), in_range(options::norm, 1)}));
  const auto both = all_of({in_range(options::bins, 15), in_range(options::norm, 0), in_range(options::bins, 0)});
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().place.array, "norm");
}

}  // namespace
