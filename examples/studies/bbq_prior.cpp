// How heavy should the prior of BBQ be? Truths whose curve is known, samples of them, and the distance of the fitted
// map from the curve, for a prior of two rows in each bin and for one of two rows that all bins share. Prints the
// tables of docs/studies/bbq_prior.md:  bbq_prior [samples] [n ...]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tare/fit/bbq.hpp"
#include "tare/numeric/parallel.hpp"

namespace {

using namespace tare::detail;

struct Truth {
  std::string name;
  double a, b;                         // scores are Beta(a, b)
  std::function<double(double)> rate;  // of hits at a score
  double values = 0;                   // not 0: scores are rounded to so many parts of 1
};

double steeper(double score, double slope, double shift) {
  const double z = std::log(score) - std::log1p(-score);
  return 1 / (1 + std::exp(-(slope * z + shift)));
}

std::vector<Truth> truths() {
  return {{"uniform scores, calibrated", 1, 1, [](double s) { return s; }},
          {"uniform scores, too sure", 1, 1, [](double s) { return steeper(s, 0.6, 0); }},
          {"a network, too sure", 6, 0.5, [](double s) { return steeper(s, 0.5, 0.2); }},
          {"a network, calibrated", 6, 0.5, [](double s) { return s; }},
          {"rare events, too high", 1, 12, [](double s) { return s * s + s / 3; }},
          {"scores in the middle, not sure enough", 5, 5, [](double s) { return steeper(s, 2.5, 0); }},
          {"a step", 2, 2, [](double s) { return s < 0.45 ? 0.15 : 0.75; }},
          {"waves", 1, 1, [](double s) { return 0.15 + 0.7 * s + 0.12 * std::sin(20 * s); }},
          {"scores that mean nothing", 0.7, 0.7, [](double) { return 0.35; }},
          {"21 values", 1.5, 1.5, [](double s) { return std::sqrt(s); }, 20}};
}

class Drawing {
 public:
  Drawing(const Truth& truth, std::uint64_t seed) : truth_(truth), rng_(seed), a_(truth.a), b_(truth.b) {}
  double score() {
    const double x = a_(rng_), y = b_(rng_), s = std::clamp(x / (x + y), 1e-12, 1 - 1e-12);
    return truth_.values > 0 ? std::round(s * truth_.values) / truth_.values : s;
  }
  bool hit(double score) { return uniform_(rng_) < truth_.rate(score); }

 private:
  const Truth& truth_;
  std::mt19937_64 rng_;
  std::gamma_distribution<double> a_, b_;
  std::uniform_real_distribution<double> uniform_;
};

struct Distance {
  double absolute = 0, square = 0, loss = 0;  // loss: expected log loss above that of the true curve
};

Distance distance(const fit::Steps& map, const Truth& truth, const std::vector<double>& places) {
  Distance out;
  for (const double s : places) {
    const double p = truth.rate(s), q = map(s);
    out.absolute += std::abs(q - p);
    out.square += (q - p) * (q - p);
    if (p > 0) out.loss += p * std::log(p / q);
    if (p < 1) out.loss += (1 - p) * std::log((1 - p) / (1 - q));
  }
  const auto m = static_cast<double>(places.size());
  return {out.absolute / m, std::sqrt(out.square / m), out.loss / m};
}

struct Pair {
  Distance each, shared;
};

Pair sample(const Truth& truth, std::size_t n, std::size_t i, const std::vector<double>& places) {
  Drawing draw(truth, 7'000'003 * n + i);
  std::vector<double> score;
  std::vector<std::uint8_t> label;
  for (std::size_t j = 0; j < n; ++j) {
    score.push_back(draw.score());
    label.push_back(draw.hit(score.back()));
  }
  const fit::Problem problem{std::span<const double>(score), label, {}, 1};
  return {distance(fit::bbq_steps(problem, false), truth, places),
          distance(fit::bbq_steps(problem, true), truth, places)};
}

// The means of both and the mean difference with its standard error.
void print(const std::vector<Pair>& all, double Distance::*what, double unit) {
  const auto m = static_cast<double>(all.size());
  double each = 0, shared = 0, squares = 0;
  for (const Pair& p : all) each += p.each.*what / m, shared += p.shared.*what / m;
  for (const Pair& p : all) squares += std::pow(p.each.*what - p.shared.*what - (each - shared), 2);
  fmt::print(" {:.2f} | {:.2f} | {:+.2f} ± {:.2f} |", unit * each, unit * shared, unit * (each - shared),
             unit * std::sqrt(squares / (m - 1) / m));
}

void study(const Truth& truth, std::size_t n, std::size_t samples) {
  Drawing draw(truth, 1);
  std::vector<double> places;
  for (int i = 0; i < 20'000; ++i) places.push_back(draw.score());
  std::vector<Pair> all(samples);
  numeric::parallel_for(samples, numeric::hardware_threads(),
                        [&](std::size_t i) { all[i] = sample(truth, n, i, places); });
  fmt::print("| {} | {} |", truth.name, n);
  print(all, &Distance::absolute, 100);
  print(all, &Distance::square, 100);
  print(all, &Distance::loss, 1000);
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto samples = static_cast<std::size_t>(argc > 1 ? std::max(2, std::atoi(argv[1])) : 200);
  std::vector<std::size_t> sizes{100, 300, 1000, 3000, 10'000, 30'000};
  if (argc > 2) sizes.clear();
  for (int i = 2; i < argc; ++i) sizes.push_back(static_cast<std::size_t>(std::atoi(argv[i])));
  fmt::print(
      "| truth | n | mean gap, two each | two shared | difference | root mean square, two each | two shared |"
      " difference | log loss, two each | two shared | difference |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const Truth& truth : truths())
    for (const std::size_t n : sizes) study(truth, n, samples);
}
