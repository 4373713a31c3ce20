// Small conveniences: help and version as words, titles, tables for other programs, narrow and plain terminals.
#include "cli/program.hpp"

namespace {

using words = tare::detail::testing::Program;
using nlohmann::json;

const char* const some_rows = "confidence,correct,team\n0.75,1,a\n0.75,0,a\n0.75,1,b\n0.75,0,b\n0.9,1,b\n";

TEST_F(words, help_and_version_are_commands_too) {
  EXPECT_EQ(run("$tare help").out, run("$tare --help").out);
  EXPECT_EQ(run("$tare help measure").out, run("$tare measure --help").out);
  EXPECT_EQ(run("$tare version").out, run("$tare --version").out);
  EXPECT_EQ(run("$tare -V").out, run("$tare --version").out);
  const auto unknown = run("$tare help mesure");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_KEPT(unknown.err);
}

TEST_F(words, are_known_whatever_their_case) {
  EXPECT_KEPT(run("$tare Measure x").err);
  write("t.csv", some_rows);
  EXPECT_KEPT(run("$tare measure t.csv --estimators ECE_EW").err);
  EXPECT_KEPT(run("$tare measure t.csv --Estimators ece_ew").err);
}

TEST_F(words, a_title_replaces_the_file_name) {
  write("t.csv", some_rows);
  EXPECT_HAS(run("$tare measure t.csv --title 'my model'").out, "my model\n");
  EXPECT_EQ(json::parse(run("$tare test t.csv --title 'my model' --json").out).at("input").at("source"), "my model");
  ASSERT_EQ(run("$tare report t.csv --title 'my model' -o r.html --replicates 20").code, 0);
  EXPECT_HAS(read("r.html"), "<title>Calibration of my model</title>");
  ASSERT_EQ(run("$tare plot reliability t.csv --title 'my model' -o p.svg").code, 0);
  EXPECT_HAS(read("p.svg"), "my model");
}

TEST_F(words, csv_is_the_table_with_the_numbers_of_the_json) {
  write("t.csv", some_rows);
  const auto table = run("$tare measure t.csv --csv");
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_HAS(table.out, "name,norm,class,bins,value,low,high,floor,floor_high,verdict,reason\n");
  const json answer = json::parse(run("$tare measure t.csv --json").out);
  std::size_t lines = 0;
  for (const char c : table.out) lines += c == '\n' ? 1 : 0;
  EXPECT_EQ(lines, answer.at("estimates").size() + 1);
  EXPECT_HAS(table.out, "accuracy,,,,0.6,");
  EXPECT_HAS(run("$tare measure t.csv --group team --csv").out, "column,group,n,confidence,accuracy,gap");
  EXPECT_HAS(run("$tare test t.csv --csv").out, "smooth_test,,");
  EXPECT_HAS(run("$tare compare t.csv --folds 2 --methods platt --csv").out, "method,recommended,error,nll,brier");
  EXPECT_HAS(run("$tare bbc --model resnet110_c10 --n 100 --replicates 5 --csv").out,
             "estimator,norm,bins,n,replicates");
  EXPECT_EQ(run("$tare measure t.csv --csv -o out.csv").code, 0);
  EXPECT_EQ(read("out.csv"), table.out);
  EXPECT_EQ(run("$tare measure t.csv --csv --json").code, 2);
}

TEST_F(words, quiet_is_quiet) {
  write("t.csv", some_rows);
  for (const char* command : {"measure t.csv", "test t.csv", "compare t.csv --folds 2 --methods platt",
                              "report t.csv -o r.html --replicates 20", "plot reliability t.csv -o p.svg",
                              "measure t.csv -o m.txt", "partial t.csv -o t.state"})
    EXPECT_EQ(run(std::string("$tare ") + command + " --quiet").err, "") << command;
}

std::size_t widest(const std::string& utf8) {
  std::size_t most = 0, now = 0;
  for (const char c : utf8) {
    if (c == '\n')
      now = 0;
    else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U)
      most = std::max(most, ++now);
  }
  return most;
}

TEST_F(words, answers_fit_a_terminal_of_sixty_columns) {
  std::string table = "confidence,correct,team\n";
  for (int i = 0; i < 400; ++i)
    table += std::to_string(0.5 + 0.001 * i) + "," + (i % 3 ? "1" : "0") + (i % 2 ? ",left\n" : ",right\n");
  write("t.csv", table);
  for (const char* command : {"measure t.csv --all", "measure t.csv --group team", "test t.csv", "list",
                              "compare t.csv --methods platt,isotonic --all", "bbc t.csv --replicates 20",
                              "bbc --model resnet110_c10 --n 100 --replicates 5"}) {
    const auto ran = run(std::string("COLUMNS=60 $tare ") + command);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_LE(widest(ran.out), 60U) << command << "\n" << ran.out;
  }
}

TEST_F(words, pictures_are_ascii_where_the_locale_is) {
  write("t.csv", some_rows);
  const auto plain = run("LC_ALL=C $tare measure t.csv --group team"), rich = run("LC_ALL=C.UTF-8 $tare measure t.csv");
  EXPECT_TRUE(
      std::all_of(plain.out.begin(), plain.out.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
  EXPECT_EQ(plain.out.find('?'), std::string::npos) << plain.out;
  EXPECT_HAS(plain.out, "* smooth estimate of accuracy  | mean confidence  @ both");
  EXPECT_HAS(rich.out, "●");
  EXPECT_EQ(json::parse(run("LC_ALL=C $tare measure t.csv --json --title 'Zürich'").out).at("input").at("source"),
            "Zürich");
}

TEST_F(words, apply_writes_what_the_name_ends_in_and_reads_it_again) {
  write("t.csv", "p_cat,p_dog,p_owl,label\n0.5,0.3,0.2,cat\n0.2,0.6,0.2,dog\n0.1,0.1,0.8,owl\n0.3,0.4,0.3,cat\n");
  write("y.csv", "label\n0\n1\n2\n0\n");
  write("names.csv", "label\ncat\ndog\nowl\ncat\n");
  ASSERT_EQ(run("$tare fit temperature t.csv -o m.json").code, 0);
  for (const char* name : {"out.npy", "out.npz", "out.csv"})
    ASSERT_EQ(run(std::string("$tare apply m.json t.csv -o ") + name).code, 0) << name;
  EXPECT_HAS(read("out.csv"), "p_cat,p_dog,p_owl\n");
  const auto from = [&](const std::string& probs) {
    const auto ran = run("$tare measure --probs " + probs + " --labels y.csv --json --no-interval");
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? json::parse(ran.out).at("estimates") : json();
  };
  EXPECT_EQ(from("out.npy"), from("out.npz"));
  EXPECT_EQ(run("$tare measure --probs out.csv --labels names.csv --csv --no-interval").out,
            run("$tare measure --probs out.npy --labels y.csv --csv --no-interval").out);
  const auto piped = run("$tare apply m.json t.csv -o - | cmp - out.npy");
  EXPECT_EQ(piped.code, 0) << piped.out;
}

}  // namespace
