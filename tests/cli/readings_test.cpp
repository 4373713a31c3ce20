// Which column is what: never by a guess. Where a file can be read in two ways the program asks, every hint works, and
// every answer names what it used.
#include <regex>

#include "cli/program.hpp"

namespace {

using readings = tare::detail::testing::Program;
using nlohmann::json;

const char* const fast = " --json --no-interval --estimators ece_ew,brier,accuracy --norm 1";

json answered(const tare::detail::testing::Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? json::parse(ran.out) : json();
}

double metric(const json& a, const std::string& name) {
  for (const auto& e : a.at("estimates"))
    if (e.at("name") == name) return e.at("value").get<double>();
  ADD_FAILURE() << "no " << name;
  return -1;
}

std::string note_in(const json& a) {
  return a.at("input").at("note").is_null() ? "" : a.at("input").at("note").get<std::string>();
}

// The options that a hint shows, each as a shell would take it: up to the first bracket, and behind every "; or ".
std::vector<std::string> hinted(const std::string& err) {
  std::vector<std::string> out;
  const std::regex options("(--[a-z-]+ '[^']*'( --[a-z-]+ '[^']*')*)");
  const std::size_t hint = err.find("hint: ");
  const std::string text = hint == err.npos ? "" : err.substr(hint);
  for (auto it = std::sregex_iterator(text.begin(), text.end(), options); it != std::sregex_iterator(); ++it)
    out.push_back((*it)[1]);
  return out;
}

#define EXPECT_EVERY_HINT_WORKS(file, least)                                            \
  do {                                                                                  \
    const auto asked = run(std::string("$tare measure ") + (file));                     \
    EXPECT_EQ(asked.code, 2);                                                           \
    const auto hints = hinted(asked.err);                                               \
    EXPECT_GE(hints.size(), std::size_t{least}) << asked.err;                           \
    for (const std::string& hint : hints) {                                             \
      const auto tried = run("$tare measure " + std::string(file) + " " + hint + fast); \
      EXPECT_EQ(tried.code, 0) << hint << "\n" << tried.err;                            \
    }                                                                                   \
  } while (false)

TEST_F(readings, weights_only_where_they_are_asked_for) {
  write("t.csv", "p,y,weight,frequency\n0.75,1,80,3\n0.25,0,60,9\n");
  const json plain = answered(run(std::string("$tare measure t.csv") + fast));
  EXPECT_FALSE(plain.at("input").at("weighted"));
  EXPECT_EQ(plain.at("input").at("used"), "scores: column p · labels: column y · weights: none");
  EXPECT_KEPT(note_in(plain));
  const json weighted = answered(run(std::string("$tare measure t.csv --weights weight") + fast));
  EXPECT_EQ(weighted.at("input").at("total_weight"), 140);
  EXPECT_EQ(weighted.at("input").at("used"), "scores: column p · labels: column y · weights: column weight");
}

TEST_F(readings, every_answer_names_what_it_used) {
  write("t.csv", "y_prob,y_true\n0.75,1\n0.25,0\n");
  const std::string used = "scores: column y_prob · labels: column y_true · weights: none";
  EXPECT_HAS(run("$tare measure t.csv").out, used);
  EXPECT_HAS(run("$tare test t.csv").out, used);
  EXPECT_HAS(run("$tare report t.csv --no-bias -o r.html --quiet && cat r.html").out, used);
  EXPECT_EQ(answered(run("$tare test t.csv --json")).at("input").at("used"), used);
  EXPECT_EQ(answered(run(std::string("$tare measure $data/lenet5_cifar10.npz") + fast)).at("input").at("used"),
            "scores: array test_logits · labels: array test_labels · weights: none");
}

// What Hugging Face's pipelines write: a label, its score, and the truth beside it.
TEST_F(readings, a_score_beside_a_prediction_is_a_question) {
  write("t.csv", "pred,score,label\n1,0.9,1\n0,0.8,0\n0,0.7,1\n1,0.6,1\n");
  const auto asked = run("$tare measure t.csv");
  EXPECT_FAILS(asked);
  EXPECT_EVERY_HINT_WORKS("t.csv", 2);
  EXPECT_EQ(metric(answered(run(std::string("$tare measure t.csv --confidences score") + fast)), "accuracy"), 0.75);
  write("u.csv", "y_pred,y_prob,y_true\n1,0.9,1\n0,0.2,0\n0,0.3,1\n1,0.6,1\n");
  const auto other = run("$tare measure u.csv");
  EXPECT_KEPT(other.err);
  EXPECT_EVERY_HINT_WORKS("u.csv", 2);
  write("v.jsonl",
        "{\"label\": \"POSITIVE\", \"score\": 0.9, \"gold\": \"POSITIVE\"}\n"
        "{\"label\": \"NEGATIVE\", \"score\": 0.8, \"gold\": \"POSITIVE\"}\n");
  const auto pipeline = run("$tare measure v.jsonl");
  EXPECT_FAILS(pipeline);
  EXPECT_EVERY_HINT_WORKS("v.jsonl", 2);
  EXPECT_EQ(
      metric(answered(run(std::string("$tare measure v.jsonl --confidences score --predictions label --labels gold") +
                          fast)),
             "accuracy"),
      0.5);
}

// What a model wrote is not what happened.
TEST_F(readings, a_response_is_not_the_truth) {
  write("t.csv", "score,response\n0.9,1\n0.2,0\n0.7,0\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
  EXPECT_EVERY_HINT_WORKS("t.csv", 1);
  write("u.csv", "p_a,p_b,label,gold\n0.2,0.8,b,a\n0.6,0.4,a,a\n");
  EXPECT_FAILS(run("$tare measure u.csv"));
  EXPECT_EVERY_HINT_WORKS("u.csv", 2);
}

// As FiveThirtyEight writes its forecasts: a probability and its outcome, side by side, twice, between texts.
TEST_F(readings, hints_are_tried_before_they_are_shown) {
  write("games.csv",
        "season,date,team1,team2,prob1,prob2,prob1_outcome,prob2_outcome\n"
        "2016,2015-10-27,ATL,DET,0.75,0.25,0,1\n2016,2015-10-27,CHI,CLE,0.4,0.6,1,0\n");
  const auto games = run("$tare measure games.csv");
  EXPECT_KEPT(games.err);
  EXPECT_EVERY_HINT_WORKS("games.csv", 2);
  write("election.csv", "year,state,candidate,probwin,probwin_outcome\n2016,Ohio,A,0.3,0\n2016,Iowa,A,0.8,1\n");
  EXPECT_KEPT(run("$tare measure election.csv").err);
  EXPECT_EVERY_HINT_WORKS("election.csv", 1);
  write("soccer.csv", "date,prob1,prob2,probtie,score1,score2\n2018-01-01,0.5,0.2,0.3,1,0\n");
  for (const std::string& hint : hinted(run("$tare measure soccer.csv").err))
    EXPECT_EQ(run("$tare measure soccer.csv " + hint + fast).code, 0) << hint;
  write("hits.csv", "how_sure,correct\n0.9,1\n0.8,0\n0.7,1\n");
  EXPECT_KEPT(run("$tare measure hits.csv").err);
  EXPECT_EVERY_HINT_WORKS("hits.csv", 1);
}

TEST_F(readings, a_word_that_may_be_class_1_is_asked_for) {
  write("t.csv", "prob,diagnosis\n0.9,malignant\n0.2,benign\n0.7,malignant\n0.1,benign\n");
  const auto asked = run("$tare measure t.csv --labels diagnosis");
  EXPECT_FAILS(asked);
}

TEST_F(readings, log_probabilities) {
  write("t.csv", "a,b,y\n-0.2231435513,-1.6094379124,0\n-1.6094379124,-0.2231435513,1\n");
  EXPECT_FAILS(run("$tare measure t.csv --probs a,b"));
  const json a = answered(run(std::string("$tare measure t.csv --log-probs a,b") + fast));
  EXPECT_NEAR(metric(a, "brier"), 0.04, 1e-9);  // 0.8 and 0.2, both right
  write("u.csv", "logprob,correct\n-0.2231435513,1\n-0.6931471806,0\n");
  const json b = answered(run(std::string("$tare measure u.csv --log-probs logprob --correct correct") + fast));
  EXPECT_NEAR(metric(b, "brier"), (0.04 + 0.25) / 2, 1e-9);
  write("v.csv", "logprob,y\n0.5,1\n");
  EXPECT_FAILS(run("$tare measure v.csv"));
}

TEST_F(readings, tables_without_names_and_with_other_separators) {
  write("t.csv", "0.75,1\n0.25,0\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
  const json a = answered(run(std::string("$tare measure t.csv --no-header --probs 0 --labels 1") + fast));
  EXPECT_NEAR(metric(a, "brier"), 0.0625, 1e-12);
  write("u.txt", "prob/y\n0.75/1\n0.25/0\n");
  EXPECT_NEAR(metric(answered(run(std::string("$tare measure u.txt --format csv --delimiter /") + fast)), "brier"),
              0.0625, 1e-12);
  EXPECT_FAILS(run("$tare measure u.txt --format csv --delimiter ab"));
  write("r.csv", "\"prob\" \"y\"\n\"1\" 0.75 1\n\"2\" 0.25 0\n");  // write.table of R
  EXPECT_NEAR(metric(answered(run(std::string("$tare measure r.csv") + fast)), "brier"), 0.0625, 1e-12);
}

TEST_F(readings, numbers_that_rounding_explains) {
  write("t.csv", "prob,y\n1.0000012,1\n-0.000001,0\n");
  const json a = answered(run(std::string("$tare measure t.csv") + fast));
  EXPECT_EQ(metric(a, "brier"), 0);
  EXPECT_KEPT(note_in(a));
  write("u.csv", "prob,y\n1.01,1\n0.2,0\n");
  EXPECT_FAILS(run("$tare measure u.csv"));
  write("v.csv", "prob,y\n0.219%,0\n75%,1\n");
  EXPECT_NEAR(metric(answered(run(std::string("$tare measure v.csv") + fast)), "brier"),
              (0.00219 * 0.00219 + 0.0625) / 2, 1e-15);
}

TEST_F(readings, a_column_of_splits_is_used_or_named) {
  write("t.csv", "split,prob,y\ntrain,0.9,1\ntest,0.75,1\nval,0.1,0\ntest,0.25,0\n");
  EXPECT_KEPT(note_in(answered(run(std::string("$tare measure t.csv") + fast))));
  const json test = answered(run(std::string("$tare measure t.csv --split test") + fast));
  EXPECT_EQ(test.at("input").at("n"), 2);
  EXPECT_NEAR(metric(test, "brier"), 0.0625, 1e-12);
  EXPECT_EQ(answered(run(std::string("$tare measure t.csv --split train") + fast)).at("input").at("n"), 1);
  write("u.csv", "fold,prob,y\n0,0.9,1\n1,0.75,1\n");
  EXPECT_EQ(note_in(answered(run(std::string("$tare measure u.csv") + fast))), "");
  EXPECT_FAILS(run("$tare measure u.csv --split test"));
}

TEST_F(readings, what_looks_wrong_gets_a_note) {
  std::string one = "p_0,p_1,p_2,label\n", right = one, shuffled = one;
  for (int i = 0; i < 300; ++i) {
    const int top = i % 3;
    const std::string row = top == 0 ? "0.9,0.05,0.05," : top == 1 ? "0.05,0.9,0.05," : "0.05,0.05,0.9,";
    one += row + "1\n";
    right += row + std::to_string(top) + "\n";
    shuffled += row + std::to_string(i / 3 % 3) + "\n";
  }
  write("one.csv", one);
  write("right.csv", right);
  write("shuffled.csv", shuffled);
  EXPECT_KEPT(note_in(answered(run(std::string("$tare measure one.csv") + fast))));
  EXPECT_KEPT(note_in(answered(run(std::string("$tare measure right.csv") + fast))));
  EXPECT_KEPT(note_in(answered(run(std::string("$tare measure shuffled.csv") + fast))));
}

TEST_F(readings, a_misspelt_column_is_corrected) {
  write("t.csv", "prob,label\n0.75,1\n");
  EXPECT_FAILS(run("$tare measure t.csv --labels lable"));
}

TEST_F(readings, a_column_and_a_file_of_one_name_are_a_question) {
  write("t.csv", "prob,y\n0.75,1\n0.25,0\n");
  write("y", "1\n0\n");
  EXPECT_FAILS(run("$tare measure t.csv --labels y"));
  EXPECT_EQ(run(std::string("$tare measure t.csv --labels t.csv:y") + fast).code, 0);
}

TEST_F(readings, several_files_with_groups_are_one_data_set) {
  write("a.csv", "prob,y,task\n0.75,1,x\n0.25,0,x\n");
  write("b.csv", "prob,y,task\n0.5,1,y\n0.25,0,01\n");
  const json a = answered(run("$tare measure a.csv b.csv --group task --json"));
  EXPECT_EQ(a.at("input").at("n"), 4);
  EXPECT_EQ(a.at("input").at("source"), "a.csv, b.csv");
}

TEST_F(readings, groups_and_names_of_classes_are_not_written_over) {
  write("t.csv", "p_a,p_b,label\n0.75,0.25,cat\n0.25,0.75,dog\n");
  write("g.csv", "region\nn\ns\n");
  write("names.txt", "cat\ndog\n");
  EXPECT_FAILS(run("$tare measure t.csv --class-names names.txt -o names.txt"));
  EXPECT_FAILS(run("$tare measure t.csv --class-names names.txt --group g.csv:region --csv -o g.csv"));
  EXPECT_EQ(read("names.txt"), "cat\ndog\n");
  EXPECT_EQ(read("g.csv"), "region\nn\ns\n");
}

// A pipe can be read once: both halves of an archive come from one opening, and so does a hint.
TEST_F(readings, a_file_is_opened_once) {
  const auto piped =
      run("$tare compare - --format npz --methods temperature --resamples 20 --json <$data/lenet5_cifar10.npz");
  const auto named = run("$tare compare $data/lenet5_cifar10.npz --methods temperature --resamples 20 --json");
  ASSERT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(json::parse(piped.out).at("methods").size(), json::parse(named.out).at("methods").size());
  EXPECT_KEPT(run("printf 'score,pred,label\\n0.9,1,1\\n0.6,0,1\\n' | $tare measure -").err);
}

// Labels and groups of rows that are left out are nobody's.
TEST_F(readings, rows_that_are_left_out_leave_nothing_behind) {
  write("t.csv", "prob,y,g\n0.75,1,a\n,?,b\n0.25,0,a\n");
  const json a = answered(run("$tare measure t.csv --drop-missing --group g --json"));
  EXPECT_EQ(a.at("input").at("n"), 2);
  EXPECT_EQ(run("$tare measure t.csv --drop-missing --group g").out.find("\nb "), std::string::npos);
  write("u.csv", "split,prob,y\ntrain,0.5,unknown\ntest,0.75,1\ntest,0.25,0\n");
  EXPECT_EQ(answered(run(std::string("$tare measure u.csv --split test") + fast)).at("input").at("n"), 2);
}

}  // namespace
