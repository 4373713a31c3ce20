// What a simulation study found: estimators against a known truth. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tare::detail {

// The true calibration error in the two norms, where it is known.
struct TrueError {
  std::optional<double> norm1 = {};
  std::optional<double> norm2 = {};
  [[nodiscard]] std::optional<double> of(int norm) const {
    return norm == 1 ? norm1 : norm == 2 ? norm2 : std::nullopt;
  }
};

// The truth that samples were drawn from, in words.
struct TruthInfo {
  std::string name = {};             // of a built-in model, or empty
  std::string scores = {};           // beta, uniform or empirical
  std::optional<double> alpha = {};  // of beta
  std::optional<double> beta = {};
  std::optional<std::size_t> values = {};  // empirical: how many scores are resampled
  std::string curve = {};                  // family:b0,b1
};

// One estimator at one sample size.
struct SimRow {
  std::string estimator;
  std::optional<int> norm = {};  // empty where the norm has no meaning
  std::optional<int> bins = {};  // empty where there is nothing to choose
  std::size_t n = 0;
  std::size_t replicates = 0;  // finished
  std::size_t undefined = 0;   // of these, without a value: left out of every mean
  std::string reason = {};     // why one of them has none
  std::optional<double> mean = {};
  std::optional<double> bias = {};       // mean - true error, for estimators of it
  std::optional<double> se = {};         // standard error of mean and bias
  std::optional<double> sd = {};         // of the estimates, divisor m, as Roelofs et al. 2022 plot it
  std::optional<double> rmse = {};       // root mean square of estimate - true error
  std::optional<double> mean_bins = {};  // of estimators that choose their number of bins
};

struct SimTable {
  TruthInfo truth = {};
  TrueError true_error = {};
  std::size_t replicates = 0;  // asked for
  std::uint64_t seed = 0;
  bool complete = true;           // false: interrupted, and the rows say how far they got
  std::size_t fewest = 0;         // samples really drawn of any size, and
  std::size_t most = 0;           // of another; both are `replicates` where complete
  std::vector<SimRow> rows = {};  // sizes outside, estimators inside, both in the order asked for
};

}  // namespace tare::detail
