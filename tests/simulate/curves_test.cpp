#include "tare/simulate/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/data.hpp"

namespace tare::detail::simulate {
namespace {

using tare::detail::testing::must;

ScorePoint at(double c) { return {c, 1 - c}; }

std::string message(std::string_view text) { return tare::detail::sentence(parse_curve(text).error()); }
std::string hint(std::string_view text) { return parse_curve(text).error().remedy; }

// Every family once, with coefficients for which it stays in [0, 1].
const std::vector<std::string> examples = {
    "identity",           "logit_logit:-0.88,0.49",    "logit_logflip:-0.27,-0.35",
    "log_log:-0.03,1.27", "logflip_logflip:-0.24,0.3", "power:2.5",
    "flipped_power:1.7",  "logistic:10,0.5",           "isotonic:0.1,0.05,0.4,0.2,0.4,0.3,0.9,0.8"};

TEST(curves, have_the_values_of_their_formulas) {
  const double c = 0.8, u = 0.2;
  const auto logistic = [](double v) { return 1 / (1 + std::exp(-v)); };
  const auto value = [&](std::string_view text) { return must(parse_curve(text)).hit({c, u}); };
  EXPECT_NEAR(value("log_log:-0.03,1.27"), std::exp(-0.03) * std::pow(c, 1.27), 1e-15);
  EXPECT_NEAR(value("logflip_logflip:-0.24,0.3"), 1 - std::exp(-0.24) * std::pow(u, 0.3), 1e-15);
  EXPECT_NEAR(value("logit_logit:-0.88,0.49"), logistic(-0.88 + 0.49 * std::log(4)), 1e-15);
  EXPECT_NEAR(value("logit_logflip:-0.27,-0.35"), logistic(-0.27 - 0.35 * std::log(0.2)), 1e-15);
  EXPECT_NEAR(value("power:2.5"), std::pow(c, 2.5), 1e-15);
  EXPECT_NEAR(value("flipped_power:1.7"), 1 - std::pow(u, 1.7), 1e-15);
  EXPECT_NEAR(value("logistic:10,0.5"), logistic(3), 1e-15);
  EXPECT_EQ(value("identity"), c);
}

TEST(curves, example_list_has_every_family) {
  ASSERT_EQ(examples.size(), curves().size());
  for (const CurveFamily& row : curves())
    EXPECT_TRUE(std::any_of(examples.begin(), examples.end(), [&](const auto& e) { return e.starts_with(row.name); }))
        << row.name;
}

TEST(curves, hits_and_misses_sum_to_one_and_rise) {
  for (const auto& text : examples) {
    const Curve curve = must(parse_curve(text));
    double before = -1;
    for (int i = 0; i <= 1000; ++i) {
      const ScorePoint p = at(i / 1000.0);
      EXPECT_NEAR(curve.hit(p) + curve.miss(p), 1, 1e-15) << text << " " << p.c;
      EXPECT_GE(curve.hit(p), before) << text << " " << p.c;
      before = curve.hit(p);
    }
  }
}

TEST(curves, keep_their_digits_where_the_score_rounds_to_one) {
  const ScorePoint p{1, 1e-30};
  EXPECT_NEAR(must(parse_curve("logflip_logflip:-0.24,0.3")).miss(p) / (std::exp(-0.24) * 1e-9), 1, 1e-13);
  EXPECT_NEAR(must(parse_curve("logit_logit:0,0.5")).miss(p) / 1e-15, 1, 1e-13);
  EXPECT_NEAR(must(parse_curve("logit_logflip:0,-0.5")).miss(p) / 1e-15, 1, 1e-13);
  EXPECT_NEAR(must(parse_curve("power:3")).miss(p) / 3e-30, 1, 1e-13);
  EXPECT_NEAR(must(parse_curve("flipped_power:0.5")).miss(p) / 1e-15, 1, 1e-13);
  EXPECT_NEAR(must(parse_curve("log_log:0,2")).miss(p) / 2e-30, 1, 1e-13);
  const ScorePoint low{1e-30, 1};
  EXPECT_NEAR(must(parse_curve("logit_logit:0,0.5")).hit(low) / 1e-15, 1, 1e-13);
  EXPECT_NEAR(must(parse_curve("flipped_power:3")).hit(low) / 3e-30, 1, 1e-13);
}

TEST(curves, have_limits_at_zero_and_one) {
  const ScorePoint zero{0, 1}, one{1, 0};
  for (const std::string_view text : {"logit_logit:0.3,0.5", "logit_logflip:-0.3,-0.5", "logflip_logflip:-0.3,0.5"}) {
    EXPECT_EQ(must(parse_curve(text)).hit(one), 1) << text;
    EXPECT_EQ(must(parse_curve(text)).miss(one), 0) << text;
  }
  EXPECT_EQ(must(parse_curve("logit_logit:0.3,0.5")).hit(zero), 0);
  EXPECT_EQ(must(parse_curve("log_log:-0.3,0.5")).hit(zero), 0);
  EXPECT_EQ(must(parse_curve("log_log:-0.3,0.5")).hit(one), std::exp(-0.3));
  // a slope of 0 leaves a constant, also where the transform is infinite
  EXPECT_EQ(must(parse_curve("logit_logit_b0:0")).hit(one), 0.5);
  EXPECT_EQ(must(parse_curve("log_log_b0:-1")).hit(zero), std::exp(-1));
}

TEST(curves, contain_the_identity_at_zero_and_one) {
  for (const std::string_view text :
       {"logit_logit:0,1", "log_log:0,1", "logflip_logflip:0,1", "power:1", "flipped_power:1", "isotonic:0,0,1,1"})
    for (const ScorePoint p : {at(0.125), at(0.5), at(0.9375), ScorePoint{1, 1e-17}}) {
      EXPECT_NEAR(must(parse_curve(text)).hit(p), p.c, 1e-15) << text;
      EXPECT_NEAR(must(parse_curve(text)).miss(p), p.u, 1e-15 * std::max(0.001, p.u)) << text;
    }
}

TEST(isotonic, is_linear_between_knots_level_outside_and_jumps_at_double_knots) {
  const Curve curve = must(parse_curve("isotonic:0.25,0.125,0.5,0.25,0.5,0.5,0.75,1"));
  EXPECT_EQ(curve.hit(at(0)), 0.125);
  EXPECT_EQ(curve.hit(at(0.25)), 0.125);
  EXPECT_EQ(curve.hit(at(0.375)), 0.1875);
  EXPECT_NEAR(curve.hit(at(std::nextafter(0.5, 0))), 0.25, 1e-15);
  EXPECT_EQ(curve.hit(at(0.5)), 0.5);
  EXPECT_EQ(curve.hit(at(0.625)), 0.75);
  EXPECT_EQ(curve.hit(at(0.75)), 1);
  EXPECT_EQ(curve.hit(at(1)), 1);
  EXPECT_EQ(curve.miss(at(0.875)), 0);
}

TEST(isotonic, names_its_bends_and_crossings) {
  const auto points = [](std::string_view text) {
    const Curve curve = must(parse_curve(text));
    std::vector<double> out;
    for (const ScorePoint p : curve.family->breaks(curve.coefficients)) out.push_back(p.c);
    return out;
  };
  using List = std::vector<double>;
  EXPECT_EQ(points("isotonic:0.25,0.125,0.5,0.25,0.5,0.5,0.75,1"), (List{0.125, 0.25, 0.5, 0.75}));
  EXPECT_EQ(points("isotonic:0.5,0.25"), (List{0.25, 0.5}));    // a constant below its knot
  EXPECT_EQ(points("isotonic:0.25,0.75"), (List{0.25, 0.75}));  // and above it
  EXPECT_EQ(points("isotonic:0,0.25,1,0.75"), (List{0.5}));     // crosses half way
  EXPECT_EQ(points("isotonic:0,0,1,1"), (List{}));
}

TEST(curve, of_half_strength_lies_half_way_to_the_identity) {
  for (const auto& text : examples) {
    Curve curve = must(parse_curve(text));
    const ScorePoint p = at(0.8125);
    const double full = curve.hit(p);
    curve.strength = 0.25;
    EXPECT_NEAR(curve.hit(p) - p.c, (full - p.c) / 4, 1e-15) << text;
    EXPECT_NEAR(curve.hit(p) + curve.miss(p), 1, 1e-15) << text;
    curve.strength = 0;
    EXPECT_EQ(curve.hit(p), p.c) << text;
    EXPECT_EQ(curve.miss({1, 1e-30}), 1e-30) << text;
  }
}

TEST(parse_curve, reads_what_to_text_writes) {
  for (const auto& text : examples) EXPECT_EQ(to_text(must(parse_curve(text))), text);
  EXPECT_EQ(to_text(must(parse_curve("power:0.1000000000000000055"))), "power:0.1");
}

TEST(parse_curve, takes_the_suffixes_of_the_paper) {
  EXPECT_EQ(to_text(must(parse_curve("logit_logit_b1:0.26"))), "logit_logit:0,0.26");
  EXPECT_EQ(to_text(must(parse_curve("log_log_b0:-0.13"))), "log_log:-0.13,0");
  EXPECT_EQ(to_text(must(parse_curve("logflip_logflip_b0_b1:-0.24,0.30"))), "logflip_logflip:-0.24,0.3");
}

TEST(parse_curve, says_what_is_wrong_and_what_to_write) {
  EXPECT_EQ(message("logit_logti:0,1"), "there is no curve 'logit_logti'");
  EXPECT_EQ(hint("logit_logti:0,1"), "did you mean logit_logit?");
  EXPECT_NE(hint("spline:3").find("there are: identity logit_logit"), std::string::npos);
  EXPECT_EQ(message("power_b0:2"), "there is no curve 'power_b0'");
  EXPECT_EQ(message("logit_logit:0.3"),
            "the curve 'logit_logit' has 2 coefficients (b0, b1), and there is 1 in 'logit_logit:0.3'");
  EXPECT_EQ(hint("logit_logit:0.3"), "write logit_logit:b0,b1");
  EXPECT_EQ(message("logit_logit_b1:0.3,1"),
            "the curve 'logit_logit_b1' has 1 coefficient (b1), and there are 2 in 'logit_logit_b1:0.3,1'");
  EXPECT_EQ(message("power"), "the curve 'power' has 1 coefficient (d), and there are 0 in 'power'");
  EXPECT_EQ(message("identity:1"), "the curve 'identity' has 0 coefficients, and there is 1 in 'identity:1'");
  EXPECT_EQ(message("power:two"), "in the curve 'power:two': 'two' is not a number");
  EXPECT_EQ(message("power:"), "in the curve 'power:': '' is not a number");
  EXPECT_EQ(message("power:nan"), "in the curve 'power:nan': 'nan' is not a number");
  EXPECT_EQ(message("log_log:1,inf"), "in the curve 'log_log:1,inf': 'inf' is not a number");
  EXPECT_EQ(message("power:1,"), "in the curve 'power:1,': '' is not a number");
  EXPECT_EQ(message("power:-1"), "in the curve 'power:-1': d must be above 0");
  EXPECT_EQ(message("isotonic:0,0,1"),
            "the curve 'isotonic' has pairs of coefficients (x, y), and there are 3 in 'isotonic:0,0,1'");
  EXPECT_EQ(hint("isotonic:0,0,1"), "write isotonic:x,y,x,y,...");
  EXPECT_EQ(message("isotonic:0,0.5,1,0.4"), "in the curve 'isotonic:0,0.5,1,0.4': the y must not fall");
  EXPECT_EQ(message("isotonic:0,2"), "in the curve 'isotonic:0,2': every y must be in [0, 1]");
  EXPECT_EQ(message("isotonic:0,0,0,0,0,1"), "in the curve 'isotonic:0,0,0,0,0,1': no x may occur three times");
}

TEST(models, are_ten_and_keep_their_scores_when_perfect) {
  ASSERT_EQ(models().size(), 10U);
  for (const PublishedModel& row : models()) {
    const Truth fitted = must(model(row.name)), perfect = must(model(row.name, true));
    EXPECT_EQ(fitted.scores.kind, ScoreKind::beta);
    EXPECT_EQ(fitted.scores.alpha, row.alpha);
    EXPECT_EQ(perfect.scores.beta, row.beta);
    EXPECT_EQ(perfect.curve.family->name, "identity");
    EXPECT_NE(fitted.name, perfect.name);
  }
  const Error error = model("resnet110_sd_c10").error();
  EXPECT_EQ(tare::detail::sentence(error), "there is no model 'resnet110_sd_c10'");
  EXPECT_NE(error.remedy.find("resnet110_SD_c10"), std::string::npos) << error.remedy;
}

}  // namespace
}  // namespace tare::detail::simulate
