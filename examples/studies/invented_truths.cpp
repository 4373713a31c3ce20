// How far off are rank_poly and rank_sign, and how often do their intervals hold the true error, on truths that nobody
// tuned them on? Prints the tables of docs/studies/invented_truths.md:  invented_truths [samples] [largest n]
//
// Scores from simple distributions, hit rates from curves that are smooth, kinked, stepped or rough. The true errors
// are means over a fine grid of quantiles of the scores.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "tare/analysis/estimate_rows.hpp"
#include "tare/infer/interval/interval.hpp"
#include "tare/numeric/parallel.hpp"

namespace {

using namespace tare::detail;

struct Truth {
  std::string name;
  std::function<double(double)> score;  // of a uniform number: its quantile
  std::function<double(double)> rate;   // of hits at a score
};

double logit(double p) { return std::log(p / (1 - p)); }
double expit(double x) { return 1 / (1 + std::exp(-x)); }

std::vector<Truth> truths() {
  const auto uniform = [](double u) { return u; };
  const auto middle = [](double u) { return 0.5 + 0.35 * std::cbrt(2 * u - 1); };
  const auto high = [](double u) { return 1 - 0.6 * std::pow(1 - u, 3); };
  const auto low = [](double u) { return 0.4 * u * u; };
  const auto ends = [](double u) { return u < 0.5 ? 0.5 * std::pow(2 * u, 3) : 1 - 0.5 * std::pow(2 - 2 * u, 3); };
  const auto cents = [](double u) { return std::round(100 * u) / 100; };
  const auto saw = [](double c) { return c + 0.15 * (2 * (c / 0.2 - std::floor(c / 0.2)) - 1); };
  return {
      {"logit 0.6 x + 0.2, uniform", uniform, [](double c) { return expit(0.6 * logit(c) + 0.2); }},
      {"logit 1.6 x, middle", middle, [](double c) { return expit(1.6 * logit(c)); }},
      {"half as far from 1, high", high, [](double c) { return 1 - 1.5 * (1 - c); }},
      {"twice the rate, low", low, [](double c) { return std::min(2 * c, 0.9); }},
      {"all too high by 0.05, uniform", uniform, [](double c) { return c - 0.05; }},
      {"kink at 0.7, uniform", uniform, [](double c) { return c < 0.7 ? c : 0.7 + 0.4 * (c - 0.7); }},
      {"plateau 0.3 to 0.6, uniform", uniform, [](double c) { return c < 0.3 || c > 0.6 ? c : 0.45; }},
      {"one step at 0.5, ends", ends, [](double c) { return c < 0.5 ? 0.6 * c + 0.1 : 0.6 * c + 0.3; }},
      {"too extreme, ends", ends, [](double c) { return 0.5 + 0.8 * (c - 0.5); }},
      {"sine of one period, middle", middle, [](double c) { return c + 0.08 * std::sin(2 * std::numbers::pi * c); }},
      {"rates to tenths, uniform", uniform, [](double c) { return std::round(10 * c) / 10; }},
      {"c squared, cents", cents, [](double c) { return c * c; }},
      {"too low above 0.9 only, high", high, [](double c) { return c > 0.9 ? 0.5 * (1 + c) : c; }},
      {"small bump at 0.8, high", high, [](double c) { return c - 0.15 * std::exp(-std::pow((c - 0.8) / 0.05, 2)); }},
      {"calibrated, uniform", uniform, [](double c) { return c; }},
      {"calibrated, high", high, [](double c) { return c; }},
      {"calibrated, ends", ends, [](double c) { return c; }},
      {"rates in steps of 0.2, uniform", uniform, [](double c) { return 0.2 * std::floor(c / 0.2) + 0.1; }},
      {"sawtooth, steps of 0.2", uniform, saw},
      {"sawtooth, steps of 0.1", uniform, [](double c) { return c + 0.1 * (2 * (10 * c - std::floor(10 * c)) - 1); }},
      {"stripes of 0.05, uniform", uniform, [](double c) { return c + (std::fmod(c, 0.1) < 0.05 ? 0.1 : -0.1); }},
  };
}

double rate(const Truth& t, double c) { return std::clamp(t.rate(c), 0.0, 1.0); }

double true_error(const Truth& t, int norm) {
  constexpr int points = 200'000;
  double sum = 0;
  for (int i = 0; i < points; ++i) {
    const double c = t.score((i + 0.5) / points), gap = std::abs(rate(t, c) - c);
    sum += norm == 1 ? gap : gap * gap;
  }
  return norm == 1 ? sum / points : std::sqrt(sum / points);
}

struct Column {
  std::string name;
  measure::Choice choice;
  int samples = 0, covered = 0, warned_or_covered = 0;
  double bias = 0, square = 0, width = 0;
};

std::vector<Column> columns() {
  std::vector<Column> out;
  const auto add = [&](const char* name, int norm) {
    out.push_back({fmt::format("{} l{}", name, norm), {measure::find(name), {.norm = norm}}});
  };
  add("rank_poly", 2);
  add("sweep_em", 2);
  add("debias_em", 2);
  add("rank_sign", 1);
  add("sweep_em", 1);
  add("ece_em", 1);
  return out;
}

void study(const Truth& truth, std::size_t n, std::size_t samples) {
  auto all = columns();
  const double error[] = {0, true_error(truth, 1), true_error(truth, 2)};
  std::mutex mutex;
  numeric::parallel_for(samples, numeric::hardware_threads(), [&](std::size_t i) {
    std::mt19937_64 rng(1'000'003 * n + i);
    std::uniform_real_distribution<double> uniform;
    std::vector<double> score;
    std::vector<std::uint8_t> label;
    for (std::size_t j = 0; j < n; ++j) {
      score.push_back(std::clamp(truth.score(uniform(rng)), 0.0, 1.0));
      label.push_back(uniform(rng) < rate(truth, score.back()));
    }
    const auto view = binary_view(std::span<const double>(score), label);
    const measure::Sample sample(*view);
    for (Column& c : all) {
      const auto e = c.choice.run(sample);
      if (!e) continue;
      const double t = error[c.choice.options.norm];
      const auto interval = infer::interval_of(*c.choice.estimator, *e, static_cast<double>(n));
      const std::scoped_lock lock(mutex);
      ++c.samples;
      c.bias += e->value - t;
      c.square += (e->value - t) * (e->value - t);
      if (!interval) continue;
      const bool held = interval->low <= t + 1e-12 && t <= interval->high + 1e-12;
      c.covered += held;
      c.warned_or_covered += held || !e->note.empty();
      c.width += interval->high - interval->low;
    }
  });
  fmt::print("| {} | {} | {:.2f} / {:.2f} |", truth.name, n, 100 * error[1], 100 * error[2]);
  for (const Column& c : all) {
    const double m = c.samples;
    fmt::print(" {:+.2f} / {:.2f}", 100 * c.bias / m, 100 * std::sqrt(c.square / m));
    if (c.choice.estimator->interval.method == IntervalMethod::own || c.name == "rank_poly l2")
      fmt::print(" / **{:.0f}** ({:.0f}, {:.1f})", 100 * c.covered / m, 100 * c.warned_or_covered / m,
                 100 * c.width / m);
    fmt::print(" |");
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto samples = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 400);
  const auto largest = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 20'000);
  fmt::print("| truth | n | true l1 / l2 |");
  for (const Column& c : columns()) fmt::print(" {} |", c.name);
  fmt::print("\n|---|---|---|---|---|---|---|---|---|\n");
  for (const Truth& truth : truths())
    for (const std::size_t n : {100U, 300U, 1000U, 5000U, 20'000U})
      if (n <= largest) study(truth, n, n > 5000 ? std::max<std::size_t>(samples / 4, 1) : samples);
}
