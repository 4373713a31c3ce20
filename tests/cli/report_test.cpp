// tare report from end to end: one file, whole, with the names and commands a person typed.
#include "cli/program.hpp"
#include "support/sanitized.hpp"

namespace {

using report = tare::detail::testing::Program;

const char* const five_rows = "confidence,correct\n0.75,1\n0.75,0\n0.25,1\n0.25,0\n0.9,1\n";

TEST_F(report, writes_a_whole_page) {
  write("t.csv", five_rows);
  const auto ran = run("$tare report t.csv --bins 2 --no-bias -o r.html");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "wrote r.html\n");
  EXPECT_EQ(files(), 2U);
  const std::string html = read("r.html");
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_HAS(html, "tare report t.csv --bins 2 --no-bias -o r.html");
}

// `script` gives the program a terminal: nobody reads HTML there.
TEST_F(report, in_a_terminal_goes_into_a_file_that_is_named) {
  if (run("command -v script").code != 0) GTEST_SKIP() << "needs script(1)";
  tare::detail::testing::fs::create_directory(folder_ / "data");
  write("data/t.csv", five_rows);
  const auto ran = run("script -qec \"$tare report data/t.csv --no-bias\" /dev/null");
  EXPECT_HAS(ran.out, "wrote t.report.html");
  EXPECT_LACKS(ran.out, "<html");
  EXPECT_TRUE(read("t.report.html").ends_with("</html>\n"));
  EXPECT_TRUE(run("$tare report data/t.csv --no-bias --quiet | cat").out.ends_with("</html>\n"));
}

TEST_F(report, has_title_and_date) {
  write("t.csv", "confidence,correct\n0.75,1\n0.75,0\n0.75,1\n0.75,0\n");
  const auto ran = run("SOURCE_DATE_EPOCH=86400 $tare report t.csv --title 'our model' --no-bias --quiet");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "Calibration report · 1970-01-02");
  EXPECT_HAS(ran.out, "<h1><bdi>our model</bdi></h1>");
  EXPECT_HAS(ran.out, "Model: <bdi>t.csv</bdi>");
}

TEST_F(report, prints_the_page_where_no_file_is_named_and_is_quiet_when_asked) {
  write("t.csv", five_rows);
  const auto ran = run("$tare report t.csv --no-bias --quiet");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(ran.out.starts_with("<!DOCTYPE html>"));
}

TEST_F(report, shows_every_calibrator_before_and_after) {
  const auto ran =
      run("$tare report $data/resnet110_cifar10.npz --methods temperature,platt --no-bias --no-classes -o r.html");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string html = read("r.html");
  EXPECT_HAS(html, "Reliability after temperature");
  EXPECT_HAS(html, "Reliability after platt");
  EXPECT_HAS(html, "tare apply model.json --logits new.npy -o calibrated.npy");
  EXPECT_LACKS(html, "id=\"classes\"");
}

TEST_F(report, takes_two_files_for_two_folds) {
  std::string rows = "probs,labels\n";
  for (int i = 0; i < 60; ++i)
    rows += std::to_string((i % 10 + 0.5) / 10) + "," + std::to_string(i % 10 > i % 7) + "\n";
  write("v.csv", rows);
  write("t.csv", rows);
  const auto ran = run("$tare report --val v.csv --test t.csv --methods platt --no-bias -o r.html");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(read("r.html"), "Reliability after platt");
  EXPECT_FAILS(run("$tare report --val v.csv -o x.html"));
  EXPECT_FAILS(run("$tare report v.csv --test t.csv -o x.html"));
  EXPECT_FALSE(exists("x.html"));
}

TEST_F(report, quotes_the_command_for_a_shell) {
  const std::string name = "it's <b>&\"🙂.csv";
  write(name, five_rows);
  const auto ran = run("$tare report \"it's <b>&\\\"🙂.csv\" --no-bias -o r.html");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(read("r.html"),
             "tare report &#39;it&#39;\\&#39;&#39;s &lt;b&gt;&amp;&quot;🙂.csv&#39; --no-bias -o r.html");
  EXPECT_LACKS(read("r.html"), "s <b>");
}

TEST_F(report, gives_the_same_page_for_any_number_of_threads) {
  std::string rows = "p_a,p_b,p_c,labels\n";
  for (int i = 0; i < (tare::detail::testing::sanitized ? 120 : 400); ++i) {
    const double top = 0.4 + 0.6 * (i % 97) / 97.0, rest = (1 - top) / 2;
    const std::string high = std::to_string(top), low = std::to_string(rest);
    rows += (i % 3 == 0 ? high : low) + "," + (i % 3 == 1 ? high : low) + "," + (i % 3 == 2 ? high : low) + "," +
            std::to_string(i % 5 == 0 ? i / 3 % 3 : i % 3) + "\n";
  }
  write("t.csv", rows);
  const char* words = "$tare report --probs 't.csv:p_*' --labels t.csv:labels --replicates 20 ";
  ASSERT_EQ(run(std::string(words) + "--threads 1 -o a.html").code, 0);
  ASSERT_EQ(run(std::string(words) + "--threads 2 -o b.html").code, 0);
  const auto differing = run("diff a.html b.html | grep -c '^[<>]'");
  EXPECT_EQ(differing.out, "2\n");  // the command line
}

TEST_F(report, explains_what_it_cannot_do) {
  write("t.csv", five_rows);
  EXPECT_FAILS(run("$tare report t.csv --methods temprature"));
  EXPECT_FAILS(run("$tare report nothing.npz -o r.html"));
  EXPECT_FAILS(run("$tare report t.csv -o no/such/folder/r.html"));
}

}  // namespace
