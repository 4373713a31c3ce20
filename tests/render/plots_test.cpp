// Pictures of one question each, from numbers written down by hand.
#include <gtest/gtest.h>

#include "render/surveys.hpp"
#include "support/has.hpp"
#include "support/xml.hpp"
#include "tare/core/style.hpp"
#include "tare/render/html/page.hpp"
#include "tare/render/pictures/plots.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/charts.hpp"

namespace {

using namespace tare::detail;
using tare::detail::testing::fault_in;
using tare::detail::testing::overconfident;

InputInfo ten_rows() { return {.n = 10, .k = 2, .source = "a<b.csv", .total_weight = 10}; }

RejectionCurve two_shares() {
  return {.input = ten_rows(),
          .points = {{0.5, 0.9, 5, 1, 0.6, 1, 0.95}, {1, 0.5, 10, 0.8, 0.5, 0.9, 0.9}},
          .thresholds = 2,
          .mean_accuracy = 0.9};
}

DetectableCurve three_sizes() {
  DetectableCurve out{.input = ten_rows(), .estimate = {"rank_poly", 0.02, 0.01, 0.03}, .needed = 250};
  for (const auto& [n, tce] : {std::pair{10.0, 0.1}, {100.0, 0.03}, {1000.0, 0.01}})
    out.points.push_back({.n = n, .smallest = {.statistic = "smooth_test", .tce = tce}, .here = n == 10});
  return out;
}

BinChoice bins_of_two() {
  BinChoice out{.input = ten_rows(), .bins = 15};
  BinChoiceLine line{.about = {.name = "ece_ew"}, .norm = 1};
  line.by_bins = {{.at = 5, .value = 0.02, .floor = 0.01, .floor_high = 0.015},
                  {.at = 15, .value = 0.03, .floor = 0.02}};
  line.by_rows = {{.at = 5, .value = 0.06, .sd = 0.01, .floor = 0.05}, {.at = 10, .value = 0.03, .floor = 0.02}};
  out.lines = {line};
  return out;
}

TEST(estimators_svg, has_one_line_for_each_estimator) {
  auto s = overconfident();
  const auto svg = *render::estimators_svg(s);
  EXPECT_EQ(fault_in(svg), "");
  EXPECT_HAS(svg, ">ece_ew (l1)<");
  EXPECT_HAS(svg, "by chance 0.60% on average, up to 0.90%");
  EXPECT_HAS(svg, style_of_estimator("ece_ew").colour.light);
  EXPECT_LACKS(svg, "corrected");
  BiasReport bias;
  bias.corrections = {{.estimator = "ece_ew", .norm = 1, .observed = 0.0475, .corrected = 0.041}};
  EXPECT_HAS(*render::estimators_svg(s, {.bias = &bias}), "corrected 4.10%");
  EXPECT_LACKS(*render::estimators_svg(s, {.heading = false}), ">net.npz<");
  s.measured.clear();
  EXPECT_FALSE(render::estimators_svg(s));
}

TEST(rejection_svg, says_exact_numbers) {
  const auto svg = *render::svg(two_shares());
  EXPECT_EQ(fault_in(svg), "");
  EXPECT_HAS(svg, "the surest 50.0%: 5 rows, scores from 0.9, accuracy 100.00% (60.00% to 100.00%), claimed 95.00%");
  EXPECT_HAS(svg, "a&lt;b.csv");
  EXPECT_HAS(svg, palette::band.light);
}

TEST(detectable_svg, says_where_the_data_stand) {
  const auto svg = *render::svg(three_sizes());
  EXPECT_EQ(fault_in(svg), "");
  EXPECT_HAS(svg, "you are here: 10.00%");
  EXPECT_HAS(svg, "takes about 250 rows");
  EXPECT_HAS(svg, "estimated error of these data: 2.00% (1.00% to 3.00%)");
  DetectableCurve none = three_sizes();
  for (auto& p : none.points) p.smallest.tce.reset();
  EXPECT_FALSE(render::svg(none));
}

TEST(bins_svg, has_a_panel_for_bins_and_one_for_rows) {
  const auto svg = *render::svg(bins_of_two());
  EXPECT_EQ(fault_in(svg), "");
  EXPECT_HAS(svg, "ece_ew, 5 bins: 2.00%; by chance 1.00%, up to 1.50%");
  EXPECT_HAS(svg, "number of rows (log)");
  BinChoice all = bins_of_two();
  all.lines[0].by_rows.erase(all.lines[0].by_rows.begin());
  EXPECT_LACKS(*render::svg(all), "number of rows (log)");
}

TEST(kinds, can_be_had_as_numbers_and_in_characters) {
  EXPECT_HAS(render::csv(two_shares()), "share,threshold,weight,accuracy,low,high,claimed\n0.5,0.9,5,1,0.6,1,0.95\n");
  EXPECT_HAS(render::json(two_shares()), "\"mean_accuracy\": 0.9");
  EXPECT_HAS(render::csv(three_sizes()), "10,0.1,true");
  EXPECT_HAS(render::json(three_sizes()), "\"needed\": 250");
  EXPECT_HAS(render::csv(bins_of_two()), "ece_ew,1,5,10,0.02,,0.01,0.015\n");
  EXPECT_HAS(render::json(bins_of_two()), "\"by_rows\"");
  EXPECT_HAS(render::text(two_shares(), {.width = 80}), "100%");
  EXPECT_HAS(render::text(three_sizes(), {.width = 80}), "you are here");
  EXPECT_HAS(render::text(bins_of_two(), {.width = 80}), "by chance");
  EXPECT_HAS(*render::estimators_chart(overconfident(), {}, {.width = 80}), "ece_ew (l1)");
}

NamedCurve rising_curve(const char* name) {
  NamedCurve out{.name = name, .input = ten_rows()};
  out.curve.basis = BandBasis::rising;
  out.curve.diagonal = Diagonal::outside;
  out.curve.cells = {{0.5, 0.6, 0.55, 5, 0.4, 0.42, 0.2, 0.7}, {0.7, 0.9, 0.8, 5, 0.6, 0.61, 0.4, 0.9}};
  out.histogram = {{0.5, 0.75, 5, 0.55, 0.4}, {0.75, 1, 5, 0.8, 0.6}};
  return out;
}

CalibratorMap two_points() {
  CalibratorMap out{.input = ten_rows(), .method = "temperature", .fitted_on = "val.npz"};
  out.lines = {{.curve = {{0.5, 0.4, 0.4, 0.45, 5}, {0.9, 0.8, 0.75, 0.85, 5}}, .data = {{0, 1, 10, 0.7, 0.6}}}};
  return out;
}

TEST(models_svg, draws_curves_that_can_be_told_apart) {
  const auto svg = *render::models_svg({rising_curve("a<b"), rising_curve("c")});
  EXPECT_EQ(fault_in(svg), "");
  EXPECT_HAS(svg, "a&lt;b: not calibrated");
  EXPECT_HAS(svg, palette::series[1].colour.light);
  EXPECT_FALSE(render::models_svg({}));
  EXPECT_FALSE(render::models_svg(std::vector<NamedCurve>(9, rising_curve("x"))));
  const auto both =
      render::before_after_svg({"temperature", "val.npz", false, rising_curve("before"), rising_curve("after")});
  EXPECT_EQ(fault_in(both), "");
  EXPECT_HAS(both, "temperature, fitted on val.npz");
  NamedCurve other = rising_curve("y");
  other.input.reduction = Reduction::positive;
  EXPECT_FALSE(render::models_svg({rising_curve("x"), other}));
  EXPECT_HAS(both, palette::before.light);
  EXPECT_HAS(render::csv(std::vector<NamedCurve>{rising_curve("a")}), "a,0.5,0.6,0.55,5,0.4,0.42,0.2,0.7\n");
  EXPECT_HAS(render::text(std::vector<NamedCurve>{rising_curve("a")}, {.width = 80}), "55.00%");
}

TEST(map_svg, says_what_becomes_of_a_score) {
  const auto svg = *render::svg(two_points());
  EXPECT_EQ(fault_in(svg), "");
  EXPECT_HAS(svg, "score 0.5000 becomes 0.4000 (0.4000 to 0.4500 in 80 of 100), 5 rows");
  EXPECT_HAS(svg, "temperature, fitted on val.npz");
  EXPECT_HAS(render::json(two_points()), "\"fitted_on\": \"val.npz\"");
  EXPECT_HAS(render::csv(two_points()), ",0.5,0.4,0.4,0.45,5\n");
}

// Every colour that is drawn has a dark one.
TEST(whole_style, knows_every_colour_of_the_pictures) {
  const std::string rules = render::whole_style();
  for (const std::string& svg : {*render::estimators_svg(overconfident()), *render::svg(two_shares()),
                                 *render::svg(three_sizes()), *render::svg(bins_of_two())})
    for (std::size_t at = svg.find("=\"#"); at != std::string::npos; at = svg.find("=\"#", at + 1)) {
      const std::string colour = svg.substr(at + 1, svg.find('"', at + 2) - at);
      EXPECT_HAS(rules, "[fill=" + colour + "]");
    }
}

}  // namespace
