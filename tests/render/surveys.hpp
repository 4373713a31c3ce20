// Surveys written down by hand: rendering is tested without measuring anything.
#pragma once

#include "tare/core/survey.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::testing {

// Lines joined: where they break does not matter.
inline std::string unwrapped(std::string s) {
  for (char& c : s)
    if (c == '\n') c = ' ';
  return s;
}

inline Measured line(std::string name, std::optional<int> norm, double value) {
  Measured m;
  m.name = std::move(name);
  if (const auto* estimator = measure::find(m.name)) m.about = *estimator;
  m.norm = norm;
  m.estimate = Estimate{.value = value};
  return m;
}

inline Measured with_noise(Measured m, double floor, double high, Judgement judgement) {
  m.floor = floor;
  m.floor_high = high;
  m.judgement = judgement;
  m.interval_reason = "a resampled ECE doubles its bias";
  return m;
}

inline Measured with_interval(Measured m, double low, double high) {
  m.low = low;
  m.high = high;
  m.interval = "normal";
  return m;
}

inline TestReport rejected(const InputInfo& input) {
  TestReport t{.input = input, .seed = 1, .resamples = 999};
  t.tests = {{.name = "smooth_test", .title = "smooth test", .statistic = 300, .p_value = 0.001, .accepted_high = 3.1}};
  t.verdict = {.outcome = Outcome::miscalibrated,
               .p_value = 0.001,
               .test = "smooth_test",
               .square = {"rank_poly", 0.064, 0.06, 0.068},
               .mean = {"rank_sign", 0.044, 0.04, 0.048},
               .detectable = 0.0179,
               .direction = Direction::over,
               .mean_gap = {0.043, 0.038, 0.048},
               .mean_score = 0.977,
               .mean_label = 0.934};
  return t;
}

// 10,000 rows whose mean confidence of 97.7% lies 4.3 points above the accuracy.
inline Survey overconfident() {
  Survey s;
  s.input = {.n = 10000,
             .k = 10,
             .kind = Kind::logits,
             .reduction = Reduction::top_label,
             .source = "net.npz",
             .total_weight = 10000};
  s.seed = 1;
  s.resamples = 1000;
  Measured ece = with_noise(line("ece_ew", 1, 0.0475), 0.006, 0.009, Judgement::above_noise);
  ece.estimand = "tce";
  ece.estimate->bins = 15;
  ece.estimate->per_bin = {{0.4, 0.5, 200, 0.46, 0.21}, {0.5, 0.6, 300, 0.55, 0.75}, {0.9, 1, 9500, 0.99, 0.96}};
  s.measured.push_back(ece);
  s.measured.push_back(with_noise(line("ece_ew", 2, 0.0667), 0.011, 0.018, Judgement::above_noise));
  Measured debias = with_interval(line("debias_em", 2, 0.0641), 0.0602, 0.0680);
  debias.estimate->squared = 0.00410881;
  debias.estimate->squared_se = 1e-4;
  s.measured.push_back(debias);
  Measured kde = line("kde", 1, 0);
  kde.estimate = {};
  kde.reason = "kde needs at least two different scores";
  s.measured.push_back(kde);
  s.measured.push_back(with_interval(line("accuracy", {}, 0.934), 0.93, 0.94));
  s.measured.push_back(with_interval(line("confidence", {}, 0.977), 0.975, 0.979));
  Measured brier = with_interval(line("brier", {}, 0.1234), 0.12, 0.13);
  brier.scope = "multiclass";
  brier.estimate->parts = {{"reliability", 0.01}, {"resolution", 0.02}, {"uncertainty", 0.1334}};
  s.measured.push_back(brier);
  s.test = rejected(s.input);
  return s;
}

// The same table for 200 rows of a model that may well be calibrated.
inline Survey unclear() {
  Survey s = overconfident();
  s.input.n = 200;
  for (Measured& m : s.measured)
    if (m.floor) {
      m.floor = 0.04;
      m.floor_high = 0.0777;
      m.judgement = Judgement::within_noise;
    }
  s.test->input.n = 200;
  s.test->tests[0].p_value = s.test->verdict.p_value = 0.42;
  s.test->verdict.outcome = Outcome::nothing_found;
  s.test->verdict.direction = Direction::none;
  s.test->verdict.detectable = 0.081;
  s.test->verdict.square.low = s.test->verdict.mean.low = 0;
  return s;
}

// Three classes, the second worst, named.
inline Survey per_class() {
  Survey s = overconfident();
  s.input.reduction = Reduction::classwise;
  s.input.k = 3;
  s.test = {};
  s.class_names = {"cat", "dog", "eel"};
  const double error[] = {0.011, 0.033, 0.022};
  for (std::size_t c = 0; c < 3; ++c) {
    Measured m = with_noise(line("ece_ew", 1, error[c]), 0.001, 0.002, Judgement::above_noise);
    m.class_index = c;
    m.estimate->per_bin = {{0, 0.5, 10, 0.2, 0.1}, {0.5, 1, 10, 0.8, 0.9}};
    s.measured.push_back(m);
  }
  return s;
}

}  // namespace tare::detail::testing
