#include "tare/simulate/draw/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "support/data.hpp"
#include "support/targets.hpp"
#include "tare/simulate/truth.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::simulate;
using tare::detail::testing::must;

Truth truth(double a, double b, std::string_view curve) {
  return {.scores = {.kind = ScoreKind::beta, .alpha = a, .beta = b}, .curve = must(parse_curve(curve))};
}

numeric::Ordered sample(const Sampler& s, std::size_t n, std::uint32_t replicate = 0, std::uint64_t seed = 1) {
  Sampler::Scratch scratch;
  numeric::Ordered out;
  s.draw(n, seed, 0, replicate, scratch, out);
  return out;
}

// Kolmogorov's distance from the distribution function, where scores are far enough from 1 to be told apart.
double distance(const numeric::Ordered& data, double a, double b) {
  double worst = 0;
  const auto n = static_cast<double>(data.total_mass());
  for (std::size_t g = 0; g < data.groups() && data.score(g) < 1 - 1e-9; ++g) {
    const double f = boost::math::ibeta(a, b, data.score(g));
    worst = std::max({worst, std::abs(static_cast<double>(data.mass_before(g)) / n - f),
                      std::abs(static_cast<double>(data.mass_before(g + 1)) / n - f)});
  }
  return worst;
}

// sqrt(n) D is above 1.63 with probability 1%, and above 2.3 with probability 5e-5; its mean is 0.87, less where a part
// of the range is left out.
TEST(sampler, scores_have_their_distribution) {
  for (const auto& [a, b] :
       {std::pair{2.7752, 0.0478}, {1.0611, 0.065}, {1.0, 1.0}, {0.5, 0.5}, {20.0, 5.0}, {0.1, 2.0}}) {
    const auto s = must(Sampler::of(truth(a, b, "identity")));
    double mean = 0;
    for (std::uint32_t r = 0; r < 20; ++r) {
      const double d = std::sqrt(20'000) * distance(sample(s, 20'000, r), a, b);
      EXPECT_LT(d, 2.3) << a << " " << b << " " << r;
      mean += d / 20;
    }
    EXPECT_GT(mean, 0.4) << a << " " << b;
    EXPECT_LT(mean, 1.1) << a << " " << b;
  }
}

// P(1 - c < 2^-54) = I_{2^-54}(beta, alpha): 17.8% for ResNet-110 on CIFAR-10.
TEST(sampler, scores_too_near_to_1_are_one_group) {
  const auto s = must(Sampler::of(must(model("resnet110_c10"))));
  const std::size_t n = 1'000'000;
  const auto data = sample(s, n);
  ASSERT_EQ(data.score(data.groups() - 1), 1);
  const double p = boost::math::ibeta(0.0478, 2.7752, 0x1p-54);
  EXPECT_NEAR(p, 0.178, 0.001);
  EXPECT_NEAR(static_cast<double>(data.mass(data.groups() - 1)) / n, p, 4 * std::sqrt(p * (1 - p) / n));
}

// E[hit] = 1 - e^b0 E[u^b1], a ratio of Beta functions.
TEST(sampler, labels_follow_the_curve) {
  const auto s = must(Sampler::of(must(model("resnet110_c10"))));
  double hits = 0;
  const int samples = 50, n = 20'000;
  for (std::uint32_t r = 0; r < samples; ++r) hits += static_cast<double>(sample(s, n, r).total_hits());
  const double rate =
      1 - std::exp(-0.24) * boost::math::beta(0.0478 + 0.30, 2.7752) / boost::math::beta(0.0478, 2.7752);
  EXPECT_NEAR(hits / (samples * n), rate, 4 * std::sqrt(rate * (1 - rate) / (samples * n)));
}

// Inside narrow bins of the score, where a wrong bound of a cell would show.
TEST(sampler, labels_follow_every_curve_in_every_part_of_the_range) {
  for (const char* curve :
       {"identity", "power:3", "flipped_power:2", "logit_logit:-0.88,0.49", "logit_logflip:-0.27,-0.35",
        "log_log:-0.1,0.5", "logflip_logflip:-0.13,0.21", "logistic:10,0.5", "isotonic:0.2,0.1,0.6,0.3,0.6,0.9"}) {
    const Truth t = truth(1.1, 0.4, curve);
    const auto s = must(Sampler::of(t));
    constexpr int bins = 50;
    std::vector<double> excess(bins), variance(bins);
    for (std::uint32_t r = 0; r < 20; ++r) {
      const auto data = sample(s, 20'000, r);
      for (std::size_t g = 0; g < data.groups(); ++g) {
        const double c = data.score(g), p = std::clamp(t.curve.hit({c, 1 - c}), 0.0, 1.0),
                     m = static_cast<double>(data.mass(g));
        const auto at = std::min<std::size_t>(static_cast<std::size_t>(c * bins), bins - 1);
        excess[at] += static_cast<double>(data.hits(g)) - m * p;
        variance[at] += m * p * (1 - p);
      }
    }
    for (std::size_t j = 0; j < bins; ++j)
      EXPECT_LE(std::abs(excess[j]), 4.2 * std::sqrt(variance[j]) + 1e-9) << curve << " bin " << j;
  }
}

TEST(sampler, a_probability_beyond_1_is_1_and_below_0_is_0) {
  EXPECT_EQ(sample(must(Sampler::of(truth(2, 2, "log_log:1,0"))), 5000).total_hits(), 5000U);
  EXPECT_EQ(sample(must(Sampler::of(truth(2, 2, "logflip_logflip:1,0"))), 5000).total_hits(), 0U);
}

// Half way between the identity and a falling curve the probability is constant: 1/2.
TEST(sampler, a_curve_of_half_strength_is_half_way_to_the_identity) {
  Truth t = truth(1, 1, "logistic:0,0");  // 1/2 everywhere
  t.curve.strength = 0.5;
  const auto data = sample(must(Sampler::of(t)), 200'000);
  double low = 0, low_rows = 0;
  for (std::size_t g = 0; g < data.groups() && data.score(g) < 0.1; ++g) {
    low += static_cast<double>(data.hits(g));
    low_rows += static_cast<double>(data.mass(g));
  }
  EXPECT_NEAR(low / low_rows, 0.275, 4 * std::sqrt(0.2 / low_rows));  // (0.05 + 0.5) / 2
}

// A score of weight 2 is the score twice, to the bit; and no unit of the weights changes what is drawn.
TEST(sampler, resamples_weighted_scores_as_if_they_were_repeated) {
  Truth repeated{.scores = {.kind = ScoreKind::empirical,
                            .values = {{0.25, 0.75}, {0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}, {0.9, 0.1}}},
                 .curve = must(parse_curve("power:2"))};
  Truth weighted = repeated;
  weighted.scores.values = {{0.25, 0.75}, {0.5, 0.5}, {0.9, 0.1}};
  for (const double unit : {1.0, 0x1p-30, 0x1p30}) {
    weighted.scores.ends = {unit, 4 * unit, 5 * unit};
    const auto a = must(Sampler::of(repeated)), b = must(Sampler::of(weighted));
    for (std::uint32_t r = 0; r < 20; ++r) {
      const auto x = sample(a, 100, r), y = sample(b, 100, r);
      ASSERT_EQ(x.groups(), y.groups());
      for (std::size_t g = 0; g <= x.groups(); ++g) {
        EXPECT_EQ(x.mass_before(g), y.mass_before(g));
        EXPECT_EQ(x.hits_before(g), y.hits_before(g));
      }
    }
    EXPECT_NEAR(must(simulate::true_error(repeated, 2)), must(simulate::true_error(weighted, 2)), 1e-15);
  }
}

TEST(sampler, resamples_the_scores_it_is_given) {
  Truth t{.scores = {.kind = ScoreKind::empirical, .values = {{0.25, 0.75}, {0.5, 0.5}, {0.5, 0.5}, {1, 1e-30}}},
          .curve = simulate::identity()};
  const auto s = must(Sampler::of(t));
  double count[3] = {}, hits[3] = {};
  for (std::uint32_t r = 0; r < 2000; ++r) {
    const auto data = sample(s, 100, r);
    for (std::size_t g = 0; g < data.groups(); ++g) {
      const std::size_t at = data.score(g) == 0.25 ? 0 : data.score(g) == 0.5 ? 1 : 2;
      count[at] += static_cast<double>(data.mass(g));
      hits[at] += static_cast<double>(data.hits(g));
    }
  }
  const double n = 200'000;
  EXPECT_EQ(count[0] + count[1] + count[2], n);
  EXPECT_NEAR(count[0] / n, 0.25, 4 * std::sqrt(0.1875 / n));
  EXPECT_NEAR(count[1] / n, 0.5, 4 * std::sqrt(0.25 / n));
  EXPECT_NEAR(hits[0] / count[0], 0.25, 4 * std::sqrt(0.1875 / count[0]));
  EXPECT_NEAR(hits[1] / count[1], 0.5, 4 * std::sqrt(0.25 / count[1]));
  EXPECT_EQ(hits[2], count[2]);
}

TEST(sampler, a_sample_is_a_function_of_seed_replicate_and_size_alone) {
  const auto s = must(Sampler::of(must(model("resnet110_c10"))));
  Sampler::Scratch scratch;
  numeric::Ordered used;
  for (const std::size_t n : {3000U, 17U}) s.draw(n, 5, 0, 9, scratch, used);
  s.draw(400, 1, 0, 2, scratch, used);
  const auto fresh = sample(s, 400, 2);
  ASSERT_EQ(used.groups(), fresh.groups());
  for (std::size_t g = 0; g < used.groups(); ++g) {
    ASSERT_EQ(used.score(g), fresh.score(g));
    ASSERT_EQ(used.hits(g), fresh.hits(g));
  }
  EXPECT_NE(sample(s, 400, 3).score(0), fresh.score(0));
  EXPECT_NE(sample(s, 400, 2, 2).score(0), fresh.score(0));
  EXPECT_NE(sample(s, 401, 2).score(0), fresh.score(0));
}

TEST(sampler, every_instruction_set_draws_the_same_sample_to_rounding) {
  const auto s = must(Sampler::of(must(model("densenet40_c100"))));
  const auto reference = sample(s, 5000);
  tare::detail::testing::for_targets([&](const char* target) {
    const auto data = sample(s, 5000);
    EXPECT_NEAR(static_cast<double>(data.total_hits()), static_cast<double>(reference.total_hits()), 1) << target;
    for (std::size_t i = 0; i < 4000; ++i) ASSERT_NEAR(data.score(i), reference.score(i), 1e-13) << target;
  });
}

TEST(sampler, with_another_curve_keeps_the_scores) {
  const auto s = must(Sampler::of(truth(2, 0.5, "power:2")));
  const auto a = sample(s, 1000), b = sample(s.with(simulate::identity()), 1000);
  ASSERT_EQ(a.groups(), b.groups());
  for (std::size_t g = 0; g < a.groups(); ++g) ASSERT_EQ(a.score(g), b.score(g));
  EXPECT_LT(a.total_hits(), b.total_hits());
}

TEST(sampler, rejects_what_cannot_be_drawn_from) {
  EXPECT_EQ(Sampler::of(truth(0, 1, "identity")).error().code, Errc::bad_option);
  EXPECT_EQ(Sampler::of(truth(1, std::nan(""), "identity")).error().code, Errc::bad_option);
  EXPECT_EQ(Sampler::of({.scores = {.kind = ScoreKind::empirical}, .curve = simulate::identity()}).error().code,
            Errc::bad_input);
  EXPECT_EQ(Sampler::of({}).error().code, Errc::bad_option);
}

}  // namespace
