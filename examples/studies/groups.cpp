// Are the groups that `--group` names really off, and which are found? Prints the tables of docs/studies/groups.md:
//   groups [samples]
//
// Groups of 4 to 4,000 rows (a power law), scores of three kinds, calibrated but for a tenth, whose rates are lower or
// higher by 4 to 12 points, or bent so that errors cancel on average.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tare/analysis/groups.hpp"
#include "tare/numeric/parallel.hpp"

namespace {

using namespace tare::detail;
using Rng = std::mt19937_64;

double uniform(Rng& rng) { return std::uniform_real_distribution<double>()(rng); }

double beta(Rng& rng, double a, double b) {
  const double x = std::gamma_distribution<double>(a)(rng), y = std::gamma_distribution<double>(b)(rng);
  return std::clamp(x / (x + y), 1e-9, 1 - 1e-9);
}

struct Scores {
  const char* name;
  double (*draw)(Rng&);
};
const Scores kinds[] = {
    {"Beta(2, 3)", [](Rng& rng) { return beta(rng, 2, 3); }},
    {"sure ones: Beta(12, 0.7)", [](Rng& rng) { return beta(rng, 12, 0.7); }},
    {"tenths of Beta(3, 1)", [](Rng& rng) { return std::clamp(std::round(10 * beta(rng, 3, 1)) / 10, 0.05, 0.95); }},
};

enum class Wrong { no, level, bent };

struct Counts {
  double named = 0, innocent = 0, off = 0, found = 0, large = 0, large_found = 0, rejected = 0, samples = 0;
  double by_z_named = 0, by_z_innocent = 0, shares = 0, z_shares = 0;
  double raw = 0, shrunken = 0, zero = 0, groups = 0;
};

void run(const Scores& scores, std::size_t groups, Wrong wrong, std::uint64_t seed, Counts& out) {
  Rng rng(seed);
  std::vector<double> score;
  std::vector<std::uint8_t> label;
  Grouping grouping{.column = "g"};
  std::vector<char> off(groups);
  std::vector<double> truth(groups), z(groups);
  for (std::size_t g = 0; g < groups; ++g) {
    const auto n = static_cast<std::size_t>(4 * std::pow(1000, std::pow(uniform(rng), 2)));
    off[g] = wrong != Wrong::no && uniform(rng) < 0.1;
    const double shift = (uniform(rng) < 0.5 ? -1 : 1) * (0.04 + 0.08 * uniform(rng));
    double residual = 0, variance = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double s = scores.draw(rng);
      double rate = s;
      if (off[g] && wrong == Wrong::level) rate = std::clamp(s + shift, 0.0, 1.0);
      if (off[g] && wrong == Wrong::bent) rate = std::clamp(s + 0.15 * std::sin(6.28 * s), 0.0, 1.0);
      score.push_back(s);
      label.push_back(uniform(rng) < rate);
      grouping.of_row.push_back(static_cast<std::uint32_t>(g));
      truth[g] += (s - rate) / static_cast<double>(n);
      residual += s - label.back();
      variance += s * (1 - s);
    }
    z[g] = std::erfc(std::abs(residual) / std::sqrt(2 * variance));
    grouping.names.push_back(std::to_string(g));
  }
  const auto view = binary_view(std::span<const double>(score), label);
  const auto report = analysis::groups(*view, std::vector{grouping}, {.resamples = 199, .seed = seed});
  double named = 0, innocent = 0;
  for (const GroupLine& line : report->lines) {
    const auto g = static_cast<std::size_t>(std::stoul(line.name));
    const bool found = report->found(line), large = line.rows >= 200;
    named += found, innocent += found && !off[g];
    out.off += off[g], out.found += found && off[g];
    out.large += large && off[g], out.large_found += found && large && off[g];
    const double t = truth[g];
    out.raw += (line.gap.value - t) * (line.gap.value - t);
    out.shrunken += (line.shrunken_gap - t) * (line.shrunken_gap - t);
    out.zero += t * t;
    ++out.groups;
  }
  out.named += named, out.innocent += innocent, out.shares += named > 0 ? innocent / named : 0;
  out.rejected += report->p_value < 0.05, ++out.samples;
  std::vector<double> sorted = z;
  std::sort(sorted.begin(), sorted.end());
  double limit = 0;
  for (std::size_t i = 0; i < groups; ++i)
    if (sorted[i] <= 0.05 * static_cast<double>(i + 1) / static_cast<double>(groups)) limit = sorted[i];
  double z_named = 0, z_innocent = 0;
  for (std::size_t g = 0; g < groups; ++g) z_named += z[g] <= limit, z_innocent += z[g] <= limit && !off[g];
  out.z_shares += z_named > 0 ? z_innocent / z_named : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int samples = argc > 1 ? std::atoi(argv[1]) : 100;
  fmt::print(
      "| scores | groups | wrong | named wrongly | the same by normal z | found | found, of 200 rows or more | "
      "all-groups test rejects | rms error of the gap: raw, shrunken, always 0 "
      "|\n|---|--:|---|--:|--:|--:|--:|--:|---|\n");
  for (const Scores& scores : kinds)
    for (const std::size_t groups : {20U, 300U})
      for (const Wrong wrong : {Wrong::no, Wrong::level, Wrong::bent}) {
        const int rounds = std::max(1, static_cast<int>(samples * 20 / groups));
        std::vector<Counts> all(static_cast<std::size_t>(rounds));
        numeric::parallel_for(all.size(), numeric::hardware_threads(),
                              [&](std::size_t r) { run(scores, groups, wrong, 1000 * groups + r, all[r]); });
        Counts c;
        for (const Counts& one : all) {
          c.shares += one.shares, c.z_shares += one.z_shares, c.found += one.found, c.off += one.off;
          c.large += one.large, c.large_found += one.large_found, c.rejected += one.rejected, c.samples += one.samples;
          c.raw += one.raw, c.shrunken += one.shrunken, c.zero += one.zero, c.groups += one.groups;
        }
        const auto share = [](double a, double b) { return b > 0 ? fmt::format("{:.1f}", 100 * a / b) : "–"; };
        const auto points = [&](double sum) { return fmt::format("{:.2f}", 100 * std::sqrt(sum / c.groups)); };
        fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {}, {}, {} |\n", scores.name, groups,
                   wrong == Wrong::no      ? "none"
                   : wrong == Wrong::level ? "level"
                                           : "bent",
                   share(c.shares, c.samples), share(c.z_shares, c.samples), share(c.found, c.off),
                   share(c.large_found, c.large), share(c.rejected, c.samples), points(c.raw), points(c.shrunken),
                   points(c.zero));
        std::fflush(stdout);
      }
}
