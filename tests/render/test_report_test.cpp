#include "tare/render/json/json.hpp"
#include "tare/render/text/text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <tare/version.hpp>

#include "render/surveys.hpp"
#include "support/has.hpp"

namespace {

using namespace tare::detail;
using nlohmann::json;
using tare::detail::testing::unwrapped;

// Written by hand: 10,000 rows, calibration rejected by the first test, not by the second, the third undefined.
TestReport report() {
  TestReport r;
  r.input = {.n = 10000, .k = 10, .kind = Kind::logits, .reduction = Reduction::top_label, .source = "net.npz"};
  r.seed = 1;
  r.resamples = 999;
  r.tests = {{.name = "debias_em",
              .title = "debiased error",
              .norm = 2,
              .squared = true,
              .statistic = 0.0043782453,
              .p_value = 0.001,
              .accepted_high = 6.6e-05},
             {.name = "cox_slope",
              .title = "slope",
              .two_sided = true,
              .statistic = 1.02,
              .p_value = 0.45,
              .accepted_low = 0.91,
              .accepted_high = 1.1},
             {.name = "hosmer_lemeshow", .title = "C", .reason = "every score is 0 or 1"}};
  r.detectable = Detectable{.statistic = "debias_em", .tce = 0.0176, .path = "power c^d", .exponent = 1.223};
  r.verdict = {.outcome = Outcome::miscalibrated,
               .p_value = 0.001,
               .test = "debias_em",
               .square = {"rank_poly", 0.064, 0.06, 0.068},
               .detectable = 0.0176,
               .direction = Direction::over,
               .mean_gap = {0.043, 0.038, 0.048},
               .mean_score = 0.977,
               .mean_label = 0.934};
  return r;
}

TEST(testing_json, has_every_key_of_the_contract) {
  const json j = json::parse(render::json(report()));
  EXPECT_EQ(j.at("tare"), TARE_VERSION);
  EXPECT_EQ(j.at("command"), "test");
  EXPECT_EQ(j.at("input").at("reduction"), "top_label");
  ASSERT_EQ(j.at("tests").size(), 3U);
  EXPECT_EQ(j["tests"][0].at("name"), "debias_em");
  EXPECT_EQ(j["tests"][0].at("statistic"), 0.0043782453);
  EXPECT_EQ(j["tests"][0].at("p_value"), 0.001);
  EXPECT_EQ(j["tests"][0].at("rejected"), true);
  EXPECT_EQ(j["tests"][1].at("rejected"), false);
  EXPECT_EQ(j["tests"][1].at("accepted_low"), 0.91);
  for (const char* key : {"tce", "norm", "alpha", "power", "path", "reason", "statistic", "exponent"})
    EXPECT_TRUE(j.at("detectable").contains(key)) << key;
  EXPECT_EQ(j["detectable"]["tce"], 0.0176);
  EXPECT_EQ(j["detectable"]["path"], "power c^d");
  EXPECT_EQ(j.at("contradictions").at("misses_at_one"), 0);
  const json& v = j.at("verdict");
  EXPECT_EQ(v.at("outcome"), "miscalibrated");
  EXPECT_EQ(v.at("p_value"), 0.001);
  EXPECT_EQ(v.at("test"), "debias_em");
  EXPECT_EQ(v.at("value"), 0.064);
  EXPECT_EQ(v.at("low"), 0.06);
  EXPECT_EQ(v.at("high"), 0.068);
  EXPECT_EQ(v.at("norm"), 2);
  EXPECT_EQ(v.at("detectable"), 0.0176);
  EXPECT_EQ(v.at("direction"), "over");
  EXPECT_EQ(v.at("mean_gap"), (json{{"value", 0.043}, {"low", 0.038}, {"high", 0.048}}));
  EXPECT_EQ(v.at("shape"), "none");
  EXPECT_EQ(v.at("certain_and_wrong"), 0);
  EXPECT_NE(v.at("sentence").get<std::string>().find("Overconfident"), std::string::npos);
  EXPECT_TRUE(j.at("gate").is_null());
  EXPECT_TRUE(j.at("level").is_null());
}

TEST(testing_json, has_the_shift_of_the_base_rate) {
  auto r = report();
  r.level = LevelShift{.statistic = "debias_em", .explained = true, .p_value = 0.41, .resamples = 199, .shift = {-0.5}};
  const json j = json::parse(render::json(r));
  EXPECT_EQ(
      j.at("level"),
      (json{
          {"statistic", "debias_em"}, {"explained", true}, {"p_value", 0.41}, {"resamples", 199}, {"shift", {-0.5}}}));
}

TEST(testing_text, says_whether_a_shift_of_the_base_rate_explains_it) {
  auto r = report();
  r.level = LevelShift{.statistic = "debias_em", .explained = true, .p_value = 0.41, .resamples = 199, .shift = {-0.5}};
  EXPECT_HAS(
      unwrapped(render::text(r)),
      "A shift of the base rate alone explains it: with the log-odds moved by -0.5 (odds times 0.607), fitted to "
      "the same labels, debias_em does not reject after the shift (p = 0.410).");
  r.level->shift = {-0.5, 0, 0.5};
  EXPECT_HAS(unwrapped(render::text(r)), "of the classes moved by -0.5 to +0.5 (odds times 0.607 to 1.65)");
  r.level->explained = false;
  r.level->p_value = 0.005;
  EXPECT_HAS(
      unwrapped(render::text(r)),
      "A shift of the base rates alone does not explain it: debias_em rejects after the shift, too (p = 0.005).");
}

TEST(testing_json, says_null_and_why) {
  auto r = report();
  r.detectable->tce.reset();
  r.detectable->reason = "nothing moves";
  r.gate = Gate{"debias_em", 0.01, true};
  const json j = json::parse(render::json(r));
  EXPECT_TRUE(j["tests"][2].at("p_value").is_null());
  EXPECT_TRUE(j["tests"][2].at("rejected").is_null());
  EXPECT_EQ(j["tests"][2].at("reason"), "every score is 0 or 1");
  EXPECT_TRUE(j["detectable"]["tce"].is_null());
  EXPECT_EQ(j["detectable"]["reason"], "nothing moves");
  EXPECT_EQ(j["gate"], (json{{"statistic", "debias_em"}, {"alpha", 0.01}, {"rejected", true}}));
}

TEST(testing_text, shows_statistics_p_values_and_what_they_mean) {
  const auto t = unwrapped(render::text(report()));
  for (const char* words :
       {"net.npz", "n = 10,000", "debias_em, squared", "0.004378", "up to 6.6e-05", "0.001", "rejected", "0.91 to 1.1",
        "not rejected", "n/a: every score is 0 or 1 (hosmer_lemeshow)", "999 redrawings",
        "Overconfident: mean confidence 97.7%", "a true error of 1.76% (norm 2) in 95 of 100", "power c^d, d = 1.223"})
    EXPECT_HAS(t, words);
  EXPECT_LACKS(t, "Certain and wrong");
  EXPECT_LACKS(t, "Gate");
  EXPECT_LACKS(t, "of the other");
}

TEST(testing_text, does_not_take_silence_for_proof) {
  auto r = report();
  r.tests[0].p_value = r.verdict.p_value = 0.34;
  r.tests[1].p_value = 0.004;
  r.verdict.outcome = Outcome::nothing_found;
  const auto t = unwrapped(render::text(r));
  EXPECT_HAS(t, "No miscalibration found in 10,000 rows (p = 0.340, debias_em).");
  EXPECT_HAS(t, "1 of the other 1 tests rejects; each by itself errs in 5% of calibrated samples.");
}

TEST(testing_text, reports_certain_errors_on_their_own) {
  auto r = report();
  r.verdict.certain = {.misses_at_one = 3, .hits_at_zero = 1};
  const auto t = unwrapped(render::text(r));
  EXPECT_HAS(t, "Certain and wrong: 3 rows with a score of 1 and label 0, 1 row with a score of 0 and label 1.");
}

TEST(testing_text, says_what_the_gate_decided) {
  auto r = report();
  r.gate = Gate{"debias_em", 0.01, true};
  EXPECT_HAS(render::text(r), "Gate: debias_em at level 1%: rejected, exit status 1.");
  r.gate->rejected = false;
  EXPECT_HAS(render::text(r), "Gate: debias_em at level 1%: passed.");
}

TEST(testing_text, fits_eighty_columns) {
  auto r = report();
  r.verdict.certain.misses_at_one = 12345;
  std::istringstream lines(render::text(r));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 82U) << line;  // two bytes of a middle dot
}

}  // namespace
