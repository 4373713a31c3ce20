// tare watch: the exit status is the contract of a daily job.
#include "cli/program.hpp"
#include "watch/watch_rows.hpp"

namespace {

using nlohmann::json;
using tare::detail::testing::state_bytes;
using tare::detail::testing::watch_rows;

class watch_command : public tare::detail::testing::Program {
 protected:
  watch_command() {
    write("reference.state", state_bytes(watch_rows("uniform", 4000, 1000)));
    write("calm.state", state_bytes(watch_rows("uniform", 500, 2)));
    write("drifted.state", state_bytes(watch_rows("high", 500, 3)));
    write("moved.state", state_bytes(watch_rows("uniform", 500, 5, 0, 0.15)));
    std::filesystem::create_directory(folder_ / "days");
    for (int day = 1; day <= 9; ++day)
      write("days/2026-03-0" + std::to_string(day) + ".state",
            state_bytes(watch_rows("uniform", 300, 10 + static_cast<std::uint64_t>(day), 0, day > 6 ? 0.12 : 0)));
    write("days/notes.txt", "no state");
  }
};

TEST_F(watch_command, tells_a_moved_curve_from_drifted_scores) {
  const auto of = [&](const std::string& day) {
    const auto ran = run("$tare watch reference.state " + day + " --json --alert moved");
    const json answer = json::parse(ran.out);
    return std::tuple(ran.code, answer["days"][0]["alerts"].dump(), answer["days"][0]["drift"]["p_value"] < 0.05);
  };
  EXPECT_EQ(of("calm.state"), std::tuple(0, "[]", false));
  EXPECT_EQ(of("drifted.state"), std::tuple(0, "[\"drifted\"]", true));
  const auto [code, alerts, drifted] = of("moved.state");
  EXPECT_EQ(code, 1);
  EXPECT_HAS(alerts, "moved");
  EXPECT_FALSE(drifted) << alerts;
  EXPECT_HAS(run("$tare watch reference.state drifted.state").out, "scores only");
}

TEST_F(watch_command, reads_a_folder_in_the_order_of_names) {
  const auto ran = run("$tare watch reference.state days --svg w.svg");
  ASSERT_EQ(ran.code, 1) << ran.err;
  EXPECT_HAS(ran.out, "Calibration is lost: the alarm came on 2026-03-0");
  EXPECT_LT(ran.out.find("2026-03-01 "), ran.out.find("2026-03-09 "));
  EXPECT_HAS(ran.out, "alarm │");
  EXPECT_HAS(read("w.svg"), "over its alarm");
  EXPECT_KEPT(ran.err);
  EXPECT_EQ(run("$tare watch reference.state days --alert drifted --alpha 0.0001 -o answer.txt").code, 0);
}

TEST_F(watch_command, goes_on_from_its_file) {
  EXPECT_EQ(run("$tare watch reference.state days/2026-03-01.state --save w.watch").code, 0);
  for (int day = 2; day <= 9; ++day) {
    const auto ran = run("$tare watch w.watch days/2026-03-0" + std::to_string(day) + ".state --save w.watch");
    EXPECT_EQ(ran.code, day == 9 ? 1 : ran.code) << ran.err;
  }
  const auto running = run("$tare watch w.watch --json"), at_once = run("$tare watch reference.state days --json");
  EXPECT_EQ(running.code, 1);
  EXPECT_EQ(running.out, at_once.out);
  const auto folder = run("$tare watch w.watch days --json");  // nothing new in it
  EXPECT_EQ(folder.out, at_once.out);
}

// Ten at once: each waits for the one before, and no day is lost.
TEST_F(watch_command, several_at_once_lose_no_day) {
  ASSERT_EQ(run("$tare watch reference.state calm.state --save w.watch --quiet").code, 0);
  const auto ran = run(
      "for d in 1 2 3 4 5 6 7 8 9; do { $tare watch w.watch days/2026-03-0$d.state --save w.watch --alert moved "
      "--quiet "
      ">/dev/null; echo $? >code$d; } & done; $tare watch w.watch moved.state --save w.watch --quiet --alert drifted "
      ">/dev/null; wait; cat code*");
  EXPECT_EQ(ran.out.find('2'), std::string::npos) << ran.out << ran.err;
  EXPECT_EQ(json::parse(run("$tare watch w.watch --json").out)["days"].size(), 11U);
}

// Begun anew by several at once: one is there at the end, and the others say that it is not theirs.
TEST_F(watch_command, several_that_begin_at_once_are_told) {
  const auto ran =
      run("for d in 1 2 3 4 5; do { $tare watch reference.state days/2026-03-0$d.state --save w.watch --alert moved "
          "--quiet "
          ">/dev/null; echo $? >code$d; } & done; wait; cat code*");
  const json kept = json::parse(run("$tare watch w.watch --json").out);
  EXPECT_EQ(kept["days"].size(), 1U);
  std::size_t refused = 0;
  for (std::size_t at = 0; (at = ran.err.find("another program has changed w.watch", at)) != std::string::npos; ++at)
    ++refused;
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '2'), static_cast<std::ptrdiff_t>(refused)) << ran.err;
}

TEST_F(watch_command, writes_no_two_answers_into_one_file) {
  EXPECT_FAILS(run("$tare watch reference.state calm.state -o x --svg x"));
  EXPECT_FAILS(run("$tare watch reference.state calm.state -o x --save ./x"));
  EXPECT_FAILS(run("touch y && ln y z; $tare watch reference.state calm.state --svg y --save z"));
  EXPECT_FALSE(exists("x"));
  EXPECT_EQ(read("y"), "");
  EXPECT_EQ(run("$tare watch reference.state calm.state -o /dev/null --svg /dev/null").code, 0);
}

TEST_F(watch_command, refuses_an_alpha_that_no_evidence_reaches) {
  for (const char* alpha : {"1e-281", "1e-310", "5e-324"})
    EXPECT_FAILS(run(std::string("$tare watch reference.state calm.state --alpha ") + alpha));
  EXPECT_EQ(run("$tare watch reference.state calm.state --alpha 1e-280").out.find("inf"), std::string::npos);
}

TEST_F(watch_command, refuses_with_a_sentence_and_leaves_everything_as_it_was) {
  ASSERT_EQ(run("$tare watch reference.state calm.state --save w.watch").code, 0);
  const std::string kept = read("w.watch");
  EXPECT_FAILS(run("$tare watch"));
  EXPECT_FAILS(run("$tare watch nowhere.state"));
  EXPECT_FAILS(run("$tare watch w.watch calm.state --save w.watch"));
  EXPECT_FAILS(run("$tare watch w.watch moved.state --alpha 0.1 --save w.watch"));
  EXPECT_FAILS(run("$tare watch reference.state days/notes.txt"));
  EXPECT_FAILS(run("$tare watch reference.state calm.state --save calm.state"));
  EXPECT_FAILS(run("$tare watch reference.state calm.state --save reference.state"));
  EXPECT_FAILS(run("$tare watch reference.state calm.state --alert calm"));
  EXPECT_FAILS(run("$tare watch reference.state calm.state --run-length 0"));
  EXPECT_FAILS(run("$tare watch reference.state --svg w.svg"));
  EXPECT_FALSE(exists("w.svg"));
  EXPECT_FAILS(run("mkdir empty; $tare watch reference.state empty"));
  EXPECT_FAILS(run("head -c 500 w.watch > cut.watch; $tare watch cut.watch"));
  EXPECT_EQ(read("w.watch"), kept);
}

}  // namespace
