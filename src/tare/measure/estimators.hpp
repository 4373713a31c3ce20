// The estimators, their entries of the table (registry.cpp), and what they share. What each computes, with the paper
// and the equation, stands in the file that defines it; those of rank_poly are in rank_poly/rank_poly.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tare/measure/spec.hpp"
#include "tare/numeric/exact/moments.hpp"

namespace tare::detail::measure {

// binned.cpp: over bins of equal width (ew) or equal mass (em)
Result<Estimate> ece_ew(const Sample& sample, const Options& options = {});
Result<Estimate> ece_em(const Sample& sample, const Options& options = {});
Result<Estimate> mce_ew(const Sample& sample, const Options& options = {});
Result<Estimate> mce_em(const Sample& sample, const Options& options = {});
Result<Estimate> lb_ew(const Sample& sample, const Options& options = {});
Result<Estimate> lb_em(const Sample& sample, const Options& options = {});
Result<Estimate> debias_ew(const Sample& sample, const Options& options = {});
Result<Estimate> debias_em(const Sample& sample, const Options& options = {});
extern const Estimator ece_ew_estimator, ece_em_estimator, mce_ew_estimator, mce_em_estimator, lb_ew_estimator,
    lb_em_estimator, debias_ew_estimator, debias_em_estimator;

Result<Estimate> sweep_ew(const Sample& sample, const Options& options = {});
Result<Estimate> sweep_em(const Sample& sample, const Options& options = {});
Result<Estimate> rank_sign(const Sample& sample, const Options& options = {});
Result<Estimate> kde(const Sample& sample, const Options& options = {});
Result<Estimate> smece(const Sample& sample, const Options& options = {});
Result<Estimate> ks(const Sample& sample, const Options& options = {});
Result<Estimate> corp(const Sample& sample, const Options& options = {});
extern const Estimator sweep_ew_estimator, sweep_em_estimator, rank_sign_estimator, kde_estimator, smece_estimator,
    ks_estimator, corp_estimator;

// Scores, and the two means; *_matrix: of the full matrix, the parts being sums over one-against-rest problems.
Result<Estimate> brier(const Sample& sample, const Options& options = {});
Result<Estimate> brier_matrix(const MulticlassView& view, const Options& options = {}, int threads = 1);
Result<Estimate> nll(const Sample& sample, const Options& options = {});
Result<Estimate> nll_matrix(const MulticlassView& view, const Options& options = {}, int threads = 1);
Result<Estimate> accuracy(const Sample& sample, const Options& options = {});
Result<Estimate> confidence(const Sample& sample, const Options& options = {});
extern const Estimator brier_estimator, nll_estimator, accuracy_estimator, confidence_estimator;

// What the binned ones share: from sums over bins to an Estimate with its diagram.
Result<std::size_t> checked_bins(const Options& options);
Result<int> checked_norm(const Options& options);
// The non-empty bins as a reliability diagram. Equal-mass bins meet half-way between the neighbouring scores of
// adjacent non-empty bins.
std::vector<Bin> diagram(const std::vector<numeric::BinSums>& sums, Binning binning, std::uint64_t unit);
// (sum_k (n_k / n) |f_k - a_k|^p)^(1/p)
double binned_error(const std::vector<Bin>& bins, int norm);

// The squared and the log loss of scores; of the latter without the rows where it is infinite, which are counted.
numeric::Moments square_loss(const numeric::Ordered& data);
struct LogLoss {
  numeric::Moments moments;
  std::uint64_t hits_at_zero = 0;   // mass
  std::uint64_t misses_at_one = 0;  // mass
  [[nodiscard]] bool finite() const { return hits_at_zero == 0 && misses_at_one == 0; }
};
LogLoss log_loss(const numeric::Ordered& data);

double miss_loss(double s);  // -ln(1 - s) to full precision
double hit_loss(double s);

// Of the full matrix: losses of the rows from `first` on, as many as `out` has room for. The log loss is infinite where
// the label has probability 0, or one so small that it counts as that (numeric::infinite_loss).
void square_losses(const MulticlassView& view, std::size_t first, std::span<double> out);
void log_losses(const MulticlassView& view, std::size_t first, std::span<double> out);

// Why there is no mean. `where`: what more to say of those rows; unit: the mass of weight 1.
Error infinite_nll(std::uint64_t mass, std::uint64_t unit, const std::string& where);

}  // namespace tare::detail::measure
