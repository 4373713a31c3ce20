// Where an answer may go: never onto an input, never under a name that promises another format.
#include "cli/program.hpp"

namespace {

namespace fs = tare::detail::testing::fs;

class outputs : public tare::detail::testing::Program {
 protected:
  outputs() {
    write("t.csv", table);
    write("model.json", "");
    EXPECT_EQ(run("$tare fit temperature t.csv -o model.json").code, 0);
    model = read("model.json");
    fs::create_symlink("t.csv", folder_ / "link.html");
    fs::create_hard_link(folder_ / "t.csv", folder_ / "hard.json");
    fs::create_hard_link(folder_ / "t.csv", folder_ / "hard.txt");
    fs::create_hard_link(folder_ / "t.csv", folder_ / "hard.svg");
    fs::create_directory(folder_ / "sub");
    before = files();
  }
  const std::string table = "p_0,p_1,label\n0.75,0.25,0\n0.25,0.75,1\n0.5,0.5,1\n0.9,0.1,0\n0.2,0.8,0\n0.3,0.7,1\n";
  std::string model;
  std::size_t before = 0;
};

TEST_F(outputs, onto_an_input_are_refused_before_any_work) {
  for (const char* words :
       {"apply model.json t.csv -o t.csv", "apply model.json t.csv -o model.json", "fit temperature t.csv -o hard.json",
        "report t.csv -o link.html", "measure t.csv -o hard.txt", "measure t.csv -o sub/../hard.txt",
        "measure t.csv -o $PWD/hard.txt", "measure --probs 't.csv:p_*' --labels t.csv:label -o hard.txt",
        "test t.csv -o hard.txt", "compare t.csv -o hard.txt", "compare --val t.csv --test t.csv -o hard.txt",
        "plot reliability t.csv -o hard.svg", "bbc t.csv -o hard.txt", "bbc t.csv --checkpoint t.csv",
        "bbc t.csv --checkpoint c.json --json -o hard.json", "measure - -o hard.txt <t.csv"}) {
    EXPECT_FAILS(run(std::string("$tare ") + words));
    EXPECT_EQ(read("t.csv"), table) << words;
    EXPECT_EQ(read("model.json"), model) << words;
    EXPECT_EQ(files(), before) << words;
  }
  EXPECT_EQ(run("$tare measure t.csv >>t.csv").code, 2);
  EXPECT_EQ(read("t.csv"), table);
}

// Every command that reads a saved calibrator or further files and has -o, also by links and other spellings.
TEST_F(outputs, onto_models_and_further_files_are_refused) {
  for (const char* name : {"model.svg", "model.hpp", "model.sql", "model.txt", "model.html", "model.npy"})
    fs::create_hard_link(folder_ / "model.json", folder_ / name);
  fs::create_symlink("../model.json", folder_ / "sub" / "model.svg");
  fs::copy(folder_ / "t.csv", folder_ / "u.csv");
  fs::create_symlink("u.csv", folder_ / "u.svg");
  fs::create_symlink("u.csv", folder_ / "u.txt");
  const std::size_t all = files();
  for (const char* words :
       {"plot map t.csv --calibrator model.json -o model.svg",
        "plot map t.csv --calibrator model.json -o sub/model.svg",
        "plot before_after t.csv --calibrator ./model.json -o sub/../model.svg",
        "plot map t.csv --calibrator model.json --json -o model.json", "plot models t.csv --beside u.csv -o u.svg",
        "plot models t.csv --beside ./u.csv --csv -o u.csv", "export model.json -o model.hpp",
        "export model.json -o model.sql", "show model.json -o model.txt", "check model.json t.csv -o model.txt",
        "check model.json t.csv --json -o model.json", "report t.csv --after model.json -o model.html",
        "apply model.json t.csv -o model.npy", "measure t.csv u.csv -o u.txt", "measure t.csv u.csv --csv -o ./u.csv",
        "measure t.csv u.csv --csv -o t.csv", "compare --val t.csv --test u.csv -o u.txt",
        "compare t.csv --save sub/new.json --json -o sub/../sub/new.json",
        "fit prior_shift t.csv --prior-from u.csv -o hard.json"}) {
    EXPECT_EQ(run(std::string("$tare ") + words).code, 2) << words;
    EXPECT_EQ(read("t.csv"), table) << words;
    EXPECT_EQ(read("u.csv"), table) << words;
    EXPECT_EQ(read("model.json"), model) << words;
    EXPECT_EQ(files(), all) << words;
  }
  EXPECT_FAILS(run("$tare plot map t.csv --calibrator model.json -o sub/model.svg"));
  EXPECT_FAILS(run("$tare plot models t.csv --beside u.csv -o u.svg"));
}

TEST_F(outputs, of_sql_end_in_sql) {
  EXPECT_EQ(run("$tare sql --score p --label y --table t -o q.sql").code, 0);
  EXPECT_HAS(read("q.sql"), "select ");
  EXPECT_EQ(run("$tare sql --score p --label y --table t -o q.txt").code, 0);
}

TEST_F(outputs, with_an_ending_of_another_format_are_refused_before_any_work) {
  const std::pair<const char*, const char*> all[] = {{"apply model.json t.csv -o x.parquet", ".npy"},
                                                     {"apply model.json t.csv -o x.TSV", ".npy"},
                                                     {"report t.csv -o r.pdf", ".html"},
                                                     {"report t.csv -o r.txt", ".html"},
                                                     {"fit temperature t.csv -o m.npy", ".json"},
                                                     {"fit temperature t.csv -o m.pkl", ".json"},
                                                     {"measure t.csv -o x.json", "add --json"},
                                                     {"measure t.csv -o x.csv", "add --csv"},
                                                     {"measure t.csv --json -o x.csv", ".json"},
                                                     {"test t.csv -o x.html", ".txt"},
                                                     {"compare t.csv -o x.png", ".txt"},
                                                     {"bbc t.csv -o x.npz", ".txt"},
                                                     {"demo -o x.pdf", ".txt"},
                                                     {"plot reliability t.csv -o x.html", ".svg"},
                                                     {"plot reliability t.csv --text -o x.svg", ".txt"}};
  for (const auto& [words, remedy] : all) {
    EXPECT_FAILS(run(std::string("$tare ") + words));
    EXPECT_KEPT(run(std::string("$tare ") + words).err);
    EXPECT_EQ(files(), before) << words;
  }
}

TEST_F(outputs, with_a_fitting_ending_or_none_are_written) {
  for (const char* words :
       {"apply model.json t.csv -o x", "apply model.json t.csv -o x.v2", "apply model.json t.csv -o x.npy",
        "fit temperature t.csv -o m", "measure t.csv -o x.md", "measure t.csv --json -o x.json",
        "measure t.csv --json -o x.txt", "measure t.csv -o report.2026-01-01", "plot reliability t.csv --text -o x.txt",
        "plot reliability t.csv -o x.svg", "measure t.csv -o -", "measure t.csv -o /dev/stdout",
        "measure t.csv --json -o /dev/null", "apply model.json t.csv -o -", "plot histogram t.csv -o -"}) {
    const auto ran = run(std::string("$tare ") + words + " --quiet");
    EXPECT_EQ(ran.code, 0) << words << ran.err;
  }
}

TEST_F(outputs, of_a_paper_may_not_be_the_folder_of_its_inputs) {
  fs::create_directory(folder_ / "data");
  write("data/training_runs.csv", "");
  EXPECT_FAILS(run("TARE_DATA=data $tare paper fig4 --quick -o sub/../data"));
}

TEST_F(outputs, keep_the_mode_of_the_file_they_replace) {
  write("x.txt", "old");
  ASSERT_EQ(run("chmod 604 x.txt && umask 077 && $tare measure t.csv --quiet -o x.txt").code, 0);
  EXPECT_EQ(fs::status(folder_ / "x.txt").permissions(), fs::perms{0604});
  EXPECT_HAS(read("x.txt"), "t.csv");
}

TEST_F(outputs, to_standard_output_by_name_go_where_it_is) {
  ASSERT_EQ(run("{ echo first; $tare measure t.csv --quiet --no-interval -o /dev/stdout; echo last; } >all.txt").code,
            0);
  const std::string all = read("all.txt");
  EXPECT_TRUE(all.starts_with("first\n") && all.ends_with("last\n")) << all;
  EXPECT_HAS(all, "t.csv");
}

TEST_F(outputs, larger_than_allowed_are_an_error_and_no_file) {
  if (run("ulimit -f 1").code != 0) GTEST_SKIP();
  const auto ran = run("ulimit -f 1; $tare demo --quiet --no-interval --json -o x.json");
  EXPECT_FAILS(ran);
  EXPECT_EQ(files(), before);
}

TEST_F(outputs, of_hostile_names_are_clean) {
  const std::string evil =
                        "\x1b]0;owned\x07\x1b[2J\xc2\x9b"
                        "31m",
                    name = evil + ".csv";
  write(name, "p_0,p_" + evil + ",label\n0.75,0.25,0\n0.25,0.75," + evil + "\n0.5,0.5,0\n0.9,0.1,0\n");
  write("evil.npy", std::string("\x93NUMPY\x01\x00\x20\x00", 10) + "{'descr': '\x1b[2J\x07', 'shape': \x07}");
  ::setenv("evil", evil.c_str(), 1);
  for (const char* words : {"measure \"$evil.csv\"",
                            "measure \"$evil.csv\" --reduction classwise",
                            "test \"$evil.csv\" --resamples 20",
                            "fit temperature \"$evil.csv\"",
                            "measure \"$evil.csv\" --json",
                            "measure --logits evil.npy --labels t.csv:label",
                            "measure \"$evil\"",
                            "\"$evil\"",
                            "measure \"--$evil\"",
                            "measure t.csv --bins \"$evil\"",
                            "measure t.csv --estimators \"$evil\"",
                            "measure \"t.csv:$evil\"",
                            "measure t.csv --labels \"$evil\"",
                            "measure t.csv -o \"$evil/x\"",
                            "measure t.csv --no-interval -o \"$evil.txt\"",
                            "plot reliability \"$evil.csv\" --text",
                            "plot reliability \"$evil.csv\"",
                            "compare \"$evil.csv\"",
                            "report \"$evil.csv\" --no-bias",
                            "bbc \"$evil.csv\" --replicates 20",
                            "apply \"$evil\" t.csv -o x.npy",
                            "bbc t.csv --checkpoint \"$evil/c\" --replicates 20"}) {
    const auto ran = run(std::string("$tare ") + words);
    for (const std::string& text : {ran.out, ran.err}) {
      for (const char* raw : {"\x1b", "\x07", "\x7f", "\xc2\x9b", "\r"}) EXPECT_LACKS(text, raw) << words;
    }
  }
}

// A line break in a name begins no line of its own.
TEST_F(outputs, of_names_with_line_breaks_are_one_line) {
  ::setenv("two", "a\nerror: b", 1);
  const auto missing = run("$tare measure \"$two.csv\"");
  EXPECT_FAILS(missing);
  EXPECT_KEPT(run("$tare measure t.csv --no-interval -o \"$two.txt\"").err);
  EXPECT_KEPT(run("$tare plot reliability t.csv -o \"$two.svg\"").err);
}

}  // namespace
