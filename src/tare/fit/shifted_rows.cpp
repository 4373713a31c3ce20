#include "tare/fit/shifted_rows.hpp"

#include <algorithm>
#include <cmath>

#include "tare/fit/affine/features.hpp"
#include "tare/fit/one_vs_rest.hpp"
#include "tare/numeric/order/row_order.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::inner::fit {
namespace {

constexpr std::size_t cached_logarithms = std::size_t{1} << 27;  // 1 GB; beyond, they are made anew for every pass

}  // namespace

ShiftedRows::ShiftedRows(const MulticlassView& view, bool labelled, int threads)
    : view_(view),
      threads_(threads),
      k_(feature_count(view.columns())),
      block_rows_(std::clamp<std::size_t>((std::size_t{1} << 17) / k_, 16, 512)),
      order_(numeric::row_order(
          {view.values(), view.columns(), labelled ? view.label() : std::span<const std::int32_t>(), view.weight()}, 0,
          threads)),
      label_shares_(k_) {
  choose_rows(labelled);
  const std::size_t n = rows();
  if (n * k_ > cached_logarithms) return;
  cache_.resize(n * k_);
  numeric::parallel_for((n + block_rows_ - 1) / block_rows_, threads, [&](std::size_t c) {
    const std::size_t first = c * block_rows_;
    fill(first, std::min(block_rows_, n - first), cache_.data() + first * k_);
  });
}

void ShiftedRows::choose_rows(bool labelled) {
  const auto hopeless = [&](std::size_t i) {
    if (!labelled || view_.kind() == Kind::logits) return false;
    const auto y = static_cast<std::size_t>(view_.label()[i]);
    const double p = view_.values()[view_.columns() == 1 ? i : i * view_.columns() + y];
    return view_.columns() == 1 && y == 0 ? p >= 1 : p <= 0;
  };
  const auto weight = [&](std::size_t i) { return view_.weight().empty() ? 1.0 : view_.weight()[i]; };
  std::vector<std::size_t> kept;
  double total = 0;
  for (const std::size_t i : order_) {
    if (weight(i) == 0) continue;
    if (hopeless(i)) {
      left_out_ += weight(i);
      continue;
    }
    kept.push_back(i);
    total += weight(i);
  }
  order_ = std::move(kept);
  for (const std::size_t i : order_) {
    share_.push_back(weight(i) / total);
    if (labelled) label_shares_[static_cast<std::size_t>(view_.label()[i])] += share_.back();
  }
}

void ShiftedRows::fill(std::size_t first, std::size_t count, double* out) const {
  const Features features = view_.kind() == Kind::logits ? Features::log_probabilities : Features::exact_logarithms;
  for (std::size_t i = 0; i < count; ++i)
    fill_features(rows_of(view_.values(), view_.columns(), order_[first + i], 1), view_.columns(), view_.kind(),
                  features, {out + i * k_, k_}, k_);
}

// `rows` holds the shifted log probabilities, and is worked on in place.
void ShiftedRows::add(std::size_t first, std::span<double> rows, Moments& to, bool with_square) const {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::size_t count = rows.size() / k_;
  const auto k = static_cast<Eigen::Index>(k_), n = static_cast<Eigen::Index>(count);
  std::vector<double> normaliser(count);
  numeric::softmax_in_place(rows, k_, normaliser.data());
  Eigen::Map<Matrix> q(rows.data(), n, k);
  const Eigen::Map<const Eigen::VectorXd> share(share_.data() + first, n);
  for (std::size_t i = 0; i < count; ++i) to.value += share_[first + i] * normaliser[i];
  if (to.mean.size() == 0) to.mean.setZero(k);
  to.mean.noalias() += q.transpose() * share;
  if (!with_square) return;
  if (to.square.size() == 0) to.square.setZero(k, k);
  q.array().colwise() *= share.array().sqrt();
  to.square.selfadjointView<Eigen::Lower>().rankUpdate(q.transpose());
}

ShiftedRows::Moments ShiftedRows::at(std::span<const double> b, bool with_square) const {
  const std::size_t n = rows(), blocks = (n + block_rows_ - 1) / block_rows_;
  const std::size_t groups = std::min<std::size_t>(8, blocks);  // fixed: threads must not change a sum
  std::vector<Moments> part(groups);
  numeric::parallel_for(groups, threads_, [&](std::size_t g) {
    std::vector<double> scratch(block_rows_ * k_);
    for (std::size_t c = g * blocks / groups; c < (g + 1) * blocks / groups; ++c) {
      numeric::stop_if_asked();
      const std::size_t first = c * block_rows_, count = std::min(block_rows_, n - first);
      if (cache_.empty())
        fill(first, count, scratch.data());
      else
        std::copy_n(cache_.data() + first * k_, count * k_, scratch.data());
      for (std::size_t i = 0; i < count * k_; ++i) scratch[i] += b[i % k_];
      add(first, std::span(scratch).first(count * k_), part[g], with_square);
    }
  });
  for (std::size_t g = 1; g < groups; ++g) {
    part[0].value += part[g].value;
    part[0].mean += part[g].mean;
    if (with_square) part[0].square += part[g].square;
  }
  return std::move(part[0]);
}

}  // namespace tare::inner::fit
