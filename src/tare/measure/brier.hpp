// Brier score, the mean squared difference (1/n) sum (s - y)^2, or, given the full matrix,
// (1/n) sum_i sum_k (p_ik - [k = label_i])^2 (range 0 to 2), and its decomposition over b bins of
// equal width: reliability - resolution + uncertainty + within_bin. Brier 1950; Murphy 1973;
// the last term, which makes the identity exact when scores vary inside a bin: Stephenson,
// Coelho and Jolliffe 2008.
#pragma once

#include <vector>

#include "tare/measure/binned.hpp"
#include "tare/numeric/exact/moments.hpp"

namespace tare::inner::measure {

inline numeric::Moments square_loss(const numeric::Ordered& data) {
  numeric::Moments out;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    const double s = data.score(g);
    const std::uint64_t hits = data.hits(g);
    out.add((1 - s) * (1 - s), hits);
    out.add(s * s, data.mass(g) - hits);
  }
  return out;
}

struct BrierParts {
  double reliability = 0;  // sum_k (n_k/n) (f_k - a_k)^2: small is good
  double resolution = 0;   // sum_k (n_k/n) (a_k - a)^2: large is good
  double uncertainty = 0;  // a (1 - a): of the data, not of the model

  void add(std::span<const numeric::BinSums> bins) {
    numeric::BinSums all;
    for (const auto& bin : bins) all.merge(bin);
    const double a = all.mean_label();
    for (const auto& bin : bins) {
      if (bin.mass == 0) continue;
      const double share = static_cast<double>(bin.mass) / static_cast<double>(all.mass);
      const double gap = bin.mean_score() - bin.mean_label();
      const double lift = bin.mean_label() - a;
      reliability += share * gap * gap;
      resolution += share * lift * lift;
    }
    uncertainty += a * (1 - a);
  }

  // within_bin: the variance of the scores inside the bins less twice their covariance with the
  // labels there. It is what the other three leave of the score, and is computed as that, so the
  // four add up to the score to the last bit or two.
  [[nodiscard]] std::vector<Part> of(double brier) const {
    return {{"reliability", reliability},
            {"resolution", resolution},
            {"uncertainty", uncertainty},
            {"within_bin", brier - (reliability - resolution + uncertainty)}};
  }
};

inline Result<Estimate> brier(const Sample& sample, const Options& options = {}) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  const numeric::Ordered& data = sample.ordered();
  const numeric::Moments loss = square_loss(data);
  BrierParts parts;
  parts.add(numeric::width_bins(data, *b));
  return Estimate{
      .value = loss.mean(), .se = loss.se(data.unit()), .bins = options.bins, .parts = parts.of(loss.mean())};
}

// The multiclass score of the full matrix; the parts are sums over one-against-rest problems. In brier.cpp.
Result<Estimate> brier_matrix(const MulticlassView& view, const Options& options = {}, int threads = 1);

inline constexpr Row brier_row{
    .name = "brier",
    .title = "Brier score",
    .summary = "mean squared error of the probabilities; rewards sharpness and calibration together",
    .citation = "Brier 1950; Murphy 1973; Stephenson et al. 2008",
    .uses_bins = true,
    .is_error = false,
    .run = brier,
    .run_matrix = brier_matrix};

}  // namespace tare::inner::measure
