// Bins, sweeps and groups of sorted scores against the CPU's, to the bit.
#include "tare/gpu/order.hpp"

#include <gtest/gtest.h>

#include "gpu/device_data.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/measure/sample.hpp"

namespace tare::detail::gpu {
namespace {

using namespace testing;
using numeric::BinSums;

struct Scores {
  std::vector<float> score;
  std::vector<std::uint8_t> hit;

  // `levels` different scores, or any number of them; hits somewhat rarer than the scores say.
  Scores(std::size_t n, int levels, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    for (std::size_t i = 0; i < n; ++i) {
      double s = std::sqrt(uniform(random));
      if (levels > 0) s = std::round(s * levels) / levels;
      if (i % 11 == 0) s = i % 2 ? 1 : 0;
      score.push_back(static_cast<float>(s));
      hit.push_back(uniform(random) < s * s ? 1 : 0);
    }
  }
  [[nodiscard]] Result<Order> on_device() const {
    Buffer<float> s(score.size(), nullptr);
    Buffer<std::uint8_t> h(hit.size(), nullptr);
    s.upload(score);
    h.upload(hit);
    return Order::of(s.data(), h.data(), score.size(), nullptr);
  }
  [[nodiscard]] numeric::Ordered on_cpu() const { return numeric::order(std::span<const float>(score), hit); }
};

void expect_equal(const std::vector<BinSums>& a, const std::vector<BinSums>& b, bool ends) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) {
    EXPECT_EQ(a[j].mass, b[j].mass) << j;
    EXPECT_EQ(a[j].hits, b[j].hits) << j;
    EXPECT_TRUE(a[j].score == b[j].score) << j;
    if (!ends || a[j].mass == 0) continue;
    EXPECT_EQ(a[j].first, b[j].first) << j;
    EXPECT_EQ(a[j].last, b[j].last) << j;
  }
}

TEST(gpu_order, bins_and_groups_are_the_cpus) {
  TARE_NEEDS_GPU();
  for (const std::size_t n : {1, 2, 31, 32, 33, 1000, 2047, 2048, 2049, 50000, 300001})
    for (const int levels : {0, 1, 7, 1000}) {
      if (short_data() && n > 3000) continue;
      SCOPED_TRACE("n " + std::to_string(n) + ", levels " + std::to_string(levels));
      const Scores data(n, levels, static_cast<unsigned>(n));
      const auto order = data.on_device();
      ASSERT_TRUE(order) << order.error().what;
      const numeric::Ordered cpu = data.on_cpu();
      for (const std::size_t b : {1, 2, 3, 10, 15, 100, 777}) {
        expect_equal(*order->bins(Binning::width, b), numeric::width_bins(cpu, b), false);
        expect_equal(*order->bins(Binning::mass, b), numeric::mass_bins(cpu, b), true);
      }
      const auto groups = order->groups();
      ASSERT_TRUE(groups);
      ASSERT_EQ(groups->groups(), cpu.groups());
      for (std::size_t g = 0; g < cpu.groups(); ++g) {
        ASSERT_EQ(groups->score(g), cpu.score(g));
        ASSERT_EQ(groups->mass_before(g + 1), cpu.mass_before(g + 1));
        ASSERT_EQ(groups->hits_before(g + 1), cpu.hits_before(g + 1));
      }
    }
}

TEST(gpu_order, sweeps_are_the_cpus) {
  TARE_NEEDS_GPU();
  for (const std::size_t n : {1, 5, 100, 5000, 200000})
    for (const int levels : {0, 20}) {
      if (short_data() && n > (levels > 0 ? 100 : 5000)) continue;
      const Scores data(n, levels, 3);
      const auto order = data.on_device();
      ASSERT_TRUE(order);
      const numeric::Ordered cpu = data.on_cpu();
      const measure::Sample sample(&cpu);
      for (const Binning binning : {Binning::width, Binning::mass}) {
        const auto expected =
            binning == Binning::width ? measure::sweep_ew(sample, {.norm = 1}) : measure::sweep_em(sample, {.norm = 1});
        const auto found = order->sweep(binning);
        ASSERT_TRUE(found && expected);
        EXPECT_EQ(static_cast<std::int64_t>(found->size()), *expected->bins);
        EXPECT_NEAR(measure::binned_error(measure::diagram(*found, binning, 1), 1), expected->value, 1e-14);
      }
    }
}

TEST(gpu_order, every_estimator_of_the_table) {
  TARE_NEEDS_GPU();
  const Scores data(20000, 0, 9);
  const auto order = data.on_device();
  ASSERT_TRUE(order);
  const numeric::Ordered cpu = data.on_cpu();
  for (const measure::Estimator& estimator : measure::all())
    for (const int norm : {1, 2}) {
      if (!has_norm(estimator, norm)) continue;
      const auto expected = estimator.run(measure::Sample(&cpu), {.norm = norm});
      const auto found = estimate(*order, estimator, {.norm = norm});
      ASSERT_EQ(static_cast<bool>(found), static_cast<bool>(expected)) << estimator.name;
      if (found) {
        EXPECT_EQ(found->value, expected->value) << estimator.name;
      }
    }
}

TEST(gpu_order, rows_that_do_not_count) {
  TARE_NEEDS_GPU();
  Scores data(5000, 0, 4);
  Scores kept(0, 0, 0);
  for (std::size_t i = 0; i < 5000; ++i) {
    if (i % 3 != 0) {
      kept.score.push_back(data.score[i]);
      kept.hit.push_back(data.hit[i]);
    } else {
      data.hit[i] = 2;
    }
  }
  const auto order = data.on_device();
  ASSERT_TRUE(order);
  EXPECT_EQ(order->rows(), kept.score.size());
  expect_equal(*order->bins(Binning::mass, 15), numeric::mass_bins(kept.on_cpu(), 15), true);
}

TEST(gpu_order, refuses_what_is_no_score) {
  TARE_NEEDS_GPU();
  for (const float bad : {-0.1F, 1.5F, std::numeric_limits<float>::quiet_NaN()}) {
    Scores data(100, 0, 4);
    data.score[60] = bad;
    const auto order = data.on_device();
    ASSERT_FALSE(order);
    EXPECT_EQ(order.error().place.row, 60U);
  }
  EXPECT_FALSE(Order::of(nullptr, nullptr, 0, nullptr));
}

}  // namespace
}  // namespace tare::detail::gpu
