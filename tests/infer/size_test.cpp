// How often a calibrated model is rejected: at most as often as the level says, up to the noise of the simulation.
// docs/studies/size_of_tests.md is the same with more samples.
#include <gtest/gtest.h>

#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <map>

#include "infer/support.hpp"
#include "support/sanitized.hpp"
#include "tare/analysis/test.hpp"

namespace {

namespace analysis = tare::detail::analysis;
namespace infer = tare::detail::infer;
using tare::detail::testing::beta_rows;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::shaped;

constexpr std::array levels{0.01, 0.05, 0.10};

class Rejections {
 public:
  void add(const tare::detail::TestReport& report) {
    ++samples_;
    for (const auto& t : report.tests)
      for (std::size_t l = 0; l < levels.size(); ++l) found_[t.name][l] += t.p_value && *t.p_value <= levels[l];
  }
  void expect_at_most_nominal(const std::string& where) const {
    for (const auto& [name, found] : found_)
      for (std::size_t l = 0; l < levels.size(); ++l) {
        // what a count of that probability exceeds in one of a million cases
        const double most = quantile(boost::math::binomial(samples_, levels[l]), 1 - 1e-6);
        EXPECT_LE(found[l], most) << name << " at " << levels[l] << ", " << where;
      }
  }

 private:
  double samples_ = 0;
  std::map<std::string, std::array<double, 3>> found_;
};

// Two-sided p-values are multiples of 2 / (R + 1): with R = 199 all three levels can be met exactly.
analysis::TestOptions options(std::uint64_t seed) { return {.resamples = 199, .detectable = false, .seed = seed}; }

struct Scores {
  const char* name;
  double alpha, beta;
};
// Roelofs et al. 2022, Table 2.
constexpr Scores papers[] = {
    {"resnet110_c10", 2.7752, 0.0478}, {"resnet110_c100", 1.1823, 0.1081}, {"resnet152_imgnet", 1.1359, 0.2069}};

TEST(size, is_at_most_nominal_on_the_papers_scores) {
  Rejections all;
  std::uint64_t seed = 1;
  for (const auto& scores : papers)
    for (const std::size_t n : {200U, 1000U}) {
      Rejections here;
      for (int i = 0; i < tare::detail::testing::samples(n == 200 ? 100 : 30); ++i, ++seed) {
        const auto report =
            must(analysis::test_sample(beta_rows(scores.alpha, scores.beta, n, seed).view(), options(seed)));
        EXPECT_EQ(report.verdict.certain.wrong(), 0);
        here.add(report);
        all.add(report);
      }
      here.expect_at_most_nominal(scores.name + (" n = " + std::to_string(n)));
    }
  all.expect_at_most_nominal("all");
}

TEST(size, is_at_most_nominal_on_tied_scores) {
  for (const std::size_t n : {200U, 1000U}) {
    Rejections here;
    for (std::uint64_t seed = 1; seed <= tare::detail::testing::samples(400U); ++seed) {
      std::mt19937_64 rng(seed);
      std::uniform_real_distribution<double> uniform;
      Rows rows;
      for (std::size_t i = 0; i < n; ++i) {
        rows.score.push_back(std::floor(11 * uniform(rng)) / 10);  // 0, 0.1 .. 1
        rows.label.push_back(uniform(rng) < rows.score.back());
      }
      here.add(must(analysis::test_sample(rows.view(), options(seed))));
    }
    here.expect_at_most_nominal("n = " + std::to_string(n));
  }
}

// Many rows in few cells: 20,000 in about 200.
TEST(size, is_at_most_nominal_on_cells) {
  Rejections here;
  for (std::uint64_t seed = 1; seed <= tare::detail::testing::samples(200U); ++seed) {
    auto o = options(seed);
    o.cells = 128;
    here.add(must(analysis::test_sample(beta_rows(1.1823, 0.1081, 20'000, seed).view(), o)));
  }
  here.expect_at_most_nominal("cells");
}

}  // namespace
