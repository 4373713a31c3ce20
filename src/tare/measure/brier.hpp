// Brier score, the mean squared difference (1/n) sum (s - y)^2, or, given the full matrix,
// (1/n) sum_i sum_k (p_ik - [k = label_i])^2 (range 0 to 2), and its decomposition over b bins of
// equal width: reliability - resolution + uncertainty + within_bin. Brier 1950; Murphy 1973;
// the last term, which makes the identity exact when scores vary inside a bin: Stephenson,
// Coelho and Jolliffe 2008.
#pragma once

#include <span>

#include "tare/measure/spec.hpp"
#include "tare/numeric/exact/moments.hpp"

namespace tare::detail::measure {

// Of the scores.
numeric::Moments square_loss(const numeric::Ordered& data);

// Of the full matrix: the scores of the rows from `first` on, as many as `out` has room for.
void square_losses(const MulticlassView& view, std::size_t first, std::span<double> out);

Result<Estimate> brier(const Sample& sample, const Options& options = {});

// The multiclass score of the full matrix; the parts are sums over one-against-rest problems.
Result<Estimate> brier_matrix(const MulticlassView& view, const Options& options = {}, int threads = 1);

extern const Estimator brier_estimator;

}  // namespace tare::detail::measure
