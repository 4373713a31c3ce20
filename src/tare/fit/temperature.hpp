// Temperature scaling: softmax(z / T), one positive number for all classes; the top label never changes.
// Guo et al. 2017, section 4.2, Eq. 9. The mean NLL is convex in v = 1 / T, so the optimum is the root of
// its rising slope; each step is one fused pass (numeric/simd/tempered.hpp).
#pragma once

#include "tare/fit/spec.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::fit {

inline constexpr double smallest_temperature = 1e-6;
inline constexpr double largest_temperature = 1e6;

// The search for a temperature, wherever the rows are. Who has the rows makes passes over them and a first guess; the
// steps from there, what proves that the root was found, and what is said where there is none, stand here.
class TemperatureSearch {
 public:
  static constexpr double lowest = 1 / largest_temperature, highest = 1 / smallest_temperature;  // of v

  explicit TemperatureSearch(int max_iterations) : limit_(max_iterations > 0 ? max_iterations : 200) {}
  TemperatureSearch(const TemperatureSearch&) = delete;
  TemperatureSearch& operator=(const TemperatureSearch&) = delete;
  virtual ~TemperatureSearch() = default;

  // The minimum, from a guess. `at_zero`: slope and curvature at v = 0, where they help.
  double certified(double v, const numeric::TemperedNll* at_zero = nullptr);
  // Every label already has the largest logit: the NLL falls for ever as T falls, towards `limit`. T is halved from 1
  // until the mean misses that by at most `enough`, half a row: the data cannot show more.
  double no_minimum(double limit, double enough);
  // The logits of every row are equal, so that T changes nothing.
  double flat(double nll);
  double finish(double v, const numeric::TemperedNll& e, FitStatus status);

  FitReport report;

 protected:
  virtual numeric::TemperedNll pass(double v) = 0;  // over all rows, in float64
  [[nodiscard]] virtual double range() const = 0;   // largest max z - min z of a row; asked for after a pass
  void count_pass() { ++report.iterations; }        // of whatever kind
  numeric::TemperedNll at(double v) {
    count_pass();
    return pass(v);
  }
  [[nodiscard]] bool exhausted() const { return report.iterations >= limit_; }

 private:
  int limit_;
};

// The logits of a view, as the temperature sees them: z, or ln p for probabilities.
numeric::LogitRows logit_rows(const MulticlassView& view);

Result<Model> temperature(const MulticlassView& view, const Options& options = {});

extern const Calibrator temperature_calibrator;
extern const Calibrator identity_calibrator;  // the same, with a temperature of 1 whatever the rows are

}  // namespace tare::detail::fit
