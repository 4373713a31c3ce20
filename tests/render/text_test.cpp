#include "tare/render/text/text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "render/surveys.hpp"
#include "tare/render/text/diagram.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/words/conclusion.hpp"

namespace {

using namespace tare::inner;
using tare::inner::testing::overconfident;
using tare::inner::testing::per_class;
using tare::inner::testing::unclear;

// Line breaks are a matter of width; the words are not.
std::string unwrapped(std::string s) {
  for (char& c : s)
    if (c == '\n') c = ' ';
  return s;
}

std::string line_with(const std::string& text, const std::string& what) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find(what) != std::string::npos) return line;
  return {};
}

#define EXPECT_HAS(text, what) EXPECT_NE((text).find(what), std::string::npos) << "no '" << (what) << "' in\n" << (text)
#define EXPECT_LACKS(text, what) EXPECT_EQ((text).find(what), std::string::npos) << "'" << (what) << "' in\n" << (text)

// What is printed is what is meant: no minus before a zero, and no zero for what is none.
TEST(numbers, that_are_not_zero_do_not_look_like_it) {
  EXPECT_EQ(render::percent(0), "0.00");
  EXPECT_EQ(render::percent(0.0475), "4.75");
  EXPECT_EQ(render::percent(0.00006), "0.01");
  EXPECT_EQ(render::percent(0.00004), "0.004");
  EXPECT_EQ(render::percent(2.9e-10), "2.9e-08");
  EXPECT_EQ(render::signed_percent(-1e-9), "+0.0");
  EXPECT_EQ(render::signed_number(-0.00001, 4), "+0.0000");
  EXPECT_EQ(render::signed_number(-0.00001, 4, true), "-1.0e-05");
  EXPECT_EQ(render::signed_number(-0.0123, 4, true), "-0.0123");
  EXPECT_EQ(render::fixed(-0.00001, 4), "0.0000");
  EXPECT_EQ(render::fixed(-0.5, 1), "-0.5");
  EXPECT_EQ(render::grouped(1e-4), "0.0001");
  EXPECT_EQ(render::grouped(0.5), "0.500");
}

TEST(text, shows_what_the_weights_mean) {
  Survey s = overconfident();
  s.input.note = "the weights sum to 1 over 1000 rows";
  EXPECT_HAS(unwrapped(render::text(s)), "Note: the weights sum to 1 over 1000 rows.");
}

TEST(text, names_input_and_reduction) {
  const auto t = unwrapped(render::text(overconfident()));
  EXPECT_HAS(t, "net.npz");
  EXPECT_HAS(t, "n = 10,000 · K = 10 · from logits · reduction top_label");
}

TEST(text, puts_both_norms_on_one_line_when_they_agree) {
  const auto row = line_with(render::text(overconfident()), "ece_ew  ");
  for (const char* cell : {"4.75", "0.60–0.90", "6.67", "1.10–1.80", "strongly miscalibrated"}) EXPECT_HAS(row, cell);
}

TEST(text, says_both_degrees_on_one_line) {
  auto s = overconfident();
  s.measured[1].verdict = Judgement::miscalibrated;
  EXPECT_HAS(line_with(render::text(s), "4.75"), "6.67  1.10–1.80             strongly / miscalibrated");
}

TEST(text, takes_two_lines_when_the_verdicts_disagree) {
  auto s = overconfident();
  s.measured[1].verdict = Judgement::within_noise;
  const auto t = render::text(s);
  EXPECT_HAS(line_with(t, "4.75"), "strongly miscalibrated");
  EXPECT_HAS(line_with(t, "6.67"), "within noise");
}

TEST(text, shows_intervals_and_why_there_is_none) {
  const auto t = unwrapped(render::text(overconfident()));
  EXPECT_HAS(t, "6.02–6.80");
  EXPECT_HAS(t, "93.00–94.00");
  EXPECT_HAS(t, "0.1200–0.1300");  // the Brier score is no percentage
  EXPECT_HAS(t, "interval: normal (debias_em, accuracy, confidence, brier)");
  EXPECT_HAS(t, "a resampled ECE doubles its bias (ece_ew)");
  EXPECT_HAS(t, "n/a: kde needs at least two different scores (kde)");
  EXPECT_HAS(t, "brier: reliability 0.0100, resolution 0.0200, uncertainty 0.1334");
}

TEST(text, fits_the_width) {
  for (const int width : {80, 100, 140}) {
    std::istringstream in(render::text(overconfident(), {.width = width}));
    for (std::string line; std::getline(in, line);)
      EXPECT_LE(render::display_width(line), static_cast<std::size_t>(width)) << line;
  }
}

TEST(text, says_nothing_by_colour_alone) {
  const auto plain = render::text(overconfident());
  EXPECT_LACKS(plain, "\033");
  auto coloured = render::text(overconfident(), {.colour = true});
  EXPECT_HAS(coloured, "\033[31m");
  for (std::size_t at; (at = coloured.find('\033')) != std::string::npos;)
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  EXPECT_EQ(coloured, plain);
}

TEST(text, does_not_let_a_name_move_the_cursor) {
  auto s = overconfident();
  s.input.source = "evil\033[2J.npz";
  EXPECT_LACKS(render::text(s), "\033");
}

TEST(conclusion, says_how_much_overconfident) {
  const auto c = render::conclusion(overconfident());
  EXPECT_HAS(c, "Overconfident: mean confidence 97.7% is 4.3 percentage points above accuracy 93.4%");
  EXPECT_HAS(c, "n = 10,000 is enough to tell: ece_ew (l1) is 4.75%");
  EXPECT_HAS(c, "below 0.90%");
}

TEST(conclusion, says_underconfident) {
  auto s = overconfident();
  s.measured[5].estimate->value = 0.90;
  EXPECT_HAS(render::conclusion(s), "Underconfident: mean confidence 90.0% is 3.4 percentage points below accuracy");
}

TEST(conclusion, admits_that_n_is_too_small) {
  const auto c = render::conclusion(unclear());
  EXPECT_HAS(c, "n = 200 is not enough to tell");
  EXPECT_HAS(c, "up to 7.77%");
}

TEST(conclusion, mentions_estimators_that_disagree_with_the_reference) {
  auto s = unclear();
  s.measured[1].verdict = Judgement::miscalibrated;
  EXPECT_HAS(render::conclusion(s), "(1) do see more than noise");
}

TEST(conclusion, names_no_side_inside_the_interval_of_the_accuracy) {
  auto s = overconfident();
  s.measured[5].estimate->value = 0.936;
  EXPECT_HAS(render::conclusion(s), "On average neither over- nor underconfident (mean confidence 93.6%");
}

TEST(conclusion, speaks_of_probabilities_for_the_positive_class) {
  auto s = overconfident();
  s.input.reduction = Reduction::positive;
  EXPECT_HAS(render::conclusion(s), "Predicted probabilities are too high on average: the mean probability 97.7% is");
}

TEST(conclusion, needs_the_noise_floor_to_judge) {
  auto s = overconfident();
  for (auto& m : s.measured) m.floor = m.floor_high = {}, m.verdict = Judgement::none;
  EXPECT_HAS(render::conclusion(s), "without its noise floor");
}

TEST(conclusion, is_empty_when_nothing_was_measured) { EXPECT_EQ(render::conclusion(Survey{}), ""); }

TEST(classwise, ranks_classes_by_name) {
  const auto t = render::text(per_class());
  EXPECT_LT(t.find("\ndog"), t.find("\neel"));
  EXPECT_LT(t.find("\neel"), t.find("\ncat"));
  EXPECT_HAS(t, "class dog");
  EXPECT_HAS(unwrapped(t), "the worst class is dog with 3.30%");
}

// With 20 columns a bin of accuracy 0.5 and confidence 0.75 is 10 solid, 5 hollow, then the mark; the other way
// round 10 solid, the mark, 5 dense.
TEST(diagram, shows_the_gap_by_texture) {
  const auto over = render::diagram({{0.7, 0.8, 5, 0.75, 0.5}}, Reduction::top_label, {.width = 58});
  EXPECT_HAS(over, "  ██████████░░░░░┃  ");
  EXPECT_HAS(over, "+25.0");
  const auto under = render::diagram({{0.4, 0.6, 5, 0.5, 0.75}}, Reduction::top_label, {.width = 58});
  EXPECT_HAS(under, "  ██████████┃▓▓▓▓▓  ");
  EXPECT_HAS(under, "-25.0");
}

TEST(diagram, draws_the_extremes) {
  const auto none = render::diagram({{0, 0.1, 5, 0, 0}}, Reduction::positive, {.width = 58});
  EXPECT_HAS(none, "0.000 - 0.100  ┃ ");
  const auto all = render::diagram({{0.9, 1, 5, 1, 1}}, Reduction::positive, {.width = 58});
  EXPECT_HAS(all, "  ████████████████████┃ ");
}

TEST(layout, groups_thousands) {
  EXPECT_EQ(render::grouped(0), "0");
  EXPECT_EQ(render::grouped(999), "999");
  EXPECT_EQ(render::grouped(1000), "1,000");
  EXPECT_EQ(render::grouped(123456789), "123,456,789");
  EXPECT_EQ(render::grouped(1234.5), "1,234.500");
}

TEST(layout, wraps_between_words) {
  EXPECT_EQ(render::wrap("aaaa bbbb cccc dddd eeee ffff", 20), "aaaa bbbb cccc dddd\neeee ffff\n");
  EXPECT_EQ(render::wrap("", 20), "");
}

TEST(layout, leaves_out_empty_columns) {
  render::Table t({{"a"}, {"b"}, {"c", true}});
  t.add({{"x"}, {}, {"1"}});
  t.add({{"yy"}, {}, {"22"}});
  EXPECT_EQ(t.str(false), "a    c\nx    1\nyy  22\n");
}

}  // namespace
