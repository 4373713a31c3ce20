// Surveys written down by hand: rendering is tested without measuring anything.
#pragma once

#include "tare/core/results.hpp"
#include "tare/measure/spec.hpp"

namespace tare::inner::testing {

inline Measured line(std::string name, std::optional<int> norm, double value) {
  Measured m;
  m.name = std::move(name);
  if (const auto* estimator = measure::find(m.name)) m.about = *estimator;
  m.norm = norm;
  m.estimate = Estimate{.value = value};
  return m;
}

inline Measured with_noise(Measured m, double floor, double high, Judgement verdict) {
  m.floor = floor;
  m.floor_high = high;
  m.verdict = verdict;
  m.interval_reason = "a resampled ECE doubles its bias";
  return m;
}

inline Measured with_interval(Measured m, double low, double high) {
  m.low = low;
  m.high = high;
  m.interval = "normal";
  return m;
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
  Measured ece = with_noise(line("ece_ew", 1, 0.0475), 0.006, 0.009, Judgement::strongly_miscalibrated);
  ece.estimand = "tce";
  ece.estimate->bins = 15;
  ece.estimate->per_bin = {{0.4, 0.5, 200, 0.46, 0.21}, {0.5, 0.6, 300, 0.55, 0.75}, {0.9, 1, 9500, 0.99, 0.96}};
  s.measured.push_back(ece);
  s.measured.push_back(with_noise(line("ece_ew", 2, 0.0667), 0.011, 0.018, Judgement::strongly_miscalibrated));
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
  brier.estimate->parts = {{"reliability", 0.01}, {"resolution", 0.02}, {"uncertainty", 0.1334}};
  s.measured.push_back(brier);
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
      m.verdict = Judgement::within_noise;
    }
  return s;
}

// Three classes, the second worst, named.
inline Survey per_class() {
  Survey s = overconfident();
  s.input.reduction = Reduction::classwise;
  s.input.k = 3;
  s.class_names = {"cat", "dog", "eel"};
  const double error[] = {0.011, 0.033, 0.022};
  for (std::size_t c = 0; c < 3; ++c) {
    Measured m = with_noise(line("ece_ew", 1, error[c]), 0.001, 0.002, Judgement::miscalibrated);
    m.class_index = c;
    m.estimate->per_bin = {{0, 0.5, 10, 0.2, 0.1}, {0.5, 1, 10, 0.8, 0.9}};
    s.measured.push_back(m);
  }
  return s;
}

}  // namespace tare::inner::testing
