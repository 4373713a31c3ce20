// How often do the intervals of rank_poly and rank_sign hold the true error where scores pile up at 1, or on a few
// values? Prints the tables of "Saturated scores" in docs/studies/coverage.md:  saturated [samples] [n ...]
//
// Every cell: coverage, the coverage where the lower end is 0 unless smooth_test rejects calibration at 5% (199
// redrawings; a miss at a score of exactly 1 rejects it, too), and the mean width in points.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "tare/analysis/test.hpp"
#include "tare/infer/interval/interval.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/parallel.hpp"

namespace {

using namespace tare::detail;

struct Truth {
  std::string name;
  std::function<double(double, double)> score;  // of two uniform numbers
  std::function<double(double)> rate;           // of hits at a score
  double l1 = 0, l2 = 0;                        // the true errors
};

std::vector<Truth> truths() {
  const auto same = [](double c) { return c; };
  const auto square = [](double c) { return c * c; };
  std::vector<Truth> out;
  for (const double rate : {0.99, 0.999, 1.0})
    out.push_back({fmt::format("score 1, rate {}", rate), [](double, double) { return 1.0; },
                   [=](double) { return rate; }, 1 - rate, 1 - rate});
  for (const double from : {0.0, 0.5})
    for (const double share : {0.9, 0.95, 0.99, 0.995}) {
      // the others are uniform, for which the mean of c - c^2 is 1/6 and that of its square 1/30, from 0 as from 1/2
      const auto score = [=](double u, double v) { return v < share ? 1 - 0x1p-20 * u : from + (1 - from) * u; };
      const std::string name = fmt::format("{}% at 1, the others from {}", 100 * share, from);
      out.push_back({name + ", calibrated", score, same, 0, 0});
      out.push_back({name + ", c^2", score, square, (1 - share) / 6, std::sqrt((1 - share) / 30)});
    }
  const std::vector<std::vector<double>> five{
      {0.1, 0.3, 0.5, 0.7, 0.9}, {0, 0.25, 0.5, 0.75, 1}, {0.5, 0.9, 0.99, 0.999, 1}};
  for (const auto& values : five) {
    double l1 = 0, l2 = 0;
    for (const double c : values) l1 += (c - c * c) / 5, l2 += std::pow(c - c * c, 2) / 5;
    const auto score = [=](double u, double) {
      return values[std::min<std::size_t>(4, static_cast<std::size_t>(5 * u))];
    };
    const std::string name = fmt::format("five values from {} to {}", values.front(), values.back());
    out.push_back({name + ", calibrated", score, same, 0, 0});
    out.push_back({name + ", c^2", score, square, l1, std::sqrt(l2)});
  }
  return out;
}

bool rejects(const measure::Sample& sample, std::size_t seed) {
  const analysis::TestOptions options{
      .statistics = {"smooth_test"}, .resamples = 199, .detectable = false, .seed = seed + 1};
  const auto report = analysis::test_sample(sample, options);
  return report && report->tests.front().p_value.value_or(1) < 0.05;
}

struct Tally {
  double held = 0, held_with_test = 0, width = 0;
  void add(double low, double high, double truth, bool rejected) {
    constexpr double rounding = 1e-6;  // the gap of c^2 within 2^-20 of 1
    const bool below = truth <= high + rounding;
    held += below && low <= truth + rounding;
    held_with_test += below && (!rejected || low <= truth + rounding);
    width += high - low;
  }
};

void study(const Truth& truth, std::size_t n, std::size_t samples) {
  Tally all[2];
  std::mutex mutex;
  numeric::parallel_for(samples, numeric::hardware_threads(), [&](std::size_t i) {
    std::mt19937_64 rng(1'000'003 * n + i);
    std::uniform_real_distribution<double> uniform;
    std::vector<double> score;
    std::vector<std::uint8_t> label;
    for (std::size_t j = 0; j < n; ++j) {
      const double u = uniform(rng);
      score.push_back(truth.score(u, uniform(rng)));
      label.push_back(uniform(rng) < truth.rate(score.back()));
    }
    const auto view = binary_view(std::span<const double>(score), label);
    const measure::Sample sample(*view);
    const bool rejected = rejects(sample, i);
    for (const int norm : {2, 1}) {
      const measure::Estimator& row = *measure::find(norm == 2 ? "rank_poly" : "rank_sign");
      const auto interval = infer::interval_of(row, *row.run(sample, {.norm = norm}), static_cast<double>(n));
      const std::scoped_lock lock(mutex);
      all[norm == 2 ? 0 : 1].add(interval->low, interval->high, norm == 2 ? truth.l2 : truth.l1, rejected);
    }
  });
  const auto m = static_cast<double>(samples);
  for (const Tally& t : all)
    fmt::print(" {:.1f}, {:.1f} ({:.2f}) |", 100 * t.held / m, 100 * t.held_with_test / m, 100 * t.width / m);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto samples = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 1000);
  std::vector<std::size_t> sizes{50, 200, 1000, 5000};
  if (argc > 2) sizes.clear();
  for (int i = 2; i < argc; ++i) sizes.push_back(static_cast<std::size_t>(std::atoi(argv[i])));
  fmt::print("| truth |");
  for (const std::size_t n : sizes) fmt::print(" rank_poly, n = {} | rank_sign |", n);
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < sizes.size(); ++i) fmt::print("---|---|");
  fmt::print("\n");
  for (const Truth& truth : truths()) {
    fmt::print("| {} |", truth.name);
    for (const std::size_t n : sizes) study(truth, n, samples);
    fmt::print("\n");
  }
}
