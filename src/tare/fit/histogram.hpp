// Histogram binning: every bin of scores predicts the share of its labels that are 1.
// Zadrozny & Elkan 2001; Guo et al. 2017, section 4.1, Eq. 7. The bins are those of ece_ew and ece_em
// (numeric/order/bins.hpp), for fit and apply alike; an empty bin predicts its centre.
#pragma once

#include "tare/core/results.hpp"
#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/spec.hpp"
#include "tare/fit/steps.hpp"
#include "tare/numeric/order/bins.hpp"

namespace tare::detail::fit {

Result<std::size_t> checked_bins(const Options& options);

Steps mass_steps(const Problem& problem, std::size_t b);
extern const Calibrator histogram_calibrator;

}  // namespace tare::detail::fit
