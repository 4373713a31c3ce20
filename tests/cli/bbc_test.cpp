// tare bbc from end to end: the table, its JSON, bad options, interruptions.
#include <cmath>

#include "cli/program.hpp"

namespace {

using bbc = tare::detail::testing::Program;
using nlohmann::json;

TEST_F(bbc, prints_the_table_of_a_network_of_the_paper) {
  const auto ran = run("$tare bbc --model resnet110_c10 --n 200,500 --replicates 50 --estimators ece_ew,rank_poly");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* words : {"resnet110_c10", "Beta(2.775, 0.0478)", "calibration error l1 5.84%, l2 10.71%", "bias",
                            "rmse", "200", "500", "ece_ew", "rank_poly", "50 samples per line"})
    EXPECT_HAS(ran.out, words);
  EXPECT_LACKS(ran.out, "Interrupted");
}

// Uniform scores with the curve c^2: the true errors are the integral of c - c^2, 1/6, and the root of that of its
// square, 1/30.
TEST_F(bbc, answers_in_json_with_the_true_error_of_a_truth_of_ones_own) {
  const auto ran =
      run("$tare bbc --beta 1,1 --curve power:2 --n 1000 --replicates 200 --estimators debias_em,ece_em --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer.at("command"), "bbc");
  EXPECT_TRUE(answer.at("complete"));
  EXPECT_NEAR(answer.at("tce").at("1").get<double>(), 1.0 / 6, 1e-10);
  EXPECT_NEAR(answer.at("tce").at("2").get<double>(), std::sqrt(1.0 / 30), 1e-10);
  ASSERT_EQ(answer.at("results").size(), 3U);  // ece_em in both norms, debias_em in one
  for (const auto& row : answer.at("results")) {
    EXPECT_EQ(row.at("replicates"), 200);
    const double truth = answer.at("tce").at(std::to_string(row.at("norm").get<int>())).get<double>();
    EXPECT_NEAR(row.at("mean").get<double>() - row.at("bias").get<double>(), truth, 1e-12);
    EXPECT_LT(std::abs(row.at("bias").get<double>()), 0.01) << row.dump();
  }
}

TEST_F(bbc, names_the_scores_it_drew_from) {
  const std::string common = "$tare bbc $data/lenet5_cifar10.npz --replicates 20 --estimators ece_ew --norm 1";
  const auto fitted = run(common + " --scores beta"), own = run(common);
  ASSERT_EQ(fitted.code, 0) << fitted.err;
  ASSERT_EQ(own.code, 0) << own.err;
  EXPECT_HAS(fitted.out, "Scores: Beta(");
  EXPECT_HAS(own.out, "Scores: the data's own, resampled.");
  EXPECT_LACKS(own.out, "Scores: Beta(");
}

TEST_F(bbc, corrects_what_was_measured) {
  const auto ran = run("$tare bbc $data/resnet110_cifar10.npz --replicates 50 --estimators ece_ew --norm 1 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json line = json::parse(ran.out).at("corrections").at(0);
  const json measured = json::parse(
      run("$tare measure $data/resnet110_cifar10.npz --estimators ece_ew --norm 1 --no-interval --json").out);
  EXPECT_EQ(line.at("value"), measured.at("estimates").at(0).at("value"));
  EXPECT_GT(line.at("corrected").get<double>(), 0);
}

TEST_F(bbc, rejects_what_it_cannot_do) {
  EXPECT_FAILS(run("$tare bbc --model resnet_c10"));
  EXPECT_FAILS(run("$tare bbc --model resnet110_c10 --beta 1,1"));
  EXPECT_FAILS(run("$tare bbc --beta 1"));
  EXPECT_FAILS(run("$tare bbc --beta 1,1 --curve parabola:2"));
  EXPECT_FAILS(run("$tare bbc --model resnet110_c10 --n 0"));
  EXPECT_FAILS(run("$tare bbc --model resnet110_c10 --replicates -1"));
  EXPECT_FAILS(run("$tare bbc --model resnet110_c10 --estimators accuracy"));
  EXPECT_FAILS(run("$tare bbc $data/lenet5_cifar10.npz --model resnet110_c10"));
  EXPECT_FAILS(run("$tare bbc --model resnet110_c10 -o /nowhere/x.json"));
}

const char* const long_run =
    " bbc --model resnet110_c10 --n 2000 --replicates 3000 --estimators ece_em,sweep_em --json --threads 1";

TEST_F(bbc, goes_on_from_a_checkpoint_and_ends_with_the_same_bytes) {
  const auto whole = run(std::string("$tare") + long_run);
  ASSERT_EQ(whole.code, 0) << whole.err;
  // killed after the file exists, at the latest when it is finished: both must be fine
  const auto killed =
      run(std::string("$tare") + long_run +
          " --checkpoint c.json & p=$!; while ! test -s c.json; do sleep 0.01; done; kill -9 $p; wait $p");
  ASSERT_TRUE(exists("c.json")) << killed.err;
  const auto resumed = run(std::string("$tare") + long_run + " --checkpoint c.json");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(resumed.out, whole.out);
  EXPECT_FAILS(run("$tare bbc --model resnet110_c10 --n 300 --replicates 10 --checkpoint c.json"));
}

TEST_F(bbc, keeps_what_is_finished_when_interrupted) {
  // `exec` in a child of the shell: the signal reaches the program, and a shell that ignores it for background jobs is
  // not in the way. Far more replicates than fit into the time before the signal.
  const auto ran =
      run("sh -c 'exec \"$tare\" bbc --model resnet110_c10 --n 2000 --replicates 4000000 --estimators ece_em --norm 2 "
          "--json "
          "--checkpoint c.json' & p=$!; while ! test -s c.json; do sleep 0.01; done; sleep 0.5; kill -INT $p; wait $p");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_FALSE(answer.at("complete"));
  const json row = answer.at("results").at(0);
  EXPECT_LT(row.at("replicates").get<double>(), 4e6);
  EXPECT_GT(row.at("replicates").get<double>(), 0);
  EXPECT_NEAR(row.at("mean").get<double>(), answer.at("tce").at("2").get<double>(), 0.02);
  EXPECT_EQ(answer.at("drawn").at("most"), row.at("replicates"));
  // the checkpoint holds as many
  const json kept = json::parse(read("c.json"));
  EXPECT_EQ(kept.at("tallies").at(0).at("defined"), row.at("replicates"));
}

TEST_F(bbc, says_how_many_samples_an_interrupted_run_drew) {
  const auto ran =
      run("sh -c 'exec \"$tare\" bbc --model resnet110_c10 --n 2000 --replicates 4000000 --estimators ece_em --norm 2 "
          "--checkpoint c.json' & p=$!; while ! test -s c.json; do sleep 0.01; done; sleep 0.3; kill -INT $p; wait $p");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, " of 4,000,000 samples per line");
  EXPECT_HAS(ran.out, "Interrupted: ");
  EXPECT_EQ(ran.out.find("\n4,000,000 samples"), std::string::npos) << ran.out;
}

// With data their own n alone, without 200, 500, 1000 and 5000: as --help says.
TEST_F(bbc, draws_samples_of_the_sizes_that_help_names) {
  const std::string help = run("$tare bbc --help | tr -s ' \\n' ' '").out;  // line breaks are a matter of width
  EXPECT_HAS(help, "200,500,1000,5000");
  EXPECT_HAS(help, "with data: their own n alone, and these beside it");
  write("d.csv", "confidence,correct\n0.6,1\n0.7,0\n0.8,1\n0.9,1\n0.55,0\n0.95,1\n");
  const auto sizes = [&](const std::string& options) {
    const auto ran = run("$tare bbc " + options + " --replicates 2 --estimators ece_ew --norm 1 --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    std::vector<int> out;
    for (const auto& row : answer.at("results")) out.push_back(row.at("n"));
    return out;
  };
  EXPECT_EQ(sizes("d.csv"), (std::vector<int>{6}));
  EXPECT_EQ(sizes("d.csv --n 50"), (std::vector<int>{50, 6}));
  EXPECT_EQ(sizes("--model resnet110_c10"), (std::vector<int>{200, 500, 1000, 5000}));
}

}  // namespace
