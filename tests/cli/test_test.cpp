// tare test: exit codes are the contract of a gate.
#include "cli/program.hpp"
#include "support/sanitized.hpp"

namespace {

using nlohmann::json;
using test_command = tare::detail::testing::Program;

TEST_F(test_command, prints_p_values_and_the_detectable_error) {
  const auto ran = run("$tare test $data/resnet110_cifar10.npz --resamples 199");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* words : {"rank_poly", "debias_em", "sweep_em", "ks", "spiegelhalter", "hosmer_lemeshow", "cox_slope",
                            "cox_intercept", "p-value", "Overconfident", "power c^d"})
    EXPECT_HAS(ran.out, words);
  EXPECT_LACKS(ran.out, "\033");
}

TEST_F(test_command, prints_json_by_contract) {
  const auto ran = run("$tare test $data/resnet110_cifar10.npz --json --resamples 199 --statistic sweep_em,cox_slope");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer.at("command"), "test");
  ASSERT_EQ(answer.at("tests").size(), 2U);
  EXPECT_EQ(answer["tests"][0].at("name"), "sweep_em");
  EXPECT_EQ(answer["tests"][0].at("p_value"), 0.005);
  EXPECT_EQ(answer["tests"][1].at("p_value"), 0.01);  // both sides
  EXPECT_EQ(answer.at("detectable").at("statistic"), "sweep_em");
  EXPECT_GT(answer["detectable"].at("tce"), 0);
}

TEST_F(test_command, gate_exits_with_one_on_rejection_only) {
  std::string good = "confidence,correct\n", bad = good;
  for (int i = 0; i < 200; ++i) {
    good += i % 5 ? "0.8,1\n" : "0.8,0\n";
    bad += i % 2 ? "0.8,1\n" : "0.8,0\n";
  }
  write("good.csv", good);
  write("bad.csv", bad);
  EXPECT_EQ(run("$tare test good.csv --gate").code, 0);
  EXPECT_EQ(run("$tare test bad.csv --gate").code, 1);
  EXPECT_EQ(run("$tare test bad.csv --gate --alpha 0.01 --statistic ks --json").code, 1);
  EXPECT_EQ(run("$tare test bad.csv").code, 0);
  const auto ran = run("$tare test bad.csv --gate --json -o answer.json --quiet");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(json::parse(read("answer.json")).at("gate").at("rejected"), true);
}

TEST_F(test_command, counts_certain_errors) {
  write("t.csv", "confidence,correct\n1,0\n1,1\n0.7,1\n0.6,0\n0.9,1\n");
  const auto ran = run("$tare test t.csv");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "Certain and wrong: 1 row with a score of\n1 and label 0");
}

TEST_F(test_command, gives_the_same_bytes_for_any_number_of_threads) {
  const std::string faster = tare::detail::testing::sanitized ? " --statistic debias_em,ks" : "";
  const auto one = run("$tare test $data/lenet5_cifar10.npz --json --resamples 20 --alpha 0.1 --threads 1" + faster);
  const auto three = run("$tare test $data/lenet5_cifar10.npz --json --resamples 20 --alpha 0.1 --threads 3" + faster);
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, three.out);
}

TEST_F(test_command, fails_with_a_remedy) {
  const std::string command = "$tare test $data/lenet5_cifar10.npz ";
  EXPECT_FAILS(run(command + "--statistic sweepem"));
  EXPECT_FAILS(run(command + "--statistic brier"));
  EXPECT_FAILS(run(command + "--gate --statistic ks,smece"));
  EXPECT_FAILS(run(command + "--alpha 0.0001"));
  EXPECT_FAILS(run(command + "--alpha 5"));
  EXPECT_FAILS(run(command + "--resamples 0"));
  EXPECT_FAILS(run(command + "--reduction classwise"));
}

TEST_F(test_command, is_in_the_list) {
  const json list = json::parse(run("$tare list --json").out);
  ASSERT_GE(list.at("tests").size(), 5U);
  for (const auto& row : list["tests"]) {
    const auto ran = run("$tare test $data/lenet5_cifar10.npz --json --no-detectable --resamples 40 --statistic " +
                         row.at("name").get<std::string>());
    EXPECT_EQ(ran.code, 0) << ran.err;
  }
}

}  // namespace
