// The row of an estimator: its name, meaning, origin and function. The command line, JSON,
// Python, `tare list`, the studies and the reference docs all walk the table of rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/core/result.hpp"
#include "tare/core/results.hpp"
#include "tare/core/views.hpp"
#include "tare/measure/sample.hpp"

namespace tare::inner::measure {

struct Options {
  int bins = options::bins.usual;
  int norm = options::norm.usual;          // 1: mean absolute gap (Guo et al.), 2: root mean square (Roelofs et al.)
  int max_bins = options::max_bins.usual;  // sweeps: stop here; 0 goes on to b = n, as the paper does
  bool rooted = true;                      // kde: take the 1/norm root; false redraws the paper's figures
  bool details = true;  // corp: the parts of both scores and the diagram too; resampling needs the value only
};

enum class Norms { none, two, both };  // which values of Options::norm mean something

struct Row {
  std::string_view name;
  std::string_view title;
  std::string_view summary;        // one line, what the number says
  std::string_view citation;       // author, year, equation
  std::string_view estimand = {};  // "tce": the true calibration error; empty: something else
  Norms norms = Norms::none;
  bool uses_bins = false;   // Options::bins has an effect
  bool is_error = true;     // an error of calibration: small is good, has a noise floor
  int resamples = 1000;     // how many redrawings its noise floor can afford
  bool fine_scale = false;  // part of its noise lies between neighbouring rows (see infer/resample/null.hpp)
  Result<Estimate> (*run)(const Sample&, const Options&) = nullptr;
  // Functions of sums over fixed bins can be had from the sums alone: mergeable (state.hpp), and cheap to resample.
  std::optional<numeric::Binning> binning = {};
  Result<Estimate> (*from_bins)(const std::vector<numeric::BinSums>&, std::uint64_t unit, const Options&) = nullptr;
  // nll and brier of the full matrix; null elsewhere
  Result<Estimate> (*run_matrix)(const MulticlassView&, const Options&, int threads) = nullptr;
};

std::span<const Row> all();                      // in the order of reports
const Row* find(std::string_view name);          // null if there is none
Error unknown_estimator(std::string_view name);  // with the name that may have been meant

}  // namespace tare::inner::measure
