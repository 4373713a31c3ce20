#include "tare/render/html/page.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "render/surveys.hpp"
#include "support/has.hpp"

namespace {

using namespace tare::detail;
using tare::detail::testing::line;
using tare::detail::testing::overconfident;
using tare::detail::testing::with_noise;

Report one_fold() {
  Report r;
  r.survey = overconfident();
  r.survey.bands = {{"ece_ew", {{0.4, 0.5}, {0.5, 0.6}, {0.98, 1}}}};
  r.survey.band_resamples = 1000;
  r.bias_reason = "not asked for";
  r.about = {{"ece_ew", "ECE, equal-width bins", "mean gap", "Guo et al. 2017"}};
  r.command = "tare report net.npz -o report.html";
  r.settings = {{"seed", "1"}};
  return r;
}

MethodResult method(std::string name, double brier, double ece) {
  MethodResult m{.method = std::move(name), .error = 0.07, .nll = 0.25, .brier = brier};
  Measured e = line("ece_ew", 1, ece);
  e.estimate->per_bin = {{0, 0.5, 10, 0.3, 0.2}, {0.5, 1, 90, 0.9, 0.8}};
  m.estimates = {e};
  return m;
}

Report two_folds() {
  Report r = one_fold();
  Comparison c;
  c.validation = c.test = r.survey.input;
  c.methods = {method("uncalibrated", 0.12, 0.0475), method("temperature", 0.11, 0.008),
               method("histogram", 0.13, 0.02)};
  c.methods[1].differences = {{Criterion::brier, "uncalibrated", -0.01, -0.012, -0.008, Change::better}};
  c.methods[2].differences = {{Criterion::brier, "uncalibrated", 0.01, -0.001, 0.021, Change::noise}};
  c.methods[2].nll = {};
  c.methods[2].nll_infinite_rows = 7;
  c.winner = {"temperature", Criterion::brier, "5-fold"};
  c.interval = "simultaneous";
  r.comparison = c;
  r.apply = {"tare fit temperature net.npz -o model.json"};
  return r;
}

TEST(page, begins_with_the_verdict) {
  const auto html = render::page(one_fold());
  EXPECT_HAS(
      html,
      "aria-label=\"Verdict\">Overconfident: mean confidence 97.7% is 4.3 points above accuracy 93.4% (p = 0.001, "
      "smooth_test).</p>");
  EXPECT_HAS(html, "Estimated true error: mean gap 4.4%");
  EXPECT_HAS(html, "up to 0.90% by chance");
}

TEST(page, needs_nothing_but_itself) {
  for (const auto& report : {one_fold(), two_folds()}) {
    const auto html = render::page(report);
    EXPECT_TRUE(html.starts_with("<!DOCTYPE html>")) << html.substr(0, 100);
    for (const char* outside : {"src=", "@import", "url(http", "<link", "<iframe", "fetch("})
      EXPECT_LACKS(html, outside);
    static const std::regex address("https?://[^\"' <]*");
    for (std::sregex_iterator at(html.begin(), html.end(), address), end; at != end; ++at)
      EXPECT_EQ(at->str(), "http://www.w3.org/2000/svg");  // a name, not a place
  }
}

TEST(page, has_every_section) {
  const auto html = render::page(two_folds());
  for (const char* id : {"calibrators", "estimators", "rows", "scores", "detection", "method", "citation"})
    EXPECT_HAS(html, "<section id=\"" + std::string(id) + "\"");
  for (const char* words :
       {"4.75%", "0.60%", "0.90%", "tare report net.npz -o report.html", "tare fit temperature net.npz",
        "@software{tare", "temperature</b> (recommended)", "ece_ew 0.80%", "▼ better", "≈ noise",
        "7 rows gave probability 0", "kde needs at least two different scores"})
    EXPECT_HAS(html, words);
}

TEST(page, has_title_file_and_date) {
  auto r = one_fold();
  r.survey.input.source = "models/net.npz";
  r.date = "2026-11-17";
  auto html = render::page(r);
  EXPECT_HAS(html, "<title>Calibration of net.npz</title>");
  EXPECT_HAS(html, "<h1><bdi>net.npz</bdi></h1>");
  EXPECT_HAS(html, "Model: <bdi>models/net.npz</bdi>");
  EXPECT_HAS(html, "Calibration report · 2026-11-17");
  r.file = "models/net.npz";
  r.survey.input.source = "Our net, 3/4 trained";
  html = render::page(r);
  EXPECT_HAS(html, "<h1><bdi>Our net, 3/4 trained</bdi></h1>");
  EXPECT_HAS(html, "Model: <bdi>models/net.npz</bdi>");
}

TEST(page, puts_the_answer_and_the_diagram_first) {
  const auto html = render::page(two_folds());
  EXPECT_LT(html.find("class=\"answer\""), html.find("id=\"diagram\""));
  EXPECT_LT(html.find("id=\"diagram\""), html.find("<section"));
}

TEST(page, draws_before_once_and_what_is_recommended_first) {
  const auto html = render::page(two_folds());
  EXPECT_EQ(html.find("Reliability before"), html.rfind("Reliability before"));
  EXPECT_LT(html.find("Reliability before"), html.find("Reliability after temperature"));
  EXPECT_LT(html.find("Reliability after temperature"), html.find("Reliability after histogram"));
}

TEST(page, asks_what_could_have_been_found_first_where_nothing_was) {
  auto r = one_fold();
  auto html = render::page(r);
  EXPECT_LT(html.find("<section id=\"estimators\""), html.find("<section id=\"detection\""));
  r.survey = tare::detail::testing::unclear();
  html = render::page(r);
  EXPECT_LT(html.find("<section id=\"detection\""), html.find("<section id=\"estimators\""));
}

TEST(page, says_why_nothing_was_compared) {
  auto r = one_fold();
  EXPECT_LACKS(render::page(r), "id=\"calibrators\"");
  r.comparison_reason = "the input has confidences only";
  EXPECT_HAS(render::page(r), "Calibrators were not compared: the input has confidences only.");
  EXPECT_LACKS(render::page(r), "id=\"calibrators\"");
}

TEST(page, shows_names_as_text) {
  auto r = two_folds();
  const std::string nasty = "<script>alert(\"x\")</script>&'\x01🙂 שלום</title><b>";
  r.survey.input.source = r.comparison->test.source = r.comparison->validation.source = nasty;
  r.command = "tare report '" + nasty + "'";
  r.settings = {{"file", nasty}};
  r.apply = {"tare fit " + nasty};
  r.classes = tare::detail::testing::per_class();
  r.classes->class_names[1] = nasty;
  r.survey.measured[3].reason = nasty;
  const auto html = render::page(r);
  EXPECT_LACKS(html, "alert(\"x\")");
  EXPECT_LACKS(html, "<b>\"");
  EXPECT_HAS(html, "<title>Calibration of title&gt;&lt;b&gt;</title>");
  EXPECT_HAS(html,
             "<bdi>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;\uFFFD🙂 "
             "שלום&lt;/title&gt;&lt;b&gt;</bdi>");
  std::size_t scripts = 0;
  for (auto at = html.find("<script"); at != std::string::npos; at = html.find("<script", at + 1)) ++scripts;
  EXPECT_EQ(scripts, 1U);
}

TEST(page, ranks_classes_by_what_exceeds_their_noise) {
  auto r = one_fold();
  r.classes = tare::detail::testing::per_class();  // dog 3.3%, eel 2.2%, cat 1.1%
  for (Measured& m : r.classes->measured)
    if (m.class_index == 1) m.floor = 0.032;  // nearly all of it is noise
  const auto html = render::page(r);
  const auto table = html.substr(html.find("<table id=\"classes-table\""));
  EXPECT_LT(table.find("<bdi>eel</bdi>"), table.find("<bdi>cat</bdi>"));
  EXPECT_LT(table.find("<bdi>cat</bdi>"), table.find("<bdi>dog</bdi>"));
}

TEST(page, counts_the_rows_of_classes) {
  auto r = one_fold();
  r.classes = tare::detail::testing::per_class();
  for (std::size_t i = 0; i < r.classes->measured.size(); ++i)
    if (r.classes->measured[i].class_index == 1) {
      Measured rate = line("accuracy", {}, 0.1234);  // of 10,000 rows
      rate.class_index = 1;
      r.classes->measured.insert(r.classes->measured.begin() + static_cast<std::ptrdiff_t>(i) + 1, rate);
      break;
    }
  const auto html = render::page(r);
  EXPECT_HAS(html, "<b><bdi>dog</bdi></b>, 1,234 rows<br>");
  EXPECT_HAS(html, "data-v=\"1234\">1,234</td>");
}

TEST(page, keeps_the_numbers_behind_cells) {
  const auto html = render::page(one_fold());
  EXPECT_HAS(html, "<td class=\"n\" data-v=\"4.75\">4.75%</td>");
  EXPECT_HAS(html, "data-v=\"6.02 6.8\">6.02% – 6.80%</td>");
}

TEST(page, of_a_thousand_classes_is_smaller_than_a_megabyte) {
  auto r = two_folds();
  Survey classes = r.survey;
  classes.input.reduction = Reduction::classwise;
  classes.input.k = 1000;
  for (std::size_t k = 0; k < 1000; ++k) {
    Measured m =
        with_noise(line("ece_ew", 1, 0.01 + 1e-6 * static_cast<double>(k)), 0.001, 0.002, Judgement::above_noise);
    for (std::size_t b = 0; b < 15; ++b)
      m.estimate->per_bin.push_back(
          {static_cast<double>(b) / 15, static_cast<double>(b + 1) / 15, 12345, 0.123456, 0.654321});
    m.class_index = k;
    classes.measured.push_back(m);
    for (const char* mean : {"accuracy", "confidence"}) {
      classes.measured.push_back(line(mean, {}, 0.001));
      classes.measured.back().class_index = k;
    }
    classes.class_names.push_back("a class with a name of forty characters " + std::to_string(k));
  }
  r.classes = classes;
  Measured corp = line("corp", {}, 0.01);  // as many steps as a million rows may have
  for (int i = 0; i < 3000; ++i)
    corp.estimate->per_bin.push_back({i / 3000.0, (i + 1) / 3000.0, 300, i / 3000.0, i / 3000.0});
  r.survey.measured.push_back(corp);
  const auto html = render::page(r);
  EXPECT_LT(html.size(), 1'000'000U);
  EXPECT_HAS(html, "a class with a name of forty characters 999");
}

}  // namespace
