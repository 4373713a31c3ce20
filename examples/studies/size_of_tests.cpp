// How often does each statistic of `tare test` reject a calibrated model? Prints the tables of
// docs/studies/size_of_tests.md:  size_of_tests [samples] [statistic ...]
//
// Scores are those of scores.hpp, and labels are drawn from them. Every sample is tested by every statistic, or by
// those that are named, with 199 redrawings. The samples do not depend on what is named.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "examples/studies/scores.hpp"
#include "tare/analysis/test.hpp"
#include "tare/numeric/parallel.hpp"

namespace {

constexpr std::array levels{0.01, 0.05, 0.10};
constexpr std::array<std::size_t, 2> sizes{200, 1000};

struct Rows {
  std::vector<double> score;
  std::vector<std::uint8_t> label;
};

Rows calibrated(const study::Scores& scores, std::size_t n, std::uint64_t seed) {
  study::Drawing draw(scores, seed);
  Rows out;
  for (std::size_t i = 0; i < n; ++i) {
    out.score.push_back(draw.score().c);
    out.label.push_back(draw.label(out.score.back()));
  }
  return out;
}

// Rejections at the three levels.
using Counts = std::array<double, 3>;

void count(double p, Counts& to) {
  for (std::size_t l = 0; l < levels.size(); ++l) to[l] += p <= levels[l];
}

// What the textbook distributions say of the same statistics.
double textbook(const tare::detail::TestResult& t) {
  if (t.name == "spiegelhalter") return 2 * cdf(boost::math::normal(), -std::abs(*t.statistic));
  return cdf(complement(boost::math::chi_squared(10), *t.statistic));
}

std::map<std::string, Counts> rejections(const study::Scores& scores, std::size_t n, int samples,
                                         const std::vector<std::string>& statistics) {
  const tare::detail::analysis::TestOptions options{.statistics = statistics, .resamples = 199, .detectable = false};
  std::vector<tare::detail::TestReport> reports(static_cast<std::size_t>(samples));
  tare::detail::numeric::parallel_for(reports.size(), tare::detail::numeric::hardware_threads(), [&](std::size_t i) {
    auto own = options;
    own.seed = i + 1;
    const Rows rows = calibrated(scores, n, 1'000'000 * n + i);
    const auto view = tare::detail::binary_view(std::span<const double>(rows.score), rows.label);
    if (auto report = tare::detail::analysis::test_sample(*view, own)) reports[i] = *std::move(report);
  });
  std::map<std::string, Counts> out;
  for (const auto& report : reports)
    for (const auto& t : report.tests) {
      count(t.p_value.value_or(1), out[t.name]);
      if (t.statistic && (t.name == "spiegelhalter" || t.name == "hosmer_lemeshow"))
        count(textbook(t), out[t.name + ", textbook p-value"]);
    }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const int samples = argc > 1 ? std::atoi(argv[1]) : 500;
  std::vector<std::string> statistics(argv + std::min(argc, 2), argv + argc);
  if (statistics.empty())
    for (const auto name : tare::detail::infer::statistic_names()) statistics.emplace_back(name);
  struct Line {
    std::array<Counts, sizes.size()> pooled{};
    double worst = 0;  // at 5%
    std::string where;
  };
  std::map<std::string, Line> lines;
  const auto all_scores = study::all_scores();
  for (std::size_t s = 0; s < sizes.size(); ++s)
    for (const study::Scores& scores : all_scores) {
      fmt::print(stderr, "n = {}, {}\n", sizes[s], scores.name);
      for (const auto& [name, counts] : rejections(scores, sizes[s], samples, statistics)) {
        Line& line = lines[name];
        for (std::size_t l = 0; l < levels.size(); ++l) line.pooled[s][l] += counts[l];
        const double share = counts[1] / samples;
        if (share > line.worst || line.where.empty()) {
          line.worst = share;
          line.where = fmt::format("{}, n = {}", scores.name, sizes[s]);
        }
      }
    }
  const double all = samples * static_cast<double>(all_scores.size());
  fmt::print(
      "| statistic | 1%, n = 200 | 5% | 10% | 1%, n = 1000 | 5% | 10% | most at 5% "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const auto& [name, line] : lines) {
    fmt::print("| {} |", name);
    for (const auto& counts : line.pooled)
      for (const double c : counts) fmt::print(" {:.2f} |", 100 * c / all);
    fmt::print(" {:.1f} ({}) |\n", 100 * line.worst, line.where);
  }
  fmt::print("\nMonte Carlo error of a pooled share: {:.2f}, {:.2f}, {:.2f}; of one set of scores at 5%: {:.1f}.\n",
             100 * std::sqrt(0.01 * 0.99 / all), 100 * std::sqrt(0.05 * 0.95 / all), 100 * std::sqrt(0.1 * 0.9 / all),
             100 * std::sqrt(0.05 * 0.95 / samples));
}
