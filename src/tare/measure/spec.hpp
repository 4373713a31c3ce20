// An estimator: its name, meaning, origin and function. The command line, JSON, Python, `tare list`, the studies and
// the reference docs all walk the table of estimators.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/estimator.hpp"
#include "tare/core/options.hpp"
#include "tare/core/result.hpp"
#include "tare/core/results.hpp"
#include "tare/core/views.hpp"
#include "tare/measure/sample.hpp"

namespace tare::detail::measure {

struct Options {
  int bins = options::bins.usual;
  int norm = options::norm.usual;          // 1: mean absolute gap (Guo et al.), 2: root mean square (Roelofs et al.)
  int max_bins = options::max_bins.usual;  // sweeps: stop here; 0 goes on to b = n, as the paper does
  bool rooted = true;                      // kde: take the 1/norm root; false redraws the paper's figures
  bool details = true;    // intervals, parts and diagrams too; the value is the same without them, and cheaper
  bool gathered = false;  // rank_sign: neighbours among many scores count as one, for the many redrawings of a floor
};

using detail::Norms;

struct EstimatorFunctions {
  Result<Estimate> (*run)(const Sample&, const Options&) = nullptr;
  // Functions of sums over the bins of the diagram can be had from the sums alone: mergeable (state.hpp), and cheap to
  // resample. Null elsewhere.
  Result<Estimate> (*from_bins)(const std::vector<numeric::BinSums>&, std::uint64_t unit, const Options&) = nullptr;
  // Of the full matrix, where that says more than the reduced problem; null elsewhere.
  Result<Estimate> (*run_matrix)(const MulticlassView&, const Options&, int threads) = nullptr;
  int resamples = 1000;     // how many redrawings its noise floor can afford
  bool cube_root = false;   // it resolves about n^(1/3) pieces of the data
  bool fine_scale = false;  // part of its noise lies between neighbouring rows (see infer/resample/null.hpp)
};

// Written down as {{what is known about it}, {its functions}}.
struct Estimator : EstimatorInfo, EstimatorFunctions {};

// An estimator with its options.
struct Choice {
  const Estimator* estimator = nullptr;
  Options options = {};

  // Empty where the norm has no meaning.
  [[nodiscard]] std::optional<int> norm() const {
    return estimator->norms == Norms::none ? std::nullopt : std::optional(options.norm);
  }
  [[nodiscard]] Result<Estimate> run(const Sample& sample) const { return estimator->run(sample, options); }
  [[nodiscard]] Choice without_details() const {
    Choice out = *this;
    out.options.details = false;
    return out;
  }
};

std::span<const Estimator> all();                // in the order of reports
const Estimator* find(std::string_view name);    // null if there is none
const Estimator& with_role(bool Roles::*role);   // the first of them; every role is taken
Error unknown_estimator(std::string_view name);  // with the name that may have been meant

// What an estimator answers that exists in one norm only, when it is asked for another.

inline Error norm_refusal(std::string_view estimator, int only, int asked) {
  const std::string norm = std::to_string(only);
  return {.code = Errc::unsupported,
          .what = std::string(estimator) + " exists in norm " + norm + " only, not in norm " + std::to_string(asked),
          .remedy = "pass `norm` " + norm};
}

}  // namespace tare::detail::measure
