// What the table says about an estimator is all that anybody needs: tests/toy adds one by one line, and every output
// shows it with its interval, noise floor, verdict and diagram. It adds an option in the same way.
#include "cli/program.hpp"

namespace {

using nlohmann::json;

class Toy : public tare::detail::testing::Program {
 protected:
  // 200 rows at 0.25 that come true 50 times, 200 rows at 0.75 that come true 100 times: the gaps are 0 and 1/4.
  Toy() {
    std::string rows = "confidence,correct\n";
    for (int i = 0; i < 200; ++i) rows += i < 50 ? "0.25,1\n" : "0.25,0\n";
    for (int i = 0; i < 200; ++i) rows += i < 100 ? "0.75,1\n" : "0.75,0\n";
    write("rows.csv", rows);
  }
};

TEST_F(Toy, is_measured_with_interval_floor_and_verdict) {
  const auto ran = run("${tare}_with_toy measure rows.csv --json --quiet");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json measured = json::parse(ran.out).at("estimates");
  const auto at =
      std::find_if(measured.begin(), measured.end(), [](const json& m) { return m.at("name") == "halves"; });
  ASSERT_NE(at, measured.end());
  const json& m = *at;
  EXPECT_NEAR(m.at("value").get<double>(), 0.125, 1e-12);
  // variance (1/2)^2 (1/4 3/4 + 1/2 1/2) / 200
  const double half = 1.959963984540054 * std::sqrt(0.25 * (0.1875 + 0.25) / 200);
  EXPECT_NEAR(m.at("low").get<double>(), 0.125 - half, 1e-12);
  EXPECT_NEAR(m.at("high").get<double>(), 0.125 + half, 1e-12);
  EXPECT_EQ(m.at("interval"), "normal 95%");
  EXPECT_GT(m.at("floor").get<double>(), 0.01);
  EXPECT_LT(m.at("floor_high").get<double>(), 0.08);
  EXPECT_EQ(m.at("verdict"), "above noise");
  ASSERT_EQ(m.at("per_bin").size(), 2U);
  EXPECT_EQ(m.at("per_bin")[1].at("mean_label"), 0.5);
}

TEST_F(Toy, stands_in_the_text_and_in_the_list) {
  const auto text = run("${tare}_with_toy measure rows.csv --all --quiet");
  EXPECT_NE(text.out.find("halves, %"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("halves: rows 400"), std::string::npos);
  const auto drawn = run("${tare}_with_toy plot reliability rows.csv --estimator halves --text");
  EXPECT_NE(drawn.out.find("halves: 12.50%"), std::string::npos) << drawn.out;
  const auto list = run("${tare}_with_toy list");
  EXPECT_NE(list.out.find("mean gap below and above a score of one half"), std::string::npos);
  const json table = json::parse(run("${tare}_with_toy list --json").out);
  EXPECT_EQ(table.at("estimators").back().at("name"), "halves");
  EXPECT_EQ(run("$tare list").out.find("halves"), std::string::npos);  // the table of the program has no toy
}

TEST_F(Toy, has_a_diagram_with_bands) {
  ASSERT_EQ(run("${tare}_with_toy plot reliability rows.csv --estimator halves --style bars -o x.svg --quiet").code, 0);
  const std::string picture = read("x.svg");
  EXPECT_NE(picture.find("halves, 2 bins: 12.50%"), std::string::npos);
  EXPECT_NE(picture.find("50% to 100%: 200 rows"), std::string::npos);
  EXPECT_NE(picture.find("; if calibrated "), std::string::npos);  // what the band says of a bar
}

TEST_F(Toy, has_its_panel_on_the_page) {
  const auto ran = run("${tare}_with_toy report rows.csv --replicates 20 --quiet -o page.html");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string page = read("page.html");
  EXPECT_NE(page.find("id=\"bins-3\">two halves</label>"), std::string::npos);
  EXPECT_NE(page.find("Bins of the two halves: halves"), std::string::npos);
  EXPECT_NE(page.find("Bins of halves (two halves), in percent"), std::string::npos);
  EXPECT_NE(page.find(":has(#bins-3:checked) .panel:not(.panel-bins-3)"), std::string::npos);
  EXPECT_NE(page.find("<code>halves</code> error of two halves"), std::string::npos);
}

TEST_F(Toy, is_a_statistic_of_the_test) {
  const auto ran = run("${tare}_with_toy test rows.csv --statistic halves --json --quiet");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_LE(json::parse(ran.out).at("tests")[0].at("p_value").get<double>(), 0.001);
}

// An option is its entry in the table (core/call_options.hpp), its member and its use; tests/python/test_options.py
// does the same for keywords.
TEST_F(Toy, has_an_option_on_every_page) {
  for (const std::string command : {"measure", "demo"})
    EXPECT_NE(run("COLUMNS=80 ${tare}_with_toy " + command + " --help")
                  .out.find("  --fewest N            refuse data of fewer rows (0)\n"),
              std::string::npos);
  EXPECT_NE(
      run("${tare}_with_toy man --command measure").out.find(".B \\-\\-fewest N\nrefuse data of fewer rows (0)\n"),
      std::string::npos);
  for (const std::string shell : {"bash", "zsh", "fish"})
    EXPECT_NE(run("${tare}_with_toy completion " + shell).out.find("fewest"), std::string::npos) << shell;
  EXPECT_EQ(run("$tare measure --help").out.find("fewest"), std::string::npos);
}

TEST_F(Toy, has_an_option_that_is_read_checked_and_used) {
  EXPECT_EQ(run("${tare}_with_toy measure rows.csv --fewest 400 --quiet").code, 0);
  const auto few = run("${tare}_with_toy measure rows.csv --fewest 401 --quiet");
  EXPECT_EQ(few.code, 2);
  EXPECT_EQ(few.err, "error: too few rows\n");
  const auto many = run("${tare}_with_toy measure rows.csv --fewest 1001 --quiet");
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.err.find("--fewest: 1001 is not in 0 .. 1,000"), std::string::npos) << many.err;
}

}  // namespace
