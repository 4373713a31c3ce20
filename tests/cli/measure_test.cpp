// The program from end to end, on files as users have them.
#include "cli/program.hpp"
#include "support/sanitized.hpp"

namespace {

using measure = tare::detail::testing::Program;
using nlohmann::json;
using tare::detail::testing::sanitized;

// Four rows in one bin of two: mean confidence 0.75, two hits of four, so the gap is 0.25 for both norms.
const char* const by_hand = "confidence,correct\n0.75,1\n0.75,0\n0.75,1\n0.75,0\n";

const json* estimate(const json& answer, const std::string& name, const json& norm) {
  for (const auto& e : answer.at("estimates"))
    if (e.at("name") == name && e.at("norm") == norm && e.at("class").is_null()) return &e;
  return nullptr;
}

TEST_F(measure, agrees_with_paper_and_pencil) {
  write("t.csv", by_hand);
  const auto ran = run("$tare measure t.csv --bins 2 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const json answer = json::parse(ran.out);
  for (const int norm : {1, 2}) {
    const json* ece = estimate(answer, "ece_ew", norm);
    ASSERT_NE(ece, nullptr);
    EXPECT_DOUBLE_EQ(ece->at("value").get<double>(), 0.25);
    EXPECT_EQ(ece->at("bins"), 2);
    ASSERT_EQ(ece->at("per_bin").size(), 1U);
    EXPECT_EQ(ece->at("per_bin")[0].at("count"), 4);
  }
  EXPECT_DOUBLE_EQ(estimate(answer, "accuracy", nullptr)->at("value").get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(estimate(answer, "confidence", nullptr)->at("value").get<double>(), 0.75);
}

// All wrong, and one row in every bin: no zero, no noise, no verdict, and the reason in both forms.
TEST_F(measure, has_no_debiased_error_where_every_bin_holds_one_row) {
  write("t.csv", "confidence,correct\n0.9,0\n0.91,0\n0.92,0\n0.97,0\n");
  const auto ran = run("$tare measure t.csv --json --estimators debias_em");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  const json* debias = estimate(answer, "debias_em", 2);
  ASSERT_NE(debias, nullptr);
  for (const char* key : {"value", "low", "high", "floor", "floor_high", "verdict", "squared"})
    EXPECT_TRUE(debias->at(key).is_null()) << key;
  EXPECT_HAS(debias->at("reason").get<std::string>(), "every bin holds one row");
  const auto text = run("$tare measure t.csv --estimators debias_em,ece_ew");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_HAS(text.out, "n/a: every bin holds one row");
  const auto tested = run("$tare test t.csv --statistic debias_em --resamples 99");
  EXPECT_EQ(tested.code, 0) << tested.err;
  EXPECT_HAS(tested.out, "every bin holds one row");
}

TEST_F(measure, puts_four_rows_of_a_quarter_into_two_bins_of_two) {
  write("t.csv", "confidence,correct,weight\n0.1,0,0.25\n0.2,0,0.25\n0.3,1,0.25\n0.4,1,0.25\n");
  const auto ran =
      run("$tare measure t.csv --weights weight --bins 2 --json --no-interval --estimators ece_em --norm 1");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  const json* ece = estimate(answer, "ece_em", 1);
  ASSERT_NE(ece, nullptr);
  ASSERT_EQ(ece->at("per_bin").size(), 2U);
  for (const json& bin : ece->at("per_bin")) EXPECT_EQ(bin.at("count"), 0.5);
  EXPECT_NEAR(ece->at("value").get<double>(), (0.15 + 0.65) / 2, 1e-14);
}

// 400 overconfident rows: the hit rate is about the square of the confidence.
std::string few_rows() {
  std::string out = "confidence,correct\n";
  for (int i = 0; i < 400; ++i) {
    const double confidence = 0.5 + (i * 37 % 400) / 800.0;
    out += std::to_string(confidence) + (i * 61 % 100 < 100 * confidence * confidence ? ",1\n" : ",0\n");
  }
  return out;
}

TEST_F(measure, reads_standard_input) {
  write("t.csv", by_hand);
  const auto piped = run("cat t.csv | $tare measure - --json --no-interval --estimators ece_ew,ece_em");
  ASSERT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(json::parse(piped.out).at("input").at("n"), 4);
}

TEST_F(measure, needs_no_flags_for_an_archive_and_takes_the_test_half) {
  const auto ran = run("$tare measure $data/resnet110_cifar10.npz --json --no-interval --estimators ece_ew");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json input = json::parse(ran.out).at("input");
  EXPECT_EQ(input.at("n"), 10000);
  EXPECT_EQ(input.at("k"), 10);
  EXPECT_EQ(input.at("kind"), "logits");
  EXPECT_EQ(input.at("reduction"), "top_label");
}

TEST_F(measure, takes_the_other_half_when_asked) {
  const auto ran =
      run("$tare measure $data/resnet110_cifar10.npz --split val --json --no-interval --estimators ece_ew");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out).at("input").at("n"), 5000);
}

// data/training_runs.csv was written by the program that trained the networks, rounded to five digits.
TEST_F(measure, agrees_with_the_table_of_training_runs) {
  const auto ran = run("$tare measure $data/resnet110_cifar10.npz --json --no-interval");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  std::istringstream row(run("grep ^resnet110,cifar10, $data/training_runs.csv | cut -d, -f13-16 | tr , ' '").out);
  double accuracy = 0, confidence = 0, ece = 0, nll = 0;
  ASSERT_TRUE(row >> accuracy >> confidence >> ece >> nll);
  EXPECT_NEAR(estimate(answer, "accuracy", nullptr)->at("value").get<double>(), accuracy, 1e-5);
  EXPECT_NEAR(estimate(answer, "confidence", nullptr)->at("value").get<double>(), confidence, 1e-5);
  EXPECT_NEAR(estimate(answer, "ece_ew", 1)->at("value").get<double>(), ece, 1e-5);
  EXPECT_NEAR(estimate(answer, "nll", nullptr)->at("value").get<double>(), nll, 1e-5);
}

TEST_F(measure, answers_with_every_key_of_the_contract) {
  write("t.csv", few_rows());
  const auto ran = run("$tare measure t.csv --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer.at("command"), "measure");
  EXPECT_FALSE(answer.at("tare").get<std::string>().empty());
  for (const auto& e : answer.at("estimates")) {
    for (const char* key : {"name", "norm", "bins", "value", "estimand", "low", "high", "interval", "floor",
                            "floor_high", "reason", "class", "squared", "parts", "per_bin"})
      ASSERT_TRUE(e.contains(key)) << e.at("name") << " lacks " << key;
    EXPECT_EQ(e.at("value").is_null(), e.at("reason").is_string()) << e.at("name");
    EXPECT_EQ(e.at("low").is_null(), e.at("interval").is_null()) << e.at("name");
    EXPECT_EQ(e.at("floor").is_null(), e.at("floor_high").is_null()) << e.at("name");
  }
}

TEST_F(measure, walks_the_whole_table) {
  const json list = json::parse(run("$tare list --json").out);
  const json answer = json::parse(run("$tare measure $data/lenet5_cifar10.npz --json --no-interval").out);
  for (const auto& row : list.at("estimators")) {
    const json norms = row.at("norms").empty() ? json::array({nullptr}) : row.at("norms");
    for (const auto& norm : norms) EXPECT_NE(estimate(answer, row.at("name"), norm), nullptr) << row.at("name");
  }
}

TEST_F(measure, measures_only_what_was_asked) {
  const auto ran =
      run("$tare measure --estimators ece_em,accuracy $data/lenet5_cifar10.npz --norm 1 --json --no-interval");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  ASSERT_EQ(answer.at("estimates").size(), 2U);
  EXPECT_NE(estimate(answer, "ece_em", 1), nullptr);
  EXPECT_NE(estimate(answer, "accuracy", nullptr), nullptr);
}

TEST_F(measure, gives_the_same_bytes_for_any_number_of_threads) {
  write("t.csv", few_rows());
  const std::string command =
      sanitized ? "$tare measure t.csv --json" : "$tare measure $data/lenet5_cifar10.npz --json";
  const auto one = run(command + " --threads 1"), two = run(command + " --threads 3");
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, two.out);
}

TEST_F(measure, prints_table_diagram_and_conclusion) {
  const auto ran = run("$tare measure $data/resnet110_cifar10.npz");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* words :
       {"resnet110_cifar10.npz", "n = 10,000", "K = 10", "logits", "top_label", "ece_ew", "by chance",
        "reliability diagram", "░", "┃", "Overconfident", "points", "Every estimator: --all"})
    EXPECT_HAS(ran.out, words);
  EXPECT_LACKS(ran.out, "\033");
}

// The contract of the verdict: outcome, p-value, interval and gate say the same.
TEST_F(measure, has_one_verdict_for_text_json_and_gate) {
  std::string good = "confidence,correct\n", bad = good, certain = good;
  for (int i = 0; i < 2000; ++i) {
    good += i % 5 ? "0.8,1\n" : "0.8,0\n";
    bad += i % 2 ? "0.8,1\n" : "0.8,0\n";
    certain += i ? "1,1\n" : "1,0\n";
  }
  write("good.csv", good);
  write("bad.csv", bad);
  write("certain.csv", certain);
  write("few.csv", "confidence,correct\n0.9,1\n0.8,1\n0.7,0\n0.6,1\n");
  const std::pair<const char*, const char*> expected[] = {
      {"good", "nothing_found"}, {"bad", "miscalibrated"}, {"certain", "miscalibrated"}, {"few", "cannot_tell"}};
  for (const auto& [file, outcome] : expected) {
    const std::string name = std::string(file) + ".csv";
    const json v = json::parse(run("$tare measure " + name + " --json").out).at("verdict");
    const bool wrong = std::string(outcome) == "miscalibrated";
    EXPECT_EQ(v.at("outcome"), outcome) << file;
    EXPECT_EQ(v.at("p_value") < 0.05, wrong) << file;
    EXPECT_EQ(v.at("low") > 0, wrong) << file;
    EXPECT_EQ(run("$tare measure " + name + " --gate").code, wrong ? 1 : 0) << file;
    EXPECT_EQ(run("$tare test " + name + " --gate").code, wrong ? 1 : 0) << file;
    EXPECT_EQ(json::parse(run("$tare test " + name + " --json").out).at("verdict"), v) << file;
  }
  EXPECT_EQ(run("$tare measure good.csv --gate --no-interval").code, 2);
}

TEST_F(measure, names_the_reduction_of_binary_data) {
  write("t.csv", "p,y\n0.1,0\n0.2,0\n0.7,1\n0.9,1\n0.6,0\n");
  const auto ran = run("$tare measure t.csv");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "positive");
  EXPECT_HAS(ran.out, "observed rate");
}

TEST_F(measure, compares_classes) {
  const auto ran = run("$tare measure $data/lenet5_cifar10.npz --reduction classwise --estimators ece_ew,confidence");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "the worst class is");
}

TEST_F(measure, a_weight_of_two_is_the_row_twice) {
  write("twice.csv", "confidence,correct\n0.9,1\n0.9,1\n0.6,0\n");
  write("weighted.csv", "confidence,correct,weight\n0.9,1,2\n0.6,0,1\n");
  const auto twice = json::parse(run("$tare measure twice.csv --json --no-interval --estimators ece_ew").out);
  const auto weighted =
      json::parse(run("$tare measure weighted.csv --weights weight --json --no-interval --estimators ece_ew").out);
  EXPECT_EQ(twice.at("estimates")[0].at("value"), weighted.at("estimates")[0].at("value"));
  EXPECT_TRUE(weighted.at("input").at("weighted"));
}

TEST_F(measure, begins_with_the_true_error_and_its_interval) {
  write("t.csv", few_rows());
  const auto ran = run("$tare measure t.csv");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "Estimated true error: mean gap ");
  EXPECT_LT(ran.out.find("Estimated true error: mean gap "), ran.out.find("what people quote"));
  EXPECT_HAS(run("$tare measure t.csv --all").out, "rank_poly");
  const json answer = json::parse(run("$tare measure t.csv --json").out);
  const json head = answer.at("headline");
  const json* line = estimate(answer, "rank_poly", 2);
  ASSERT_NE(line, nullptr);
  for (const char* key : {"value", "low", "high"}) EXPECT_EQ(head.at(key), line->at(key));
  EXPECT_LE(head.at("low"), head.at("value"));
  EXPECT_LE(head.at("value"), head.at("high"));
}

TEST_F(measure, has_the_headline_whatever_was_asked_for) {
  write("t.csv", few_rows());
  const auto ran = run("$tare measure t.csv --estimators ece_ew --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out).at("headline").at("name"), "rank_poly");
}

// tare bbc, asked about the same scores, is the other way to the same numbers.
TEST_F(measure, shows_the_bias_that_bbc_finds) {
  write("t.csv", few_rows());
  const std::string these = " t.csv --estimators ece_ew,rank_poly,accuracy --json";
  const auto ran = run("$tare measure --bias --no-interval" + these);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer.at("simulation").at("scores"), "empirical");
  const json bbc = json::parse(run("$tare bbc --scores empirical" + these).out);
  ASSERT_EQ(bbc.at("corrections").size(), 3U);
  for (const auto& c : bbc.at("corrections")) {
    const json* e = estimate(answer, c.at("estimator"), c.at("norm"));
    ASSERT_NE(e, nullptr);
    for (const char* key : {"value", "bias", "corrected"}) EXPECT_EQ(e->at(key), c.at(key)) << key;
  }
  EXPECT_TRUE(estimate(answer, "accuracy", nullptr)->at("bias").is_null());
  EXPECT_TRUE(estimate(answer, "accuracy", nullptr)->at("bias_reason").is_string());
}

TEST_F(measure, has_a_column_for_the_bias) {
  write("t.csv", few_rows());
  const auto ran = run("$tare measure --bias t.csv --estimators ece_ew --norm 1");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "corrected");
  EXPECT_LACKS(run("$tare measure t.csv --estimators ece_ew --norm 1").out, "corrected");
  EXPECT_FAILS(run("$tare measure --bias $data/lenet5_cifar10.npz --reduction classwise --estimators ece_ew"));
}

}  // namespace
