// The two numbers every calibration error is about: accuracy, the mean label, and confidence,
// the mean score.
#pragma once

#include <cmath>

#include "tare/measure/spec.hpp"
#include "tare/numeric/exact/moments.hpp"

namespace tare::inner::measure {

inline Result<Estimate> accuracy(const Sample& sample, const Options& = {}) {
  const auto all = sample.bins(numeric::Binning::width, 1).front();
  const double a = all.mean_label();
  const double n = static_cast<double>(all.mass) / static_cast<double>(sample.unit());
  return Estimate{.value = a, .se = std::sqrt(a * (1 - a) / n)};
}

inline Result<Estimate> confidence(const Sample& sample, const Options& = {}) {
  const numeric::Ordered& data = sample.ordered();
  numeric::Moments moments;
  for (std::size_t g = 0; g < data.groups(); ++g) moments.add(data.score(g), data.mass(g));
  return Estimate{.value = moments.mean(), .se = moments.se(data.unit())};
}

inline constexpr Row accuracy_row{.name = "accuracy",
                                  .title = "accuracy",
                                  .summary = "mean label: the share of hits",
                                  .citation = "the mean of the labels",
                                  .is_error = false,
                                  .run = accuracy};

inline constexpr Row confidence_row{.name = "confidence",
                                    .title = "mean confidence",
                                    .summary = "mean score: the accuracy the model claims",
                                    .citation = "the mean of the scores",
                                    .is_error = false,
                                    .run = confidence};

}  // namespace tare::inner::measure
