// How often does the 95% interval of each estimator hold the true calibration error? Prints the tables of
// docs/studies/coverage.md:  coverage [samples] [samples for the path] [redrawings per truth of the path] [largest n
// for the path]
//
// Truths: the ten networks of Roelofs et al. 2022, their scores perfectly calibrated, their curves shrunk to a quarter
// of their error, and uniform scores with hit rates c^d. Per sample: the intervals of `tare measure`; beside them the
// normal interval of the unclamped square, a percentile interval of resampled rows, and the inversion along a path of
// truths.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "examples/studies/path_interval.hpp"
#include "tare/analysis/estimate_rows.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/random/rng.hpp"
#include "tare/simulate/engine.hpp"
#include "tare/simulate/truth.hpp"

namespace {

using namespace tare::detail;
using infer::Interval;

constexpr std::array<std::size_t, 5> sizes{200, 500, 1000, 2000, 10000};

struct Family {
  std::string name;
  std::vector<simulate::Truth> truths;
};

std::vector<Family> families() {
  std::vector<Family> out{
      {"ten networks", {}}, {"a quarter of their error", {}}, {"perfectly calibrated", {}}, {"c^d", {}}};
  for (const auto& m : simulate::models()) {
    for (const std::size_t f : {0U, 1U, 2U}) {
      auto truth = *simulate::model(m.name, f == 2);
      if (f == 1) truth.curve.strength = 0.25;
      out[f].truths.push_back(truth);
    }
  }
  for (const char* d : {"1.1", "1.25", "1.5", "2", "4"}) {
    simulate::Truth truth{.name = fmt::format("c^{}", d), .scores = {.kind = simulate::ScoreKind::uniform}};
    truth.curve = *simulate::parse_curve(fmt::format("power:{}", d));
    out[3].truths.push_back(truth);
  }
  return out;
}

// What one cell of the study found.
struct Tally {
  int samples = 0, covered = 0, above = 0, below = 0;  // above: the interval lies above the truth
  double width = 0;
  void add(const Interval& i, double truth) {
    constexpr double rounding = 1e-12;
    ++samples;
    above += i.low > truth + rounding;
    below += i.high < truth - rounding;
    covered += i.low <= truth + rounding && truth <= i.high + rounding;
    width += i.high - i.low;
  }
  [[nodiscard]] double share() const { return samples ? static_cast<double>(covered) / samples : 0; }
};
// line and method -> family -> size -> one tally per truth
using Study = std::map<std::string, std::map<std::string, std::map<std::size_t, std::vector<Tally>>>>;

std::string name_of(const infer::ResampledChoice& line) {
  return fmt::format("{} l{}", line.estimator->name, *line.norm());
}

std::vector<infer::ResampledChoice> all_lines() {
  std::vector<infer::ResampledChoice> out;
  const auto lines = analysis::make_choices({});
  for (const infer::ResampledChoice& line : *lines)
    if (line.estimator->estimand == "tce" && line.norm()) out.push_back(line);
  return out;
}

Interval normal(const Estimate& e) {
  const double half = 1.959963984540054 * *e.squared_se;
  return {std::sqrt(std::max(*e.squared - half, 0.0)), std::sqrt(std::max(*e.squared + half, 0.0)), {}};
}

// Rows drawn with replacement, and the 2.5% and 97.5% quantiles of the estimates: what one should not do.
std::vector<std::optional<Interval>> percentile(const measure::Sample& sample,
                                                const std::vector<infer::ResampledChoice>& lines,
                                                std::uint32_t replicate) {
  const numeric::Ordered& data = sample.ordered();
  const std::size_t n = data.total_mass();
  constexpr std::size_t draws = 100;
  std::vector<std::vector<double>> values(lines.size());
  std::vector<double> score;
  std::vector<std::uint8_t> label;
  for (std::size_t g = 0; g < data.groups(); ++g)
    for (std::uint64_t i = 0; i < data.mass(g); ++i) {
      score.push_back(data.score(g));
      label.push_back(i < data.hits(g));
    }
  std::vector<double> s(n);
  std::vector<std::uint8_t> y(n);
  for (std::size_t b = 0; b < draws; ++b) {
    numeric::Rng rng(1, static_cast<std::uint32_t>(b), replicate, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = std::min(static_cast<std::size_t>(rng.uniform() * static_cast<double>(n)), n - 1);
      s[i] = score[at];
      y[i] = label[at];
    }
    const auto view = binary_view(std::span<const double>(s), y);
    const measure::Sample again(*view);
    for (std::size_t l = 0; l < lines.size(); ++l)
      if (const auto e = lines[l].estimator->run(again, lines[l].options)) values[l].push_back(e->value);
  }
  std::vector<std::optional<Interval>> out(lines.size());
  for (std::size_t l = 0; l < lines.size(); ++l) {
    auto& v = values[l];
    if (v.size() < draws / 2) continue;
    std::sort(v.begin(), v.end());
    out[l] = Interval{v[v.size() / 40], v[v.size() - 1 - v.size() / 40], {}};
  }
  return out;
}

struct Args {
  std::size_t samples = 1000, path_samples = 100, draws = 200, largest = 2000;
};

void study_truth(const simulate::Truth& truth, const std::string& family, std::size_t n, const Args& args,
                 Study& study) {
  double error[3] = {};
  for (const int norm : {1, 2}) error[norm] = *simulate::true_error(truth, norm);
  const auto sampler = simulate::Sampler::of(truth);
  const auto lines = all_lines();
  std::map<std::string, Tally> found;
  std::mutex mutex;
  const auto tally = [&](const std::string& line, const char* method, const std::optional<Interval>& i, int norm) {
    if (!i) return;
    const std::scoped_lock lock(mutex);
    found[line + " | " + method].add(*i, error[norm]);
  };
  simulate::for_each_sample(
      *sampler, n, {.count = args.samples}, numeric::hardware_threads(),
      [&](std::size_t r, const measure::Sample& sample) {
        std::vector<std::optional<double>> terms(lines.size());
        const bool few = r < args.path_samples && n <= args.largest;
        for (std::size_t l = 0; l < lines.size(); ++l) {
          const auto& row = *lines[l].estimator;
          if (!few && row.interval.method == IntervalMethod::none) continue;
          const auto e = row.run(sample, lines[l].options);
          if (!e) continue;
          terms[l] = infer::term_of(lines[l], *e);
          tally(name_of(lines[l]), "default", infer::interval_of(row, *e, static_cast<double>(n)), *lines[l].norm());
          if (e->squared && e->squared_se)
            tally(name_of(lines[l]), "normal on the square", normal(*e), *lines[l].norm());
        }
        if (!few) return;
        const auto cells = infer::null_cells(sample.ordered(), 15);
        auto redrawn = lines;
        for (auto& line : redrawn) line.resamples = args.draws;
        const auto calibrated = infer::null_values(cells, redrawn, r + 1, 0, 1);
        const auto paths =
            infer::path_intervals(cells, redrawn, terms, calibrated, {.draws = args.draws, .seed = r + 1});
        for (std::size_t l = 0; l < lines.size(); ++l)
          tally(name_of(lines[l]), "path of truths", paths[l], *lines[l].norm());
        if (n > 1000) return;
        const auto plain = percentile(sample, lines, static_cast<std::uint32_t>(r));
        for (std::size_t l = 0; l < lines.size(); ++l)
          tally(name_of(lines[l]), "percentile bootstrap", plain[l], *lines[l].norm());
      });
  for (const auto& [key, t] : found) study[key][family][n].push_back(t);
}

void print(const Study& study, const std::vector<Family>& all) {
  for (const Family& family : all) {
    fmt::print("\n### {}\n\n| estimator | interval |", family.name);
    for (const std::size_t n : sizes) fmt::print(" n = {} |", n);
    fmt::print("\n|---|---|");
    for (std::size_t i = 0; i < sizes.size(); ++i) fmt::print("---|");
    fmt::print("\n");
    for (const auto& [key, of_family] : study) {
      fmt::print("| {} |", key);
      const auto at = of_family.find(family.name);
      for (const std::size_t n : sizes) {
        if (at == of_family.end() || at->second.find(n) == at->second.end()) {
          fmt::print(" |");
          continue;
        }
        double least = 1, most = 0, mean = 0, width = 0, samples = 0;
        const auto& tallies = at->second.at(n);
        for (const Tally& t : tallies) {
          least = std::min(least, t.share());
          most = std::max(most, t.share());
          mean += t.share() / static_cast<double>(tallies.size());
          width += t.width;
          samples += t.samples;
        }
        // of few samples per truth the least and the greatest say nothing
        if (tallies.front().samples >= 100) fmt::print(" {:.1f}–{:.1f},", 100 * least, 100 * most);
        fmt::print(" {:.1f} ({:.2f}) |", 100 * mean, 100 * width / samples);
      }
      fmt::print("\n");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Args args;
  if (argc > 1) args.samples = static_cast<std::size_t>(std::atoi(argv[1]));
  if (argc > 2) args.path_samples = static_cast<std::size_t>(std::atoi(argv[2]));
  if (argc > 4) args.largest = static_cast<std::size_t>(std::atoi(argv[4]));
  if (argc > 3) args.draws = static_cast<std::size_t>(std::atoi(argv[3]));
  const auto all = families();
  Study study;
  for (const std::size_t n : sizes)
    for (const Family& family : all)
      for (const auto& truth : family.truths) {
        fmt::print(stderr, "n = {}, {}, {}\n", n, family.name, truth.name);
        study_truth(truth, family.name, n, args, study);
      }
  print(study, all);
}
