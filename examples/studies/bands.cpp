// How often does the band of the calibration curve hold the whole curve? Prints the tables of docs/studies/bands.md:
//   bands [samples] [networks | rising | falling | tied]
//
// Truths: the ten networks of Roelofs et al. 2022, invented curves that rise, curves that fall somewhere, and scores
// with ties. A rising band holds a curve if it does at every score between the smallest and the largest; a band of
// spans if it holds the mean of the true rates over every span; one of values if it holds the rate of every value.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tare/infer/band/curve_band.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/simulate/engine.hpp"
#include "tare/simulate/truth.hpp"

namespace {

using namespace tare::detail;
using numeric::Ordered;

constexpr std::size_t sizes[] = {500, 2000, 10'000};

struct Invented {
  std::string name;
  std::function<double(double)> score;  // of a uniform number: its quantile
  std::function<double(double)> rate;   // of hits at a score
};

double logit(double p) { return std::log(p / (1 - p)); }
double expit(double x) { return 1 / (1 + std::exp(-x)); }
double uniform(double u) { return u; }
double high(double u) { return 1 - 0.6 * std::pow(1 - u, 3); }
double ends(double u) { return u < 0.5 ? 0.5 * std::pow(2 * u, 3) : 1 - 0.5 * std::pow(2 - 2 * u, 3); }
double piled(double u) { return 1 - 0.7 * std::pow(1 - u, 9); }
double low(double u) { return 0.4 * u * u; }
double to(double step, double s) { return step * std::round(s / step); }

std::vector<Invented> rising() {
  return {
      {"calibrated, uniform", uniform, [](double c) { return c; }},
      {"calibrated, piled at 1", piled, [](double c) { return c; }},
      {"logit 0.6 x + 0.2, uniform", uniform, [](double c) { return expit(0.6 * logit(c) + 0.2); }},
      {"logit 2 x, at both ends", ends, [](double c) { return expit(2 * logit(c)); }},
      {"1.5 times as far from 1, high", high, [](double c) { return 1 - 1.5 * (1 - c); }},
      {"twice the rate, low", low, [](double c) { return 2 * c; }},
      {"three tenths everywhere, uniform", uniform, [](double) { return 0.3; }},
      {"a plateau from 0.3 to 0.6", uniform, [](double c) { return c < 0.3 || c > 0.6 ? c : 0.45; }},
      {"steps of 0.2, uniform", uniform, [](double c) { return 0.2 * std::floor(c / 0.2) + 0.1; }},
      {"a jump from 0.05 to 0.95 at 0.8, high", high, [](double c) { return c < 0.8 ? 0.05 : 0.95; }},
      {"fifth power, uniform", uniform, [](double c) { return std::pow(c, 5); }},
      {"rates of 0.9 to 0.95, piled at 1", piled, [](double c) { return 0.9 + 0.05 * c; }},
  };
}

std::vector<Invented> falling() {
  return {
      {"from 0.8 down to 0.2", uniform, [](double c) { return 0.8 - 0.6 * c; }},
      {"from 0.6 down to 0.4", uniform, [](double c) { return 0.6 - 0.2 * c; }},
      {"a hill: 0.3 to 0.8 to 0.3", uniform, [](double c) { return 0.3 + 0.5 * std::sin(std::numbers::pi * c); }},
      {"a dip of 0.3 around 0.7", uniform, [](double c) { return c - 0.3 * std::exp(-std::pow((c - 0.7) / 0.07, 2)); }},
      {"a dip of 0.1 around 0.7", uniform, [](double c) { return c - 0.1 * std::exp(-std::pow((c - 0.7) / 0.07, 2)); }},
      {"the surest tenth is worse, high", high, [](double c) { return c > 0.9994 ? 0.8 : c; }},
      {"waves of 0.1, five of them", uniform, [](double c) { return c + 0.1 * std::sin(10 * std::numbers::pi * c); }},
  };
}

std::vector<Invented> tied() {
  const auto square = [](double c) { return c * c; };
  return {
      {"11 values, calibrated", [](double u) { return to(0.1, u); }, [](double c) { return c; }},
      {"11 values, squares", [](double u) { return to(0.1, u); }, square},
      {"21 values, most near 1, squares", [](double u) { return to(0.05, piled(u)); }, square},
      {"11 values, falling", [](double u) { return to(0.1, u); }, [](double c) { return 0.7 - 0.4 * c; }},
      {"101 values, squares", [](double u) { return to(0.01, u); }, square},
      {"to two digits, piled at 1, calibrated", [](double u) { return to(0.01, piled(u)); },
       [](double c) { return c; }},
      {"half of all exactly 1", [](double u) { return std::min(2 * u, 1.0); }, [](double c) { return 0.9 * c; }},
  };
}

struct Counted {
  double held = 0, width = 0, spans = 0, values = 0, outside = 0;
};

template <class Rate>
bool holds(const CurveBand& band, const Ordered& rows, const Rate& rate) {
  constexpr double rounding = 1e-12;
  const auto within = [&](double r, double from, double top) { return r >= from - rounding && r <= top + rounding; };
  if (band.basis == BandBasis::values)
    return std::all_of(band.cells.begin(), band.cells.end(),
                       [&](const CurveCell& c) { return within(rate(c.first), c.low, c.high); });
  if (band.basis == BandBasis::rising) {
    for (const BandPiece& p : band_pieces(band))
      for (int i = 0; i <= 8; ++i)
        if (!within(rate(p.from + (p.to - p.from) * i / 8), p.low, p.high)) return false;
    return std::all_of(band.cells.begin(), band.cells.end(), [&](const CurveCell& c) {
      return within(rate(c.last), c.low, 1) && within(rate(c.first), 0, c.high);
    });
  }
  std::size_t g = 0;
  for (const CurveSpan& span : band.spans) {
    double sum = 0, mass = 0;
    for (; g < rows.groups() && rows.score(g) <= band.cells[span.to - 1].last; ++g) {
      sum += rate(rows.score(g)) * static_cast<double>(rows.mass(g));
      mass += static_cast<double>(rows.mass(g));
    }
    if (!within(sum / mass, span.low, span.high)) return false;
  }
  return true;
}

template <class Rate>
Counted count(const Ordered& rows, const Rate& rate) {
  const CurveBand band = infer::curve_band(rows);
  Counted out{.held = static_cast<double>(holds(band, rows, rate))};
  double all = 0;
  for (const CurveCell& c : band.cells) {
    out.width += c.count * (c.high - c.low);
    all += c.count;
  }
  out.width /= all;
  out.spans = band.basis == BandBasis::spans;
  out.values = band.basis == BandBasis::values;
  out.outside = band.diagonal == Diagonal::outside;
  return out;
}

void print(const std::vector<Counted>& all) {
  Counted sum;
  for (const Counted& c : all)
    sum.held += c.held, sum.width += c.width, sum.spans += c.spans, sum.values += c.values, sum.outside += c.outside;
  const auto n = static_cast<double>(all.size());
  fmt::print(" {:.1f} ({:.3f}) |", 100 * sum.held / n, sum.width / n);
  fmt::print(" {:.0f}, {:.0f} |", 100 * sum.outside / n, 100 * sum.spans / n);
  std::fflush(stdout);
}

void head(const char* title) {
  fmt::print("\n### {}\n\n| truth |", title);
  for (const std::size_t n : sizes) fmt::print(" n = {}: held (width) | out, falls |", n);
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < std::size(sizes); ++i) fmt::print("--:|--:|");
  fmt::print("\n");
}

void study(const Invented& truth, std::size_t samples) {
  const auto rate = [&](double c) { return std::clamp(truth.rate(c), 0.0, 1.0); };
  fmt::print("| {} |", truth.name);
  for (const std::size_t n : sizes) {
    std::vector<Counted> all(samples);
    numeric::parallel_for(samples, numeric::hardware_threads(), [&](std::size_t r) {
      std::mt19937_64 rng(7'000'003 * n + r);
      std::uniform_real_distribution<double> draw;
      std::vector<double> score;
      std::vector<std::uint8_t> label;
      for (std::size_t i = 0; i < n; ++i) {
        score.push_back(std::clamp(truth.score(draw(rng)), 0.0, 1.0));
        label.push_back(draw(rng) < rate(score.back()));
      }
      const auto view = binary_view(std::span<const double>(score), label);
      all[r] = count(numeric::order(view->score(), view->label()), rate);
    });
    print(all);
  }
  fmt::print("\n");
}

// The rate of all scores that a double cannot tell from 1: the mean over the Beta distribution of what is left to 1.
double rate_at_one(const simulate::Truth& truth) {
  constexpr int points = 10'000;
  double sum = 0;
  for (int i = 0; i < points; ++i) {
    const double u = 0x1p-54 * std::pow((i + 0.5) / points, 1 / truth.scores.beta);
    sum += std::clamp(truth.curve.hit({1 - u, u}), 0.0, 1.0);
  }
  return sum / points;
}

void study(const simulate::Truth& truth, std::size_t samples) {
  const auto sampler = simulate::Sampler::of(truth);
  const double at_one = rate_at_one(truth);
  const auto rate = [&](double c) { return c == 1 ? at_one : std::clamp(truth.curve.hit({c, 1 - c}), 0.0, 1.0); };
  fmt::print("| {} |", truth.name);
  for (const std::size_t n : sizes) {
    std::vector<Counted> all(samples);
    simulate::for_each_sample(
        *sampler, n, {.count = samples, .seed = 21}, numeric::hardware_threads(),
        [&](std::size_t r, const measure::Sample& sample) { all[r] = count(sample.ordered(), rate); });
    print(all);
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const auto samples = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 400);
  const std::string_view only = argc > 2 ? argv[2] : "";
  const auto invented = [&](std::string_view family, const char* title, const std::vector<Invented>& truths) {
    if (!only.empty() && only != family) return;
    head(title);
    for (const Invented& truth : truths) study(truth, samples);
  };
  if (only.empty() || only == "networks")
    for (const bool perfect : {false, true}) {
      head(perfect ? "Their scores, calibrated" : "The ten networks");
      for (const auto& m : simulate::models()) study(*simulate::model(m.name, perfect), samples);
    }
  invented("rising", "Invented curves that rise", rising());
  invented("falling", "Curves that fall", falling());
  invented("tied", "Scores with ties", tied());
}
