// Negative log-likelihood (log loss), natural logarithm, a mean over rows: of the labels given
// the scores, -(1/n) sum [y ln s + (1-y) ln(1-s)], or, given the full matrix, -(1/n) sum ln p_label
// (Guo et al. 2017, Eq. 6, divided by n). Nothing is clipped: where a row gives probability 0 to
// what happened the mean is infinite, and that is said instead of a number that depends on an epsilon.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tare/measure/spec.hpp"
#include "tare/numeric/exact/moments.hpp"

namespace tare::detail::measure {

// The log loss of scores, without the rows where it is infinite; those are counted.
struct LogLoss {
  numeric::Moments moments;
  std::uint64_t hits_at_zero = 0;   // mass
  std::uint64_t misses_at_one = 0;  // mass
  [[nodiscard]] bool finite() const { return hits_at_zero == 0 && misses_at_one == 0; }
};

// -ln(1 - s) to full precision
double miss_loss(double s);
double hit_loss(double s);

LogLoss log_loss(const numeric::Ordered& data);

// Losses of the rows from `first` on, as many as `out` has room for; infinity where the label has probability 0, or
// one so small that it counts as that (numeric::infinite_loss).
void log_losses(const MulticlassView& view, std::size_t first, std::span<double> out);

// Why there is no mean. `where`: what more to say of those rows; unit: the mass of weight 1.
Error infinite_nll(std::uint64_t mass, std::uint64_t unit, const std::string& where);

Result<Estimate> nll(const Sample& sample, const Options& options = {});

// The multiclass score of the full matrix.
Result<Estimate> nll_matrix(const MulticlassView& view, const Options& options = {}, int threads = 1);

extern const Estimator nll_estimator;

}  // namespace tare::detail::measure
