#include "tare/simulate/fit/fit_truth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/golden.hpp"
#include "support/ordered.hpp"
#include "support/truths.hpp"
#include "tare/simulate/fit/glm.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {
namespace {

using tare::detail::testing::drawn;
using tare::detail::testing::must;
using tare::detail::testing::ordered;
using tare::detail::testing::Rows;

std::vector<CurveFit> table(const Rows& rows, Saturated saturated = Saturated::censor) {
  const numeric::Ordered data = ordered(rows);
  return must(fit_curves(data, must(fit_beta_scores(data, saturated))));
}
const CurveFit& named(const std::vector<CurveFit>& fits, std::string_view name) {
  const auto at = std::find_if(fits.begin(), fits.end(), [&](const CurveFit& f) { return f.name == name; });
  EXPECT_NE(at, fits.end()) << name;
  return *at;
}

TEST(fit_curves, has_twelve_models_and_the_identity_in_the_order_of_their_aic) {
  const auto fits = table(drawn(must(model("densenet40_c100")), 2000, 1));
  ASSERT_EQ(fits.size(), 13U);
  for (std::size_t i = 0; i < fits.size(); ++i) {
    EXPECT_EQ(fits[i].aic, 2 * fits[i].parameters + 2 * fits[i].nll);
    EXPECT_LE(fits[i > 0 ? i - 1 : 0].aic, fits[i].aic);
  }
  EXPECT_EQ(named(fits, "identity").parameters, 0);
}

// The four constants are one model written with four links: a rate of hits.
TEST(fit_curves, constants_are_the_rate_of_hits) {
  const Rows rows = drawn(must(model("resnet110_c10")), 1000, 2);
  double hits = 0;
  for (const auto y : rows.label) hits += y;
  const double p = hits / 1000, nll = -(hits * std::log(p) + (1000 - hits) * std::log(1 - p));
  const auto fits = table(rows);
  for (const char* name : {"logit_logit_b0", "logit_logflip_b0", "log_log_b0", "logflip_logflip_b0"}) {
    EXPECT_NEAR(named(fits, name).nll, nll, 1e-9) << name;
    EXPECT_NEAR(named(fits, name).curve.hit({0.9, 0.1}), p, 1e-14) << name;
  }
  // standard errors by the delta method
  EXPECT_NEAR(*named(fits, "logit_logit_b0").errors[0], 1 / std::sqrt(1000 * p * (1 - p)), 1e-12);
  EXPECT_NEAR(*named(fits, "log_log_b0").errors[0], std::sqrt((1 - p) / (1000 * p)), 1e-12);
  EXPECT_FALSE(named(fits, "log_log_b0").errors[1]);
}

TEST(fit_curves, identity_has_the_nll_of_the_scores) {
  const Rows rows{{0.25, 0.5, 0.75, 0.875}, {0, 1, 1, 0}};
  EXPECT_NEAR(named(table(rows), "identity").nll, -std::log(0.75 * 0.5 * 0.75 * 0.125), 1e-14);
}

// SciPy's Nelder-Mead, restarted six times, on one of the golden data sets.
TEST(fit_curves, has_the_optima_that_another_program_finds) {
  Rows rows;
  for (const auto& f : tare::detail::testing::golden_csv("data.csv"))
    if (f[0] == "d08_n100_uniform_c2") {
      rows.score.push_back(std::stod(f[1]));
      rows.label.push_back(f[2] == "1");
    }
  const numeric::Ordered data = ordered(rows);
  const BetaFit scores = must(fit_beta_scores(data));
  EXPECT_NEAR(scores.alpha, 1.05451959, 1e-7);
  EXPECT_NEAR(scores.beta, 0.99767497, 1e-7);
  EXPECT_NEAR(scores.nll, -0.1466292194865182, 1e-12);
  const struct {
    const char* name;
    double b0, b1, nll;
  } cases[] = {{"logit_logit_b0_b1", -1.4230209467293355, 1.722440592203042, 31.47403870563521},
               {"logit_logit_b1", 0, 1.3754328012466437, 41.259875773114146},
               {"logit_logflip_b0_b1", -3.76968860991039, -2.972883979825481, 30.851100060006907},
               {"logit_logflip_b1", 0, -0.40696740150451605, 65.63865313074245},
               {"log_log_b0_b1", 0.030144659482718505, 2.1184651485068784, 32.67878894700355},
               {"log_log_b1", 0, 2.0438991546630887, 33.1480786651112},
               {"logflip_logflip_b0_b1", 0.013438187257344483, 0.6022274236675694, 36.83297304110281},
               {"logflip_logflip_b1", 0, 0.5827276945114133, 37.28173662706462}};
  const auto fits = table(rows);
  for (const auto& c : cases) {
    const CurveFit& fit = named(fits, c.name);
    EXPECT_NEAR(fit.nll, c.nll, 1e-11) << c.name;
    EXPECT_NEAR(fit.curve.coefficients[0], c.b0, 1e-6) << c.name;
    EXPECT_NEAR(fit.curve.coefficients[1], c.b1, 1e-6) << c.name;
  }
  EXPECT_EQ(named(fits, "log_log_b0_b1").status, FitStatus::at_bound);
}

TEST(fit_curves, recovers_a_known_truth_within_three_standard_errors) {
  for (const char* name : {"resnet110_c10", "resnet110_SD_c10", "densenet40_c100", "densenet161_imgnet"}) {
    const Truth truth = must(model(name));
    const auto fits = table(drawn(truth, 1000000, 7));
    EXPECT_EQ(fits.front().name, std::string(truth.curve.family->name) + "_b0_b1") << name;
    EXPECT_EQ(fits.front().status, FitStatus::converged);
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(fits.front().errors[i]);
      EXPECT_LT(std::abs(fits.front().curve.coefficients[i] - truth.curve.coefficients[i]), 3 * *fits.front().errors[i])
          << name << " b" << i;
      EXPECT_LT(*fits.front().errors[i], 0.02) << name;
    }
  }
}

TEST(fit_curves, has_honest_standard_errors) {
  const Truth truth = must(model("resnet110_c10"));
  double z2 = 0;
  const int m = 100;
  for (int i = 0; i < m; ++i) {
    const auto fits = table(drawn(truth, 2000, static_cast<std::uint64_t>(500 + i)));
    const CurveFit& fit = named(fits, "logflip_logflip_b0_b1");
    if (fit.status != FitStatus::converged) continue;
    const double z = (fit.curve.coefficients[1] - 0.30) / *fit.errors[1];
    z2 += z * z / m;
  }
  EXPECT_NEAR(z2, 1, 0.5);  // sd of a mean of 100 squared normals: 0.14
}

// Derivatives against differences of the likelihood, with saturated rows at both ends.
TEST(glm, has_the_derivatives_of_its_likelihood) {
  Rows rows{{0, 1e-7, 0.1, 0.3, 0.6, 0.6, 0.9, 0.99, 1 - 1e-5, 1 - 1e-7, 1, 1}, {0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0}};
  const numeric::Ordered data = ordered(rows);
  const GlmRows cells = glm_rows(data, {.alpha = 0.7, .beta = 0.1});
  EXPECT_EQ(cells.high.hits, 2);
  EXPECT_EQ(cells.high.misses, 1);
  EXPECT_EQ(cells.low.hits, 1);
  EXPECT_EQ(cells.low.misses, 1);
  for (const auto& [link, transform, b0, b1] : {std::tuple{Link::logit, Link::logit, -0.3, 0.6},
                                                {Link::logit, Link::logflip, -0.2, -0.4},
                                                {Link::log, Link::log, -0.1, 0.8},
                                                {Link::logflip, Link::logflip, -0.2, 0.3}}) {
    const Glm f(cells, link, transform);
    const GlmValue at = f(b0, b1);
    const double h = 1e-5;
    const GlmValue b0_up = f(b0 + h, b1), b0_down = f(b0 - h, b1), b1_up = f(b0, b1 + h), b1_down = f(b0, b1 - h);
    EXPECT_NEAR(at.gradient[0], (b0_up.nll - b0_down.nll) / (2 * h), 1e-6 * (1 + std::abs(at.gradient[0])));
    EXPECT_NEAR(at.gradient[1], (b1_up.nll - b1_down.nll) / (2 * h), 1e-6 * (1 + std::abs(at.gradient[1])));
    EXPECT_NEAR(at.hessian[0], (b0_up.gradient[0] - b0_down.gradient[0]) / (2 * h),
                1e-5 * (1 + std::abs(at.hessian[0])));
    EXPECT_NEAR(at.hessian[1], (b0_up.gradient[1] - b0_down.gradient[1]) / (2 * h),
                1e-5 * (1 + std::abs(at.hessian[1])));
    EXPECT_NEAR(at.hessian[2], (b1_up.gradient[1] - b1_down.gradient[1]) / (2 * h),
                1e-5 * (1 + std::abs(at.hessian[2])));
  }
}

// E[e^b0 u^b1 | u < s] = e^b0 s^b1 beta / (beta + b1) when u^(beta - 1) is the density.
TEST(glm, gives_saturated_rows_their_mean_rate_of_misses) {
  const Rows rows{{0.5, 1}, {1, 0}};
  for (const double beta : {0.03, 0.05, 0.3, 1.0})
    for (const double b1 : {0.005, 0.1, 0.3, 1.0}) {
      const GlmRows cells = glm_rows(ordered(rows), {.alpha = 1, .beta = beta});
      const double rate = std::exp(-0.2) * std::pow(saturation, b1) * beta / (beta + b1);
      const double other = -std::log1p(-std::exp(-0.2) * std::pow(0.5, b1));
      EXPECT_NEAR(Glm(cells, Link::logflip, Link::logflip)(-0.2, b1).nll, other - std::log(rate), 1e-8)
          << beta << " " << b1;
    }
}

// c^b1 with hits at every score near 1: ln T = b0 + b1 ln c would like to be above 1 there.
TEST(fit_curves, finds_the_optimum_on_a_bound_and_says_so) {
  Rows rows;
  for (int i = 0; i < 100; ++i) {
    rows.score.push_back(0.1 + 0.004 * i);  // misses and hits up to 0.5
    rows.label.push_back(i % 3 == 0);
    rows.score.push_back(0.5 + 0.0049 * i);  // only hits above
    rows.label.push_back(1);
  }
  const auto fits = table(rows);
  const CurveFit& fit = named(fits, "log_log_b0_b1");
  EXPECT_EQ(fit.status, FitStatus::at_bound);
  EXPECT_FALSE(fit.errors[0]);
  EXPECT_FALSE(fit.errors[1]);
  const double top = 0.5 + 0.0049 * 99;
  EXPECT_NEAR(fit.curve.hit({top, 1 - top}), 1, 1e-14);
  // no curve of the family inside the bounds has a larger likelihood
  const GlmRows cells = glm_rows(ordered(rows), {});
  const Glm glm(cells, Link::log, Link::log);
  for (int i = 0; i <= 100; ++i)
    for (int j = 0; j <= 100; ++j) EXPECT_GE(glm(-0.01 * i, 0.03 * j).nll, fit.nll - 1e-9);
  EXPECT_NEAR(glm(fit.curve.coefficients[0], fit.curve.coefficients[1]).nll, fit.nll, 1e-9);
}

Rows odd_rows(std::uint64_t seed) {  // ties, saturated scores, separation
  std::mt19937_64 rng(seed);
  Rows rows;
  const std::size_t n = 2 + rng() % 40;
  for (std::size_t i = 0; i < n; ++i) {
    const auto kind = rng() % 8;
    const auto x = static_cast<double>(1 + rng() % 19);
    rows.score.push_back(kind == 0 ? 1 : kind == 1 ? 1e-9 * x : kind == 2 ? 1 - std::pow(0.5, 2 * x) : x / 20);
    rows.label.push_back(static_cast<std::uint8_t>(rng() % 2));
  }
  return rows;
}

// Among coefficients around the fitted ones that are free and allowed.
double lowest_nearby(const GlmRows& cells, const CurveFit& fit) {
  const Glm glm(cells, fit.curve.family->link, fit.curve.family->transform);
  const bool free_0 = fit.name.find("_b0") != std::string::npos, free_1 = fit.name.find("_b1") != std::string::npos;
  double lowest = fit.nll;
  for (const double step : {1e-4, 0.03, 0.5})
    for (int direction = 0; direction < 16; ++direction) {
      const double b0 = fit.curve.coefficients[0] + (free_0 ? step * std::cos(direction * M_PI / 8) : 0);
      const double b1 = fit.curve.coefficients[1] + (free_1 ? step * std::sin(direction * M_PI / 8) : 0);
      if (fit.curve.family->link == Link::logit || b1 >= 0) lowest = std::min(lowest, glm(b0, b1).nll);
    }
  return lowest;
}

// Nothing nearby that is allowed fits better than what is reported.
TEST(fit_curves, are_optima) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Rows rows = odd_rows(seed);
    const numeric::Ordered data = ordered(rows);
    const auto scores = fit_beta_scores(data);
    EXPECT_TRUE(!scores || scores->status == FitStatus::converged) << seed;
    const auto fits = fit_curves(data, scores ? *scores : BetaFit{});
    if (!fits) continue;  // only hits or only misses
    const GlmRows cells = glm_rows(data, scores ? *scores : BetaFit{});
    for (const CurveFit& fit : *fits) {
      EXPECT_TRUE(std::isfinite(fit.nll)) << seed << " " << fit.name;
      EXPECT_NE(fit.status, FitStatus::iteration_limit) << seed << " " << fit.name;
      if (fit.status == FitStatus::unbounded || fit.name == "identity") continue;
      EXPECT_GE(lowest_nearby(cells, fit), fit.nll - 1e-9) << seed << " " << fit.name << " " << to_text(fit.curve);
    }
  }
}

TEST(fit_curves, level_is_the_bound_where_higher_scores_miss_more) {
  Rows rows = drawn(must(model("densenet40_c100")), 2000, 9);
  for (double& s : rows.score) s = 1 - s;
  const auto fits = table(rows);
  for (const char* name : {"log_log_b0_b1", "logflip_logflip_b0_b1"}) {
    EXPECT_EQ(named(fits, name).status, FitStatus::at_bound) << name;
    EXPECT_EQ(named(fits, name).curve.coefficients[1], 0) << name;
  }
  EXPECT_LT(named(fits, "logit_logit_b0_b1").curve.coefficients[1], 0);
}

TEST(fit_curves, separated_rows_have_no_best_slope) {
  const Rows rows{{0.1, 0.2, 0.4, 0.6, 0.7, 0.9}, {0, 0, 0, 1, 1, 1}};
  const auto fits = table(rows);
  for (const char* name : {"logit_logit_b0_b1", "logit_logit_b1", "logit_logflip_b0_b1"})
    EXPECT_EQ(named(fits, name).status, FitStatus::unbounded) << name;
  EXPECT_NE(fits.front().status, FitStatus::unbounded);
  EXPECT_EQ(fits.back().status, FitStatus::unbounded);
}

TEST(fit_curves, needs_hits_and_misses) {
  const Rows rows{{0.1, 0.2, 0.4}, {1, 1, 1}};
  const numeric::Ordered data = ordered(rows);
  EXPECT_EQ(fit_curves(data, must(fit_beta_scores(data))).error().code, Errc::undefined);
}

TEST(fit_curves, takes_weights_as_repetition) {
  Rows rows = drawn(must(model("densenet40_c100")), 300, 4), twice = rows;
  rows.weight.assign(300, 2);
  twice.score.insert(twice.score.end(), rows.score.rbegin(), rows.score.rend());
  twice.label.insert(twice.label.end(), rows.label.rbegin(), rows.label.rend());
  const auto a = table(rows), b = table(twice);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].aic, b[i].aic);
    EXPECT_EQ(a[i].curve.coefficients, b[i].curve.coefficients);
  }
}

}  // namespace
}  // namespace tare::detail::simulate
