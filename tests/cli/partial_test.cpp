// States as files: made, merged, and read by every command that reads predictions.
#include "cli/program.hpp"

namespace {

using nlohmann::json;
using partial = tare::detail::testing::Program;
using merge = tare::detail::testing::Program;

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
  EXPECT_KEPT(made.err);
  ASSERT_EQ(run("$tare partial c.csv a.csv -o ca.state --quiet && $tare partial b.csv -o b.state --quiet").code, 0);
  const auto merged = run("$tare merge b.state ca.state -o merged.state && cmp merged.state all.state");
  EXPECT_EQ(merged.code, 0) << merged.err;
  json rows = json::parse(run("$tare measure all.csv --json").out);
  json state = json::parse(run("$tare measure merged.state --json").out);
  for (json* answer : {&rows, &state})
    for (const char* key : {"source", "used"}) answer->at("input").erase(key);
  EXPECT_EQ(state, rows);
}

TEST_F(partial, has_another_name) {
  write("a.csv", rows_from(0, 100));
  const auto ran =
      run("$tare partial a.csv -o a.state --quiet && $tare state a.csv -o b.state --quiet && cmp a.state b.state");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(run("$tare help state").out, run("$tare partial --help").out);
}

TEST_F(partial, of_every_class_is_not_fitted) {
  write("p.csv", "p_0,p_1,p_2,label\n0.2,0.3,0.5,2\n0.6,0.3,0.1,0\n0.1,0.8,0.1,1\n");
  ASSERT_EQ(run("$tare partial p.csv --reduction classwise -o all.state --quiet").code, 0);
  const auto fitted = run("$tare fit platt all.state -o model.json");
  EXPECT_EQ(fitted.code, 2);
  EXPECT_KEPT(fitted.err);
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
  EXPECT_FAILS(run("$tare compare two.state"));
  EXPECT_FAILS(run("$tare measure n.state --reduction positive"));
  EXPECT_FAILS(run("$tare measure two.state --split val"));
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
  EXPECT_FAILS(run("TARE_MEMORY=1000 $tare measure bad.csv"));
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
  EXPECT_FAILS(run("$tare partial two.csv"));
  EXPECT_FAILS(run("$tare partial two.csv -o x.npz"));
  EXPECT_FAILS(run("$tare partial two.csv two.state -o x.state"));
  EXPECT_FAILS(run("$tare partial two.csv $data/lenet5_cifar10.npz -o x.state"));
  EXPECT_FAILS(run("$tare partial two.csv --cells 100 -o x.state"));
  EXPECT_FAILS(run("$tare partial two.csv -o two.csv"));
  EXPECT_FALSE(exists("x.state"));
}

TEST_F(merge, fails_with_a_remedy) {
  write("two.csv", rows_from(0, 100));
  ASSERT_EQ(run("$tare partial two.csv -o a.state --quiet && $tare partial two.csv --bins 10 -o b.state --quiet").code,
            0);
  EXPECT_FAILS(run("$tare merge a.state b.state -o c.state"));
  EXPECT_FAILS(run("$tare merge -o c.state"));
  EXPECT_FAILS(run("$tare merge a.state"));
  EXPECT_FAILS(run("$tare merge a.state two.csv -o c.state"));
  EXPECT_FAILS(run("head -c 200 a.state >cut.state; $tare measure cut.state"));
  EXPECT_FAILS(run("$tare merge a.state nothing.state -o c.state"));
  EXPECT_FALSE(exists("c.state"));
}

// With checksums that are right: nobody takes them for states, and nothing is written.
TEST_F(merge, refuses_forged_states) {
  const std::string corpus = tare::detail::testing::source_dir() + "/fuzz/corpus/state/";
  ASSERT_EQ(run("cp " + corpus + "whole whole.state && $tare merge whole.state -o one.state --quiet").code, 0);
  for (const char* name : {"cells_out_of_order", "cell_twice_by_wrapping", "bins_out_of_order", "cells_of_more_rows",
                           "classes_beyond_labels", "rows_beyond_all", "sums_of_256_bits", "loss_beyond_a_million"}) {
    ASSERT_EQ(run("cp " + corpus + name + " forged.state").code, 0);
    for (const char* command :
         {"merge forged.state -o x.state", "merge whole.state forged.state -o x.state", "measure forged.state",
          "watch forged.state whole.state --save x.watch", "watch whole.state forged.state --save x.watch"})
      EXPECT_FAILS(run(std::string("$tare ") + command));
  }
  EXPECT_FALSE(exists("x.state") || exists("x.watch"));
}

// A number that no bin has must not become one that there is.
TEST_F(partial, refuses_a_table_of_cells_with_a_bin_that_there_is_not) {
  const std::string names =
      "tare_cell,tare_bin,tare_bad,tare_mass,tare_hits,tare_high,tare_high_,tare_low,tare_low_,tare_first,tare_last,"
      "tare_step,tare_bins,tare_reduction\n";
  write("good.csv", names + "1,0,0,1,0,0,0,0,0,0,0,16,15,1\n");
  EXPECT_EQ(run("$tare partial good.csv -o good.state --quiet").code, 0);
  for (const char* bin : {"4294967296", "15", "9007199254740991"}) {
    write("bad.csv", names + "1," + bin + ",0,1,0,0,0,0,0,0,0,16,15,1\n");
    EXPECT_FAILS(run("$tare partial bad.csv -o x.state"));
  }
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
  EXPECT_EQ(read("one/left.state"), read("two/left.state"));
  EXPECT_EQ(read("one/a%2Fb.state"), read("two/a%2Fb.state"));
  ASSERT_EQ(run("$tare merge one/left.state --across-groups -o l.state").code, 0);  // but for the name of the group
  EXPECT_EQ(read("l.state"), read("left.state"));
  const auto wrong = run("$tare partial all.csv --group team -o x.state");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_KEPT(wrong.err);
  EXPECT_KEPT(run("$tare partial all.csv --group taem -o x").err);
}

// Groups whose names look alike stay apart on every day, and nobody merges them by mistake.
TEST_F(partial, groups_have_files_of_their_own_whatever_they_are_called) {
  const auto day = [](const std::vector<std::string>& groups) {
    std::string out = "confidence,correct,team\n";
    for (const std::string& group : groups) out += "0.5,1," + group + "\n0.25,0," + group + "\n";
    return out;
  };
  const std::string long_name = std::string(199, 'x') + "\u00e9";
  write("one.csv", day({"a/b", "a_b", "a%2Fb", ".hidden", "..", long_name + "1", long_name + "2", "caf\u00e9"}));
  write("two.csv", day({"a_b"}));
  const auto made = run("$tare partial one.csv --group team -o one");
  ASSERT_EQ(made.code, 0) << made.err;
  ASSERT_EQ(run("$tare partial two.csv --group team -o two").code, 0);
  for (const char* name : {"a%2Fb", "a_b", "a%252Fb", "%2Ehidden", "%2E.", "caf\u00e9"})
    EXPECT_TRUE(exists("one/" + std::string(name) + ".state")) << name;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "one"), {}), 8);
  EXPECT_EQ(run("$tare merge one/a_b.state two/a_b.state -o ab.state").code, 0);
  EXPECT_KEPT(run("$tare merge ab.state -o again.state").err);
  const auto mixed = run("$tare merge one/a%2Fb.state two/a_b.state -o x.state");
  EXPECT_FAILS(mixed);
  EXPECT_FAILS(run("$tare partial two.csv -o plain.state --quiet; $tare merge plain.state ab.state -o x.state"));
  EXPECT_FALSE(exists("x.state"));
  EXPECT_EQ(
      run("$tare merge one/*.state --across-groups -o all.state && $tare merge all.state plain.state -o sum.state")
          .code,
      0);
}

// All states of the set, or none and what was there before.
TEST_F(partial, groups_are_written_together_or_not_at_all) {
  write("a.csv", "confidence,correct,team\n0.5,1,a\n0.25,0,b\n0.75,1,c\n");
  EXPECT_FAILS(run("mkdir -p old/b.state && echo old > old/a.state; $tare partial a.csv --group team -o old"));
  EXPECT_EQ(read("old/a.state"), "old\n");
  EXPECT_FALSE(exists("old/c.state"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "old"), {}), 2);
  EXPECT_FAILS(run("$tare partial a.csv nowhere.csv --group team -o new/deep"));
  EXPECT_FALSE(exists("new"));
  // an input by another name
  EXPECT_FAILS(run("mkdir in && ln a.csv in/c.state; $tare partial a.csv --group team -o in"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "in"), {}), 1);
  EXPECT_EQ(read("in/c.state"), read("a.csv"));
}

}  // namespace
