// Weights are frequencies, in whatever unit they come: every command with weights that sum to 1, and with large ones.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "cli/program.hpp"

namespace {

using nlohmann::json;
using tare::detail::testing::Program;

class weights : public Program {
 protected:
  // n rows of two classes, overconfident, all with one weight.
  void write_rows(const std::string& name, std::size_t n, double weight, std::uint64_t seed = 1) const {
    std::mt19937_64 rng(seed);
    std::uniform_real_distribution<double> uniform(0.02, 0.98);
    std::string text = weight > 0 ? "p_0,p_1,label,weight\n" : "p_0,p_1,label\n";
    for (std::size_t i = 0; i < n; ++i) {
      const double p = uniform(rng), truth = 0.5 + 0.6 * (p - 0.5);
      const int label = std::uniform_real_distribution<double>()(rng) < truth;
      text += fmt::format("{:.17g},{:.17g},{}", 1 - p, p, label);
      if (weight > 0) text += fmt::format(",{:.17g}", weight);
      text += "\n";
    }
    write(name, text);
  }
  [[nodiscard]] json measured(const std::string& options) const {
    const auto ran = run("$tare measure " + options + " --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? json::parse(ran.out) : json();
  }
};

TEST_F(weights, that_sum_to_one_work_in_every_command) {
  write_rows("w.csv", 512, 1.0 / 512);
  for (const char* command :
       {"measure w.csv --weights weight", "measure w.csv --weights weight --bias",
        "measure w.csv --weights weight --reduction classwise", "test w.csv --weights weight",
        "compare w.csv --weights weight --methods temperature,platt,isotonic,histogram,bbq,scaling_binning --resamples "
        "50",
        "bbc w.csv --weights weight --replicates 20", "plot reliability w.csv --weights weight -o p.svg",
        "plot compare w.csv --weights weight --methods temperature -o c.svg",
        "report w.csv --weights weight --replicates 20 -o r.html", "fit temperature w.csv --weights weight -o m.json",
        "fit beta w.csv --weights weight -o b.json"}) {
    const auto ran = run(std::string("$tare ") + command + " --quiet");
    EXPECT_EQ(ran.code, 0) << command << "\n" << ran.err;
  }
}

// The same weight everywhere changes no mean, and every binned error is one of shares.
TEST_F(weights, of_any_unit_give_the_same_errors) {
  write_rows("plain.csv", 300, 0);
  const std::string options = " --estimators ece_ew,ece_em,mce_ew,brier,nll,accuracy,ks --no-interval";
  const json plain = measured("plain.csv" + options);
  for (const double weight : {1e-7, 1e-6, 1.0 / 300, 1.0 / 512, 0.3, 2.5, 1e6}) {
    write_rows("w.csv", 300, weight);
    const json heavy = measured("w.csv --weights weight" + options);
    for (std::size_t l = 0; l < plain.at("estimates").size(); ++l)
      EXPECT_NEAR(heavy.at("estimates").at(l).at("value").get<double>(),
                  plain.at("estimates").at(l).at("value").get<double>(), 1e-12)
          << weight << " " << plain.at("estimates").at(l).at("name");
    EXPECT_NEAR(heavy.at("input").at("total_weight").get<double>() / (300 * weight), 1, 1e-10);
  }
}

TEST_F(weights, that_sum_to_less_than_the_rows_are_explained) {
  write_rows("w.csv", 1000, 1e-3);
  const auto text = run("$tare measure w.csv --weights weight --no-interval");
  EXPECT_HAS(text.out, "the weights sum to 1 over 1000 rows");
  EXPECT_HAS(text.out, "multiply the weights by 1000");
  EXPECT_HAS(measured("w.csv --weights weight --no-interval").at("input").at("note").get<std::string>(),
             "as much evidence as 1 prediction;");
  EXPECT_KEPT(run("$tare fit temperature w.csv --weights weight -o m.json").err);
  EXPECT_HAS(run("$tare compare w.csv --weights weight --methods temperature --resamples 20").out,
             "the weights sum to 1");
  EXPECT_HAS(run("$tare test w.csv --weights weight --no-detectable").out, "the weights sum to 1");
  write_rows("w.csv", 1000, 0.9);
  EXPECT_TRUE(measured("w.csv --weights weight --no-interval").at("input").at("note").is_null());
}

// The work is that of the rows, not of what they weigh: 10^9 predictions in 1,000 rows.
TEST_F(weights, of_a_million_cost_what_rows_cost) {
  write_rows("w.csv", 1000, 1e6);
  const auto compared =
      run("$tare compare w.csv --weights weight --methods temperature,histogram --resamples 100 --json");
  ASSERT_EQ(compared.code, 0) << compared.err;
  EXPECT_EQ(json::parse(compared.out).at("validation").at("total_weight"), 1e9);
  const auto studied = run("$tare bbc w.csv --weights weight --replicates 5 --estimators ece_ew,debias_em --json");
  ASSERT_EQ(studied.code, 0) << studied.err;
  const json bbc = json::parse(studied.out);
  EXPECT_EQ(bbc.at("n"), 100'000);
  EXPECT_HAS(bbc.at("note").get<std::string>(), "biases are smaller");
  for (const char* command : {"bbc w.csv --weights weight --replicates 5 --scores empirical --estimators ece_ew",
                              "measure w.csv --weights weight --bias --estimators ece_ew",
                              "test w.csv --weights weight --statistic debias_em --resamples 99"}) {
    const auto ran = run(std::string("$tare ") + command + " --quiet");
    EXPECT_EQ(ran.code, 0) << command << "\n" << ran.err;
  }
}

}  // namespace
