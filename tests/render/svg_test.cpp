#include "tare/render/svg/svg.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "render/surveys.hpp"
#include "support/has.hpp"
#include "support/xml.hpp"
#include "tare/render/svg/pictures.hpp"

namespace {

using namespace tare::detail;
using tare::detail::testing::fault_in;
using tare::detail::testing::line;
using tare::detail::testing::overconfident;
using tare::detail::testing::per_class;
using tare::detail::testing::with_noise;

// Two bins of half the width: 10 rows of score 1/4 and 1000 of score 3/4, half of each with label 1.
Survey two_bins() {
  Survey s;
  s.input = {.n = 1010,
             .k = 2,
             .kind = Kind::probs,
             .reduction = Reduction::positive,
             .source = "t.csv",
             .total_weight = 1010};
  Measured ece = with_noise(line("ece_ew", 1, 0.25), 0.01, 0.02, Judgement::above_noise);
  ece.estimate->bins = 2;
  ece.estimate->per_bin = {{0, 0.5, 10, 0.25, 0.5}, {0.5, 1, 1000, 0.75, 0.5}};
  s.measured = {ece, line("accuracy", {}, 0.5), line("confidence", {}, 0.75)};
  return s;
}

TEST(xml, shows_markup_as_text) {
  EXPECT_EQ(render::xml("<b a=\"1\" c='2'>&amp;</b>"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;");
}

TEST(xml, keeps_every_script) {
  for (const char* name : {"naïve", "猫", "🙂.npz", "שלום.csv", "مرحبا"}) EXPECT_EQ(render::xml(name), name);
}

TEST(xml, replaces_what_xml_cannot_hold) {
  EXPECT_EQ(render::xml("a\x1b[2Jb"), "a\uFFFD[2Jb");
  EXPECT_EQ(render::xml("a\xffz"), "a\uFFFDz");
  EXPECT_EQ(render::xml("\xc0\xaf"), "\uFFFD\uFFFD");            // an overlong '/'
  EXPECT_EQ(render::xml("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // half of a surrogate pair
  EXPECT_EQ(render::xml("\xe7\x8c"), "\uFFFD\uFFFD");            // cut short
  EXPECT_EQ(render::xml("\xef\xbf\xbf"), "\uFFFD");              // U+FFFF is no character
}

TEST(shortened, keeps_the_end) {
  EXPECT_EQ(render::shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(render::shortened("abcdefg", 6), "…cdefg");
  EXPECT_EQ(render::shortened("猫猫猫", 5), "…猫猫");  // two columns each
}

TEST(percent_ticks, are_round_and_reach_the_top) {
  const auto labels = [](double high) {
    std::string out;
    for (const auto& tick : render::percent_ticks(high)) out += tick.label + " ";
    return out;
  };
  EXPECT_EQ(labels(0.75), "0 20 40 60 80 ");
  EXPECT_EQ(labels(1), "0 20 40 60 80 100 ");
  EXPECT_EQ(labels(0.87), "0 20 40 60 80 100 ");
  EXPECT_EQ(labels(0.23), "0 5 10 15 20 25 ");
  EXPECT_EQ(labels(0.004), "0 0.1 0.2 0.3 0.4 ");
}

// The diagram is 380 by 380 pixels with its origin at (60, 470).
TEST(reliability_svg, puts_bars_where_pencil_and_paper_put_them) {
  const auto svg = *render::reliability_svg(two_bins());
  EXPECT_HAS(svg, "<rect x=\"60\" y=\"375\" width=\"190\" height=\"95\" fill=\"#6f9bc8\"");
  EXPECT_HAS(svg, "<rect x=\"60\" y=\"280\" width=\"190\" height=\"95\" fill=\"url(#tare-under)\"");
  EXPECT_HAS(svg, "<rect x=\"250\" y=\"280\" width=\"190\" height=\"190\" fill=\"#6f9bc8\"");
  EXPECT_HAS(svg, "<rect x=\"250\" y=\"185\" width=\"190\" height=\"95\" fill=\"url(#tare-over)\"");
  EXPECT_HAS(svg,
             "<line x1=\"60\" y1=\"280\" x2=\"250\" y2=\"280\" fill=\"none\" stroke=\"#222\" stroke-width=\"2\" "
             "opacity=\"0.32\"/>");
  EXPECT_HAS(svg, "<circle cx=\"155\" cy=\"280\"");
  EXPECT_HAS(svg, "<circle cx=\"345\" cy=\"280\"");
}

// 48 pixels from 5 to 1000 on a logarithmic scale: log10 2 of 2 + log10 2 parts for ten rows, all of it for a thousand.
TEST(reliability_svg, counts_rows_below) {
  const auto svg = *render::reliability_svg(two_bins());
  EXPECT_HAS(svg, "<rect x=\"60\" y=\"521.72\" width=\"190\" height=\"6.28\" fill=\"#999\"");
  EXPECT_HAS(svg, "<rect x=\"250\" y=\"480\" width=\"190\" height=\"48\" fill=\"#999\"");
  EXPECT_HAS(svg, ">1k</text>");
}

TEST(reliability_svg, draws_no_gap_where_there_is_none) {
  auto s = two_bins();
  s.measured[0].estimate->per_bin = {{0, 1, 1, 0.5, 0.5}};
  const auto svg = *render::reliability_svg(s);
  EXPECT_EQ(fault_in(svg), "");
  EXPECT_HAS(svg, "<rect x=\"60\" y=\"280\" width=\"380\" height=\"190\" fill=\"#6f9bc8\"");
  EXPECT_LACKS(svg, "<rect x=\"60\" y=\"280\" width=\"380\" height=\"0\"");
}

TEST(reliability_svg, says_what_was_measured) {
  const auto svg = *render::reliability_svg(overconfident());
  for (const char* words :
       {">net.npz<", ">n = 10,000 · K = 10 · top_label<", ">ece_ew (l1), 15 bins: 4.75%<",
        ">a perfectly calibrated model of this n: 0.60% on average, up to 0.90%<", ">confidence, %<", ">accuracy, %<",
        ">rows (log)<", ">perfectly calibrated<", ">confidence above it<"})
    EXPECT_HAS(svg, words);
}

TEST(reliability_svg, says_that_there_is_no_floor) {
  auto s = overconfident();
  s.measured[0].floor = {};
  EXPECT_HAS(*render::reliability_svg(s), "its noise floor was not computed");
}

TEST(reliability_svg, draws_the_worst_class) {
  const auto svg = *render::reliability_svg(per_class());
  EXPECT_HAS(svg, ">class dog<");
  EXPECT_HAS(svg, "3.30%");
  EXPECT_HAS(*render::reliability_svg(per_class(), {.class_index = 2}), ">class eel<");
}

TEST(reliability_svg, names_its_patterns_after_the_picture) {
  const auto svg = *render::reliability_svg(two_bins(), {.id = "p2"});
  EXPECT_HAS(svg, "<pattern id=\"p2-over\"");
  EXPECT_HAS(svg, "url(#p2-over)");
  EXPECT_LACKS(svg, "tare-over");
}

TEST(reliability_svg, explains_what_cannot_be_drawn) {
  auto s = overconfident();
  EXPECT_HAS(render::reliability_svg(s, {.estimator = "kde"}).error().what, "at least two different scores");
  EXPECT_HAS(render::reliability_svg(s, {.estimator = "accuracy"}).error().what, "accuracy has no bins");
  EXPECT_HAS(render::reliability_svg(s, {.estimator = "ks"}).error().what, "was not measured");
  EXPECT_FALSE(render::reliability_svg(Survey{}));
  s.measured[0].estimate->per_bin = {};
  s.measured[0].estimate->bins = 12345;  // a sweep does not list so many
  EXPECT_HAS(render::reliability_svg(s).error().what, "has 12,345 bins, more than the 1,000");
}

TEST(pictures, are_well_formed_whatever_names_hold) {
  auto s = per_class();
  s.input.source = "<script>alert(\"x\")</script>&'\xff\x01\u202E.npz";
  s.class_names[1] = "</text><b>🙂 \"שלום\" & co]]>";
  for (const auto& svg : {*render::reliability_svg(s), *render::histogram_svg(s)}) {
    EXPECT_EQ(fault_in(svg), "");
    EXPECT_LACKS(svg, "<script");
    EXPECT_LACKS(svg, "<b>");
    EXPECT_HAS(svg, "&lt;script&gt;alert(&quot;x&quot;)");
    EXPECT_HAS(svg, "class &lt;/text&gt;&lt;b&gt;🙂 &quot;שלום&quot; &amp; co]]&gt;");
  }
}

// Shares 1/4 and 3/4 on an axis that ends at 80%, 260 pixels high, its origin at (60, 350).
TEST(histogram_svg, puts_bars_and_marks_where_pencil_and_paper_put_them) {
  auto s = two_bins();
  s.measured[0].estimate->per_bin[0].count = 1;
  s.measured[0].estimate->per_bin[1].count = 3;
  const auto svg = *render::histogram_svg(s);
  EXPECT_HAS(svg, "<rect x=\"60\" y=\"268.75\" width=\"190\" height=\"81.25\"");
  EXPECT_HAS(svg, "<rect x=\"250\" y=\"106.25\" width=\"190\" height=\"243.75\"");
  EXPECT_HAS(svg,
             "<line x1=\"250\" y1=\"90\" x2=\"250\" y2=\"350\" fill=\"none\" stroke=\"#222\" stroke-width=\"2\"/>");
  EXPECT_HAS(svg,
             "<line x1=\"345\" y1=\"90\" x2=\"345\" y2=\"350\" fill=\"none\" stroke=\"#222\" stroke-width=\"2\" "
             "stroke-dasharray=\"6 4\"/>");
  EXPECT_HAS(svg, ">observed rate 50.0%<");
  EXPECT_HAS(svg, ">mean probability 75.0%<");
  EXPECT_HAS(svg, ">share of rows, %<");
}

TEST(histogram_svg, refuses_bins_of_different_widths) {
  auto s = two_bins();
  s.measured[0].estimate->per_bin[0].upper = s.measured[0].estimate->per_bin[1].lower = 0.7;
  const auto picture = render::histogram_svg(s);
  ASSERT_FALSE(picture);
  EXPECT_HAS(picture.error().what, "not of equal width");
  EXPECT_HAS(picture.error().remedy, "ece_ew");
}

}  // namespace
