// Replicates x sizes x estimators on samples of known truth: mean, bias, spread (Roelofs et al. 2022, section 4, "bias
// by construction"). Walks rows of the table of estimators and knows none of them. Sample r of size n is a function of
// (seed, stream, r, n), and sums are exact: threads, interruptions and splits of the replicates change no bit.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tare/core/progress.hpp"
#include "tare/core/result.hpp"
#include "tare/core/results.hpp"
#include "tare/core/simulation.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/simulate/draw/sampler.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

// The estimates of many replicates, as exact sums: threads and splits of the replicates change no bit.

struct Tally {
  std::uint64_t defined = 0;
  std::uint64_t undefined = 0;
  std::uint64_t bins = 0;  // sum
  numeric::ExactSum sum = {};
  numeric::ExactSum squares = {};
  std::uint64_t reason_of = 0;  // the first replicate without a value,
  std::string reason = {};      // and why

  void add(std::uint64_t replicate, const Result<Estimate>& estimate) {
    if (!estimate) {
      ++undefined;
      keep_reason(replicate, sentence(estimate.error()));
      return;
    }
    ++defined;
    bins += static_cast<std::uint64_t>(estimate->bins.value_or(0));
    sum.add(estimate->value);
    squares.add(estimate->value * estimate->value);
  }
  void merge(const Tally& other) {
    defined += other.defined;
    undefined += other.undefined;
    bins += other.bins;
    sum.merge(other.sum);
    squares.merge(other.squares);
    if (!other.reason.empty()) keep_reason(other.reason_of, other.reason);
  }

  // Of the defined values; there must be one.
  [[nodiscard]] double mean() const { return sum.value() / static_cast<double>(defined); }
  [[nodiscard]] double sd() const {
    const double m = mean();
    return std::sqrt(std::fmax(squares.value() / static_cast<double>(defined) - m * m, 0));
  }
  [[nodiscard]] std::optional<double> se() const {
    if (defined < 2) return std::nullopt;
    return sd() / std::sqrt(static_cast<double>(defined - 1));
  }
  [[nodiscard]] double mean_bins() const { return static_cast<double>(bins) / static_cast<double>(defined); }

 private:
  void keep_reason(std::uint64_t replicate, const std::string& why) {
    if (!reason.empty() && reason_of <= replicate) return;
    reason_of = replicate;
    reason = why;
  }
};

// Which samples.
struct Replicates {
  std::size_t count = 1000;
  std::size_t first = 0;  // so that parts of a study can be run apart
  std::uint64_t seed = 1;
  std::uint32_t stream = 0x73696d75;  // "simu"
};

struct SimOptions {
  std::vector<std::size_t> sizes = {};
  Replicates replicates = {};
  TrueError true_error = {};  // for bias and RMSE
  int threads = 1;
  Progress progress = {};
  const std::atomic<bool>* cancel = nullptr;  // once true, what is finished is returned
  std::string checkpoint = {};                // a file from which the same call goes on after an interruption, or empty
  double checkpoint_seconds = 5;
};

// Errors: no sizes, options an estimator does not accept, a truth that cannot be drawn from, a checkpoint of another
// study or that cannot be written.
Result<SimTable> study(const Truth& truth, std::span<const measure::Choice> tasks, const SimOptions& options);

// The sums behind the table, [size * tasks + task], without a checkpoint. Those of two halves of the replicates,
// merged, are those of the whole.
struct Finished {
  std::vector<Tally> tallies = {};
  bool complete = true;
};
Result<Finished> run(const Sampler& sampler, std::span<const measure::Choice> tasks, const SimOptions& options);

// The estimates themselves, [task][replicate]; empty where undefined.
using Values = std::vector<std::vector<std::optional<double>>>;
Result<Values> replicate_values(const Sampler& sampler, std::span<const measure::Choice> tasks, std::size_t n,
                                const Replicates& replicates, int threads);

// Calls f(replicate, sample) for every replicate, from several threads at once: for everything else.
void for_each_sample(const Sampler& sampler, std::size_t n, const Replicates& replicates, int threads,
                     const std::function<void(std::size_t, const measure::Sample&)>& f);

TruthInfo info(const Truth& truth);

}  // namespace tare::detail::simulate
