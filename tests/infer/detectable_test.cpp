#include "tare/infer/tests/detectable.hpp"

#include <gtest/gtest.h>

#include "infer/support.hpp"
#include "support/sanitized.hpp"
#include "tare/analysis/test.hpp"

namespace {

namespace analysis = tare::detail::analysis;
namespace infer = tare::detail::infer;
using tare::detail::Detectable;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

Detectable detectable(const Rows& rows, const analysis::TestOptions& options) {
  return must(analysis::test_sample(rows.view(), options)).detectable.value_or(Detectable{});
}

Rows evenly_spaced(std::size_t n) {
  Rows out;
  for (std::size_t i = 0; i < n; ++i) {
    out.score.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(n));
    out.label.push_back(i % 2 == 0);
  }
  return out;
}

// Uniform scores and c^d: TCE^2 = 1/3 - 2/(d+2) + 1/(2d+1).
TEST(detectable, names_the_true_error_of_its_path) {
  const auto d = detectable(evenly_spaced(2000), {.statistics = {"debias_em"}});
  ASSERT_TRUE(d.tce && d.exponent);
  EXPECT_EQ(d.path, "power c^d");
  EXPECT_EQ(d.norm, 2);
  EXPECT_EQ(d.alpha, 0.05);
  EXPECT_EQ(d.power, 0.95);
  const double e = *d.exponent;
  EXPECT_NEAR(*d.tce, std::sqrt(1.0 / 3 - 2 / (e + 2) + 1 / (2 * e + 1)), 1e-6);
}

// Fresh labels from the curve it names, by another generator: the test must find them as often as it says.
TEST(detectable, is_found_as_often_as_it_says) {
  const int samples = tare::detail::testing::samples(200);
  for (const auto* name : {"rank_poly", "spiegelhalter"})
    for (const auto* shape : {"uniform", "piled"}) {
      if (tare::detail::testing::sanitized && *shape == 'u') continue;
      const auto scores = tare::detail::testing::shaped(shape, 1000, 3);
      const auto d = detectable(scores, {.statistics = {name}, .power = 0.9});
      ASSERT_TRUE(d.exponent) << name << shape;
      int found = 0;
      std::mt19937_64 rng(11);
      std::uniform_real_distribution<double> uniform;
      for (int i = 0; i < samples; ++i) {
        Rows rows = scores;
        for (std::size_t j = 0; j < rows.score.size(); ++j)
          rows.label[j] = uniform(rng) < std::pow(rows.score[j], *d.exponent);
        const auto report = must(analysis::test_sample(rows.view(), {.statistics = {name},
                                                                     .resamples = 99,
                                                                     .detectable = false,
                                                                     .seed = 1000 + static_cast<std::uint64_t>(i)}));
        found += *report.tests[0].p_value <= 0.05;
      }
      // 0.9, give or take its own Monte Carlo error, that of this count, and the step of the search
      EXPECT_NEAR(found / static_cast<double>(samples), 0.9, 4 * std::sqrt(0.09 / samples + 0.09 / 1000) + 0.01)
          << name << " " << shape;
    }
}

// Independent simulation (NumPy, uniform scores, c^d, level 5%): sweep_em misses a true error of 2% in 10% of samples
// of 10,000, and one of 5% in 21% of samples of 1,000; rank_poly one of 2% in 13% of samples of 5,000, and one of 5% in
// 6% of samples of 1,000; smooth_test, by the reference of its specification with 6,000 samples, one of 5% in 10.2% of
// samples of 1,000, one of 2.5% in 4.5% of samples of 5,000.
TEST(detectable, agrees_with_independent_power_of_smooth_test) {
  if (tare::detail::testing::sanitized) GTEST_SKIP() << "a frequency; the code is that of the test before";
  const analysis::TestOptions at_90{.power = 0.898}, at_95{.power = 0.955};  // by default
  EXPECT_NEAR(detectable(evenly_spaced(1000), at_90).tce.value_or(0), 0.05, 0.0025);
  EXPECT_NEAR(detectable(evenly_spaced(5000), at_95).tce.value_or(0), 0.025, 0.0015);
}

TEST(detectable, agrees_with_independent_power_of_rank_poly) {
  if (tare::detail::testing::sanitized) GTEST_SKIP() << "a frequency; the code is that of the test before";
  const analysis::TestOptions at_87{.statistics = {"rank_poly"}, .power = 0.87},
      at_94{.statistics = {"rank_poly"}, .power = 0.94};
  EXPECT_NEAR(detectable(evenly_spaced(5000), at_87).tce.value_or(0), 0.02, 0.0015);
  EXPECT_NEAR(detectable(evenly_spaced(1000), at_94).tce.value_or(0), 0.05, 0.0035);
}

TEST(detectable, agrees_with_published_power_of_the_sweep) {
  const analysis::TestOptions at_90{.statistics = {"sweep_em"}, .power = 0.90};
  EXPECT_NEAR(detectable(evenly_spaced(10'000), at_90).tce.value_or(0), 0.02, 0.0015);
  const analysis::TestOptions at_79{.statistics = {"sweep_em"}, .power = 0.79};
  EXPECT_NEAR(detectable(evenly_spaced(1000), at_79).tce.value_or(0), 0.05, 0.0035);
}

TEST(detectable, shrinks_as_n_grows) {
  double before = 1;
  for (const std::size_t n : {100U, 1000U, 10'000U, 100'000U}) {
    const auto d = detectable(evenly_spaced(n), {.statistics = {"debias_em"}});
    ASSERT_TRUE(d.tce) << n;
    EXPECT_LT(*d.tce, before) << n;
    before = *d.tce;
  }
  EXPECT_LT(before, 0.02);
}

TEST(detectable, takes_the_other_path_where_scores_are_near_zero) {
  Rows rows = evenly_spaced(100);
  for (double& s : rows.score) s *= 0.01;
  rows.label.assign(100, 0);
  const auto d = detectable(rows, {.statistics = {"ks"}});
  EXPECT_EQ(d.path, "flipped power 1-(1-c)^d");
  ASSERT_TRUE(d.tce);
  EXPECT_GT(*d.tce, 0.01);
}

// Scores within 1e-9 of 1 hardly move along c^d until d is a hundred million, but they do.
TEST(detectable, exists_for_scores_piled_up_at_one) {
  Rows rows = evenly_spaced(1000);
  for (double& s : rows.score) s = 1 - 1e-9 * s;
  rows.label.assign(1000, 1);
  const auto d = detectable(rows, {.statistics = {"debias_em"}});
  ASSERT_TRUE(d.tce) << d.reason;
  EXPECT_LT(*d.tce, 0.1);
  EXPECT_GT(*d.exponent, 1e5);
}

TEST(detectable, says_why_there_is_none) {
  const auto certain = detectable(Rows{{0, 1, 1, 1}, {0, 1, 1, 1}}, {.statistics = {"ks"}});
  EXPECT_FALSE(certain.tce);
  EXPECT_NE(certain.reason.find("every score is 0 or 1"), std::string::npos) << certain.reason;
  const auto few = detectable(Rows{{0.4, 0.6}, {0, 1}}, {.statistics = {"debias_em"}});
  EXPECT_FALSE(few.tce);
  EXPECT_NE(few.reason.find("not even the far end"), std::string::npos) << few.reason;
}

}  // namespace
