// Where bytes go: standard output is the answer, standard error is talk, files appear whole.
#include "cli/program.hpp"
#include "support/folders.hpp"

namespace {

using streams = tare::detail::testing::Program;
using nlohmann::json;

TEST_F(streams, every_help_is_a_page) {
  for (const char* command : {"", "measure", "list", "demo"}) {
    const auto ran = run(std::string("$tare ") + command + " --help");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
    for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "EXIT STATUS"})
      EXPECT_HAS(ran.out, section);
  }
}

TEST_F(streams, help_lists_every_command) {
  const auto ran = run("$tare -h");
  for (const char* command : {"\n  measure ", "\n  list ", "\n  demo "}) EXPECT_HAS(ran.out, command);
}

TEST_F(streams, version) { EXPECT_TRUE(run("$tare --version").out.starts_with("tare 0.")); }

TEST_F(streams, list_has_meaning_and_citation) {
  const json list = json::parse(run("$tare list --json").out);
  const auto text = run("$tare list").out;
  for (const auto& row : list.at("estimators")) {
    EXPECT_FALSE(row.at("summary").get<std::string>().empty()) << row.at("name");
    EXPECT_FALSE(row.at("citation").get<std::string>().empty()) << row.at("name");
    EXPECT_HAS(text, row.at("name").get<std::string>());
  }
}

TEST_F(streams, demo_answers_on_standard_output_and_talks_on_standard_error) {
  const auto loud = run("$tare demo --no-interval");
  ASSERT_EQ(loud.code, 0) << loud.err;
  EXPECT_KEPT(loud.err);
  EXPECT_TRUE(loud.out.starts_with("resnet110_cifar10.npz (test)\n")) << loud.out;
  EXPECT_LACKS(loud.out + loud.err, tare::detail::testing::source_dir());
  EXPECT_LACKS(loud.out + loud.err, "../");
  EXPECT_HAS(loud.out, "reliability diagram");
  const auto quiet = run("$tare demo --no-interval --quiet");
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out, loud.out);
}

TEST_F(streams, demo_obeys_tare_data) {
  ASSERT_TRUE(tare::detail::testing::fs::exists(tare::detail::testing::source_dir() + "/data/lenet5_cifar10.npz"));
  tare::detail::testing::fs::copy(tare::detail::testing::source_dir() + "/data/lenet5_cifar10.npz",
                                  folder_ / "resnet110_cifar10.npz");
  const auto other = run("TARE_DATA=. $tare demo --json --no-interval");
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_NE(other.out, run("$tare demo --json --no-interval").out);
}

TEST_F(streams, a_reader_that_goes_away_is_no_failure) {
  const auto ran = run("{ $tare list; echo \"code $?\" >&2; } | head -n 1");
  EXPECT_KEPT(ran.err);
  EXPECT_LACKS(ran.err, "error");
  // The reader is gone before the first byte: the pipe is certainly broken.
  const auto gone = run("{ sleep 0.3; $tare list; echo \"code $?\" >&2; } | true");
  EXPECT_KEPT(gone.err);
}

TEST_F(streams, an_output_file_is_the_answer) {
  const auto printed = run("$tare demo --quiet --no-interval --json");
  const auto written = run("$tare demo --no-interval --json -o answer.json");
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(written.out, "");
  EXPECT_KEPT(written.err);
  EXPECT_EQ(read("answer.json"), printed.out);
  EXPECT_EQ(files(), 1U) << "no temporary file stays";
}

TEST_F(streams, an_output_file_obeys_the_umask) {
  ASSERT_EQ(run("umask 027; $tare demo --quiet --no-interval -o report.txt").code, 0);
  EXPECT_EQ(tare::detail::testing::fs::status(folder_ / "report.txt").permissions(),
            tare::detail::testing::fs::perms{0640});
}

TEST_F(streams, an_output_file_that_is_a_link_stays_one) {
  write("real.txt", "old");
  tare::detail::testing::fs::create_symlink("real.txt", folder_ / "link.txt");
  ASSERT_EQ(run("$tare demo --quiet --no-interval -o link.txt").code, 0);
  EXPECT_TRUE(tare::detail::testing::fs::is_symlink(folder_ / "link.txt"));
  EXPECT_HAS(read("real.txt"), "reliability diagram");
}

TEST_F(streams, a_device_is_written_not_replaced) {
  const auto ran = run("$tare demo --quiet --no-interval -o /dev/stderr");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(run("$tare demo --quiet --no-interval -o /dev/null").code, 0);
  EXPECT_TRUE(tare::detail::testing::fs::is_character_file("/dev/null"));
}

// `script` gives the program a terminal.
TEST_F(streams, colour_only_on_a_terminal_and_never_with_NO_COLOR) {
  if (run("command -v script").code != 0) GTEST_SKIP() << "needs script(1)";
  const std::string on_terminal = "TERM=xterm script -qec \"$tare demo --quiet --no-interval\" /dev/null";
  EXPECT_HAS(run(on_terminal).out, "\033[");
  EXPECT_LACKS(run("NO_COLOR=1 " + on_terminal).out, "\033[");
  EXPECT_LACKS(run("$tare demo --quiet --no-interval").out, "\033[");
}

TEST_F(streams, columns_sets_the_width) {
  const auto narrow = run("COLUMNS=80 $tare demo --quiet --no-interval"),
             wide = run("COLUMNS=120 $tare demo --quiet --no-interval");
  EXPECT_LT(narrow.out.size(), wide.out.size());
}

}  // namespace
