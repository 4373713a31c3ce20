// How often does each statistic of `tare test` find a miscalibrated model? Prints the tables of
// docs/studies/power_of_tests.md:  power_of_tests [samples]
//
// Scores are those of scores.hpp; hit rates follow a shape whose size is set so that the true error is equally hard
// everywhere, n TCE^2 = 12 mean(c (1 - c)). Every sample is tested at 5% with 199 redrawings.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "examples/studies/scores.hpp"
#include "tare/analysis/test.hpp"
#include "tare/numeric/parallel.hpp"

namespace {

using study::Scores;
using tare::detail::simulate::ScorePoint;

constexpr double hardness = 12;

// The hit rate at a score, more wrong as `size` grows from 0.
struct Alternative {
  Scores scores;
  std::string shape;
  std::function<double(ScorePoint, double size)> rate;
  double largest = 64;  // size
};

Alternative gap(const Scores& scores, std::string shape, std::function<double(double)> direction) {
  return {scores, std::move(shape), [=](ScorePoint p, double size) { return p.c + size * direction(p.c); }};
}

// Sine waves that are small at the ends, where rates cannot leave [0, 1].
Alternative wiggle(int periods) {
  return gap(study::uniform, fmt::format("wiggle, {} period{}", periods, periods == 1 ? "" : "s"),
             [=](double c) { return std::sqrt(c * (1 - c)) * std::sin(2 * std::numbers::pi * periods * c); });
}

Alternative dip(double from, double to) {
  return gap(study::uniform, fmt::format("too high in ({}, {}] only", from, to),
             [=](double c) { return c > from && c <= to ? -1.0 : 0.0; });
}

Alternative power(const Scores& scores) {
  return {scores, "c^d", [](ScorePoint p, double size) { return std::pow(p.c, 1 + size); }};
}

std::vector<Alternative> alternatives() {
  std::vector<Alternative> out;
  for (const auto& m : tare::detail::simulate::models()) {
    const auto truth = *tare::detail::simulate::model(m.name);
    out.push_back({{std::string(m.name), m.alpha, m.beta}, "its own curve, shrunk", [truth](ScorePoint p, double size) {
                     return p.c + size * (p.u - std::clamp(truth.curve.miss(p), 0.0, 1.0));
                   }});
  }
  out.push_back(power(study::uniform));
  out.push_back(power(study::grid));
  out.push_back(gap(study::grid, "up and down from score to score",
                    [](double c) { return std::lround(10 * c) % 2 == 0 ? -0.5 : 0.5; }));
  out.push_back(gap(study::uniform, "a jump at 1/2", [](double c) { return c > 0.5 ? -1.0 : 0.0; }));
  out.push_back(dip(0.6, 0.7));
  out.push_back(dip(0.6, 0.63));
  for (const int periods : {1, 3, 5, 8}) out.push_back(wiggle(periods));
  return out;
}

double rate(const Alternative& a, ScorePoint p, double size) { return std::clamp(a.rate(p, size), 0.0, 1.0); }

std::vector<ScorePoint> many_scores(const Scores& scores) {
  study::Drawing draw(scores, 12345);
  std::vector<ScorePoint> out;
  for (int i = 0; i < 40'000; ++i) out.push_back(draw.score());
  return out;
}

double true_error(const Alternative& a, const std::vector<ScorePoint>& scores, double size) {
  double sum = 0;
  for (const ScorePoint p : scores) sum += std::pow(rate(a, p, size) - p.c, 2);
  return std::sqrt(sum / static_cast<double>(scores.size()));
}

double size_for(const Alternative& a, const std::vector<ScorePoint>& scores, double error) {
  double low = 0, high = a.largest;
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (true_error(a, scores, middle) < error ? low : high) = middle;
  }
  return high;
}

// How many of the samples each statistic rejects at 5%.
std::vector<double> found(const Alternative& a, double size, std::size_t n, int samples) {
  const auto names = tare::detail::infer::default_statistics();
  std::vector<std::vector<bool>> rejected(static_cast<std::size_t>(samples));
  tare::detail::numeric::parallel_for(rejected.size(), tare::detail::numeric::hardware_threads(), [&](std::size_t i) {
    study::Drawing draw(a.scores, 1'000'000 * n + i);
    std::vector<double> score;
    std::vector<std::uint8_t> label;
    for (std::size_t j = 0; j < n; ++j) {
      const ScorePoint p = draw.score();
      score.push_back(p.c);
      label.push_back(draw.label(rate(a, p, size)));
    }
    const auto view = tare::detail::binary_view(std::span<const double>(score), label);
    const auto report =
        tare::detail::analysis::test_sample(*view, {.resamples = 199, .detectable = false, .seed = i + 1});
    for (const auto& t : report->tests) rejected[i].push_back(t.p_value && *t.p_value <= 0.05);
  });
  std::vector<double> out(names.size(), 0.0);
  for (const auto& sample : rejected)
    for (std::size_t t = 0; t < out.size(); ++t) out[t] += sample[t];
  return out;
}

void print_head() {
  fmt::print("\n| scores | hit rate | true error |");
  for (const auto name : tare::detail::infer::default_statistics()) fmt::print(" {} |", name);
  fmt::print("\n|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void print_line(const Alternative& a, std::size_t n, double error, int samples, const std::vector<ScorePoint>& scores) {
  const double size = size_for(a, scores, error), reached = true_error(a, scores, size);
  fmt::print("| {} | {} | {:.2f}% |", a.scores.name, a.shape, 100 * reached);
  const auto counts = found(a, size, n, samples);
  const double best = *std::max_element(counts.begin(), counts.end());
  for (const double c : counts) fmt::print(" {0}{1:.0f}{0} |", c == best ? "**" : "", 100 * c / samples);
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int samples = argc > 1 ? std::atoi(argv[1]) : 500;
  const auto all = alternatives();
  for (const std::size_t n : {200U, 1000U, 4000U}) {
    fmt::print("\nn = {}\n", n);
    print_head();
    for (const Alternative& a : all) {
      const auto scores = many_scores(a.scores);
      double noise = 0;
      for (const ScorePoint p : scores) noise += p.c * p.u / static_cast<double>(scores.size());
      print_line(a, n, std::sqrt(hardness * noise / static_cast<double>(n)), samples, scores);
    }
  }
  fmt::print("\nErrors of a fixed size\n");
  struct Fixed {
    std::size_t n;
    double error;
  };
  print_head();
  const auto scores = many_scores(study::uniform);
  for (const auto& [n, error] : {Fixed{200, 0.05}, {1000, 0.05}, {5000, 0.02}, {10'000, 0.02}}) {
    auto line = power(study::uniform);
    line.shape = fmt::format("c^d, n = {}", n);
    print_line(line, n, error, samples, scores);
  }
  fmt::print("\nMonte Carlo error of a share of 50%: {:.1f} points.\n", 50 / std::sqrt(samples));
}
