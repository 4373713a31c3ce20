// The calibration curve with its band: axes, picture, characters, words, JSON. The curves are written down by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "render/surveys.hpp"
#include "support/has.hpp"
#include "support/xml.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/score_axis.hpp"
#include "tare/render/text/charts.hpp"

namespace {

using namespace tare::detail;
using render::AxisKind;

// 100 cells of ten rows each; score(u) of the middle of the cell, rates a tenth below, the band a fifth around them.
template <class Score>
CurveBand hundred_cells(const Score& score) {
  CurveBand out{.basis = BandBasis::rising, .diagonal = Diagonal::outside, .outside = 0.5};
  for (int i = 0; i < 100; ++i) {
    const double s = score((i + 0.5) / 100), rate = std::max(s - 0.1, 0.0);
    out.cells.push_back({.first = s,
                         .last = s,
                         .mean_score = s,
                         .count = 10,
                         .rate = rate,
                         .curve = rate,
                         .low = std::max(rate - 0.1, 0.0),
                         .high = std::min(rate + 0.1, 1.0)});
  }
  return out;
}

CurveBand even_scores() {
  return hundred_cells([](double u) { return u; });
}
CurveBand near_one() {
  return hundred_cells([](double u) { return 1 / (1 + std::exp(-10 * u)); });
}
CurveBand nearly_all_one() {
  return hundred_cells([](double u) { return u < 0.3 ? 0.5 + u : 1 - 1e-9 * (1 - u); });
}

CurveBand three_values() {
  CurveBand out{.basis = BandBasis::values, .diagonal = Diagonal::inside};
  for (const double s : {0.5, 0.8, 1.0})
    out.cells.push_back({s, s, s, 100 * s, s, s, std::max(s - 0.2, 0.0), std::min(s + 0.2, 1.0)});
  return out;
}

TEST(score_axis, goes_where_the_rows_are) {
  const CurveBand a = even_scores(), b = near_one(), c = nearly_all_one(), d = three_values();
  EXPECT_EQ(render::suited_axis({&a}), AxisKind::linear);
  EXPECT_EQ(render::suited_axis({&b}), AxisKind::logit);
  EXPECT_EQ(render::suited_axis({&c}), AxisKind::rank);
  EXPECT_EQ(render::suited_axis({&d}), AxisKind::linear);
}

TEST(score_axis, rises_and_stays_in_its_frame) {
  const render::Frame frame{60, 10, 400, 400};
  for (const CurveBand& curve : {even_scores(), near_one(), nearly_all_one()})
    for (const AxisKind kind : {AxisKind::linear, AxisKind::logit, AxisKind::rank}) {
      const render::ScoreAxes axes({&curve}, kind, frame);
      double x = 60, y = 410;
      for (double s = 0; s <= 1; s += 1.0 / 128) {
        EXPECT_GE(axes.x(s), x);
        EXPECT_LE(axes.y(s), y);
        x = axes.x(s);
        y = axes.y(s);
      }
      EXPECT_LE(x, 460);
      EXPECT_GE(y, 10);
      EXPECT_GE(axes.x_ticks().size(), 2U);
      EXPECT_GE(axes.y_ticks().size(), 2U);
    }
}

// On a logit axis 0.9 is as far from 0.5 as 0.99 from 0.9083: equal logits are equal lengths.
TEST(score_axis, by_logit_is_linear_in_logits) {
  const CurveBand curve = near_one();
  const render::ScoreAxes axes({&curve}, AxisKind::logit, {0, 0, 300, 300});
  const auto at = [&](double logit) { return axes.x(1 / (1 + std::exp(-logit))); };
  EXPECT_NEAR(at(3) - at(2), at(2) - at(1), 1e-9);
  EXPECT_GT(at(3), at(2));
}

// A quarter of 1,000 rows of 100 cells is below 0.25, on the rank axis of any scores.
TEST(score_axis, by_rank_gives_every_row_the_same_room) {
  const CurveBand curve = near_one();
  const render::ScoreAxes axes({&curve}, AxisKind::rank, {0, 0, 100, 100});
  EXPECT_NEAR(axes.x(curve.cells[24].mean_score), 24.5, 1e-9);
  EXPECT_NEAR(axes.x(curve.cells[74].mean_score), 74.5, 1e-9);
}

Survey with_curve(CurveBand curve) {
  Survey s = tare::detail::testing::overconfident();
  s.curve = std::move(curve);
  return s;
}

TEST(curve_picture, says_what_its_band_means) {
  const auto svg = *render::reliability_svg(with_curve(even_scores()));
  EXPECT_EQ(tare::detail::testing::fault_in(svg), "");
  EXPECT_HAS(svg, "class=\"band\"");
  EXPECT_HAS(svg, "class=\"curve\"");
  EXPECT_HAS(svg, "class=\"density\"");
  EXPECT_HAS(svg, "95% band for the whole curve, if it never falls");
  EXPECT_HAS(svg, "The diagonal leaves the band");
  EXPECT_HAS(svg, "bins of ece_ew, area by rows");
  // Within a page, the page says it.
  EXPECT_LACKS(*render::reliability_svg(with_curve(even_scores()), {.heading = false}), "The diagonal leaves the band");
}

TEST(curve_picture, has_the_axis_that_is_asked_for) {
  const Survey s = with_curve(near_one());
  EXPECT_HAS(*render::reliability_svg(s), "(logit axis)");
  EXPECT_HAS(*render::reliability_svg(s, {.axis = AxisKind::rank}), "(axis by rank");
  EXPECT_HAS(*render::reliability_svg(s, {.axis = AxisKind::linear}), ">confidence, %<");
}

TEST(curve_picture, of_few_values_is_a_dot_for_each) {
  const auto svg = *render::reliability_svg(with_curve(three_values()));
  EXPECT_EQ(tare::detail::testing::fault_in(svg), "");
  EXPECT_HAS(svg, "80%: 80 rows, accuracy 80.0%; interval 60.0% to 100.0%");
  EXPECT_HAS(svg, "The diagonal stays in all intervals");
  EXPECT_LACKS(svg, "smooth estimate");
}

TEST(curve_picture, of_a_class_and_where_asked_has_bars) {
  EXPECT_HAS(*render::reliability_svg(with_curve(even_scores()), {.style = render::ReliabilityStyle::bars}),
             "confidence above it");
  EXPECT_HAS(*render::reliability_svg(tare::detail::testing::overconfident()), "confidence above it");
}

// The rows of the bin from 0.9 to 1 lie between 0.95 and 0.97: so does its bar, 380 pixels being 1.
TEST(bars, stand_where_rows_are_and_are_pale_where_few) {
  Survey s = with_curve({.basis = BandBasis::rising,
                         .cells = {{0.41, 0.44, 0.42, 4, 0.5, 0.5, 0, 1}, {0.95, 0.97, 0.96, 96, 0.9, 0.9, 0, 1}}});
  s.measured[0].estimate->per_bin = {{0.4, 0.5, 4, 0.42, 0.5}, {0.9, 1, 96, 0.96, 0.9}};
  const auto svg = *render::reliability_svg(s, {.style = render::ReliabilityStyle::bars});
  EXPECT_HAS(svg, "x=\"421\"");      // 60 + 380 * 0.95
  EXPECT_HAS(svg, "width=\"7.6\"");  // 380 * 0.02
  EXPECT_HAS(svg, "opacity=\"0.25\"");
  EXPECT_HAS(svg, "opacity=\"0.98\"");  // the root of 96 / 100
}

TEST(curve_diagram, marks_estimate_claim_and_band) {
  const auto text = render::curve_diagram(even_scores(), Reduction::top_label, AxisKind::automatic, {.width = 80});
  EXPECT_HAS(text, "●");
  EXPECT_HAS(text, "┃");
  EXPECT_HAS(text, "░");
  EXPECT_HAS(text, "+10.0");
  EXPECT_HAS(text, "The diagonal leaves the band");
  std::size_t lines = 0;
  for (const char c : text) lines += c == '\n';
  EXPECT_LE(lines, 22U);
  EXPECT_HAS(render::curve_diagram(three_values(), Reduction::positive, AxisKind::automatic, {.width = 60}), "0.8 ");
}

TEST(band_words, follow_the_basis) {
  CurveBand band = even_scores();
  EXPECT_HAS(render::band_meaning(band),
             "whole true curve in at least 95 of 100 samples, if the true curve never falls");
  band.basis = BandBasis::spans;
  band.spans.resize(7);
  EXPECT_HAS(render::band_meaning(band), "contradict a curve that never falls");
  EXPECT_HAS(render::band_meaning(band), "each of 7 spans");
  const CurveBand none{.reason = "weights are no counts"};
  EXPECT_EQ(render::band_meaning(none), "There is no band: weights are no counts.");
  EXPECT_EQ(render::diagonal_sentence(none), "");
}

TEST(curve_json, has_band_cells_and_words) {
  const std::string json = render::to_json(three_values()).text();
  EXPECT_HAS(json, "basis");
  EXPECT_HAS(json, "values");
  EXPECT_HAS(json, "\"diagonal\"");
  EXPECT_HAS(json, "linear");
  EXPECT_HAS(json, "stays in all intervals");
}

TEST(curve_picture, of_a_class_is_a_curve_too) {
  Survey s = tare::detail::testing::per_class();
  s.class_curves = {{.class_index = 1, .curve = even_scores()}};  // "dog", the worst
  const auto svg = *render::reliability_svg(s);
  EXPECT_EQ(tare::detail::testing::fault_in(svg), "");
  EXPECT_HAS(svg, "class dog");
  EXPECT_HAS(svg, "95% band for the whole curve, if it never falls");
  EXPECT_HAS(*render::reliability_chart(s, {}, {.width = 100}), "smooth");
  // A class whose curve was not kept has bars.
  const auto bars = *render::reliability_svg(s, {.class_index = 2});
  EXPECT_HAS(bars, "class eel");
  EXPECT_LACKS(bars, "band for the whole curve");
  EXPECT_LACKS(*render::reliability_svg(s, {.style = render::ReliabilityStyle::bars}), "band for the whole curve");
}

// A rare class with a smaller error may have less noise: 1.1% of which 0.1 is noise against 3.3% of which 3 is.
TEST(curve_picture, takes_the_class_with_the_largest_error_beyond_noise) {
  Survey s = tare::detail::testing::per_class();
  for (Measured& m : s.measured)
    if (m.class_index == 1) m.floor = 0.03;
  EXPECT_HAS(*render::reliability_svg(s), "class eel");
}

TEST(small_curves, share_their_axes) {
  const CurveBand a = even_scores(), b = near_one();
  const render::SmallPicture words{.title = "t", .description = "d", .patterns = "page"};
  const std::string linear = render::small_curve_svg(a, {&a}, words),
                    both = render::small_curve_svg(a, {&a, &b}, words);
  EXPECT_EQ(tare::detail::testing::fault_in(both), "");
  EXPECT_HAS(linear, ">50</text>");
  EXPECT_LACKS(linear, ">99</text>");
  EXPECT_HAS(both, ">99</text>");  // the other needs a logit axis, and both have it
  EXPECT_HAS(linear, "class=\"band\"");
  EXPECT_HAS(linear, "; band ");
}

}  // namespace
