// Which estimators gain from being corrected for their bias? Prints the table of docs/studies/corrected_values.md:
//   corrected_values [samples] [replicates]
//
// Truths: networks of Roelofs et al. 2022, whole and shrunk to a quarter of their error, and uniform scores with hit
// rates c^1.3. A truth is fitted to every sample, and every value is corrected along the path through that fit.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "tare/analysis/bias.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/simulate/truth.hpp"

namespace {

using namespace tare::detail;

struct Tally {
  int samples = 0;
  double bias = 0, square = 0, corrected_bias = 0, corrected_square = 0;
};

std::vector<simulate::Truth> truths() {
  std::vector<simulate::Truth> out;
  for (const char* name : {"resnet110_c10", "densenet40_c100", "resnet152_imgnet"})
    for (const double strength : {1.0, 0.25}) {
      auto truth = *simulate::model(name);
      truth.curve.strength = strength;
      truth.name = fmt::format("{}{}", name, strength == 1 ? "" : ", a quarter");
      out.push_back(truth);
    }
  simulate::Truth power{.name = "uniform, c^1.3", .scores = {.kind = simulate::ScoreKind::uniform}};
  power.curve = *simulate::parse_curve("power:1.3");
  out.push_back(power);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const auto samples = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 100);
  const auto replicates = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 100);
  const auto choices = *analysis::bias_choices(
      {.estimators = {"ece_ew", "ece_em", "debias_em", "sweep_em", "rank_poly", "rank_sign", "kde"}});
  std::map<std::string, int> better_bias, better_rmse, cells;
  fmt::print("| truth | n | estimator | bias | corrected | RMSE | corrected |\n|---|---|---|---|---|---|---|\n");
  for (const auto& truth : truths())
    for (const std::size_t n : {200U, 1000U}) {
      const double error[] = {0, *simulate::true_error(truth, 1), *simulate::true_error(truth, 2)};
      const auto sampler = simulate::Sampler::of(truth);
      std::map<std::string, Tally> found;
      std::mutex mutex;
      simulate::for_each_sample(
          *sampler, n, {.count = samples}, numeric::hardware_threads(), [&](std::size_t r, const measure::Sample& s) {
            const auto fit = simulate::fit_truth(s);
            if (!fit) return;
            const auto made = analysis::corrections(*fit, choices, s, n, {.replicates = replicates, .seed = r + 1});
            if (!made) return;
            const std::scoped_lock lock(mutex);
            for (const Correction& c : *made) {
              if (!c.observed || !c.corrected) continue;
              Tally& t = found[fmt::format("{} l{}", c.estimator, *c.norm)];
              const double off = *c.observed - error[*c.norm], left = *c.corrected - error[*c.norm];
              ++t.samples;
              t.bias += off;
              t.square += off * off;
              t.corrected_bias += left;
              t.corrected_square += left * left;
            }
          });
      for (const auto& [name, t] : found) {
        const double m = t.samples;
        fmt::print("| {} | {} | {} | {:+.2f} | {:+.2f} | {:.2f} | {:.2f} |\n", truth.name, n, name, 100 * t.bias / m,
                   100 * t.corrected_bias / m, 100 * std::sqrt(t.square / m), 100 * std::sqrt(t.corrected_square / m));
        ++cells[name];
        better_bias[name] += std::abs(t.corrected_bias) < std::abs(t.bias);
        better_rmse[name] += t.corrected_square < t.square;
      }
      std::fflush(stdout);
    }
  fmt::print("\n| estimator | cells | less bias | less RMSE |\n|---|---|---|---|\n");
  for (const auto& [name, count] : cells)
    fmt::print("| {} | {} | {} | {} |\n", name, count, better_bias[name], better_rmse[name]);
}
