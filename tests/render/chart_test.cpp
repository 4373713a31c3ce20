#include "tare/render/svg/chart.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/has.hpp"
#include "support/xml.hpp"
#include "tare/render/svg/chart_parts.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::render;
using tare::detail::testing::fault_in;

std::vector<std::string> labels(const Ruler& ruler, int most) {
  std::vector<std::string> out;
  for (const Tick& tick : ruler.ticks(most)) out.push_back(tick.label);
  return out;
}

using Words = std::vector<std::string>;

TEST(ruler, ticks_are_round) {
  EXPECT_EQ(labels(ruler({}, -3.2, 4.1), 7), (Words{"-4", "-2", "0", "2", "4", "6"}));
  EXPECT_EQ(labels(ruler({}, 0, 0.0391), 7), (Words{"0", "0.01", "0.02", "0.03", "0.04"}));
  EXPECT_EQ(labels(ruler({.log = true, .low = 200, .high = 12800}, 200, 12800), 6),
            (Words{"200", "500", "1000", "2000", "5000", "10,000"}));
}

TEST(ruler, spans_what_the_axis_says) {
  const Ruler r = ruler({.low = 0, .high = 20}, 3, 40);
  EXPECT_EQ(r.low, 0);
  EXPECT_EQ(r.high, 20);
}

TEST(ruler, survives_zero_on_a_log_axis) {
  const Ruler r = ruler({.log = true}, 0, 100);
  EXPECT_GT(r.low, 0);
  EXPECT_FALSE(r.ticks(6).empty());
}

TEST(ruler, places_powers_evenly_on_a_log_axis) {
  Ruler r{.log = true, .low = 1, .high = 100, .from = 0, .to = 200};
  EXPECT_DOUBLE_EQ(r(1), 0);
  EXPECT_DOUBLE_EQ(r(10), 100);
  EXPECT_DOUBLE_EQ(r(100), 200);
}

// An estimator brings its look into every chart; the others take those of the palette in turn.
TEST(legend, keeps_the_look_of_an_estimator) {
  const Style sweep{palette::vermilion, MarkShape::open_square, palette::dashed};
  const auto entries = entries_of({{"a", {}}, {"sweep_em", sweep}, {"a", {}}, {"b", {}}});
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].look.colour, palette::series[0].colour);
  EXPECT_EQ(entries[1].look.colour, palette::vermilion);
  EXPECT_EQ(entries[2].look.colour, palette::series[1].colour);
}

LineChart two_series() {
  LineChart out{.title = "a < b", .x = {.title = "n", .log = true}, .y = {.title = "bias"}};
  out.panels = {{.title = "p & q",
                 .series = {{"one", {100, 200}, {-1, 1}, {0.1, 0.1}}, {"two", {100, 200}, {3, 99}, {}}},
                 .marks = {{0.5, false, "half"}}}};
  return out;
}

TEST(line_chart, names_everything_it_shows) {
  const std::string svg = chart_svg(two_series());
  EXPECT_EQ(fault_in(svg), "");
  for (const char* word : {"a &lt; b", "p &amp; q", ">one<", ">two<", ">half<", ">n<", ">bias<"}) EXPECT_HAS(svg, word);
}

// From 3 to 99 on an axis that ends at 51, half way: the line is cut there, and no marker stands outside.
TEST(line_chart, cuts_lines_at_the_edge) {
  LineChart chart = two_series();
  chart.x = {.low = 100, .high = 200};
  chart.y = {.low = 3, .high = 51};
  chart.panels[0].series.erase(chart.panels[0].series.begin());
  const std::string svg = chart_svg(chart);
  // the frame of a single panel is 430 x 290 at (66, 46)
  EXPECT_HAS(svg, "d=\"M66.00,336.00 L281.00,46.00\"");
}

TEST(line_chart, without_data_is_still_a_picture) {
  EXPECT_EQ(fault_in(chart_svg(LineChart{.title = "t", .panels = {{}}})), "");
  EXPECT_EQ(fault_in(chart_svg(LineChart{.title = "t"})), "");
}

TEST(heat_chart, carries_its_numbers) {
  const HeatChart chart{.title = "t",
                        .x_title = "n",
                        .y_title = "bins",
                        .digits = 1,
                        .panels = {{"p", {"100", "200"}, {"2"}, {{-1.26, {}}}}}};
  const std::string svg = chart_svg(chart);
  EXPECT_EQ(fault_in(svg), "");
  EXPECT_HAS(svg, ">-1.3<");
}

// The axis from 0 to 10 is 360 wide; labels of one letter take 27.9.
TEST(dumbbell_chart, joins_what_belongs_together) {
  const DumbbellChart chart{.title = "t",
                            .x = {.title = "ECE", .low = 0, .high = 10},
                            .panels = {{"p", {{"a", 5.0, 2.5}, {"b", {}, 1.0}, {"c", 3.0, 99.0}, {"d", 4.0, {}}}}}};
  const std::string svg = chart_svg(chart);
  EXPECT_EQ(fault_in(svg), "");
  for (const char* words : {"p, a: published 5, recomputed 2.5<", "p, b: recomputed 1<", "p, d: published 4<", ">99<",
                            ">published<", ">recomputed<"})
    EXPECT_HAS(svg, words);
  EXPECT_HAS(svg, "<line x1=\"207.9\"");
  EXPECT_EQ(fault_in(chart_svg(DumbbellChart{.title = "t"})), "");
}

TEST(bar_chart, names_its_hatchings_apart) {
  const BarChart chart{.title = "t", .id = "fig9", .groups = {"g"}, .series = {"a", "b"}, .value = {{3.0}, {25.0}}};
  EXPECT_HAS(chart_svg(chart), "id=\"fig9-bar1\"");
  EXPECT_HAS(chart_svg(chart), "url(#fig9-bar1)");
}

TEST(bar_chart, says_how_tall_a_cut_bar_is) {
  const BarChart chart{.title = "t",
                       .y = {.title = "ECE", .high = 10},
                       .groups = {"resnet110 c10"},
                       .series = {"a", "b"},
                       .value = {{3.0}, {25.0}}};
  const std::string svg = chart_svg(chart);
  EXPECT_EQ(fault_in(svg), "");
  EXPECT_HAS(svg, ">25<");
}

}  // namespace
