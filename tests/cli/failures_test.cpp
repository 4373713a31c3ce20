// What a user can get wrong: one line that says what and where, one that says what to do, exit code 2.
#include "cli/program.hpp"

namespace {

using failures = tare::detail::testing::Program;

TEST_F(failures, no_command_at_all_shows_the_help) {
  const auto bare = run("$tare"), asked = run("$tare --help");
  EXPECT_EQ(bare.code, 0);
  EXPECT_EQ(bare.out, asked.out);
  EXPECT_EQ(bare.err, "");
}

TEST_F(failures, unknown_command_suggests_a_close_one) {
  EXPECT_FAILS(run("$tare mesure x"));
  EXPECT_FAILS(run("$tare frobnicate"));
}

TEST_F(failures, unknown_option_suggests_a_close_one) {
  EXPECT_FAILS(run("$tare measure --logit z.npy"));
  EXPECT_FAILS(run("$tare measure --reductoin=positive x"));
  EXPECT_FAILS(run("$tare measure --xyzzy"));
}

TEST_F(failures, unknown_estimator_suggests_a_close_one) {
  EXPECT_FAILS(run("$tare measure --estimators ece_we $data/lenet5_cifar10.npz"));
}

TEST_F(failures, unknown_words_of_a_list_suggest_a_close_one) {
  write("t.csv", "p_0,p_1,label\n0.3,0.7,1\n0.6,0.4,0\n0.9,0.1,1\n");
  const std::pair<const char*, const char*> all[] = {{"measure t.csv --reduction toplabel", "top_label"},
                                                     {"measure t.csv --reduction Positive", "positive"},
                                                     {"measure t.csv --norm bth", "both"},
                                                     {"plot reliabilty t.csv", "reliability"},
                                                     {"plot reliability t.csv --style bar", "bars"},
                                                     {"plot reliability t.csv --estimator ece_we", "ece_ew"},
                                                     {"plot map t.csv --calibrator temprature", "temperature"},
                                                     {"compare t.csv --methods temprature", "temperature"},
                                                     {"compare t.csv --criterion brir", "brier"},
                                                     {"report t.csv --methods isotnic", "isotonic"},
                                                     {"fit temprature t.csv", "temperature"},
                                                     {"fit histogram t.csv --binning mas", "mass"},
                                                     {"test t.csv --statistic smoth_test", "smooth_test"},
                                                     {"bbc --model resnet110c10", "resnet110_c10"},
                                                     {"measure t.csv --format jsnl", "jsonl"},
                                                     {"completion bsh", "bash"},
                                                     {"help mesure", "measure"}};
  for (const auto& [words, meant] : all) EXPECT_FAILS(run(std::string("$tare ") + words));
  EXPECT_FAILS(run("$tare measure t.csv --reduction zzz"));
}

TEST_F(failures, options_out_of_range) {
  for (const char* options : {"--bins 0", "--bins -3", "--bins 1e3", "--bins x", "--bins 10001", "--norm 3",
                              "--seed -1", "--seed 1.5", "--threads 0", "--reduction top", "--split train"})
    EXPECT_FAILS(run(std::string("$tare measure $data/lenet5_cifar10.npz ") + options));
}

TEST_F(failures, options_are_refused_with_their_range) {
  const std::string command = "$tare measure $data/lenet5_cifar10.npz ";
  EXPECT_FAILS(run(command + "--bins 0"));
  EXPECT_FAILS(run(command + "--bins 99999999999999999999"));
  EXPECT_FAILS(run(command + "--bins 1e3"));
  EXPECT_FAILS(run("$tare test $data/lenet5_cifar10.npz --alpha 5"));
  EXPECT_FAILS(run("$tare test $data/lenet5_cifar10.npz --alpha x"));
  EXPECT_FAILS(run("$tare fit matrix $data/lenet5_cifar10.npz --lambda -1"));
  EXPECT_FAILS(run("$tare bbc --model resnet110_c10 --n 10,0"));
}

// The library names options in backquotes, and the program as they are typed. Names of files stay as they are.
TEST_F(failures, name_options_as_they_are_typed) {
  EXPECT_FAILS(run("$tare measure $data/lenet5_cifar10.npz --correct test_labels"));
  write("`bins`.csv", "`bins`,x\n0.25,0\n0.5,1\n0.75,1\n");
  const auto ran = run("$tare measure '`bins`.csv'");
  EXPECT_FAILS(ran);
  write("bins", "");
  EXPECT_FAILS(run("$tare measure --probs bins --labels bins"));
  EXPECT_FAILS(run("$tare measure $data/lenet5_cifar10.npz --estimators '`bins`'"));
  EXPECT_FAILS(run("$tare measure '--`bins`'"));
  EXPECT_FAILS(run("$tare measure --bins '`bins`'"));
}

TEST_F(failures, a_value_is_missing) { EXPECT_FAILS(run("$tare measure --bins")); }

TEST_F(failures, two_files) { EXPECT_FAILS(run("$tare test a.npz b.npz")); }

TEST_F(failures, no_input) { EXPECT_FAILS(run("$tare measure")); }

TEST_F(failures, missing_file) { EXPECT_FAILS(run("$tare measure nowhere.npz")); }

TEST_F(failures, missing_labels) { EXPECT_FAILS(run("$tare measure --logits $data/lenet5_cifar10.npz")); }

TEST_F(failures, not_a_number) {
  write("t.csv", "confidence,correct\n0.5,1\nnan,0\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
}

TEST_F(failures, score_out_of_range) {
  write("t.csv", "confidence,correct\n0.5,1\n1.2,0\n");
  const auto ran = run("$tare measure t.csv");
  EXPECT_FAILS(ran);
}

TEST_F(failures, lengths_that_differ) {
  write("p.csv", "p\n0.1\n0.2\n0.3\n");
  write("y.csv", "y\n0\n1\n");
  const auto ran = run("$tare measure --probs p.csv:p --labels y.csv:y");
  EXPECT_FAILS(ran);
}

TEST_F(failures, label_out_of_range) {
  write("t.csv", "p_0,p_1,p_2,y\n0.5,0.25,0.25,0\n0.5,0.25,0.25,7\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
}

TEST_F(failures, rows_that_do_not_sum_to_one) {
  write("t.csv", "p_0,p_1,p_2,y\n0.5,0.25,0.25,0\n0.5,0.25,0.5,1\n");
  EXPECT_FAILS(run("$tare measure t.csv"));
}

TEST_F(failures, an_impossible_reduction) {
  EXPECT_FAILS(run("$tare measure --reduction positive $data/lenet5_cifar10.npz"));
}

TEST_F(failures, leave_no_file_behind) {
  write("t.csv", "confidence,correct\n0.5,1\n1.2,0\n");
  EXPECT_FAILS(run("$tare measure t.csv -o report.txt"));
  EXPECT_EQ(files(), 1U) << "only the input";
  write("report.txt", "the old report\n");
  EXPECT_FAILS(run("$tare measure t.csv -o report.txt"));
  EXPECT_EQ(read("report.txt"), "the old report\n");
  EXPECT_EQ(files(), 2U);
}

TEST_F(failures, an_output_that_cannot_be_written) {
  EXPECT_FAILS(run("$tare measure $data/lenet5_cifar10.npz -o no/such/folder/x"));
  EXPECT_FAILS(run("$tare measure $data/lenet5_cifar10.npz -o ."));
}

// No row can be there, and 2^64 - 1 of them are claimed.
TEST_F(failures, a_shape_without_items_is_no_bug) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551615, 0), }";
  header += std::string(117 - header.size(), ' ') + "\n";
  write("s.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header);
  write("t.csv", "p_0,p_1,label\n0.3,0.7,1\n0.6,0.4,0\n0.9,0.1,1\n0.2,0.8,1\n0.7,0.3,0\n0.4,0.6,0\n");
  ASSERT_EQ(run("$tare fit temperature t.csv -o m.json").code, 0);
  for (const char* words : {"apply m.json --probs s.npy -o o.npy", "fit prior_shift --probs s.npy",
                            "measure --probs s.npy --labels s.npy --drop-missing",
                            "measure --logits s.npy --labels s.npy", "partial --probs s.npy --labels s.npy -o o.state"})
    EXPECT_LACKS(run(std::string("$tare ") + words).err, "bug of tare") << words;
  EXPECT_FAILS(run("$tare apply m.json --probs s.npy -o o.npy"));
}

TEST_F(failures, demo_names_where_it_looked) { EXPECT_FAILS(run("TARE_DATA=/nowhere $tare demo")); }

TEST_F(failures, a_full_disk_is_not_a_success) {
  if (!tare::detail::testing::fs::exists("/dev/full")) GTEST_SKIP();
  const auto ran = run("$tare list >/dev/full");
  EXPECT_EQ(ran.code, 2);
  EXPECT_KEPT(ran.err);
}

TEST_F(failures, closed_standard_output_is_not_a_success) {
  const auto ran = run("$tare list >&-");
  EXPECT_EQ(ran.code, 2);
  EXPECT_KEPT(ran.err);
}

// A stack of 300 GB for each thread, which nobody gives: none can be started, and the work is done by one.
// Not a terabyte: with it the kernel may place memory where ThreadSanitizer allows none.
TEST_F(failures, a_thread_that_cannot_start_is_no_failure) {
  const std::string command = "$tare measure $data/lenet5_cifar10.npz --threads 4";
  if (run("ulimit -s 300000000").code != 0) GTEST_SKIP() << "the limit of the stack cannot be raised";
  const auto alone = run("ulimit -s 300000000; " + command), usual = run(command);
  EXPECT_EQ(alone.code, 0) << alone.err;
  EXPECT_EQ(alone.out, usual.out);
}

}  // namespace
