// tare plot from end to end: whole files, exit codes, and pictures other programs can read.
#include "cli/program.hpp"

namespace {

using plot = tare::detail::testing::Program;

const char* const four_rows = "confidence,correct\n0.75,1\n0.75,0\n0.25,1\n0.25,0\n";

TEST_F(plot, writes_a_whole_picture) {
  write("t.csv", four_rows);
  for (const char* kind : {"reliability", "histogram"}) {
    const auto ran = run("$tare plot " + std::string(kind) + " t.csv --bins 2 -o x.svg");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, "wrote x.svg\n");
    EXPECT_EQ(files(), 2U);
    const std::string svg = read("x.svg");
    EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"")) << svg;
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << svg;
    EXPECT_HAS(svg, "ece_ew (l1), 2 bins: 25.00%");
  }
}

TEST_F(plot, draws_on_standard_output_and_is_quiet_when_asked) {
  write("t.csv", four_rows);
  const auto ran = run("$tare plot reliability t.csv");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("<svg")) << ran.out;
  EXPECT_EQ(run("$tare plot reliability t.csv -o x.svg --quiet").err, "");
  EXPECT_EQ(read("x.svg"), ran.out);
}

TEST_F(plot, draws_the_bins_of_the_estimator) {
  const auto ran = run("$tare plot reliability $data/lenet5_cifar10.npz --estimator ece_em --bins 7 --norm 2");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "ece_em (l2), 7 bins");
  const auto only_two = run("$tare plot reliability $data/lenet5_cifar10.npz --estimator debias_em");
  ASSERT_EQ(only_two.code, 0) << only_two.err;
  EXPECT_HAS(only_two.out, "debias_em (l2)");
}

// Networks are sure: a linear axis would show their rows in its last twentieth.
TEST_F(plot, draws_a_curve_on_the_axis_that_is_asked_for_or_bars) {
  const std::string of = "$tare plot reliability $data/resnet110_cifar10.npz --quiet";
  const auto curve = run(of);
  ASSERT_EQ(curve.code, 0) << curve.err;
  EXPECT_HAS(curve.out, "95% band for the whole curve, if it never falls");
  EXPECT_HAS(curve.out, "(logit axis)");
  EXPECT_HAS(run(of + " --axis rank").out, "(axis by rank");
  EXPECT_HAS(run(of + " --style bars").out, "confidence above it");
  EXPECT_HAS(run(of + " --text").out, "The diagonal leaves the band");
  EXPECT_HAS(run(of + " --text --style bars").out, "overconfident");
  EXPECT_FAILS(run(of + " --axis log"));
  EXPECT_FAILS(run(of + " --style line"));
}

// Eleven values of a forest of ten trees: a dot and an exact interval for each.
TEST_F(plot, draws_few_values_as_dots) {
  std::string rows = "confidence,correct\n";
  for (int i = 0; i < 550; ++i) rows += std::to_string(i % 11 / 10.0) + (i % 3 == 0 ? ",1\n" : ",0\n");
  write("t.csv", rows);
  const auto ran = run("$tare plot reliability t.csv --quiet");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "70%: 50 rows");
  EXPECT_HAS(ran.out, "exact interval; all hold at once, 95%");
}

TEST_F(plot, draws_one_class) {
  const auto ran = run("$tare plot histogram $data/lenet5_cifar10.npz --reduction classwise");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, ">class ");
  const auto curve = run("$tare plot reliability $data/lenet5_cifar10.npz --reduction classwise --quiet");
  ASSERT_EQ(curve.code, 0) << curve.err;
  EXPECT_HAS(curve.out, ">class ");
  EXPECT_HAS(curve.out, "band for the whole curve");
  EXPECT_HAS(curve.out, "probability of the class");
}

TEST_F(plot, satisfies_an_xml_parser_whatever_the_file_is_called) {
  if (run("command -v python3").code != 0) GTEST_SKIP() << "no python3";
  const std::string name = "<b>&\"🙂שלום\x01\xff.csv";
  write(name, four_rows);
  const auto ran = run("$tare plot reliability '" + name +
                       "' | python3 -c 'import sys, xml.dom.minidom as m; d = m.parse(sys.stdin.buffer); "
                       "print(d.getElementsByTagName(\"text\")[0].firstChild.data)'");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "<b>&\"🙂שלום\uFFFD\uFFFD.csv");
}

TEST_F(plot, makes_a_png_where_a_rasteriser_is_installed) {
  if (run("command -v rsvg-convert || command -v inkscape").code != 0) GTEST_SKIP() << "no rasteriser";
  write("t.csv", four_rows);
  const auto ran = run("$tare plot reliability t.csv -o x.png");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(read("x.png").starts_with("\x89PNG"));
}

TEST_F(plot, names_the_package_where_there_is_no_rasteriser) {
  write("t.csv", four_rows);
  EXPECT_FAILS(run("PATH=/nowhere $tare plot reliability t.csv -o x.png"));
  EXPECT_EQ(files(), 1U);
}

TEST_F(plot, reports_a_rasteriser_that_fails) {
  write("t.csv", four_rows);
  write("rsvg-convert", "#!/bin/sh\nexit 3\n");
  EXPECT_FAILS(run("chmod +x rsvg-convert; PATH=. $tare plot reliability t.csv -o x.png"));
  EXPECT_FALSE(exists("x.png"));
}

TEST_F(plot, leaves_nothing_behind_when_it_cannot_run) {
  write("t.csv", four_rows);
  EXPECT_FAILS(run("$tare plot"));
  EXPECT_FAILS(run("$tare plot pie t.csv -o x.svg"));
  EXPECT_FAILS(run("$tare plot reliability missing.csv -o x.svg"));
  EXPECT_FAILS(run("$tare plot reliability t.csv --estimator ece -o x.svg"));
  EXPECT_FAILS(run("$tare plot reliability t.csv --estimator kde -o x.svg"));
  EXPECT_FAILS(run("$tare plot reliability t.csv --estimator debias_em --norm 1 -o x.svg"));
  EXPECT_FAILS(run("$tare plot reliability t.csv -o x.pdf"));
  EXPECT_FAILS(run("$tare plot reliability t.csv -o no/such/x.svg"));
  EXPECT_EQ(files(), 1U);
}

TEST_F(plot, draws_in_characters_when_asked) {
  write("t.csv", four_rows);
  const auto bars = run("$tare plot reliability t.csv --bins 2 --style bars --text");
  ASSERT_EQ(bars.code, 0) << bars.err;
  EXPECT_HAS(bars.out, "ece_ew (l1): 25.00%");
  EXPECT_HAS(bars.out, "█");
  const auto shares = run("$tare plot histogram t.csv --bins 2 --text");
  ASSERT_EQ(shares.code, 0) << shares.err;
  EXPECT_HAS(shares.out, "accuracy 50.0%, mean confidence 50.0%");
}

TEST_F(plot, draws_the_bias_of_a_network_of_the_paper) {
  const auto ran =
      run("$tare plot bias --model resnet110_c10 --n 200,400 --replicates 20 --estimators ece_ew,sweep_em");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("<svg")) << ran.out;
  EXPECT_HAS(ran.out, ">sweep_em<");
  EXPECT_FAILS(run("$tare plot bias --model resnet111_c10"));
}

TEST_F(plot, draws_the_comparison_of_calibrators) {
  const auto ran = run("$tare plot compare $data/lenet5_cifar10.npz --methods temperature,platt");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "temperature<");
  const auto text =
      run("$tare plot compare $data/lenet5_cifar10.npz --methods temperature --text --criterion debias_em_squared");
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_HAS(text.out, "after minus before, debias_em_squared");
}

// One kind for each question; the numbers of the picture can be had, too.
TEST_F(plot, draws_a_picture_for_each_question) {
  write("t.csv", four_rows);
  for (const char* kind : {"estimators", "rejection", "detectable", "bins"}) {
    const auto ran = run("$tare plot " + std::string(kind) + " $data/lenet5_cifar10.npz --n 500,2000 -o x.svg --quiet");
    ASSERT_EQ(ran.code, 0) << kind << ran.err;
    EXPECT_TRUE(read("x.svg").starts_with("<svg")) << kind;
    EXPECT_LT(read("x.svg").size(), 200'000U) << kind;
    const auto numbers = run("$tare plot " + std::string(kind) + " t.csv --n 30,40 --json");
    ASSERT_EQ(numbers.code, 0) << kind << numbers.err;
    EXPECT_EQ(nlohmann::json::parse(numbers.out)["input"]["n"], 4) << kind;
    const auto text = run("$tare plot " + std::string(kind) + " t.csv --n 30,40 --text");
    EXPECT_EQ(text.code, 0) << kind << text.err;
  }
  EXPECT_HAS(run("$tare plot rejection t.csv --csv").out,
             "share,threshold,weight,accuracy,low,high,claimed\n0.5,0.75,2,0.5,");
  EXPECT_FAILS(run("$tare plot reliability t.csv --json"));
  EXPECT_FAILS(run("$tare plot rejection t.csv --json --csv"));
  EXPECT_FAILS(run("$tare plot bins t.csv --estimators smece"));
  EXPECT_FAILS(run("$tare plot rejection $data/lenet5_cifar10.npz --reduction classwise"));
}

TEST_F(plot, draws_calibrators_and_models) {
  const std::string net = " $data/lenet5_cifar10.npz ";
  ASSERT_EQ(run("$tare fit temperature" + net + "-o t.json --quiet").code, 0);
  const auto fitted = run("$tare plot map" + net + "--calibrator temperature --csv");
  ASSERT_EQ(fitted.code, 0) << fitted.err;
  EXPECT_EQ(run("$tare plot map" + net + "--calibrator t.json --csv").out, fitted.out);  // the same model, saved
  for (const char* kind : {"map", "before_after"}) {
    const auto ran = run("$tare plot " + std::string(kind) + net + "--calibrator temperature");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("<svg")) << kind;
    EXPECT_FAILS(run("$tare plot " + std::string(kind) + net));
    EXPECT_FAILS(run("$tare plot " + std::string(kind) + net + "--calibrator nothing"));
  }
  const auto several = run("$tare plot models" + net + "--beside $data/mmlu_llama13b.csv");
  ASSERT_EQ(several.code, 0) << several.err;
  EXPECT_HAS(several.out, "mmlu_llama13b.csv");
  EXPECT_FAILS(run("$tare plot models" + net + "--beside missing.csv"));
}

}  // namespace
