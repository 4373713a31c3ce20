// A second translation unit that includes everything: what the headers define must be allowed twice. It measures before
// main begins, as a program with static objects may.
#include <tare/tare.hpp>
#include <vector>

namespace {

double before_main() {
  const std::vector<double> score{0.75, 0.75, 0.75, 0.75};
  const std::vector<int> hit{1, 0, 1, 0};
  return tare::estimate(tare::from_confidences(score, hit).value(), {.estimator = "ece_ew", .norm = 1, .bins = 1})
      .value()
      .value;
}

const double early = before_main();

}  // namespace

double measured_early() { return early; }
