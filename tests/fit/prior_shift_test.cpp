#include "tare/fit/prior_shift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "fit/maps.hpp"
#include "fit/numbers.hpp"
#include "fit/scaled.hpp"
#include "tare/fit/class_shares.hpp"
#include "tare/fit/run.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

const std::vector<double> prior3{0.6, 0.3, 0.1};

// Three normal distributions in the plane. The probabilities are exact for the shares `old`; the rows have `now`.
Matrix moved(std::size_t n, const std::vector<double>& old, const std::vector<double>& now, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  std::discrete_distribution<int> drawn(now.begin(), now.end());
  const double centre[3][2] = {{0, 0}, {1.5, 0}, {0, 1.5}};
  Matrix out{.kind = Kind::logits, .columns = 3, .values = {}, .label = {}};
  for (std::size_t i = 0; i < n; ++i) {
    const int y = drawn(rng);
    const double u = centre[y][0] + normal(rng), v = centre[y][1] + normal(rng);
    for (std::size_t c = 0; c < 3; ++c)
      out.values.push_back(std::log(old[c]) - (std::pow(u - centre[c][0], 2) + std::pow(v - centre[c][1], 2)) / 2);
    out.label.push_back(y);
  }
  return out;
}

// The equations of Saerens et al. 2002, as printed, and the mean log-likelihood of every step.
struct PlainEm {
  std::vector<double> share, likelihood = {};
};
PlainEm plain_em(const Matrix& probs, const std::vector<double>& prior, int steps) {
  PlainEm out{prior};
  const std::size_t k = prior.size(), n = probs.rows();
  for (int s = 0; s < steps; ++s) {
    std::vector<double> next(k);
    double likelihood = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < k; ++c) sum += out.share[c] / prior[c] * probs.values[i * k + c];
      for (std::size_t c = 0; c < k; ++c)
        next[c] += out.share[c] / prior[c] * probs.values[i * k + c] / sum / static_cast<double>(n);
      likelihood += std::log(sum) / static_cast<double>(n);
    }
    out.likelihood.push_back(likelihood);
    out.share = next;
  }
  return out;
}

std::vector<double> shares_of(const Model& model) { return list_of(model, "shares"); }

TEST(prior_shift, is_where_em_ends) {
  for (const Matrix& logits : {moved(400, prior3, {0.1, 0.2, 0.7}, 1), moved(400, prior3, {0.33, 0.33, 0.34}, 2)}) {
    const Matrix data = softmaxed(logits);
    const PlainEm em = plain_em(data, prior3, 4000);
    for (std::size_t s = 1; s < em.likelihood.size(); ++s)
      ASSERT_GE(em.likelihood[s], em.likelihood[s - 1] - 1e-14) << s;
    for (const Matrix* input : {&logits, &data}) {
      const Model model = fitted("prior_shift", *input, {.prior = prior3, .unlabelled = true});
      EXPECT_EQ(model.fit.status, FitStatus::converged);
      EXPECT_LE(*model.fit.gradient, 1e-8);
      EXPECT_LE(model.fit.iterations, 30);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(shares_of(model)[c], em.share[c], 1e-9);
      const auto b = list_of(model, "b");
      EXPECT_NEAR(b[0] + b[1] + b[2], 0, 1e-12);
      for (std::size_t c = 1; c < 3; ++c)
        EXPECT_NEAR(b[c] - b[0], std::log(em.share[c] / prior3[c]) - std::log(em.share[0] / prior3[0]), 1e-8);
    }
  }
}

// Scores s and t on m and n rows: with r(s) = s / 0.2 - (1 - s) / 0.8 the share x of class 1 solves
// m r(s) / (a(s) + x r(s)) + n r(t) / (a(t) + x r(t)) = 0, a(s) = (1 - s) / 0.8, which is linear in x.
TEST(prior_shift, two_scores_have_a_closed_form) {
  const double s = 0.1, t = 0.7, m = 50, n = 30;
  const auto r = [](double p) { return p / 0.2 - (1 - p) / 0.8; };
  const auto a = [](double p) { return (1 - p) / 0.8; };
  const double x = -(m * r(s) * a(t) + n * r(t) * a(s)) / ((m + n) * r(s) * r(t));
  ASSERT_GT(x, 0.1);
  ASSERT_LT(x, 0.9);
  Matrix data{.columns = 1, .values = {}, .label = {}};
  for (int i = 0; i < 80; ++i) data.values.push_back(i < 50 ? s : t), data.label.push_back(0);
  const Model model = fitted("prior_shift", data, {.prior = {0.8, 0.2}, .unlabelled = true});
  EXPECT_NEAR(shares_of(model)[1], x, 1e-10);
  EXPECT_NEAR(list_of(model, "b").at(0), std::log(x / 0.2) - std::log((1 - x) / 0.8), 1e-9);
  const Matrix twice{.columns = 1, .values = {s, t}, .label = {0, 0}, .weight = {m, n}};
  EXPECT_NEAR(shares_of(fitted("prior_shift", twice, {.prior = {0.8, 0.2}, .unlabelled = true}))[1], x, 1e-10);
}

// The inverse of the information that the rows have about the shares, at the true ones: the variance of each.
std::vector<double> variances(const Matrix& probs, const std::vector<double>& prior, const std::vector<double>& now) {
  double aa = 0, ab = 0, bb = 0;  // of the first two shares; the third is what is left
  for (std::size_t i = 0; i < probs.rows(); ++i) {
    double u[3], sum = 0;
    for (std::size_t c = 0; c < 3; ++c) sum += now[c] * (u[c] = probs.values[3 * i + c] / prior[c]);
    const double a = (u[0] - u[2]) / sum, b = (u[1] - u[2]) / sum;
    aa += a * a, ab += a * b, bb += b * b;
  }
  const double det = aa * bb - ab * ab;
  return {bb / det, aa / det, (aa + bb - 2 * ab) / det};
}

TEST(prior_shift, finds_the_new_shares) {
  const std::vector<double> now{0.1, 0.2, 0.7};
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Matrix data = moved(20000, prior3, now, seed);
    const Model model = fitted("prior_shift", data, {.prior = prior3, .unlabelled = true});
    const auto variance = variances(softmaxed(data), prior3, now);
    for (std::size_t c = 0; c < 3; ++c)
      worst = std::max(worst, std::abs(shares_of(model)[c] - now[c]) / std::sqrt(variance[c]));
    const auto p = applied(reloaded(model), data.values);
    const Matrix truth = softmaxed(moved(20000, now, now, seed));  // the same rows under the right shares
    double gap = 0;
    for (std::size_t i = 0; i < p.size(); ++i) gap = std::max(gap, std::abs(p[i] - truth.values[i]));
    EXPECT_LT(gap, 0.02) << seed;
  }
  EXPECT_LT(worst, 4);
  EXPECT_GT(worst, 0.5);  // of 15 deviations the largest: standard errors that are too large hide everything
}

TEST(prior_shift, with_labels_the_mean_probabilities_are_their_shares) {
  for (const Matrix& data : {moved(600, prior3, {0.1, 0.2, 0.7}, 3), softmaxed(simulated_logits(500, 4, 2, 9)),
                             simulated_logits(700, 2, 2, 9), simulated_logits(900, 205, 1, 9)}) {
    const Model model = fitted("prior_shift", data);
    const auto p = applied(reloaded(model), data.values);
    const std::size_t k = data.columns;
    std::vector<double> excess(k);
    bool all = true;
    for (std::size_t c = 0; c < k; ++c) {
      bool seen = false;
      for (std::size_t i = 0; i < data.rows(); ++i) {
        const bool hit = data.label[i] == static_cast<std::int32_t>(c);
        excess[c] += (p[i * k + c] - hit) / static_cast<double>(data.rows());
        seen = seen || hit;
      }
      all = all && seen;
      EXPECT_NEAR(excess[c], 0, seen ? 1e-6 : 1e-5) << c << " of " << k;
      if (k < 10) {
        EXPECT_NEAR(excess[c], 0, 1e-10);
      }
    }
    EXPECT_EQ(model.fit.status, all ? FitStatus::converged : FitStatus::at_bound) << k << model.fit.note;
    EXPECT_LT(*model.fit.nll_after, *model.fit.nll_before);
  }
}

TEST(prior_shift, one_column_says_the_same_as_two) {
  const Matrix two = simulated_logits(300, 2, 2, 4);
  Matrix one{.kind = Kind::logits, .columns = 1, .values = {}, .label = two.label};
  for (std::size_t i = 0; i < two.rows(); ++i) one.values.push_back(two.values[2 * i + 1] - two.values[2 * i]);
  for (const std::vector<double>& prior : {std::vector<double>{}, std::vector<double>{0.3, 0.7}}) {
    const auto b = list_of(fitted("prior_shift", two, {.prior = prior}), "b");
    EXPECT_NEAR(list_of(fitted("prior_shift", one, {.prior = prior}), "b").at(0), b[1] - b[0], 1e-9);
  }
}

TEST(prior_shift, zeros_stay_zeros) {
  Matrix data{.columns = 3, .values = {}, .label = {}};
  std::mt19937_64 rng(1);
  for (int i = 0; i < 200; ++i) {
    const double p = static_cast<double>(1 + rng() % 98) / 100;
    if (i % 3 == 0)
      data.values.insert(data.values.end(), {p, 1 - p, 0});
    else if (i % 3 == 1)
      data.values.insert(data.values.end(), {0, 1, 0});
    else
      data.values.insert(data.values.end(), {p / 2, 0.5, 0.5 - p / 2});
    data.label.push_back(i % 3 == 1 ? (i % 5 == 0 ? 2 : 1) : static_cast<std::int32_t>(rng() % 2));
  }
  for (const std::vector<double>& prior : {std::vector<double>{}, prior3}) {
    const Model model = fitted("prior_shift", data, {.prior = prior});
    const auto p = applied(reloaded(model), data.values);
    expect_probabilities(p, 3);
    for (std::size_t i = 0; i < p.size(); ++i) ASSERT_EQ(p[i] == 0, data.values[i] == 0) << i;
  }
  EXPECT_NE(fitted("prior_shift", data).fit.note.find("left out"), std::string::npos);
}

TEST(prior_shift, a_class_that_nobody_speaks_for_keeps_a_millionth) {
  Matrix data{.columns = 3, .values = {}, .label = {}};
  for (int i = 0; i < 40; ++i) {
    const double p = 0.05 + 0.02 * i;
    data.values.insert(data.values.end(), {p, 1 - p - 1e-5, 1e-5});
    data.label.push_back(i % 2);
  }
  const Model model = fitted("prior_shift", data, {.prior = {0.45, 0.45, 0.1}, .unlabelled = true});
  EXPECT_EQ(model.fit.status, FitStatus::at_bound);
  EXPECT_NE(model.fit.note.find("class 2"), std::string::npos) << model.fit.note;
  EXPECT_NEAR(shares_of(model)[2], 1e-7, 1e-10);
  const Model labelled = fitted("prior_shift", data);
  EXPECT_EQ(labelled.fit.status, FitStatus::at_bound);
  const auto p = applied(reloaded(labelled), data.values);
  double mean = 0;
  for (std::size_t i = 2; i < p.size(); i += 3) mean += p[i] / 40;
  EXPECT_NEAR(mean, 1e-11, 1e-12);  // a millionth of 1e-5
  for (const Matrix& odd : {Matrix{.columns = 3, .values = {0, 1, 0}, .label = {0}},
                            Matrix{.columns = 3, .values = {0, 1, 0}, .label = {1}},
                            Matrix{.columns = 1, .values = {1, 1, 0}, .label = {1, 0, 0}},
                            Matrix{.kind = Kind::logits, .columns = 2, .values = {1e300, -1e300}, .label = {1}}}) {
    const std::size_t k = std::max<std::size_t>(2, odd.columns);
    const std::vector<double> prior(k, 1 / static_cast<double>(k));
    for (const auto& with : {std::vector<double>{}, prior})
      expect_probabilities(applied(reloaded(fitted("prior_shift", odd, {.prior = with})), odd.values), odd.columns);
  }
}

TEST(prior_shift, many_classes_without_labels) {
  const Matrix data = simulated_logits(4000, 40, 1, 5);
  std::vector<double> prior(40, 1.0 / 40);
  const Model model = fitted("prior_shift", data, {.prior = prior, .unlabelled = true});
  EXPECT_LE(*model.fit.gradient, 1e-8) << model.fit.note;
  const PlainEm em = plain_em(softmaxed(data), prior, 3000);
  for (std::size_t c = 0; c < 40; ++c) EXPECT_NEAR(shares_of(model)[c], em.share[c], 1e-6) << c;
  const Model threaded = fitted("prior_shift", data, {.threads = 3, .prior = prior, .unlabelled = true});
  EXPECT_EQ(numbers(threaded), numbers(model));
}

TEST(prior_shift, labels_do_not_matter_once_the_prior_is_given) {
  Matrix data = moved(300, prior3, {0.1, 0.2, 0.7}, 3), other = data;
  std::reverse(other.label.begin(), other.label.end());
  const Model model = fitted("prior_shift", data, {.prior = prior3});
  EXPECT_EQ(numbers(fitted("prior_shift", other, {.prior = prior3})), numbers(model));
  EXPECT_NE(model.fit.note.find("labels were not used"), std::string::npos);
  EXPECT_TRUE(model.fit.nll_after.has_value());
  EXPECT_FALSE(fitted("prior_shift", data, {.prior = prior3, .unlabelled = true}).fit.nll_after);
}

TEST(prior_shift, says_what_is_wrong_with_the_prior) {
  const Matrix data = moved(30, prior3, prior3, 3);
  for (const std::vector<double>& prior :
       {std::vector<double>{0.5, 0.5}, {0.6, 0.4, 0.0}, {0.6, 0.3, 0.2}, {0.6, -0.1, 0.5}, {NAN, 0.5, 0.5}}) {
    const auto model = fit::prior_shift(data.view(), {.prior = prior});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, Errc::bad_option);
    EXPECT_EQ(model.error().place.array, "prior");
  }
  const auto bare = fit::prior_shift(data.view(), {.unlabelled = true});
  ASSERT_FALSE(bare);
  EXPECT_NE(bare.error().remedy.find("`prior`"), std::string::npos);
}

TEST(prior_shift, is_the_only_one_that_needs_no_labels) {
  const Matrix data = moved(30, prior3, prior3, 3);
  Predictions rows;
  rows.matrix = data.view();
  rows.n = data.rows();
  for (const fit::Calibrator& row : fit::all()) {
    const auto model = fit::run(row, rows, {.prior = prior3, .unlabelled = true});
    EXPECT_EQ(bool(model), row.name == "prior_shift") << row.name;
    if (!model) {
      EXPECT_NE(model.error().what.find("without labels"), std::string::npos);
    }
  }
  EXPECT_EQ(fit::label_shares(rows).size(), 3U);
}

TEST(prior_shift, refuses_saved_parameters_of_another_size) {
  Model model = fitted("prior_shift", moved(50, prior3, prior3, 3), {.prior = prior3});
  Model broken = model;
  broken.parameters["b"] = std::vector<double>(2);
  EXPECT_FALSE(fit::prior_shift_calibrator.recipe(broken));
  broken = model;
  broken.parameters["shares"] = std::vector<double>{2, 0, 0};
  EXPECT_FALSE(fit::prior_shift_calibrator.recipe(broken));
}

}  // namespace
