// The two numbers every calibration error is about: accuracy, the mean label, and confidence, the mean score.
#include "tare/measure/estimators.hpp"

#include <cmath>

namespace tare::detail::measure {

Result<Estimate> accuracy(const Sample& sample, const Options&) {
  const auto all = sample.bins(numeric::Binning::width, 1).front();
  const double a = all.mean_label();
  const double n = static_cast<double>(all.mass) / static_cast<double>(sample.unit());
  return Estimate{.value = a, .se = std::sqrt(a * (1 - a) / n)};
}

Result<Estimate> confidence(const Sample& sample, const Options&) {
  const numeric::Ordered& data = sample.ordered();
  numeric::Moments moments;
  for (std::size_t g = 0; g < data.groups(); ++g) moments.add(data.score(g), data.mass(g));
  return Estimate{.value = moments.mean(), .se = moments.se(data.unit())};
}

constinit const Estimator accuracy_estimator{{.name = "accuracy",
                                              .title = "accuracy",
                                              .summary = "mean label: the share of hits",
                                              .citation = "the mean of the labels",
                                              .is_error = false,
                                              .interval = wilson_interval,
                                              .roles = {.mean_label = true, .quoted_score = true}},
                                             {.run = accuracy}};

constinit const Estimator confidence_estimator{{.name = "confidence",
                                                .title = "mean confidence",
                                                .summary = "mean score: the accuracy the model claims",
                                                .citation = "the mean of the scores",
                                                .is_error = false,
                                                .interval = normal_interval,
                                                .roles = {.mean_score = true, .quoted_score = true}},
                                               {.run = confidence}};

}  // namespace tare::detail::measure
