// Where the truth is known: samples from it, its true calibration error, and how wrong each estimator is at a given n.
//
//     const auto t = tare::truth("beta:2.78,0.048", "logit_logit:0.1,0.8");
//     const auto sample = tare::draw(*t, 1000);
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tare/predictions.hpp>
#include <tare/run.hpp>

namespace tare::detail {
struct Access;
}  // namespace tare::detail

namespace tare {
inline namespace v0_3 {

// A distribution of scores, and the rate of hits at each score.
class TARE_EXPORT Truth {
 public:
  [[nodiscard]] std::string scores() const;  // beta:2.78,0.048
  [[nodiscard]] std::string curve() const;   // logit_logit:0.1,0.8

 private:
  friend struct detail::Access;
  explicit Truth(support::Handle truth) : truth_(std::move(truth)) {}
  support::Handle truth_;
};

// scores: "uniform", "beta:A,B", or a network of Roelofs et al. 2022 by the names of `tare list` ("resnet110_c10").
// curve: "FAMILY:x,y", "identity" (perfectly calibrated), or empty: the network's own, else the identity.
TARE_EXPORT Result<Truth> truth(std::string_view scores, std::string_view curve = {});

// The root (norm 2) or the mean (norm 1) of the squared or absolute gap between score and rate of hits.
TARE_EXPORT Result<double> true_error(const Truth& truth, int norm = 2);

// n confidences with their hits, in ascending order. The seed of `run` says which sample.
TARE_EXPORT Result<Predictions> draw(const Truth& truth, std::size_t n, const Run& run = {});

struct BiasOptions {
  std::optional<Reduction> reduction = {};
  int bins = 15;
  std::vector<int> norms = {1, 2};
  std::vector<std::string> estimators = {};  // by name; empty: all that estimate the true error
  std::vector<std::size_t> sizes = {};       // of the samples; empty: that of the data, or 200, 500, 1000 and 5000
  std::size_t replicates = 1000;
};

// One estimator at one sample size.
struct BiasLine {
  std::string estimator;
  std::optional<int> norm = {};
  std::size_t n = 0;
  std::optional<double> mean = {};
  std::optional<double> bias = {};       // mean - true error
  std::optional<double> sd = {};         // of the estimates
  std::optional<double> rmse = {};       // root mean square of estimate - true error
  std::optional<double> observed = {};   // with data: the measured value,
  std::optional<double> corrected = {};  // and the true error whose mean estimate it is
  std::string reason = {};               // why something is missing
};

struct Bias {
  std::optional<double> true_error_1 = {};  // of the truth that was simulated
  std::optional<double> true_error_2 = {};
  std::vector<BiasLine> lines = {};
  std::string note = {};  // what to know about the fitted truth
};

// The bias on data like these: a truth is fitted to them, and samples are drawn from it.
TARE_EXPORT Result<Bias> bias(const Predictions& predictions, const BiasOptions& options = {}, const Run& run = {});
// The bias on a known truth.
TARE_EXPORT Result<Bias> bias_of(const Truth& truth, const BiasOptions& options = {}, const Run& run = {});

}  // namespace v0_3
}  // namespace tare
