#include "tare/measure/rank_poly/rank_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

using tare::detail::measure::RankBasis;
using tare::detail::measure::RankNodes;
using tare::detail::numeric::order;
using tare::detail::numeric::Ordered;

constexpr std::size_t every_group = std::numeric_limits<std::size_t>::max();

// Scores among which some are tied: what makes polynomials in rank hard.
struct Shape {
  std::string name;
  std::vector<double> score;
};

std::vector<Shape> shapes(std::size_t n) {
  std::mt19937_64 rng(n);
  std::uniform_real_distribution<double> uniform;
  const auto make = [&](const std::string& name, const auto& score) {
    Shape out{name, {}};
    for (std::size_t i = 0; i < n; ++i) out.score.push_back(score(uniform(rng), uniform(rng), i));
    return out;
  };
  return {make("uniform", [](double u, double, std::size_t) { return u; }),
          make("grid", [](double u, double, std::size_t) { return std::round(u * 5000) / 5000; }),
          make("piled", [](double u, double, std::size_t) { return 1 - std::pow(u, 20.9); }),
          make("float32", [](double u, double, std::size_t) { return static_cast<float>(1 - std::pow(u, 20.9)); }),
          make("half at 1", [](double u, double v, std::size_t) { return v < 0.5 ? 1 : u; }),
          make("nearly all at 1", [](double u, double v, std::size_t) { return v < 0.9 ? 1 : u; }),
          make("nearly all in the middle", [](double u, double v, std::size_t) { return v < 0.9 ? 0.5 : u; }),
          make("both ends", [](double u, double v, std::size_t) { return v < 0.3   ? 0
                                                                         : v < 0.6 ? 1
                                                                                   : u; }),
          make("one row far out",
               [](double u, double v, std::size_t i) { return i == 0    ? 0
                                                              : v < 0.5 ? 0.1
                                                                        : 0.5 + u / 2; }),
          make("heavy within light", [](double u, double v, std::size_t) {
            return v < 0.9 ? 1 : v < 0.93 ? 0.4 : v < 0.935 ? 0.3 : u;
          })};
}

std::vector<std::uint8_t> labels_of(const std::vector<double>& score) {
  std::mt19937_64 rng(9);
  std::uniform_real_distribution<double> uniform;
  std::vector<std::uint8_t> out;
  for (const double s : score) out.push_back(uniform(rng) < s * s);
  return out;
}

double inner(const RankBasis& b, std::size_t k, std::size_t l, const double* weight) {
  double sum = 0;
  for (std::size_t i = 0; i < b.nodes().size(); ++i) sum += weight[i] * b.phi(k)[i] * b.phi(l)[i];
  return sum;
}

std::array<double*, 4> arrays(std::vector<double>& v) {
  const std::size_t stride = v.size() / 4;
  return {v.data(), v.data() + stride, v.data() + 2 * stride, v.data() + 3 * stride};
}

TEST(rank_basis, is_orthonormal) {
  for (const std::size_t n : {2U, 10U, 100U, 3000U, 20'000U})
    for (const auto& shape : shapes(n)) {
      const std::vector<std::uint8_t> mark(n, 0);
      const Ordered data = order(std::span<const double>(shape.score), mark);
      for (const std::size_t alone : {RankNodes::most_alone, every_group}) {
        const RankBasis basis(data, 1, alone);
        for (std::size_t k = 0; k < basis.terms(); ++k)
          for (std::size_t l = 0; l <= k; ++l)
            ASSERT_NEAR(inner(basis, k, l, basis.mass()), k == l ? 1 : 0, 1e-12) << shape.name << " " << n;
      }
    }
}

// Legendre's polynomials are the limit: sqrt(2 k + 1) P_k at equally spaced ranks, up to 1 / n.
TEST(rank_basis, of_untied_scores_is_nearly_that_of_legendre) {
  std::vector<double> score;
  for (int i = 0; i < 1000; ++i) score.push_back(i / 1000.0);
  const std::vector<std::uint8_t> mark(1000, 0);
  const RankBasis basis(order(std::span<const double>(score), mark));
  ASSERT_EQ(basis.terms(), 15U);  // 1000^0.4
  for (std::size_t i = 0; i < 1000; i += 111) {
    const double x = (2 * static_cast<double>(i) + 1) / 1000 - 1;
    for (unsigned k = 0; k < 5; ++k) EXPECT_NEAR(basis.phi(k)[i], std::sqrt(2 * k + 1) * std::legendre(k, x), 1e-3);
  }
}

TEST(rank_basis, has_as_many_terms_as_scores_at_most) {
  const std::vector<double> score{0.1, 0.1, 0.2, 0.2, 0.2, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9};
  std::vector<double> many;
  for (int i = 0; i < 100; ++i) many.insert(many.end(), score.begin(), score.end());
  const std::vector<std::uint8_t> mark(many.size(), 0);
  EXPECT_EQ(RankBasis(order(std::span<const double>(many), mark)).terms(), 3U);
}

// Sums over nodes against sums over all groups, for everything that is carried to the nodes.
TEST(rank_basis, of_pooled_groups_is_that_of_all_groups) {
  for (const std::size_t n : {1500U, 20'000U})
    for (const auto& shape : shapes(n)) {
      const auto mark = labels_of(shape.score);
      const Ordered data = order(std::span<const double>(shape.score), mark);
      const RankBasis pooled(data), all(data, 1, every_group);
      ASSERT_EQ(pooled.terms(), all.terms()) << shape.name;
      if (data.groups() > 5000) {
        EXPECT_LT(pooled.nodes().size(), 3000U) << shape.name;
      }
      std::vector<double> a(4 * pooled.stride()), b(4 * all.stride());
      pooled.nodes().gaps(data, arrays(a), 1);
      all.nodes().gaps(data, arrays(b), 1);
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < all.terms(); ++k)
          for (std::size_t l = 0; l <= k; ++l)
            ASSERT_NEAR(inner(pooled, k, l, a.data() + j * pooled.stride()),
                        inner(all, k, l, b.data() + j * all.stride()), 1e-12)
                << shape.name << " " << n << " power " << j + 1 << " terms " << k << " " << l;
    }
}

// A cluster that is small beside its first stretch: the stretches must be cut until the polynomials are smooth.
TEST(rank_basis, resolves_what_hides_in_few_ranks) {
  std::vector<double> score(2'000'000, 1.0);
  for (std::size_t i = 0; i < 2000; ++i) score[i] = static_cast<double>(i) / 4000;
  const auto mark = labels_of(score);
  const Ordered data = order(std::span<const double>(score), mark);
  const RankBasis pooled(data), all(data, 1, every_group);
  ASSERT_EQ(pooled.terms(), 16U);
  ASSERT_EQ(all.terms(), 16U);
  std::vector<double> a(4 * pooled.stride()), b(4 * all.stride());
  pooled.nodes().gaps(data, arrays(a), 1);
  all.nodes().gaps(data, arrays(b), 1);
  for (std::size_t k = 0; k < 16; ++k) {
    EXPECT_NEAR(inner(pooled, k, 0, a.data()), inner(all, k, 0, b.data()), 1e-11) << k;
    EXPECT_NEAR(inner(pooled, k, k, a.data() + pooled.stride()), inner(all, k, k, b.data() + all.stride()), 1e-9) << k;
  }
}

}  // namespace
