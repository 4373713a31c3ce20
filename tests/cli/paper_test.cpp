#include "cli/program.hpp"
#include "support/folders.hpp"

namespace {

using tare::detail::testing::Program;

class paper_command : public Program {};

TEST_F(paper_command, lists_every_figure_and_table) {
  const auto ran = run("$tare paper --list");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* name : {"fig1 ", "fig14 ", "table4 ", "guo_table1 ", "beyond_regimes "}) EXPECT_HAS(ran.out, name);
  EXPECT_EQ(nlohmann::json::parse(run("$tare paper --list --json").out)["items"].size(), 38U);
}

TEST_F(paper_command, writes_pictures_tables_and_a_page) {
  const auto ran = run("$tare paper fig2a fig2b --quick -o out --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto answer = nlohmann::json::parse(ran.out);
  EXPECT_EQ(answer["claims"].size(), 2U);
  EXPECT_EQ(answer["claims"][0]["verdict"], "reproduced");
  for (const char* name :
       {"index.html", "papers.md", "fig2a.csv", "fig2a_curve.svg", "fig2b.csv", "fig2b.svg", "fig2b.md"})
    EXPECT_TRUE(exists(std::string("out/") + name)) << name;
}

TEST_F(paper_command, says_what_it_cannot_do) {
  EXPECT_FAILS(run("$tare paper fig44 -o out"));
  EXPECT_FAILS(run("touch out; $tare paper fig2a -o out"));
  EXPECT_FAILS(run("TARE_PAPER=nowhere $tare paper --list"));
}

TEST_F(paper_command, names_the_fault_of_a_data_file) {
  const auto with = [&](const std::string& json) {
    write("t.json", json);
    write("README.md", "");
    return run("TARE_PAPER=. $tare paper all -o out");
  };
  EXPECT_FAILS(with("{"));
  EXPECT_FAILS(with(R"({"group": "g", "title": "t", "order": 1})"));
  EXPECT_FAILS(with(R"({"group": "g", "title": "t", "order": 1, "study": {"kind": "magic"}})"));
  EXPECT_FAILS(with(R"({"group": "g", "title": "t", "order": 1, "study": {"kind": "bias"}})"));
  EXPECT_FAILS(
      with(R"({"group": "g", "title": "t", "order": 1, "study": {"kind": "bias", "sizes": [10], "estimators": ["ecee"],
                       "truths": [{"scores": "uniform", "curve": "identity"}]}})"));
}

// One item fails, the others are written, and the failure has a name.
TEST_F(paper_command, survives_an_item_that_fails) {
  write("README.md", "");
  write("bad.json", R"({"group": "roelofs", "title": "the bad one", "order": 1, "study": {"kind": "bias", "sizes": [10],
                        "estimators": ["ecee"], "truths": [{"scores": "uniform", "curve": "identity"}]}})");
  ASSERT_EQ(run("cp " + tare::detail::testing::source_dir() + "/paper/fig2b.json good.json").code, 0);
  const auto ran = run("TARE_PAPER=. $tare paper all --quick -o out --json");
  EXPECT_EQ(ran.code, 2);
  EXPECT_KEPT(ran.err);
  EXPECT_TRUE(exists("out/good.csv"));
  EXPECT_HAS(read("out/index.html"), "the bad one");
  EXPECT_HAS(read("out/index.html"), "Not computed:");
  EXPECT_HAS(read("out/papers.md"), "Not computed: bad");
  const auto answer = nlohmann::json::parse(ran.out);
  EXPECT_EQ(answer.at("not_computed").at(0).at("item"), "bad");
  EXPECT_GE(answer.at("claims").size(), 1U);
}

}  // namespace
