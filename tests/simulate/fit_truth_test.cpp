#include "tare/simulate/fit/fit_truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/folders.hpp"
#include "support/truths.hpp"
#include "tare/numeric/simd/softmax.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {
namespace {

using tare::detail::testing::drawn;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

TEST(fit_truth, finds_the_true_error_again) {
  for (const char* name : {"resnet110_c10", "resnet110_c100", "densenet161_imgnet"}) {
    const Truth truth = must(model(name));
    const FittedTruth fit = must(fit_truth(drawn(truth, 100000, 21).view(), {.scores = ScoreKind::beta}));
    for (const int norm : {1, 2}) {
      const double before = must(true_error(truth, norm)), after = must(true_error(fit.truth, norm));
      EXPECT_NEAR(after / before, 1, 0.05) << name << " l" << norm;
    }
    EXPECT_EQ(to_text(fit.truth.curve), to_text(fit.table.front().curve));
    EXPECT_EQ(fit.truth.scores.alpha, fit.scores->alpha);
  }
}

TEST(fit_truth, prefers_the_identity_for_calibrated_scores) {
  int chosen = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    chosen +=
        must(fit_truth(drawn(must(model("resnet110_c100", true)), 2000, seed).view())).table.front().name == "identity";
  EXPECT_GE(chosen, 20);  // AIC takes a needless coefficient 16% of the time, and here one of six curves may
}

TEST(fit_truth, resamples_or_pools_on_request) {
  const Rows rows = drawn(must(model("densenet40_c100")), 500, 3);
  const FittedTruth fit =
      must(fit_truth(rows.view(), {.scores = ScoreKind::empirical, .curve = CurveChoice::isotonic}));
  EXPECT_EQ(fit.truth.scores.weight(), 500);  // every row, equal scores together
  ASSERT_EQ(fit.truth.scores.ends.size(), fit.truth.scores.values.size());
  EXPECT_TRUE(std::is_sorted(fit.truth.scores.values.begin(), fit.truth.scores.values.end(),
                             [](ScorePoint a, ScorePoint b) { return a.c < b.c; }));
  EXPECT_EQ(fit.truth.curve.family->name, "isotonic");
  EXPECT_EQ(fit.table.size(), 13U);
  EXPECT_TRUE(true_error(fit.truth, 1));
}

TEST(fit_truth, resamples_scores_that_no_beta_distribution_describes) {
  const Rows rows{{0.7, 0.7, 0.7, 0.7}, {1, 0, 1, 1}};
  EXPECT_EQ(fit_truth(rows.view(), {.scores = ScoreKind::beta}).error().code, Errc::undefined);
  const FittedTruth fit = must(fit_truth(rows.view(), {.scores = ScoreKind::empirical}));
  EXPECT_FALSE(fit.scores);
  // one score: identity, or a rate of 3/4
  EXPECT_NEAR(fit.truth.curve.hit({0.7, 0.3}), 0.7, 1e-12);
}

class RealNetwork : public ::testing::Test {
 protected:
  // The bytes of an .npy file after its header.
  template <class T>
  static std::vector<T> values(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    const std::size_t start = 10 + static_cast<unsigned char>(bytes[8]) + 256 * static_cast<unsigned char>(bytes[9]);
    std::vector<T> out((bytes.size() - start) / sizeof(T));
    std::copy_n(bytes.data() + start, out.size() * sizeof(T), reinterpret_cast<char*>(out.data()));
    return out;
  }

  void SetUp() override {
    const std::string folder = tare::detail::testing::shared_dir() + "/data/kangsepp_resnet110_c10/";
    if (!std::filesystem::exists(folder + "test_logits.npy")) GTEST_SKIP() << "no " << folder;
    const auto z32 = values<float>(folder + "test_logits.npy");
    const auto label = values<std::int32_t>(folder + "test_labels.npy");
    const std::vector<double> z(z32.begin(), z32.end());
    const std::size_t n = label.size();
    wide_.score.resize(n);
    std::vector<std::int32_t> top(n);
    numeric::softmax_rows(std::span<const double>(z), 10, label,
                          {.confidence = wide_.score.data(), .argmax = top.data()});
    for (std::size_t i = 0; i < n; ++i) wide_.label.push_back(top[i] == label[i]);
    narrow_ = wide_;
    for (std::size_t i = 0; i < n; ++i) {
      const std::span<const float> row(z32.data() + 10 * i, 10);
      const float highest = *std::max_element(row.begin(), row.end());
      float sum = 0;
      for (const float x : row) sum += std::exp(x - highest);
      narrow_.score[i] = static_cast<double>(1 / sum);
    }
  }

  Rows wide_, narrow_;  // softmax in float64 and in float32
};

// Within half a standard error: float32 softmax loses the small terms of its sum, and a few rows cross into saturation.
TEST_F(RealNetwork, fits_alike_in_float32_and_float64) {
  const FittedTruth wide = must(fit_truth(wide_.view(), {.scores = ScoreKind::beta})),
                    narrow = must(fit_truth(narrow_.view(), {.scores = ScoreKind::beta}));
  EXPECT_NEAR(wide.scores->alpha, narrow.scores->alpha, 0.5 * wide.scores->alpha_error);
  EXPECT_NEAR(wide.scores->beta, narrow.scores->beta, 0.5 * wide.scores->beta_error);
  ASSERT_EQ(wide.table.front().name, narrow.table.front().name);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(wide.table.front().curve.coefficients[i], narrow.table.front().curve.coefficients[i],
                0.5 * *wide.table.front().errors[i]);
  for (const int norm : {1, 2})
    EXPECT_NEAR(must(true_error(wide.truth, norm)), must(true_error(narrow.truth, norm)), 5e-4);
}

// SciPy's Nelder-Mead on the same censored likelihoods, saturated rows by a midpoint rule of 4000 points.
TEST_F(RealNetwork, has_the_optimum_that_another_program_finds) {
  const FittedTruth fit = must(fit_truth(wide_.view()));
  EXPECT_NEAR(fit.scores->alpha, 3.018937, 1e-5);
  EXPECT_NEAR(fit.scores->beta, 0.05280527, 1e-7);
  EXPECT_EQ(fit.table.front().name, "logit_logit_b0_b1");
  EXPECT_NEAR(fit.table.front().nll, 1494.75, 0.01);
  EXPECT_NEAR(fit.table.front().curve.coefficients[0], -0.362675, 1e-4);
  EXPECT_NEAR(fit.table.front().curve.coefficients[1], 0.352427, 1e-4);
}

// The paper's rule depends on the precision; both numbers are from a separate fit in NumPy.
TEST_F(RealNetwork, under_the_paper_s_rule_depends_on_the_precision) {
  const BetaFit wide = *must(fit_truth(wide_.view(), {.saturated = Saturated::shift})).scores;
  const BetaFit narrow = *must(fit_truth(narrow_.view(), {.saturated = Saturated::shift})).scores;
  EXPECT_NEAR(narrow.alpha, 3.404, 0.01);
  EXPECT_NEAR(narrow.beta, 0.0607, 0.0002);
  EXPECT_NEAR(wide.alpha, 4.880, 0.01);
  EXPECT_NEAR(wide.beta, 0.0911, 0.0002);
}

}  // namespace
}  // namespace tare::detail::simulate
