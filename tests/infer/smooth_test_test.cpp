#include "tare/infer/tests/smooth_test.hpp"

#include <boost/math/distributions/chi_squared.hpp>

#include "infer/support.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"

namespace {

using tare::detail::Finding;
using tare::detail::TestEvidence;
using tare::detail::infer::minus_log_tail;
using tare::detail::infer::smooth_evidence;
using tare::detail::infer::smooth_test;
using tare::detail::infer::SmoothBasis;
using tare::detail::testing::drawn;
using tare::detail::testing::golden_csv;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

double part(const TestEvidence& e, std::string_view name) {
  for (const auto& p : e.parts)
    if (p.name == name) return p.minus_log_p;
  return -1;
}

// The NumPy reference of the specification.
TEST(smooth_test, agrees_with_the_reference) {
  const auto golden = golden_csv("smooth_test.csv");
  ASSERT_GT(golden.size(), 250u);
  for (const auto& f : golden) {
    SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2]);
    const Rows rows = drawn(f[0], std::stoul(f[1]), std::stoul(f[2]));
    const double statistic = std::stod(f[8]);
    EXPECT_NEAR(must(smooth_test(rows.view())), statistic, 1e-9 * std::max(1.0, std::abs(statistic)));
    const auto evidence = must(smooth_evidence(rows.view()));
    const char* names[] = {"level", "tilt", "shape", "tail", "place"};
    for (std::size_t j = 0; j < 5; ++j) {
      const double expected = f[3 + j].empty() ? -1 : std::stod(f[3 + j]);
      EXPECT_NEAR(part(evidence, names[j]), expected, 1e-9 * std::max(1.0, std::abs(expected))) << names[j];
    }
  }
}

// One score has a level and nothing else: (8 - 5)^2 / (10 / 4), and log(1/3) for the weight of the part.
TEST(smooth_test, of_one_score_on_paper) {
  const Rows rows{std::vector<double>(10, 0.5), {1, 1, 1, 1, 1, 1, 1, 1, 0, 0}};
  EXPECT_NEAR(must(smooth_test(rows.view())), std::log(1.0 / 3) - std::log(std::erfc(std::sqrt(1.8))), 1e-14);
  const auto evidence = must(smooth_evidence(rows.view()));
  ASSERT_EQ(evidence.parts.size(), 1u);
  EXPECT_EQ(evidence.spoke, "level");
  EXPECT_EQ(evidence.finding, Finding::too_low);
}

TEST(smooth_test, tail_of_chi_square) {
  for (const double k : {1.0, 3.0, 10.0, 18.0}) {
    const boost::math::chi_squared chi(k);
    for (const double x : {1e-6, 0.5, 3.0, 40.0, 500.0})
      EXPECT_NEAR(minus_log_tail(x, k), -std::log(cdf(complement(chi, x))), 1e-12 * (1 + x)) << k << ' ' << x;
    // Where the probability is 0 as a double: -log of the leading term of the continued fraction, off by about k / x.
    EXPECT_NEAR(minus_log_tail(4000, k) / 2000, 1, 0.05);
    EXPECT_LT(minus_log_tail(4000, k), minus_log_tail(4001, k));
    EXPECT_TRUE(std::isfinite(minus_log_tail(1e300, k)));
    EXPECT_EQ(minus_log_tail(0, k), 0);
  }
}

// Under calibration the columns have mean 0 and unit covariance: sum v phi_k phi_l.
TEST(smooth_test, directions_are_orthonormal) {
  for (const char* kind : {"uniform", "grid", "piled", "saturated", "half"}) {
    const Rows rows = drawn(kind, 3000, 7);
    const auto ordered = tare::detail::numeric::order(rows.view().score(), rows.view().label());
    const SmoothBasis basis(ordered);
    Eigen::VectorXd v(static_cast<Eigen::Index>(basis.size()));
    for (std::size_t i = 0; i < basis.size(); ++i) {
      const double s = ordered.score(basis.first() + i);
      v[static_cast<Eigen::Index>(i)] = static_cast<double>(ordered.mass(basis.first() + i)) * s * (1 - s);
    }
    for (const auto* f : {&basis.phi(), &basis.psi()}) {
      const Eigen::MatrixXd gram = f->transpose() * v.asDiagonal() * *f;
      EXPECT_LT((gram - Eigen::MatrixXd::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff(), 1e-10) << kind;
    }
  }
}

TEST(smooth_test, says_what_is_wrong) {
  const auto found = [](auto rate) {
    Rows rows;
    for (int i = 0; i < 4000; ++i) {
      const double s = (i + 0.5) / 4000, u = std::fmod(i * 0.6180339887498949, 1.0);
      rows.score.push_back(s);
      rows.label.push_back(u < rate(s));
    }
    return must(smooth_evidence(rows.view()));
  };
  const auto bent = [&](double by) { return found([&](double s) { return s + by * s * (1 - s); }); };
  const auto tilted = [&](double by) { return found([&](double s) { return s + by * s * (1 - s) * (1 - 2 * s); }); };
  EXPECT_EQ(bent(-0.3).spoke, "level");
  EXPECT_EQ(bent(-0.3).finding, Finding::too_high);
  EXPECT_EQ(bent(0.3).finding, Finding::too_low);
  EXPECT_EQ(tilted(0.5).spoke, "tilt");
  EXPECT_EQ(tilted(0.5).finding, Finding::too_extreme);
  EXPECT_EQ(tilted(-0.5).finding, Finding::too_timid);
  const auto dip = found([](double s) { return s > 0.6 && s < 0.66 ? s - 0.4 : s; });
  EXPECT_EQ(dip.spoke, "place");
  EXPECT_EQ(dip.finding, Finding::too_high);
  ASSERT_TRUE(dip.from && dip.to);
  EXPECT_LT(*dip.from, 0.62);
  EXPECT_GT(*dip.to, 0.64);
  EXPECT_GT(*dip.from, 0.5);
  EXPECT_LT(*dip.to, 0.75);
}

TEST(smooth_test, weights_are_rows_and_their_order_is_nothing) {
  auto once = tare::detail::testing::shaped("piled", 500, 3), twice = once;
  once.weight.assign(500, 2.0);
  twice.score.insert(twice.score.begin(), once.score.begin(), once.score.end());
  twice.label.insert(twice.label.begin(), once.label.begin(), once.label.end());
  EXPECT_EQ(must(smooth_test(once.view())), must(smooth_test(twice.view())));
}

// More different scores than cells: the cells say what the rows say.
TEST(smooth_test, of_many_rows_is_that_of_their_cells) {
  const Rows rows = drawn("uniform", 30'000, 1);
  const auto ordered = tare::detail::numeric::order(rows.view().score(), rows.view().label());
  ASSERT_GT(ordered.groups(), 20'000u);
  const SmoothBasis basis(ordered);
  Eigen::VectorXd gap(static_cast<Eigen::Index>(basis.size()));
  for (std::size_t i = 0; i < basis.size(); ++i)
    gap[static_cast<Eigen::Index>(i)] =
        static_cast<double>(ordered.hits(basis.first() + i)) -
        static_cast<double>(ordered.mass(basis.first() + i)) * ordered.score(basis.first() + i);
  const Eigen::VectorXd z = basis.phi().transpose() * gap;
  const auto evidence = must(smooth_evidence(rows.view()));
  EXPECT_NEAR(part(evidence, "tilt") / minus_log_tail(z[1] * z[1], 1), 1, 1e-4);
  EXPECT_NEAR(part(evidence, "shape") / minus_log_tail(z.tail(z.size() - 2).squaredNorm(), 10), 1, 1e-3);
}

TEST(smooth_test, needs_a_score_that_is_not_certain) {
  EXPECT_FALSE(smooth_test(Rows{{0, 0, 1}, {0, 1, 1}}.view()));
  EXPECT_TRUE(smooth_test(Rows{{0, 0.5, 1}, {0, 1, 1}}.view()));
}

}  // namespace
