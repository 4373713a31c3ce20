// The vector kernels, once per instruction set that this machine has: the same bits from integers,
// the same numbers to rounding from exponentials.
#include <gtest/gtest.h>

#include "numeric/samples.hpp"
#include "support/targets.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace {

using namespace tare::detail::numeric;
using tare::detail::testing::for_targets;

void expect_same(const std::vector<BinSums>& a, const std::vector<BinSums>& b, const std::string& what) {
  for (std::size_t j = 0; j < a.size(); ++j)
    ASSERT_TRUE(a[j].mass == b[j].mass && a[j].hits == b[j].hits && a[j].score == b[j].score) << what << " " << j;
}

// Sorted rows are binned without vectors.
template <class T>
void expect_bins(const char* target) {
  auto samples = tare::detail::testing::shapes<T>(60'013, 11);
  for (const std::size_t b : {3U, 15U, 49U, 98U}) samples.push_back(tare::detail::testing::edges<T>(b));
  for (auto& r : samples) {
    while (r.score.size() < 2000) {
      r.score.insert(r.score.end(), r.score.begin(), r.score.end());
      r.mark.insert(r.mark.end(), r.mark.begin(), r.mark.end());
    }
    const auto sorted = order(r.reals(), r.mark);
    for (const std::size_t b : {3U, 15U, 49U, 98U, 200U}) {
      const auto what = std::string(target) + ", " + r.name + ", bins " + std::to_string(b);
      expect_same(width_bins(r.reals(), r.mark, {}, b), width_bins(sorted, b), what);
      expect_same(mass_bins(r.reals(), r.mark, {}, b), mass_bins(sorted, b), what);
    }
  }
}

TEST(every_instruction_set, gives_the_same_bits_of_bins) {
  for_targets([](const char* target) {
    expect_bins<float>(target);
    expect_bins<double>(target);
  });
}

template <class T>
void expect_softmax(const char* target, double tolerance) {
  for (const std::size_t k : {1U, 2U, 3U, 10U, 31U, 64U, 101U}) {
    const auto u = tare::detail::testing::drawn<T>("", 301 * k, k, [](double x, std::size_t) { return 20 * x - 10; });
    const std::vector<std::int32_t> label(301, 1);
    std::vector<double> confidence(301), nll(301);
    std::vector<std::int32_t> top(301);
    softmax_rows(std::span<const T>(u.score), k, label,
                 {.confidence = confidence.data(), .nll = nll.data(), .argmax = top.data()});
    for (std::size_t i = 0; i < 301; ++i) {
      std::vector<double> row(u.score.begin() + static_cast<std::ptrdiff_t>(i * k),
                              u.score.begin() + static_cast<std::ptrdiff_t>((i + 1) * k));
      if (k == 1) row.insert(row.begin(), 0);
      const auto m = std::max_element(row.begin(), row.end());
      double total = 0;
      for (const double z : row) total += std::exp(z - *m);
      ASSERT_EQ(top[i], m - row.begin()) << target << " " << k;
      ASSERT_NEAR(confidence[i], 1 / total, tolerance) << target << " " << k;
      ASSERT_NEAR(nll[i], std::log(total) + (*m - row[1]), tolerance * 20) << target << " " << k;
    }
  }
}

TEST(every_instruction_set, gives_the_same_softmax_to_rounding) {
  for_targets([](const char* target) {
    expect_softmax<float>(target, 1e-6);
    expect_softmax<double>(target, 1e-14);
  });
}

}  // namespace
