// Pictures of comparisons and of bias, as SVG and in characters, from numbers written down by hand.
#include <gtest/gtest.h>

#include "render/surveys.hpp"
#include "support/has.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/charts.hpp"

namespace {

using namespace tare::detail;
using tare::detail::testing::overconfident;

Comparison three_methods() {
  Comparison c;
  c.test.source = "net.npz";
  c.test.n = 10000;
  c.methods = {{.method = "uncalibrated"},
               {.method = "histogram"},
               {.method = "temperature"},
               {.method = "matrix", .reason = "too few rows"}};
  c.methods[1].differences = {{Criterion::brier, "uncalibrated", 0.01, 0, 0.02, Change::worse}};
  c.methods[2].differences = {{Criterion::brier, "uncalibrated", -0.02, -0.03, -0.01, Change::better}};
  c.winner = {"temperature", Criterion::brier, "5-fold"};
  return c;
}

SimTable bias_at(std::vector<std::size_t> sizes) {
  SimTable t;
  t.truth.name = "resnet110_c10";
  t.true_error = {.norm1 = 0.05, .norm2 = 0.1};
  t.replicates = 1000;
  for (const std::size_t n : sizes)
    for (const char* name : {"ece_ew", "sweep_em"})
      t.rows.push_back({.estimator = name, .norm = 2, .n = n, .bias = 2.0 / static_cast<double>(n), .sd = 0.01});
  return t;
}

// The axis runs from -0.03 to 0.02 with 4% of room on both sides, from pixel 160 to 440.
TEST(compare_svg, puts_marks_where_pencil_and_paper_put_them) {
  const auto svg = *render::compare_svg(three_methods());
  const auto x = [](double v) { return 160 + (v + 0.032) / 0.054 * 280; };
  EXPECT_NEAR(x(-0.02), 222.22, 0.01);
  EXPECT_HAS(svg, "<circle cx=\"222.22\"");
  EXPECT_NEAR(x(0.01), 377.78, 0.01);
  EXPECT_HAS(svg, "<rect x=\"373.78\"");  // worse is a square
  EXPECT_HAS(svg, ">▸ temperature<");
  EXPECT_HAS(svg, ">not fitted<");
  EXPECT_LT(svg.find("temperature<"), svg.find(">histogram<"));  // the best first
  EXPECT_FALSE(render::compare_svg(three_methods(), {.criterion = tare::detail::Criterion::nll}));
  EXPECT_EQ(tare::detail::find_criterion("ece"), nullptr);
}

TEST(compare_chart, marks_better_and_worse_without_colour) {
  const auto text = *render::compare_chart(three_methods(), {}, {.width = 80});
  EXPECT_HAS(text, "> temperature");
  EXPECT_HAS(text, "●");
  EXPECT_HAS(text, "■");
  EXPECT_LACKS(text, "\033");
}

TEST(bias_svg, draws_lines_over_n_and_points_at_one) {
  const auto lines = *render::bias_svg(bias_at({200, 2000}));
  EXPECT_HAS(lines, "<path d=\"M");
  EXPECT_HAS(lines, ">n (log)<");
  EXPECT_HAS(lines, ">sweep_em<");
  EXPECT_HAS(lines, "true error 10.00%");
  const auto points = *render::bias_svg(bias_at({200}), {.source = "<net>"});
  EXPECT_LACKS(points, "<path d=\"M");
  EXPECT_HAS(points, "at n = 200");
  EXPECT_HAS(points, "a model fitted to &lt;net&gt;");
  EXPECT_FALSE(render::bias_svg(bias_at({200}), {.norm = 1}));
}

TEST(bias_chart, shows_every_size) {
  const auto text = *render::bias_chart(bias_at({200, 2000}), {}, {.width = 80});
  EXPECT_HAS(text, "2,000");
  EXPECT_HAS(text, "+1.00");
  EXPECT_HAS(text, "+0.10");
}

TEST(reliability_svg, draws_band_and_curve_where_they_are_known) {
  auto s = overconfident();
  EXPECT_LACKS(*render::reliability_svg(s), "class=\"band\"");
  EXPECT_LACKS(*render::reliability_svg(s), "class=\"corp\"");
  Measured corp = tare::detail::testing::line("corp", {}, 0.01);
  corp.estimate->per_bin = {{0, 0.5, 5000, 0.45, 0.25}, {0.5, 1, 5000, 0.97, 0.75}};
  s.measured.push_back(corp);
  const auto svg = *render::reliability_svg(s, {.band = {{0.4, 0.5}, {0.5, 0.6}, {0.98, 1}}});
  EXPECT_HAS(svg, "class=\"band\"");
  // 380 pixels from (60, 470); scores begin at 0.4: (212, 375) to (250, 375), up to 185, and on to 440
  EXPECT_HAS(svg, "<path d=\"M212,375 250,375 250,185 440,185\"");
  EXPECT_HAS(svg, "if calibrated 40.0% to 50.0%");
}

TEST(histogram_chart, names_the_two_means) {
  const auto text = *render::histogram_chart(overconfident(), {}, {.width = 80});
  EXPECT_HAS(text, "accuracy 93.4%, mean confidence 97.7%");
  EXPECT_HAS(text, "95.0");
}

}  // namespace
