// Floors of very many rows in few groups, as a running state has them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "infer/support.hpp"
#include "tare/infer/resample/null.hpp"

namespace {

namespace infer = tare::detail::infer;
namespace measure = tare::detail::measure;
namespace numeric = tare::detail::numeric;
using infer::ResampledChoice;
using tare::detail::testing::line;

// Calibrated rows in groups of even mass, at scores that are spread evenly or piled up at 1.
numeric::Ordered grouped(std::size_t groups, double n, bool piled, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  for (std::size_t g = 0; g < groups; ++g) {
    const double u = (static_cast<double>(g) + 0.5) / static_cast<double>(groups);
    score.push_back(piled ? 1 - std::pow(1 - u, 6) : u);
    mass.push_back(static_cast<std::uint64_t>(n / static_cast<double>(groups)));
    hits.push_back(std::binomial_distribution<std::uint64_t>(mass.back(), score.back())(rng));
  }
  return {score, mass, hits};
}

std::vector<ResampledChoice> fine_lines(std::size_t resamples) {
  std::vector<ResampledChoice> out;
  for (const measure::Estimator& e : measure::all())
    if (e.cube_root) out.push_back(line(e.name, 1, resamples));
  return out;
}

// The definition: every row redrawn by itself, then counted in its group.
infer::NullValues row_by_row(const numeric::Ordered& data, std::span<const ResampledChoice> lines) {
  std::mt19937_64 rng(11);
  std::uniform_real_distribution<double> uniform;
  auto out = infer::empty_values(lines);
  numeric::Ordered redrawn = data;
  std::vector<std::uint64_t> hits(data.groups());
  for (std::size_t r = 0; r < lines[0].resamples; ++r) {
    for (std::size_t g = 0; g < hits.size(); ++g) {
      hits[g] = 0;
      for (std::uint64_t i = 0; i < data.mass(g); ++i) hits[g] += uniform(rng) < data.score(g);
    }
    redrawn.set_hits(hits);
    const measure::Sample sample(&redrawn);
    for (std::size_t l = 0; l < lines.size(); ++l)
      if (const auto e = lines[l].estimator->run(sample, lines[l].options)) out[l][r] = {true, e->value, 0};
  }
  return out;
}

TEST(finer, floors_are_those_of_rows_redrawn_one_by_one) {
  constexpr std::size_t resamples = 100;
  const auto lines = fine_lines(resamples);
  EXPECT_EQ(lines.size(), 4U);
  for (const bool piled : {false, true}) {
    const auto data = grouped(20'000, 300'000, piled, 1);
    const auto finer = infer::null_values(infer::finer_cells(data, 15, 10'000), lines, 1, 0, 2);
    const auto full = row_by_row(data, lines);
    for (std::size_t l = 0; l < lines.size(); ++l) {
      const auto a = infer::floor_of(finer[l]), b = infer::floor_of(full[l]);
      ASSERT_TRUE(a && b);
      double squares = 0;
      for (const auto& v : full[l]) squares += (v.value - b->mean) * (v.value - b->mean);
      const double se = std::sqrt(2 * squares) / resamples;  // of a difference of means
      EXPECT_NEAR(a->mean, b->mean, 4 * se) << piled << ' ' << lines[l].estimator->name;
      EXPECT_NEAR(a->high, b->high, 4 * 2.1 * se) << piled << ' ' << lines[l].estimator->name;
    }
  }
}

// The sweep that begins at a sure number of bins is the one from the beginning.
TEST(finer, sweeps_end_where_they_would_end) {
  for (const bool piled : {false, true}) {
    const auto data = grouped(20'000, 2e8, piled, 2);
    const auto cells = infer::finer_cells(data, 15, 10'000);
    for (const auto binning : {numeric::Binning::width, numeric::Binning::mass})
      EXPECT_GT(cells.starts->counts(binning).first, 10U);
    infer::Redraw(data).for_each(3, 0, 0, 30, 1, [&](std::size_t, std::span<const std::uint64_t> hits) {
      const measure::Sample known = infer::redrawn(cells, hits);
      const measure::Sample plain(known.ordered());
      for (const char* name : {"sweep_ew", "sweep_em"}) {
        const auto a = measure::find(name)->run(known, {}), b = measure::find(name)->run(plain, {});
        ASSERT_TRUE(a && b);
        EXPECT_EQ(a->value, b->value);
        EXPECT_EQ(a->bins, b->bins);
      }
    });
  }
}

// Calibrated by construction: what is measured lies where its floor says, however many rows there are.
TEST(finer, calibrated_groups_are_within_their_noise) {
  for (const double n : {3e8, 3e10}) {
    const auto data = grouped(20'000, n, false, 4);
    const measure::Sample sample(data);
    const auto lines = fine_lines(200);
    const auto values = infer::null_values(infer::floor_cells(data, 15), lines, 1, 0, 2);
    for (std::size_t l = 0; l < lines.size(); ++l) {
      EXPECT_LT(values[l].size(), 100U);
      EXPECT_GE(values[l].size(), 39U);
      const auto floor = infer::floor_of(values[l]);
      const auto e = lines[l].run(sample);
      ASSERT_TRUE(floor && e);
      const double sd = (floor->high - floor->mean) / 1.645;
      EXPECT_NEAR(e->value, floor->mean, 3.5 * sd) << n << ' ' << lines[l].estimator->name;
      EXPECT_LT(sd, 0.08 * floor->mean) << n << ' ' << lines[l].estimator->name;
    }
  }
}

TEST(finer, cells_are_for_very_many_rows_only) {
  EXPECT_FALSE(infer::floor_cells(grouped(20'000, 1e8, false, 5), 15).finer);
  EXPECT_TRUE(infer::floor_cells(grouped(20'000, 2e8, false, 5), 15).finer);
}

}  // namespace
