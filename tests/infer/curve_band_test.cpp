#include "tare/infer/band/curve_band.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "infer/support.hpp"
#include "support/ordered.hpp"

namespace {

namespace infer = tare::detail::infer;
namespace numeric = tare::detail::numeric;
using namespace tare::detail::testing;
using tare::detail::band_pieces;
using tare::detail::BandBasis;
using tare::detail::CurveBand;
using tare::detail::CurveCell;
using tare::detail::Diagonal;

CurveBand band_of(const Rows& rows) { return infer::curve_band(ordered(rows)); }

// Is a curve that never falls in the band everywhere?
template <class Curve>
bool covered(const CurveBand& band, const Curve& curve) {
  for (const auto& piece : band_pieces(band))
    if (curve(piece.from) < piece.low || curve(piece.to) > piece.high) return false;
  for (const CurveCell& c : band.cells)
    if (curve(c.last) < c.low || curve(c.first) > c.high) return false;
  return true;
}

// Written down from the definition, with Boost's own bounds, over the runs of one cell list.
TEST(curve_band, is_the_tightest_of_the_bounds_of_all_runs) {
  using Binomial = boost::math::binomial_distribution<>;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Rows rows = simulated(120, seed, [](double s) { return s * s; });
    const auto data = ordered(rows);
    const CurveBand band = infer::curve_band(data);
    ASSERT_EQ(band.basis, BandBasis::rising);
    ASSERT_EQ(band.cells.size(), 120U);  // every score its own
    const auto runs = infer::make_runs(data);
    for (std::size_t c = 0; c < band.cells.size(); ++c) {
      double low = 0, high = 1;
      for (const auto& run : runs) {
        const auto n = static_cast<double>(run.to - run.from),
                   h = static_cast<double>(data.hits_before(run.to) - data.hits_before(run.from));
        const double level = 0.05 * 0.9 * run.share / 2;
        if (run.from >= c) high = std::min(high, Binomial::find_upper_bound_on_p(n, h, level));
        if (run.to <= c + 1) low = std::max(low, Binomial::find_lower_bound_on_p(n, h, level));
      }
      EXPECT_NEAR(band.cells[c].low, low, 1e-9) << c;
      EXPECT_NEAR(band.cells[c].high, high, 1e-9) << c;
    }
  }
}

// 0, 0.5 and 1 with 40 rows each: 0, 20 and 40 hits. Each has an interval at 0.05 / 3.
TEST(curve_band, of_three_values_on_paper) {
  Rows rows;
  for (int i = 0; i < 40; ++i)
    for (const double s : {0.0, 0.5, 1.0}) {
      rows.score.push_back(s);
      rows.label.push_back(s == 1 || (s == 0.5 && i % 2 == 0));
    }
  const CurveBand band = band_of(rows);
  ASSERT_EQ(band.basis, BandBasis::values);
  ASSERT_EQ(band.cells.size(), 3U);
  const double end = std::pow(0.05 / 6, 1.0 / 40);  // no hit in 40 rows: (1 - u)^40 = 0.05 / 6
  EXPECT_EQ(band.cells[0].low, 0);
  EXPECT_NEAR(band.cells[0].high, 1 - end, 1e-10);
  EXPECT_NEAR(band.cells[2].low, end, 1e-10);
  EXPECT_EQ(band.cells[2].high, 1);
  EXPECT_NEAR(band.cells[1].low + band.cells[1].high, 1, 1e-10);
  EXPECT_EQ(band.cells[1].curve, 0.5);
  EXPECT_EQ(band.diagonal, Diagonal::inside);
  EXPECT_EQ(band.outside, 0);
  EXPECT_EQ(band_pieces(band).size(), 3U);
}

void expect_same(const CurveBand& a, const CurveBand& b) {
  EXPECT_EQ(a.basis, b.basis);
  EXPECT_EQ(a.diagonal, b.diagonal);
  ASSERT_EQ(a.cells.size(), b.cells.size());
  for (std::size_t c = 0; c < a.cells.size(); ++c) {
    EXPECT_EQ(a.cells[c].low, b.cells[c].low);
    EXPECT_EQ(a.cells[c].high, b.cells[c].high);
    EXPECT_EQ(a.cells[c].curve, b.cells[c].curve);
    EXPECT_EQ(a.cells[c].count, b.cells[c].count);
  }
}

TEST(curve_band, does_not_see_the_order_of_rows) {
  for (const char* shape : {"uniform", "grid", "piled"}) {
    Rows rows = shaped(shape, 1000, 4), other = rows;
    std::reverse(other.score.begin(), other.score.end());
    std::reverse(other.label.begin(), other.label.end());
    expect_same(band_of(rows), band_of(other));
  }
}

TEST(curve_band, takes_a_weight_of_2_for_two_rows) {
  for (const char* shape : {"uniform", "grid", "piled"}) {
    Rows weighted = shaped(shape, 700, 5), twice = weighted;
    for (std::size_t i = 0; i < 700; ++i) {
      weighted.weight.push_back(i % 3 == 0 ? 2 : 1);
      if (i % 3 != 0) continue;
      twice.score.push_back(weighted.score[i]);
      twice.label.push_back(weighted.label[i]);
    }
    expect_same(band_of(weighted), band_of(twice));
  }
}

TEST(curve_band, refuses_fractions_of_rows_and_says_why) {
  Rows rows = calibrated(400, 6);
  rows.weight.assign(400, 0.3);
  const CurveBand band = band_of(rows);
  EXPECT_EQ(band.basis, BandBasis::none);
  EXPECT_NE(band.reason.find("counts"), std::string::npos);
  EXPECT_EQ(band.diagonal, Diagonal::unknown);
  EXPECT_FALSE(band.cells.empty());
  EXPECT_TRUE(band_pieces(band).empty());
}

// Bands are held together: low <= curve <= high, both rising, cells ascending, every row counted.
TEST(curve_band, has_its_curve_inside) {
  for (const std::size_t n : {1U, 2U, 7U, 50U, 500U, 20'000U})
    for (const char* shape : {"uniform", "grid", "piled"}) {
      const Rows rows = shaped(shape, n, 7 + n);
      const CurveBand band = band_of(rows);
      double count = 0;
      for (std::size_t c = 0; c < band.cells.size(); ++c) {
        const CurveCell& cell = band.cells[c];
        count += cell.count;
        EXPECT_LE(cell.first, cell.mean_score);
        EXPECT_LE(cell.mean_score, cell.last);
        if (band.basis == BandBasis::rising && c > 0) {
          EXPECT_LE(band.cells[c - 1].low, cell.low);
          EXPECT_LE(band.cells[c - 1].high, cell.high);
          EXPECT_LE(band.cells[c - 1].curve, cell.curve + 1e-12);
          EXPECT_LT(band.cells[c - 1].last, cell.first);
        }
        EXPECT_GE(cell.curve, 0);
        EXPECT_LE(cell.curve, 1);
      }
      EXPECT_EQ(count, static_cast<double>(n));
      EXPECT_LE(band.cells.size(), 256U);
      for (const auto& piece : band_pieces(band)) EXPECT_LE(piece.low, piece.high);
    }
}

TEST(curve_band, holds_rising_curves) {
  const auto steep = [](double s) { return s < 0.6 ? 0.1 : 0.9; };
  const auto flat = [](double) { return 0.5; };
  int all = 0, held = 0, rising = 0;
  for (std::uint64_t i = 0; i < 150; ++i) {
    const CurveBand a = band_of(simulated(600, 1000 + i, steep)), b = band_of(simulated(600, 5000 + i, flat));
    held += covered(a, steep) + covered(b, flat);
    rising += (a.basis == BandBasis::rising) + (b.basis == BandBasis::rising);
    all += 2;
  }
  EXPECT_GE(held, 0.95 * all);  // 0.95 is guaranteed on average; here it is about 0.98
  EXPECT_GE(rising, 0.99 * all);
}

// A curve that falls from 0.8 to 0.2: the band must not assume that it rises, and holds the means over its spans.
TEST(curve_band, of_a_falling_curve_assumes_nothing) {
  const CurveBand band = band_of(simulated(1000, 8, [](double s) { return 0.8 - 0.6 * s; }));
  ASSERT_EQ(band.basis, BandBasis::spans);
  EXPECT_EQ(band.spans.size(), 10U);  // the cube root of n
  EXPECT_EQ(band.diagonal, Diagonal::outside);
  for (const auto& span : band.spans) {
    const double mean = 0.8 - 0.6 * span.mean_score;
    EXPECT_LE(span.low, mean);
    EXPECT_GE(span.high, mean);
  }
  const auto pieces = band_pieces(band);
  ASSERT_EQ(pieces.size(), 10U);
  for (std::size_t p = 1; p < pieces.size(); ++p) EXPECT_EQ(pieces[p - 1].to, pieces[p].from);
}

// A model that says 0.9 and more where half is right.
TEST(curve_band, of_an_overconfident_model_leaves_the_diagonal_out) {
  Rows rows = simulated(2000, 9, [](double) { return 0.5; });
  for (double& s : rows.score) s = 0.9 + 0.1 * s;
  const CurveBand band = band_of(rows);
  EXPECT_EQ(band.diagonal, Diagonal::outside);
  EXPECT_GT(band.outside, 0.9);
}

TEST(curve_band, of_a_million_rows_is_made_of_few_cells) {
  const CurveBand band = band_of(shaped("piled", 1'000'000, 10));
  EXPECT_EQ(band.basis, BandBasis::rising);
  EXPECT_LE(band.cells.size(), 256U);
  EXPECT_EQ(band.diagonal, Diagonal::inside);
}

TEST(rank_of, goes_from_the_first_score_to_the_last) {
  const CurveBand band = band_of(calibrated(5000, 11));
  EXPECT_EQ(tare::detail::rank_of(band, 0), 0);
  EXPECT_EQ(tare::detail::rank_of(band, 1), 1);
  EXPECT_NEAR(tare::detail::rank_of(band, 0.5), 0.5, 0.03);
  double before = 0;
  for (double s = 0; s <= 1; s += 0.001) {
    EXPECT_GE(tare::detail::rank_of(band, s), before);
    before = tare::detail::rank_of(band, s);
  }
}

}  // namespace
