// The public interface as a user meets it: include/tare only, and the numbers of the rooms behind it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <tare/tare.hpp>
#include <vector>

#include "api/three_classes.hpp"

namespace {

using tare::detail::testing::Data;
using tare::detail::testing::network;
using tare::detail::testing::three_classes;

// Four predictions by hand: mean confidence 0.75, accuracy 0.5, one bin.
TEST(api, an_error_by_hand) {
  const std::vector<double> score{0.75, 0.75, 0.75, 0.75};
  const std::array<std::uint8_t, 4> hit{1, 0, 1, 0};
  const auto p = tare::from_confidences(score, hit);
  ASSERT_TRUE(p) << tare::message(p.error());
  EXPECT_EQ(p->size(), 4U);
  EXPECT_EQ(p->kind(), tare::Kind::confidences);
  const auto e = tare::estimate(*p, {.estimator = "ece_ew", .norm = 1, .bins = 1});
  ASSERT_TRUE(e) << tare::message(e.error());
  EXPECT_DOUBLE_EQ(e->value, 0.25);
  ASSERT_EQ(e->bins.size(), 1U);
  EXPECT_EQ(e->bins[0].count, 4);
}

TEST(api, labels_and_numbers_of_every_type_give_the_same) {
  const Data data = three_classes(300);
  const std::vector<double> wide(data.logits.begin(), data.logits.end());
  const auto value = [](const tare::Result<tare::Predictions>& p) {
    return tare::estimate(p.value(), {.estimator = "sweep_em"}).value().value;
  };
  const double expected = value(tare::from_logits(data.logits, 3, data.labels));
  EXPECT_EQ(value(tare::from_logits(data.logits, 3, std::vector<int>(data.labels.begin(), data.labels.end()))),
            expected);
  EXPECT_EQ(value(tare::from_logits(data.logits, 3, std::vector<char>(data.labels.begin(), data.labels.end()))),
            expected);
  EXPECT_EQ(
      value(tare::from_logits(data.logits, 3, std::vector<std::uint16_t>(data.labels.begin(), data.labels.end()))),
      expected);
  EXPECT_EQ(value(tare::from_logits(std::span(data.logits), 3, data.labels)), expected);
  EXPECT_EQ(value(tare::from_logits(std::vector<float>(data.logits), 3, data.labels)), expected);  // moved in
  EXPECT_NEAR(value(tare::from_logits(wide, 3, data.labels)), expected, 1e-6);
}

TEST(api, handles_own_what_was_moved_in_and_what_owned_copies) {
  const Data data = three_classes(200);
  auto here = std::make_unique<std::vector<float>>(data.logits);
  const auto looks = tare::from_logits(*here, 3, data.labels).value();
  EXPECT_EQ(looks.values().data(), here->data());
  const auto own = looks.owned().value();
  EXPECT_NE(own.values().data(), here->data());
  const double before = tare::estimate(looks, {.estimator = "ks"}).value().value;
  here.reset();
  EXPECT_EQ(tare::estimate(own, {.estimator = "ks"}).value().value, before);
  const tare::Predictions copy = own;  // NOLINT: a copy is the point
  EXPECT_EQ(copy.values().data(), own.values().data());
}

TEST(api, weights_are_frequencies) {
  const std::vector<double> score{0.2, 0.9}, weight{3, 1};
  const std::vector<int> hit{0, 1};
  const std::vector<double> rows{0.2, 0.2, 0.2, 0.9};
  const std::vector<int> hits{0, 0, 0, 1};
  EXPECT_EQ(tare::estimate(tare::from_confidences(score, hit, weight).value(), {.estimator = "ece_ew"}).value().value,
            tare::estimate(tare::from_confidences(rows, hits).value(), {.estimator = "ece_ew"}).value().value);
}

TEST(api, bad_rows_come_back_with_their_place) {
  std::vector<double> score(20, 0.5);
  score[17] = 3.2;
  const std::vector<int> hit(20, 1);
  const auto p = tare::from_probs(score, 1, hit);
  ASSERT_FALSE(p);
  EXPECT_EQ(p.error().code, tare::Errc::bad_input);
  EXPECT_EQ(p.error().place.row, 17U);
  EXPECT_EQ(p.error().value, "3.2");
  EXPECT_NE(tare::message(p.error()).find("17"), std::string::npos);
  EXPECT_THROW((void)p.value(), tare::Failure);

  const auto odd = tare::from_logits(score, 3, hit);
  EXPECT_EQ(odd.error().code, tare::Errc::bad_input);
  EXPECT_EQ(tare::from_logits(score, 0, hit).error().code, tare::Errc::bad_option);
  const std::vector<std::int64_t> far(20, std::int64_t{1} << 40);
  const auto label = tare::from_probs(std::vector<double>(20, 0.5), 1, far);
  EXPECT_EQ(label.error().place.array, "labels");
  EXPECT_EQ(label.error().value, "1099511627776");
  EXPECT_FALSE(tare::from_probs(std::vector<double>(20, 0.5), 1, std::vector<int>(20, -1)));
  EXPECT_FALSE(tare::from_confidences(std::vector<double>(20, 0.5), std::vector<int>(20, 7)));
  EXPECT_FALSE(tare::from_confidences(std::vector<double>{}, std::vector<int>{}));
}

TEST(api, without_labels_a_calibrator_can_be_applied_and_nothing_measured) {
  const Data data = three_classes(500);
  const auto labelled = tare::from_logits(data.logits, 3, data.labels).value();
  const auto bare = tare::from_logits(data.logits, 3).value();
  EXPECT_FALSE(bare.labelled());
  const auto model = tare::fit("temperature", labelled).value();
  const auto out = model.apply(bare).value();
  EXPECT_FALSE(out.labelled());
  EXPECT_EQ(tare::measure(out).error().code, tare::Errc::bad_input);
  EXPECT_EQ(tare::fit("platt", bare).error().place.array, "labels");
  EXPECT_FALSE(tare::test(bare));
  EXPECT_FALSE(tare::compare(bare));
  EXPECT_FALSE(tare::estimate(bare, {.estimator = "ks"}));
}

TEST(api, prior_shift_needs_the_old_shares_and_no_labels) {
  const Data data = three_classes(500);
  const auto labelled = tare::from_logits(data.logits, 3, data.labels).value();
  const auto bare = tare::from_logits(data.logits, 3).value();
  const tare::FitOptions options{.prior = {0.2, 0.3, 0.5}};
  const auto model = tare::fit("prior_shift", bare, options);
  ASSERT_TRUE(model) << tare::message(model.error());
  EXPECT_FALSE(model->report().nll_after);
  const auto seen = tare::fit("prior_shift", labelled, options).value();
  EXPECT_NE(seen.report().note.find("labels were not used"), std::string::npos);
  EXPECT_TRUE(tare::fit("prior_shift", labelled));
  EXPECT_EQ(tare::fit("prior_shift", bare).error().code, tare::Errc::bad_option);
  EXPECT_EQ(tare::fit("prior_shift", bare, {.prior = {0.5, 0.5}}).error().place.array, "prior");
  for (const tare::Method& method : tare::methods()) EXPECT_EQ(method.without_labels, method.name == "prior_shift");
}

TEST(api, measures_a_file_as_the_program_does) {
  const auto p = tare::read(network, "test");
  ASSERT_TRUE(p) << tare::message(p.error());
  EXPECT_EQ(p->size(), 10'000U);
  EXPECT_EQ(p->classes(), 10U);
  const auto m = tare::measure(*p, {}, {.threads = 2});
  ASSERT_TRUE(m) << tare::message(m.error());
  const auto headline = m->headline();
  EXPECT_EQ(headline.value, m->at("rank_poly", 2).value);
  EXPECT_LT(*headline.low, headline.value);
  EXPECT_EQ(m->find("rank_poly", 1), nullptr);
  EXPECT_EQ(m->find("nothing"), nullptr);
  EXPECT_THROW((void)m->at("nothing"), tare::Failure);
  EXPECT_EQ(m->verdict.outcome, tare::Outcome::miscalibrated);
  EXPECT_EQ(m->verdict.direction, tare::Direction::over);
  EXPECT_EQ(m->verdict.low, headline.low);
  EXPECT_NE(m->verdict.sentence.find("Overconfident"), std::string::npos);
  const std::string json = tare::to_json(*m).value();
  EXPECT_NE(json.find("\"ece_ew\""), std::string::npos);
  EXPECT_NE(tare::to_text(*m).value().find(m->verdict.sentence.substr(0, 30)), std::string::npos);
  EXPECT_EQ(tare::reliability_svg(*m).value().substr(0, 4), "<svg");
  EXPECT_FALSE(tare::to_json(tare::Measurement{}));
  EXPECT_THROW((void)tare::Measurement{}.headline(), tare::Failure);
}

TEST(api, fits_applies_saves_and_loads) {
  const auto val = tare::read(network, "val").value(), test = tare::read(network, "test").value();
  const auto folder = std::filesystem::temp_directory_path() / "tare_door_test";
  std::filesystem::create_directories(folder);
  for (const tare::Method& method : tare::methods()) {
    if (method.name == "matrix" || method.name == "dirichlet" || method.name == "bbq") continue;  // seconds each
    const auto model = tare::fit(method.name, val, {}, {.threads = 2});
    ASSERT_TRUE(model) << method.name << ": " << tare::message(model.error());
    EXPECT_EQ(model->method(), method.name);
    const auto after = model->apply(test).value();
    EXPECT_EQ(after.kind(), tare::Kind::probs);
    EXPECT_TRUE(after.labelled());
    const std::string path = (folder / "model.json").string();
    ASSERT_TRUE(model->save(path));
    const auto again = tare::Calibrator::load(path).value();
    const auto same = tare::Calibrator::from_json(model->to_json().value()).value();
    std::vector<double> out(30), out2(30);
    const float* rows = static_cast<const float*>(test.values().data());
    ASSERT_TRUE(again.apply_rows({rows, 30}, out));
    ASSERT_TRUE(same.apply_rows({rows, 30}, out2));
    EXPECT_EQ(out, out2);
    const double* whole = static_cast<const double*>(after.values().data());
    EXPECT_TRUE(std::equal(out.begin(), out.end(), whole)) << method.name;
  }
  std::filesystem::remove_all(folder);
}

TEST(api, apply_rows_refuses_what_is_no_row) {
  const auto val = tare::read(network, "val").value();
  const auto model = tare::fit("temperature", val).value();
  std::vector<float> row(10, 0.0F);
  std::vector<double> out(10);
  EXPECT_TRUE(model.apply_rows(row, out));
  EXPECT_FALSE(model.apply_rows({row.data(), 9}, std::span(out).first(9)));
  EXPECT_FALSE(model.apply_rows(row, std::span(out).first(9)));
  row[3] = std::nanf("");
  const auto bad = model.apply_rows(row, out);
  EXPECT_EQ(bad.error().place.column, 3U);
  EXPECT_EQ(tare::Calibrator::load("/no/such/file").error().code, tare::Errc::io);
  EXPECT_FALSE(tare::Calibrator::from_json("{}"));
  EXPECT_FALSE(model.save("/no/such/folder/model.json"));
}

TEST(api, unknown_names_come_back_with_the_nearest) {
  const Data data = three_classes(100);
  const auto p = tare::from_logits(data.logits, 3, data.labels).value();
  EXPECT_NE(tare::message(tare::fit("temprature", p).error()).find("temperature"), std::string::npos);
  EXPECT_NE(tare::message(tare::estimate(p, {.estimator = "ece_we"}).error()).find("ece_ew"), std::string::npos);
  EXPECT_FALSE(tare::measure(p, {.estimators = {"rankpoly"}}));
  EXPECT_FALSE(tare::test(p, {.statistics = {"x"}}));
  EXPECT_FALSE(tare::compare(p, {.methods = {"x"}}));
  EXPECT_FALSE(tare::truth("beta:1", ""));
  EXPECT_FALSE(tare::truth("uniform", "no_curve:1"));
}

TEST(api, compares_and_names_a_winner) {
  const Data data = three_classes(400);
  const auto p = tare::from_logits(data.logits, 3, data.labels).value();
  const auto c = tare::compare(p, {.methods = {"temperature", "vector"}, .folds = 3, .resamples = 50});
  ASSERT_TRUE(c) << tare::message(c.error());
  ASSERT_NE(c->find("temperature"), nullptr);
  EXPECT_EQ(c->find("platt"), nullptr);
  EXPECT_FALSE(c->winner.empty());
  EXPECT_LT(c->find("temperature")->brier, c->find("uncalibrated")->brier);  // labels are drawn by chance
  EXPECT_NE(tare::to_json(*c).value().find("winner"), std::string::npos);
  EXPECT_FALSE(tare::to_text(tare::Comparison{}));
}

TEST(api, tests_calibration) {
  const auto truth = tare::truth("beta:2,0.7", "identity").value();
  const auto fine = tare::test(tare::draw(truth, 2000, {.seed = 5}).value(), {.resamples = 199, .detectable = false});
  ASSERT_TRUE(fine) << tare::message(fine.error());
  EXPECT_FALSE(fine->rejected);
  const auto crooked = tare::truth("beta:2,0.7", "power:2").value();
  const auto report = tare::test(tare::draw(crooked, 2000).value(), {.resamples = 199, .detectable = false});
  EXPECT_TRUE(report.value().rejected) << report->sentence;
  EXPECT_NE(tare::to_text(*report).value().find("p"), std::string::npos);
}

// c^2 on uniform scores: the mean of c - c^2 is 1/6, that of its square 1/30.
TEST(api, simulates_known_truths) {
  const auto truth = tare::truth("uniform", "power:2").value();
  EXPECT_EQ(truth.scores(), "uniform");
  EXPECT_NEAR(tare::true_error(truth, 1).value(), 1.0 / 6, 1e-12);
  EXPECT_NEAR(tare::true_error(truth, 2).value(), std::sqrt(1.0 / 30), 1e-12);
  EXPECT_FALSE(tare::true_error(truth, 3));
  EXPECT_FALSE(tare::draw(truth, 0));
  const auto sample = tare::draw(truth, 100'000, {.seed = 3}).value();
  EXPECT_NEAR(tare::estimate(sample, {.estimator = "rank_poly"}).value().value, std::sqrt(1.0 / 30), 0.005);
  const auto same = tare::draw(truth, 100'000, {.seed = 3}).value();
  EXPECT_EQ(tare::estimate(sample, {.estimator = "ks"}).value().value,
            tare::estimate(same, {.estimator = "ks"}).value().value);
  const auto bias = tare::bias_of(truth, {.estimators = {"ece_ew"}, .sizes = {200}, .replicates = 40});
  ASSERT_TRUE(bias) << tare::message(bias.error());
  EXPECT_EQ(bias->lines.size(), 2U);
  EXPECT_NEAR(*bias->true_error_1, 1.0 / 6, 1e-12);
  const auto fitted = tare::bias(sample, {.estimators = {"ece_ew"}, .replicates = 20});
  ASSERT_TRUE(fitted) << tare::message(fitted.error());
  EXPECT_TRUE(fitted->lines.front().observed.has_value());
}

TEST(api, the_tables_are_those_of_the_rooms) {
  EXPECT_GE(tare::estimators().size(), 19U);
  EXPECT_GE(tare::methods().size(), 10U);
  for (const tare::Estimator& e : tare::estimators()) {
    EXPECT_FALSE(e.name.empty());
    EXPECT_FALSE(e.summary.empty());
  }
  EXPECT_STREQ(tare::version(), TARE_VERSION);
  static_assert(TARE_VERSION_AT_LEAST(0, 3, 0) && !TARE_VERSION_AT_LEAST(0, 4, 0) && !TARE_VERSION_AT_LEAST(1, 0, 0));
}

TEST(api, options_out_of_range_are_refused_by_name) {
  const Data data = three_classes(60);
  const auto p = tare::from_logits(data.logits, 3, data.labels).value();
  const auto refused = [](const auto& result, const char* name) {
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, tare::Errc::bad_option) << name << ": " << tare::message(result.error());
    EXPECT_NE(tare::message(result.error()).find(name), std::string::npos) << tare::message(result.error());
  };
  for (const int bins : {0, 10'001}) {
    refused(tare::measure(p, {.bins = bins}), "bins");
    refused(tare::estimate(p, {.estimator = "ece_ew", .bins = bins}), "bins");
    refused(tare::test(p, {.bins = bins}), "bins");
    refused(tare::compare(p, {.bins = bins}), "bins");
    refused(tare::fit("histogram", p, {.bins = bins}), "bins");
    refused(tare::State::make({.bins = bins}), "bins");
    refused(tare::bias(p, {.bins = bins}), "bins");
  }
  for (const int norm : {-1, 3}) {
    refused(tare::measure(p, {.norms = {norm}}), "norm");
    refused(tare::test(p, {.norm = norm}), "norm");
    refused(tare::estimate(p, {.estimator = "ece_ew", .norm = norm}), "norm");
  }
  for (const int folds : {1, 101}) refused(tare::compare(p, {.folds = folds}), "folds");
  refused(tare::compare(p, {.resamples = 0}), "resamples");
  refused(tare::compare(p, {.resamples = 100'000'000}), "resamples");
  refused(tare::compare(p, {.criterion = "accuracy"}), "criterion");
  refused(tare::test(p, {.resamples = 0}), "resamples");
  for (const double x : {0.0, 1.0, -1.0, 2.0, std::nan("")}) {
    refused(tare::test(p, {.alpha = x}), "alpha");
    refused(tare::test(p, {.power = x}), "power");
  }
  for (const double x : {-1.0, std::nan("")}) {
    refused(tare::fit("matrix", p, {.lambda = x}), "lambda");
    refused(tare::fit("matrix", p, {.mu = x}), "mu");
  }
  refused(tare::fit("vector", p, {.max_iterations = -1}), "max_iterations");
  for (const int threads : {-1, 1025}) refused(tare::measure(p, {}, {.threads = threads}), "threads");
  refused(tare::bias(p, {.replicates = 0}), "replicates");
  refused(tare::bias(p, {.sizes = {0}}), "n is 0");
}

TEST(api, a_report_is_written_whole) {
  const Data data = three_classes(200);
  const auto p = tare::from_logits(data.logits, 3, data.labels).value();
  const auto path = (std::filesystem::temp_directory_path() / "tare_door_report.html").string();
  const auto done = tare::write_report(path, p, {.bias = false, .classes = false});
  ASSERT_TRUE(done) << tare::message(done.error());
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find("</html>"), std::string::npos);
  std::filesystem::remove(path);
  EXPECT_FALSE(tare::write_report("/no/such/folder/report.html", p));
}

}  // namespace
