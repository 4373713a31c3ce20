// States as files: made, merged, and read by every command that reads predictions.
#include "cli/program.hpp"

namespace {

using nlohmann::json;
using partial = tare::inner::testing::Program;
using merge = tare::inner::testing::Program;

// 600 overconfident rows of two classes, from row `first` on.
std::string rows_from(int first, int count) {
  std::string out = "prob,label\n";
  for (int i = first; i < first + count; ++i) {
    const double p = (1 + i * 37 % 599) / 600.0;
    out += std::to_string(p) + (i * 61 % 100 < 100 * p * p ? ",1\n" : ",0\n");
  }
  return out;
}

TEST_F(partial, of_any_split_is_the_same_file_and_has_the_numbers_of_the_rows) {
  write("all.csv", rows_from(0, 600));
  write("a.csv", rows_from(0, 100));
  write("b.csv", rows_from(100, 320));
  write("c.csv", rows_from(420, 180));
  const auto made = run("$tare partial all.csv -o all.state");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_HAS(made.err, "600 rows, K = 2, positive");
  EXPECT_HAS(made.err, "nothing is lost");
  ASSERT_EQ(run("$tare partial c.csv a.csv -o ca.state --quiet && $tare partial b.csv -o b.state --quiet").code, 0);
  const auto merged = run("$tare merge b.state ca.state -o merged.state && cmp merged.state all.state");
  EXPECT_EQ(merged.code, 0) << merged.err;
  json rows = json::parse(run("$tare measure all.csv --json").out);
  json state = json::parse(run("$tare measure merged.state --json").out);
  for (json* answer : {&rows, &state}) answer->at("input").erase("source");
  EXPECT_EQ(state, rows);
}

TEST_F(partial, of_every_class_is_not_fitted) {
  write("p.csv", "p_0,p_1,p_2,label\n0.2,0.3,0.5,2\n0.6,0.3,0.1,0\n0.1,0.8,0.1,1\n");
  ASSERT_EQ(run("$tare partial p.csv --reduction classwise -o all.state --quiet").code, 0);
  const auto fitted = run("$tare fit platt all.state -o model.json");
  EXPECT_EQ(fitted.code, 2);
  EXPECT_HAS(fitted.err, "platt cannot be fitted on a classwise state");
  ASSERT_EQ(run("$tare partial p.csv --reduction top_label -o top.state --quiet").code, 0);
  const auto shifted = run("$tare fit prior_shift top.state -o model.json");
  EXPECT_EQ(shifted.code, 0) << shifted.err;
}

TEST_F(partial, goes_through_every_command_that_reads_predictions) {
  ASSERT_EQ(run("$tare partial $data/lenet5_cifar10.npz -o n.state --quiet").code, 0);
  write("two.csv", rows_from(0, 600));
  ASSERT_EQ(run("$tare partial two.csv -o two.state --quiet").code, 0);
  for (const char* command : {"test two.state --no-detectable", "bbc two.state --replicates 20",
                              "plot reliability two.state -o r.svg", "plot histogram n.state --text",
                              "report two.state --replicates 20 -o r.html", "fit isotonic two.state -o m.json",
                              "fit platt n.state", "measure n.state --no-interval --reduction top_label"}) {
    const auto ran = run(std::string("$tare ") + command);
    EXPECT_EQ(ran.code, 0) << command << '\n' << ran.err;
  }
  EXPECT_EQ(run("$tare apply m.json two.csv -o p.npy").code, 0);
  EXPECT_FAILS(run("$tare compare two.state"), "a state has no rows to fit on and to judge by");
  EXPECT_FAILS(run("$tare measure n.state --reduction positive"), "this state is of the reduction top_label");
  EXPECT_FAILS(run("$tare measure two.state --split val"), "give the .state file alone");
}

TEST_F(partial, of_many_scores_says_how_wide_its_cells_are) {
  ASSERT_EQ(run("$tare partial $data/lenet5_cifar10.npz --cells 500 -o small.state").code, 0);
  const auto ran = run("$tare measure small.state --no-interval");
  EXPECT_HAS(ran.out, "there were more different scores than cells");
  const json whole = json::parse(run("$tare measure $data/lenet5_cifar10.npz --no-interval --json").out);
  const json state = json::parse(run("$tare measure small.state --no-interval --json").out);
  for (std::size_t i = 0; i < whole.at("estimates").size(); ++i) {
    const json &a = whole.at("estimates")[i], &b = state.at("estimates")[i];
    const bool total = a.at("name") == "nll" || a.at("name") == "brier";  // kept exactly
    if (!total && a.at("name") != "ece_ew") continue;
    EXPECT_NEAR(a.at("value").get<double>(), b.at("value").get<double>(), total ? 0 : 1e-14);
  }
}

// What does not fit goes through a state by itself; a table in pieces, arrays in slices.
TEST_F(partial, is_what_measure_does_with_what_does_not_fit) {
  write("t.csv", rows_from(0, 600));
  for (const char* file : {"t.csv", "$data/lenet5_cifar10.npz"}) {
    const std::string command = std::string("$tare measure ") + file + " --no-interval --json";
    const auto large = run("TARE_MEMORY=1000 " + command);
    ASSERT_EQ(large.code, 0) << large.err;
    const json through = json::parse(large.out), whole = json::parse(run(command).out);
    EXPECT_HAS(through.at("input").at("note").get<std::string>(), "went through a state, which loses nothing here");
    for (std::size_t i = 0; i < whole.at("estimates").size(); ++i)
      EXPECT_EQ(through.at("estimates")[i].at("value"), whole.at("estimates")[i].at("value"));
    EXPECT_EQ(through.at("input").at("n"), whole.at("input").at("n"));
  }
  write("bad.csv", rows_from(0, 600) + "1.5,1\n");
  EXPECT_FAILS(run("TARE_MEMORY=1000 $tare measure bad.csv"), "bad.csv: line 602");
}

TEST_F(partial, keeps_every_class) {
  ASSERT_EQ(run("$tare partial $data/lenet5_cifar10.npz --reduction classwise --cells 16384 -o c.state --quiet").code,
            0);
  const std::string these = " --reduction classwise --no-interval --json --estimators ece_ew,rank_poly,nll,brier";
  const json rows = json::parse(run("$tare measure $data/lenet5_cifar10.npz" + these).out);
  const auto ran = run("$tare measure c.state" + these);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json state = json::parse(ran.out);
  ASSERT_EQ(state.at("estimates").size(), rows.at("estimates").size());
  for (std::size_t i = 0; i < rows.at("estimates").size(); ++i)
    EXPECT_EQ(state.at("estimates")[i].at("value"), rows.at("estimates")[i].at("value")) << i;
}

TEST_F(partial, fails_with_a_remedy) {
  write("two.csv", rows_from(0, 100));
  ASSERT_EQ(run("$tare partial two.csv -o two.state --quiet").code, 0);
  EXPECT_FAILS(run("$tare partial two.csv"), "pass -o NAME.state");
  EXPECT_FAILS(run("$tare partial two.csv -o x.npz"), "x.npz");
  EXPECT_FAILS(run("$tare partial two.csv two.state -o x.state"), "`tare merge` puts states together");
  EXPECT_FAILS(run("$tare partial two.csv $data/lenet5_cifar10.npz -o x.state"), "but the state is of 2");
  EXPECT_FAILS(run("$tare partial two.csv --cells 100 -o x.state"), "--cells");
  EXPECT_FAILS(run("$tare partial two.csv -o two.csv"), "two.csv");
  EXPECT_FALSE(exists("x.state"));
}

TEST_F(merge, fails_with_a_remedy) {
  write("two.csv", rows_from(0, 100));
  ASSERT_EQ(run("$tare partial two.csv -o a.state --quiet && $tare partial two.csv --bins 10 -o b.state --quiet").code,
            0);
  EXPECT_FAILS(run("$tare merge a.state b.state -o c.state"), "b.state: the other state has 10 bins");
  EXPECT_FAILS(run("$tare merge -o c.state"), "no states were named");
  EXPECT_FAILS(run("$tare merge a.state"), "pass -o NAME.state");
  EXPECT_FAILS(run("$tare merge a.state two.csv -o c.state"), "two.csv: these bytes are no state");
  EXPECT_FAILS(run("head -c 200 a.state >cut.state; $tare measure cut.state"), "cut.state: these bytes are no state");
  EXPECT_FAILS(run("$tare merge a.state nothing.state -o c.state"), "nothing.state");
  EXPECT_FALSE(exists("c.state"));
}

// The state of a group is that of its rows, bit for bit, from one file and from several.
TEST_F(partial, groups_become_one_state_each) {
  std::string all = "confidence,correct,team\n", left = "confidence,correct\n", first, second;
  for (int i = 0; i < 500; ++i) {
    const std::string row = std::to_string(0.3 + 0.001 * i) + (i % 3 ? ",1" : ",0");
    (i < 200 ? first : second) += row + (i % 4 ? ",left\n" : ",a/b\n");
    if (i % 4) left += row + "\n";
  }
  write("all.csv", all + first + second);
  write("first.csv", all + first);
  write("second.csv", all + second);
  write("left.csv", left);
  ASSERT_EQ(run("$tare partial left.csv -o left.state").code, 0);
  ASSERT_EQ(run("$tare partial all.csv --group team -o one").code, 0);
  ASSERT_EQ(run("$tare partial first.csv second.csv --group team -o two").code, 0);
  EXPECT_EQ(read("one/left.state"), read("left.state"));
  EXPECT_EQ(read("two/left.state"), read("left.state"));
  EXPECT_FALSE(read("one/a_b.state").empty());
  const auto wrong = run("$tare partial all.csv --group team -o x.state");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_HAS(wrong.err, "-o FOLDER");
  EXPECT_HAS(run("$tare partial all.csv --group taem -o x").err, "it holds confidence, correct, team");
}

}  // namespace
