#include "tare/render/text/text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "render/surveys.hpp"
#include "support/has.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/text/charts.hpp"
#include "tare/render/text/layout.hpp"

namespace {

using namespace tare::detail;
using tare::detail::testing::overconfident;
using tare::detail::testing::per_class;
using tare::detail::testing::unclear;
using tare::detail::testing::unwrapped;

// Line breaks are a matter of width; the words are not.
std::string estimate_row_with(const std::string& text, const std::string& what) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find(what) != std::string::npos) return line;
  return {};
}

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
  const auto row = estimate_row_with(render::text(overconfident(), {.all = true}), "ece_ew  ");
  for (const char* cell : {"4.75", "0.60–0.90", "6.67", "1.10–1.80", "above noise"}) EXPECT_HAS(row, cell);
}

TEST(text, takes_two_lines_when_only_one_is_above_its_noise) {
  auto s = overconfident();
  s.measured[1].judgement = Judgement::within_noise;
  const auto t = render::text(s, {.all = true});
  EXPECT_HAS(estimate_row_with(t, "ece_ew    "), "above noise");
  EXPECT_HAS(estimate_row_with(t, "6.67"), "within noise");
}

// Sentence, headline, diagram, five numbers: what a person reads first stands first.
TEST(text, begins_with_the_answer) {
  const auto t = unwrapped(render::text(overconfident()));
  std::size_t before = 0;
  for (const char* words :
       {"net.npz", "Overconfident: mean confidence 97.7% is 4.3 points above accuracy 93.4% (p = 0.001, smooth_test).",
        "Estimated true error: mean gap 4.4% [4.0, 4.8], root mean square gap 6.4% [6.0, 6.8] (95% intervals).",
        "reliability diagram", "what people quote", "ECE, ece_ew (l1), %    4.75  up to 0.90", "brier (multiclass)"}) {
    const auto at = t.find(words);
    ASSERT_NE(at, std::string::npos) << "no '" << words << "' in\n" << t;
    EXPECT_GE(at, before) << words;
    before = at;
  }
  EXPECT_LACKS(t, "debias_em");
}

TEST(text, calls_the_base_rate_by_its_name) {
  auto s = overconfident();
  s.input.reduction = s.test->input.reduction = Reduction::positive;
  for (const bool all : {false, true}) {
    const auto t = render::text(s, {.all = all});
    EXPECT_HAS(t, "observed rate, %");
    EXPECT_HAS(t, "mean probability, %");
    EXPECT_LACKS(t, "accuracy");
  }
}

TEST(text, shows_intervals_and_why_there_is_none) {
  const auto t = unwrapped(render::text(overconfident(), {.all = true}));
  EXPECT_HAS(t, "6.02–6.80");
  EXPECT_HAS(t, "93.00–94.00");
  EXPECT_HAS(t, "0.1200–0.1300");  // the Brier score is no percentage
  EXPECT_HAS(t, "interval: normal (debias_em, accuracy, mean confidence, brier)");
  EXPECT_HAS(t, "a resampled ECE doubles its bias (ece_ew)");
  EXPECT_HAS(t, "n/a: kde needs at least two different scores (kde)");
  EXPECT_HAS(t, "brier: multiclass 0.1234 = reliability 0.0100 - resolution 0.0200 + uncertainty 0.1334");
}

TEST(text, fits_the_width) {
  for (const int width : {80, 100, 140}) {
    for (const bool all : {false, true}) {
      std::istringstream in(render::text(overconfident(), {.width = width, .all = all}));
      for (std::string line; std::getline(in, line);)
        EXPECT_LE(render::display_width(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST(text, says_nothing_by_colour_alone) {
  const auto plain = render::text(overconfident(), {.all = true});
  EXPECT_LACKS(plain, "\033");
  auto coloured = render::text(overconfident(), {.colour = true, .all = true});
  EXPECT_HAS(coloured, "\033[33m");
  for (std::size_t at; (at = coloured.find('\033')) != std::string::npos;)
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  EXPECT_EQ(coloured, plain);
}

TEST(text, does_not_let_a_name_move_the_cursor) {
  auto s = overconfident();
  s.input.source = "evil\033[2J.npz";
  EXPECT_LACKS(render::text(s), "\033");
}

TEST(verdict, says_how_much_overconfident) {
  EXPECT_EQ(render::conclusion(overconfident()),
            "Overconfident: mean confidence 97.7% is 4.3 points above accuracy 93.4% (p = 0.001, smooth_test).");
}

TEST(verdict, says_underconfident) {
  auto s = overconfident();
  Verdict& v = s.test->verdict;
  v.direction = Direction::under;
  v.mean_gap = {-0.034, -0.04, -0.03};
  v.mean_score = 0.9;
  EXPECT_HAS(render::conclusion(s), "Underconfident: mean confidence 90.0% is 3.4 points below accuracy 93.4%");
}

TEST(verdict, names_what_would_have_been_found) {
  EXPECT_EQ(render::conclusion(unclear()),
            "No miscalibration found in 200 rows (p = 0.420, smooth_test). An error of 8.1% or more (root mean square "
            "gap) would have been found.");
}

TEST(verdict, admits_that_nobody_can_tell) {
  auto s = unclear();
  s.test->input.n = 30;
  s.test->verdict.outcome = Outcome::cannot_tell;
  s.test->verdict.detectable = 0.32;
  EXPECT_EQ(render::conclusion(s),
            "Cannot tell: 30 rows only show errors above 32.0 points (root mean square gap), and none was found (p = "
            "0.420, smooth_test).");
  s.test->verdict.detectable = {};
  EXPECT_HAS(render::conclusion(s), "what 30 rows would show is not known");
}

TEST(verdict, says_which_way_the_spread_is_wrong) {
  auto s = overconfident();
  s.test->verdict.shape = Shape::too_extreme;
  s.test->verdict.direction = Direction::none;
  EXPECT_HAS(render::conclusion(s), "The confidences are too extreme: high ones are too high and low ones too low (p");
  s.test->verdict.shape = Shape::too_timid;
  EXPECT_HAS(render::conclusion(s), "too timid: high ones are too low and low ones too high");
}

TEST(verdict, names_rows_that_were_certain_and_wrong) {
  auto s = overconfident();
  s.test->verdict.direction = Direction::none;
  s.test->verdict.certain = {.misses_at_one = 3, .hits_at_zero = 1, .rows = 100};
  s.test->verdict.p_value = 4e-6;
  EXPECT_EQ(render::conclusion(s),
            "Miscalibrated (p < 0.001, smooth_test). Certain and wrong: 3 rows with a score of 1 and label 0, 1 row "
            "with a score of 0 and label 1. A calibrated model is never wrong where it is certain.");
}

TEST(verdict, speaks_of_probabilities_for_the_positive_class) {
  auto s = overconfident();
  s.test->input.reduction = Reduction::positive;
  EXPECT_HAS(render::conclusion(s),
             "The probabilities are too high on average: the mean probability 97.7% is 4.3 points above the observed "
             "rate 93.4%");
}

TEST(verdict, says_why_the_quoted_error_disagrees) {
  EXPECT_EQ(render::disagreement(overconfident()), "");
  EXPECT_EQ(render::disagreement(unclear()), "");
  auto s = overconfident();
  s.measured[0].judgement = Judgement::within_noise;
  EXPECT_HAS(render::disagreement(s), "ece_ew (l1) is 4.75%, and chance alone shows up to 0.90%. Bins see less");
  s = unclear();
  s.measured[0].judgement = Judgement::above_noise;
  EXPECT_HAS(render::disagreement(s), "does not confirm it");
}

TEST(conclusion, needs_the_noise_floor_to_judge) {
  auto s = overconfident();
  s.test = {};
  for (auto& m : s.measured) m.floor = m.floor_high = {}, m.judgement = Judgement::none;
  EXPECT_HAS(render::conclusion(s), "labels were not redrawn");
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
  const auto over = render::diagram({{0.7, 0.8, 5, 0.75, 0.5}}, {}, Reduction::top_label, {.width = 60});
  EXPECT_HAS(over, "  ██████████░░░░░┃  ");
  EXPECT_HAS(over, "+25.0");
  const auto under = render::diagram({{0.4, 0.6, 5, 0.5, 0.75}}, {}, Reduction::top_label, {.width = 60});
  EXPECT_HAS(under, "  ██████████┃▓▓▓▓▓  ");
  EXPECT_HAS(under, "-25.0");
}

// By chance the bar of 20 columns would end between 0.6 (12) and 0.9 (18).
TEST(diagram, marks_where_chance_would_end) {
  const auto out = render::diagram({{0.7, 0.8, 5, 0.75, 0.5}}, {{0.6, 0.9}}, Reduction::top_label, {.width = 60});
  EXPECT_HAS(out, "  ██████████░░[░░┃  ]  ");
  EXPECT_HAS(out, "+25.0 !");
  const auto fine = render::diagram({{0.7, 0.8, 5, 0.75, 0.7}}, {{0.6, 0.9}}, Reduction::top_label, {.width = 60});
  EXPECT_LACKS(fine, "+5.0 !");
}

TEST(diagram, draws_the_extremes) {
  const auto none = render::diagram({{0, 0.1, 5, 0, 0}}, {}, Reduction::positive, {.width = 60});
  EXPECT_HAS(none, "0.000 - 0.100  ┃ ");
  const auto all = render::diagram({{0.9, 1, 5, 1, 1}}, {}, Reduction::positive, {.width = 60});
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
