#include "tare/infer/groups/groups.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace tare::detail::infer;

std::vector<double> logs(std::vector<double> p) {
  for (double& x : p) x = std::log(x);
  return p;
}

// By hand: sorted 0.01 0.02 0.03 0.5; Holm 4 * 0.01, 3 * 0.02, then no less; BH 4/1, 4/2, 4/3 times, then no more.
TEST(adjust, agrees_with_paper_and_pencil) {
  const auto p = logs({0.03, 0.01, 0.5, 0.02});
  const std::vector<double> holms = holm(p), bh = benjamini_hochberg(p);
  const std::vector<double> want_holm{0.06, 0.04, 0.5, 0.06}, want_bh{0.04, 0.04, 0.5, 0.04};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(holms[i], want_holm[i], 1e-15);
    EXPECT_NEAR(bh[i], want_bh[i], 1e-15);
  }
}

TEST(adjust, never_exceeds_one_and_keeps_the_order_of_evidence_beyond_doubles) {
  EXPECT_EQ(holm(logs({0.9, 0.8}))[0], 1);
  EXPECT_EQ(benjamini_hochberg(logs({1, 1}))[1], 1);
  const auto far = benjamini_hochberg(std::vector<double>{-2000, -1000, 0});
  EXPECT_LE(far[0], far[1]);
  EXPECT_LT(far[1], far[2]);
}

}  // namespace
