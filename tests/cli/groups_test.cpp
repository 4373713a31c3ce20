// For which group is it wrong: --group of measure, test, compare, report and plot.
#include "cli/program.hpp"

namespace {

using groups = tare::detail::testing::Program;
using nlohmann::json;

// Two hundred rows each at a score of one half: group b hits 150 times, the others 100.
std::string three_groups() {
  std::string out = "probability,outcome,region,size\n";
  for (int g = 0; g < 3; ++g)
    for (int i = 0; i < 200; ++i)
      out += std::string("0.5,") + (i < (g == 1 ? 150 : 100) ? "1" : "0") + "," + std::string(1, "abc"[g]) + "," +
             std::to_string(g * 200 + i) + "\n";
  return out;
}

TEST_F(groups, measure_names_the_group_that_is_off) {
  write("t.csv", three_groups());
  const auto ran = run("$tare measure t.csv --probs probability --labels outcome --group region --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json found = json::parse(ran.out).at("groups");
  EXPECT_EQ(found.at("found"), 1);
  EXPECT_EQ(found.at("columns")[0].at("name"), "region");
  const json& worst = found.at("groups")[0];
  EXPECT_EQ(worst.at("group"), "b");
  EXPECT_EQ(worst.at("n"), 200);
  EXPECT_DOUBLE_EQ(worst.at("gap").get<double>(), -0.25);
  // 150 or more of 200 fair coins, twice, by whole numbers
  EXPECT_NEAR(worst.at("p_gap").get<double>() / 8.393020875604761e-13, 1, 1e-9);
  EXPECT_TRUE(worst.at("found"));
  EXPECT_FALSE(found.at("groups")[1].at("found"));
  EXPECT_LE(found.at("p_value").get<double>(), 0.001);
  const auto text = run("$tare measure t.csv --probs probability --labels outcome --group region");
  EXPECT_HAS(text.out, "1 of 3 groups of region is miscalibrated: b (too low by 25.0 points).");
}

TEST_F(groups, without_redrawn_labels_are_refused) {
  write("t.csv", three_groups());
  EXPECT_FAILS(run("$tare measure t.csv --probs probability --labels outcome --group region --no-interval"));
}

// Of many groups a page and a terminal show the worst and the largest, and say so; JSON and CSV have them all.
TEST_F(groups, that_are_many_are_counted_not_listed) {
  std::string rows = "probability,outcome,customer\n";
  for (int g = 0; g < 1500; ++g)
    for (int i = 0; i < (g == 777 ? 30 : 2); ++i)
      rows += std::string(g == 5 ? "0.001," : "0.5,") + (g == 5 || i % 2 == 0 ? "1" : "0") + ",c" + std::to_string(g) +
              "\n";
  write("t.csv", rows);
  const std::string words = " t.csv --probs probability --labels outcome --group customer ";
  ASSERT_EQ(run("$tare report" + words + "--no-bias -o r.html").code, 0);
  const std::string page = read("r.html");
  EXPECT_HAS(page, "500 of 1,500 groups are shown");
  EXPECT_HAS(page, "--csv");
  EXPECT_HAS(page, "<bdi>c5</bdi>");    // the strongest evidence
  EXPECT_HAS(page, "<bdi>c777</bdi>");  // the largest
  EXPECT_LT(page.size(), 2'000'000U);
  const auto text = run("$tare measure" + words + "--all");
  EXPECT_HAS(text.out, "1,000 of 1,500 groups are shown");
  EXPECT_HAS(text.out, "\nc777 ");
  const std::string csv = run("$tare measure" + words + "--csv").out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1501);
  EXPECT_EQ(json::parse(run("$tare measure" + words + "--json").out).at("groups").at("groups").size(), 1500U);
}

// Names that a terminal would obey, or a spreadsheet.
TEST_F(groups, of_hostile_names_are_text_in_csv) {
  write("t.csv",
        "probability,outcome,region\n0.5,1,=cmd|x\n0.5,0,=cmd|x\n0.5,1,a\x1b[2J\n0.5,0,a\x1b[2J\n0.5,1,b\u202e\n"
        "0.5,0,b\u202e\n0.5,1,-7\n0.5,0,-7\n0.5,0,@x\n");
  const auto ran = run("$tare measure t.csv --probs probability --labels outcome --group region --csv");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, ",'=cmd|x,");
  EXPECT_HAS(ran.out, ",'@x,");
  EXPECT_HAS(ran.out, "a\\x1b[2J");
  EXPECT_HAS(ran.out, "b\\u202e");
  EXPECT_LACKS(ran.out, "\x1b");
  EXPECT_LACKS(ran.out, "\u202e");
}

TEST_F(groups, numbers_become_ranges_and_several_columns_one_list) {
  write("t.csv", three_groups());
  const auto ran =
      run("$tare test t.csv --probs probability --labels outcome --group region --group size --group-bins 3 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json found = json::parse(ran.out).at("groups");
  ASSERT_EQ(found.at("groups").size(), 6U);
  EXPECT_EQ(found.at("columns")[1].at("groups"), 3);
  std::set<std::string> names;
  for (const auto& line : found.at("groups")) names.insert(line.at("group"));
  EXPECT_EQ(names, (std::set<std::string>{"a", "b", "c", "0 to 199", "200 to 399", "400 to 599"}));
}

TEST_F(groups, compare_shows_them_before_and_after) {
  write("t.csv", three_groups());
  const auto ran =
      run("$tare compare t.csv --probs probability --labels outcome --group region --methods platt --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const auto& method : json::parse(ran.out).at("methods"))
    EXPECT_EQ(method.at("groups").at("groups").size(), 3U) << method.at("method");
  EXPECT_HAS(run("$tare compare t.csv --probs probability --labels outcome --group region --methods platt").out,
             "groups off");
}

TEST_F(groups, are_drawn_and_reported) {
  write("t.csv", three_groups());
  const std::string data = " t.csv --probs probability --labels outcome --group region";
  ASSERT_EQ(run("$tare plot groups" + data + " -o g.svg").code, 0);
  EXPECT_HAS(read("g.svg"), "mean probability less observed rate");
  EXPECT_HAS(run("$tare plot groups" + data + " --text").out, "●");
  ASSERT_EQ(run("$tare report" + data + " -o r.html --replicates 20").code, 0);
  EXPECT_HAS(read("r.html"), "<section id=\"groups\"");
  EXPECT_KEPT(run("$tare plot groups t.csv --probs probability --labels outcome").err);
}

TEST_F(groups, bad_columns_get_the_place_and_a_remedy) {
  write("t.csv", three_groups());
  const std::string data = "$tare measure t.csv --probs probability --labels outcome --group ";
  const auto unknown = run(data + "regoin");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_KEPT(unknown.err);
  write("x.csv", "p,y,z\n0.5,1,0.11\n0.5,0,0.12\n");
  std::string many = "p,y,z\n";
  for (int i = 0; i < 150; ++i) many += "0.5,1," + std::to_string(i) + ".5\n";
  write("many.csv", many);
  const auto numbers = run("$tare measure many.csv --probs p --labels y --group z");
  EXPECT_EQ(numbers.code, 2);
  EXPECT_KEPT(numbers.err);
  write("short.csv", "region\na\nb\n");
  const auto length = run(data + "short.csv:region");
  EXPECT_EQ(length.code, 2);
  EXPECT_KEPT(length.err);
  const auto classes = run(data + "region --reduction classwise");
  EXPECT_EQ(classes.code, 2);
  EXPECT_KEPT(classes.err);
}

}  // namespace
