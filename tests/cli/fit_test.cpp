// tare fit and tare apply from end to end.
#include <cmath>
#include <cstring>
#include <random>
#include <sstream>

#include "cli/program.hpp"
#include "support/sanitized.hpp"

namespace {

using nlohmann::json;

class fit_apply : public tare::detail::testing::Program {
 protected:
  // Bins (0, 1/2] and (1/2, 1]: rates 1/3 and 1.
  void write_by_hand() const { write("d.csv", "p,label\n0.1,0\n0.2,1\n0.5,0\n0.6,1\n0.9,1\n"); }

  // The numbers of a .npy file, after a look at its header.
  [[nodiscard]] std::vector<double> npy(const std::string& name, const std::string& shape) const {
    const std::string bytes = read(name);
    EXPECT_TRUE(bytes.starts_with(std::string("\x93NUMPY\x01\x00", 8)));
    const std::size_t start =
        10 + static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
    EXPECT_EQ(start % 64, 0U);
    EXPECT_HAS(bytes.substr(0, start), "'descr': '<f8', 'fortran_order': False, 'shape': " + shape);
    std::vector<double> out((bytes.size() - start) / sizeof(double));
    std::memcpy(out.data(), bytes.data() + start, out.size() * sizeof(double));
    return out;
  }
};

TEST_F(fit_apply, agrees_with_paper_and_pencil) {
  write_by_hand();
  const auto fitted = run("$tare fit histogram d.csv --bins 2 -o m.json");
  ASSERT_EQ(fitted.code, 0) << fitted.err;
  EXPECT_HAS(fitted.out, "method  histogram");
  EXPECT_HAS(fitted.out, "n = 5, K = 2, probs");
  EXPECT_HAS(fitted.out, "status  converged");
  EXPECT_HAS(fitted.out, "saved   m.json");
  write("new.csv", "p\n0\n0.5\n0.75\n");
  const auto applied = run("$tare apply m.json new.csv -o q.npy");
  ASSERT_EQ(applied.code, 0) << applied.err;
  EXPECT_EQ(applied.out, "");
  EXPECT_EQ(npy("q.npy", "(3,)"), (std::vector<double>{1.0 / 3, 1.0 / 3, 1}));
}

// Scores 0.1 and 0.7, five and three times: the likeliest share of class 1 solves a linear equation (with the prior 0.2
// the gains per share are r = s / 0.2 - (1 - s) / 0.8: -0.625 and 3.125, from 1.125 and 0.375).
TEST_F(fit_apply, prior_shift_needs_no_labels) {
  const double x = -(5 * -0.625 * 0.375 + 3 * 3.125 * 1.125) / (8 * -0.625 * 3.125);
  write("new.csv", "p\n0.1\n0.1\n0.1\n0.1\n0.1\n0.7\n0.7\n0.7\n");
  const auto ran = run("$tare fit prior_shift new.csv --prior 0.8,0.2 -o m.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "NLL     not known without labels");
  EXPECT_HAS(ran.out, "shares  0.8, 0.2 -> 0.4, 0.6\n");
  const json model = json::parse(read("m.json"));
  EXPECT_NEAR(model.at("parameters").at("shares").at(1).get<double>(), x, 1e-9);
  // the same shares counted in a file, and weights instead of repetitions
  write("old.csv", "p,label\n0.1,0\n0.2,0\n0.3,0\n0.4,0\n0.5,1\n");
  write("counted.csv", "p,weight\n0.1,5\n0.7,3\n");
  const auto counted = run("$tare fit prior_shift counted.csv --weights weight --prior-from old.csv --json --quiet");
  ASSERT_EQ(counted.code, 0) << counted.err;
  EXPECT_NEAR(json::parse(counted.out).at("parameters").at("shares").at(1).get<double>(), x, 1e-9);
  // labels that are there are not used
  write("known.csv", "p,label,weight\n0.1,1,3\n0.7,0,5\n");
  const auto known = run("$tare fit prior_shift known.csv --weights weight --prior 0.8,0.2");
  EXPECT_EQ(known.code, 0);
  EXPECT_KEPT(known.err);
  EXPECT_EQ(run("$tare apply m.json new.csv -o q.npy").code, 0);
}

TEST_F(fit_apply, says_what_a_fit_without_labels_needs) {
  write("new.csv", "p\n0.1\n0.7\n");
  const auto bare = run("$tare fit prior_shift new.csv");
  EXPECT_EQ(bare.code, 2);
  EXPECT_KEPT(bare.err);
  const auto platt = run("$tare fit platt new.csv");
  EXPECT_EQ(platt.code, 2);
  EXPECT_KEPT(platt.err);
  EXPECT_KEPT(run("$tare fit platt new.csv --prior 0.5,0.5").err);
  EXPECT_KEPT(run("$tare fit prior_shift new.csv --prior 0.5,0.2").err);
  EXPECT_KEPT(run("$tare fit prior_shift new.csv --prior 0.5,0.5 --prior-from new.csv").err);
}

TEST_F(fit_apply, json_is_the_saved_form) {
  write_by_hand();
  const auto ran = run("$tare fit platt d.csv --json -o m.json --quiet");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, read("m.json"));
  const json model = json::parse(ran.out);
  EXPECT_EQ(model.at("format"), 1);
  EXPECT_EQ(model.at("method"), "platt");
  EXPECT_EQ(model.at("input"), "probs");
  EXPECT_EQ(model.at("k"), 2);
  EXPECT_EQ(model.at("columns"), 1);
}

// Two classes are one number per row or two; T = 2 makes sigma(z / 2) of either.
TEST_F(fit_apply, two_classes_in_either_form) {
  const std::string rest =
      R"(,"parameters":{"temperature":2},"fit":{"status":"converged","iterations":1,"gradient":0,"nll_before":1,"nll_after":1,"note":""}})";
  const std::string head = R"({"tare":"0.1.0","format":1,"method":"temperature","k":2,"input":"logits","columns":)";
  write("one.json", head + "1" + rest);
  write("two.json", head + "2" + rest);
  write("one.csv", "z\n-1\n3\n");
  write("two.csv", "z0,z1\n2,1\n-1,2\n");
  const double a = 1 / (1 + std::exp(0.5)), b = 1 / (1 + std::exp(-1.5));
  for (const char* model : {"one.json", "two.json"}) {
    auto ran = run(std::string("$tare apply ") + model + " --logits one.csv -o q.npy");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto one = npy("q.npy", "(2,)");
    EXPECT_NEAR(one.at(0), a, 1e-15) << model;
    EXPECT_NEAR(one.at(1), b, 1e-15) << model;
    ran = run(std::string("$tare apply ") + model + " --logits two.csv -o q.npy");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto two = npy("q.npy", "(2, 2)");
    const std::vector<double> expected{1 - a, a, 1 - b, b};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(two.at(i), expected[i], 1e-15) << model;
  }
  write("three.csv", "z0,z1,z2\n2,1,0\n");
  EXPECT_FAILS(run("$tare apply one.json --logits three.csv -o q.npy"));
}

TEST_F(fit_apply, every_method_goes_through_several_classes) {
  for (const char* method : {"histogram", "isotonic", "bbq", "platt", "beta", "scaling_binning"}) {
    const auto fitted = run(std::string("$tare fit ") + method + " $data/resnet110_cifar10.npz -o m.json --quiet");
    ASSERT_EQ(fitted.code, 0) << fitted.err;
    EXPECT_HAS(fitted.out, "(val): n = 5000, K = 10, logits");
    const auto applied = run("$tare apply m.json $data/resnet110_cifar10.npz -o q.npy");
    ASSERT_EQ(applied.code, 0) << applied.err;
    EXPECT_KEPT(applied.err);
    const auto q = npy("q.npy", "(10000, 10)");
    ASSERT_EQ(q.size(), 100000U);
    for (std::size_t i = 0; i < q.size(); i += 10) {
      double sum = 0;
      for (std::size_t j = 0; j < 10; ++j) sum += q[i + j];
      ASSERT_NEAR(sum, 1, 1e-12) << method;
    }
  }
}

TEST_F(fit_apply, takes_the_validation_half_and_says_so) {
  const auto ran = run("$tare fit platt $data/resnet110_cifar10.npz");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_KEPT(ran.err);
  EXPECT_HAS(ran.out, "n = 5000");
  EXPECT_HAS(ran.out, "nowhere");
  const auto other = run("$tare fit platt $data/resnet110_cifar10.npz --split test --quiet");
  EXPECT_EQ(other.err, "");
  EXPECT_HAS(other.out, "n = 10000");
}

TEST_F(fit_apply, confidences_and_hits) {
  write("c.csv", "confidence,correct\n0.9,1\n0.8,0\n0.6,1\n0.7,1\n0.55,0\n");
  const auto fitted = run("$tare fit isotonic c.csv -o m.json");
  ASSERT_EQ(fitted.code, 0) << fitted.err;
  EXPECT_EQ(json::parse(read("m.json")).at("input"), "confidences");
  write("new.csv", "confidence\n0.5\n0.95\n");
  ASSERT_EQ(run("$tare apply m.json --confidences new.csv -o q.npy").code, 0);
  EXPECT_EQ(npy("q.npy", "(2,)"), (std::vector<double>{0, 1}));
  EXPECT_FAILS(run("$tare apply m.json --probs new.csv:confidence -o r.npy"));
  EXPECT_FALSE(exists("r.npy"));
}

TEST_F(fit_apply, warns_where_no_optimum_exists) {
  write("s.csv", "p,label\n0.1,0\n0.2,0\n0.8,1\n0.9,1\n");
  const auto ran = run("$tare fit platt s.csv -o m.json");
  EXPECT_EQ(ran.code, 0);
  EXPECT_KEPT(ran.err);
  EXPECT_HAS(ran.out, "status  unbounded");
}

TEST_F(fit_apply, warns_where_the_optimum_is_on_a_bound) {
  write("s.csv", "p,label\n0.1,1\n0.2,1\n0.8,0\n0.9,0\n");
  const auto ran = run("$tare fit temperature s.csv -o m.json");
  EXPECT_EQ(ran.code, 0);
  EXPECT_KEPT(ran.err);
}

// A forest's votes of exactly 0 and 1: 2 of 6 such rows are wrong, and that is saved.
TEST_F(fit_apply, counts_rows_that_say_0_or_1) {
  write("v.csv", "p,label\n0,0\n0,0\n0,1\n1,1\n1,1\n1,0\n0.4,0\n0.6,1\n");
  const auto ran = run("$tare fit platt v.csv --json");
  EXPECT_EQ(ran.code, 0);
  const auto model = nlohmann::json::parse(ran.out);
  EXPECT_DOUBLE_EQ(model["parameters"]["certain_rate"].get<double>(), 2.5 / 7);
  EXPECT_EQ(model["format"], 2);
}

TEST_F(fit_apply, refuses_what_the_model_was_not_fitted_on) {
  write_by_hand();
  ASSERT_EQ(run("$tare fit platt d.csv -o m.json").code, 0);
  write("z.csv", "logit\n1\n");
  EXPECT_FAILS(run("$tare apply m.json z.csv -o q.npy"));
  write("three.csv", "p_0,p_1,p_2\n0.2,0.3,0.5\n");
  EXPECT_FAILS(run("$tare apply m.json three.csv -o q.npy"));
  write("bad.csv", "p\n0.5\n1.5\n");
  EXPECT_FAILS(run("$tare apply m.json bad.csv -o q.npy"));
  write("notjson.json", "{\"tare\": ");
  EXPECT_FAILS(run("$tare apply notjson.json d.csv -o q.npy"));
  EXPECT_FAILS(run("$tare apply missing.json d.csv -o q.npy"));
  EXPECT_FAILS(run("$tare apply m.json d.csv"));
  EXPECT_FAILS(run("$tare apply m.json --probs d.csv:p --labels d.csv:label -o q.npy"));
  EXPECT_FALSE(exists("q.npy"));
}

TEST_F(fit_apply, refuses_unknown_methods_and_useless_options) {
  write_by_hand();
  EXPECT_FAILS(run("$tare fit isotone d.csv"));
  EXPECT_FAILS(run("$tare fit isotonic d.csv --bins 3"));
  EXPECT_FAILS(run("$tare fit histogram d.csv --binning even"));
  EXPECT_FAILS(run("$tare fit histogram d.csv --bins 0"));
  EXPECT_FAILS(run("$tare fit"));
}

TEST_F(fit_apply, writes_to_a_pipe) {
  write_by_hand();
  ASSERT_EQ(run("$tare fit histogram d.csv --bins 2 --json > m.json").code, 0);
  ASSERT_EQ(run("$tare apply m.json --probs d.csv:p -o - > q.npy").code, 0);
  EXPECT_EQ(npy("q.npy", "(5,)"), (std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3, 1, 1}));
}

TEST_F(fit_apply, a_failure_leaves_no_file_behind) {
  write_by_hand();
  EXPECT_EQ(run("$tare fit platt d.csv --labels nowhere.npy -o m.json").code, 2);
  EXPECT_EQ(files(), 1U);
}

// 80 MB of logits, and not half of that for the program to hold numbers in (ulimit -d: mapped files do not count).
TEST_F(fit_apply, input_and_output_need_not_fit_into_memory) {
  if (tare::detail::testing::sanitized) GTEST_SKIP() << "the sanitizers take more memory than the limit";
  const auto zeros = [&](const std::string& name, const std::string& type, const std::string& shape,
                         std::size_t bytes) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(117, ' ');
    write(name, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n");
    tare::detail::testing::fs::resize_file(folder_ / name, 128 + bytes);  // a hole: zeros that take no room on the disk
  };
  zeros("z.npy", "<f4", "(40000, 500)", 80'000'000);
  zeros("y.npy", "<i4", "(40000,)", 160'000);
  const auto fitted = run("ulimit -d 36000; $tare fit temperature --logits z.npy --labels y.npy -o m.json");
  ASSERT_EQ(fitted.code, 0) << fitted.err;
  const auto applied = run("ulimit -d 36000; $tare apply m.json --logits z.npy -o q.npy");
  ASSERT_EQ(applied.code, 0) << applied.err;
  EXPECT_EQ(tare::detail::testing::fs::file_size(folder_ / "q.npy"), 128 + 160'000'000U);
}

// Every keyword and other spelling of an operator of C++20 ([lex.key]), and what the headers declare.
TEST_F(fit_apply, export_takes_no_name_that_does_not_compile) {
  write("p.csv", "prob,label\n0.3,0\n0.7,1\n0.2,1\n0.6,0\n0.9,1\n");
  ASSERT_EQ(run("$tare fit platt p.csv -o m.json --quiet").code, 0);
  std::istringstream words(
      "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class "
      "compl "
      "concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default "
      "delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long "
      "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register "
      "reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template "
      "this "
      "thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while "
      "xor "
      "xor_eq a__b _Upper _x 1a a-b std main size_t memcpy index linux NULL");
  for (std::string word; words >> word;) EXPECT_EQ(run("$tare export m.json -o c.hpp --name=" + word).code, 2) << word;
  EXPECT_FAILS(run("$tare export m.json -o double.hpp"));
  EXPECT_FALSE(exists("c.hpp") || exists("double.hpp"));
  EXPECT_EQ(run("$tare export m.json -o double.hpp --name calibrate_ --quiet").code, 0);
}

TEST_F(fit_apply, export_takes_no_column_that_leaves_the_comment) {
  write("p.csv", "prob,label\n0.3,0\n0.7,1\n0.2,1\n0.6,0\n0.9,1\n");
  ASSERT_EQ(run("$tare fit platt p.csv -o m.json --quiet").code, 0);
  for (const char* column : {"\"a\\nb\"", "t.\"a\\rb\"", "\"a\\342\\200\\250b\"", "\"a\\302\\205b\"", "\"\\177\""})
    EXPECT_FAILS(run(std::string("$tare export m.json -o c.sql --score \"$(printf '") + column + "')\""));
  EXPECT_FALSE(exists("c.sql"));
  EXPECT_EQ(run("$tare export m.json -o c.sql --score '\"caf\u00e9 x\"' --quiet").code, 0);
}

TEST_F(fit_apply, sql_goes_into_a_file_that_is_called_so) {
  const std::string query = "$tare sql --score p --label y --table t";
  const auto shown = run(query);
  ASSERT_EQ(shown.code, 0) << shown.err;
  for (const char* name : {"q.sql", "q.txt", "q"}) {
    EXPECT_EQ(run(query + " -o " + name).code, 0) << name;
    EXPECT_EQ(read(name), shown.out) << name;
  }
  EXPECT_FAILS(run(query + " -o q.csv"));
}

// Calibrated rows: nothing is recommended, and what is saved changes nothing.
TEST_F(fit_apply, cv_saves_the_identity_where_nothing_is_better) {
  std::string rows = "prob,label\n", both = "p_0,p_1,p_2,label\n", hits = "confidence,correct\n";
  std::mt19937 rng(3);
  for (int i = 0; i < 600; ++i) {
    const double p = static_cast<double>(rng() % 1000 + 1) / 1002;
    const bool hit = static_cast<double>(rng()) < p * 0x1p32;
    rows += std::to_string(p) + (hit ? ",1\n" : ",0\n");
    hits += std::to_string(p) + (hit ? ",1\n" : ",0\n");
    both += std::to_string(p) + "," + std::to_string((1 - p) / 2) + "," + std::to_string((1 - p) / 2) + "," +
            std::to_string(hit ? 0 : 1 + i % 2) + "\n";
  }
  write("two.csv", rows);
  write("three.csv", both);
  write("hits.csv", hits);
  for (const std::string name : {"two", "three", "hits"}) {
    const auto made = run("$tare fit --cv " + name + ".csv -o " + name + ".json --folds 3");
    ASSERT_EQ(made.code, 0) << name << made.err;
    EXPECT_KEPT(made.err);
    const json model = json::parse(read(name + ".json"));
    EXPECT_EQ(model.at("parameters").at("temperature"), 1.0);
    EXPECT_EQ(run("$tare apply " + name + ".json " + name + ".csv -o " + name + "_out.csv --quiet").code, 0);
    EXPECT_EQ(run("$tare export " + name + ".json -o " + name + ".hpp --quiet && $tare show " + name + ".json").code,
              0);
  }
  EXPECT_EQ(run("$tare export two.json -o two.sql --quiet").code, 0);
  // the same probabilities, but for the last bit of a logarithm
  std::istringstream after(read("two_out.csv")), before(rows);
  std::string a, b;
  std::getline(after, a), std::getline(before, b);
  int compared = 0;
  for (; std::getline(after, a) && std::getline(before, b); ++compared)
    ASSERT_NEAR(std::stod(a.substr(a.rfind(',') + 1)), std::stod(b), 1e-15);
  EXPECT_EQ(compared, 600);
}

}  // namespace
