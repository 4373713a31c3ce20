// Replicates x sizes x estimators on samples of known truth: mean, bias, spread (Roelofs et al. 2022, section 4, "bias
// by construction"). Walks rows of the table of estimators and knows none of them. Sample r of size n is a function of
// (seed, stream, r, n), and sums are exact: threads, interruptions and splits of the replicates change no bit.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tare/core/progress.hpp"
#include "tare/core/result.hpp"
#include "tare/core/simulation.hpp"
#include "tare/measure/spec.hpp"
#include "tare/simulate/draw/sampler.hpp"
#include "tare/simulate/tally.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

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
