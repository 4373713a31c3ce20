#include "tare/fit/class_shares.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/rows/map.hpp"
#include "tare/numeric/order/row_order.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::fit {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index newton_classes = 2000;
constexpr double gap_goal = 1e-12;

class ShareSearch {
 public:
  ShareSearch(const ShiftedRows& rows, std::span<const double> prior)
      : rows_(rows),
        prior_(Eigen::Map<const VectorXd>(prior.data(), static_cast<Index>(prior.size()))),
        least_(least_ratio * prior_) {}

  ClassShares run(int max_iterations);

 private:
  struct Evaluation {
    VectorXd x;
    double value = 0;
    ShiftedRows::Moments moments = {};
    VectorXd slope = {};  // of the objective: 1 - mean q / x
  };

  [[nodiscard]] VectorXd log_ratio(const VectorXd& x) const { return (x.array() / prior_.array()).log(); }
  [[nodiscard]] Evaluation look(const VectorXd& x) const;
  [[nodiscard]] double gap(const Evaluation& at) const;
  [[nodiscard]] VectorXd newton_step(const Evaluation& at) const;
  [[nodiscard]] std::optional<Evaluation> improved(const Evaluation& from, const VectorXd& step, double length,
                                                   double shortest) const;
  [[nodiscard]] std::optional<Evaluation> em_step(const Evaluation& from);

  const ShiftedRows& rows_;
  VectorXd prior_, least_;
  double stretch_ = 1;  // of steps of EM
};

ShareSearch::Evaluation ShareSearch::look(const VectorXd& x) const {
  const VectorXd b = log_ratio(x);
  Evaluation out{.x = x};
  out.moments = rows_.at({b.data(), static_cast<std::size_t>(b.size())}, x.size() <= newton_classes);
  out.value = x.sum() - out.moments.value;
  out.slope = 1 - out.moments.mean.array() / x.array();
  return out;
}

double ShareSearch::gap(const Evaluation& at) const {
  double rising = 0, falling = 0;
  for (Index c = 0; c < at.x.size(); ++c) {
    falling = std::max(falling, -at.slope(c));
    rising += std::max(at.slope(c), 0.0) * (at.x(c) - least_(c));
  }
  return std::max(falling, rising);
}

// Among the classes that are not held at their bound, as multiples of their shares.
VectorXd ShareSearch::newton_step(const Evaluation& at) const {
  const Index k = at.x.size();
  std::vector<char> held(static_cast<std::size_t>(k));
  const auto bound = [&](Index c) { return at.x(c) <= least_(c); };
  for (Index c = 0; c < k; ++c) held[static_cast<std::size_t>(c)] = bound(c) && at.slope(c) > 0;
  for (;;) {
    std::vector<Index> free;
    for (Index c = 0; c < k; ++c)
      if (!held[static_cast<std::size_t>(c)]) free.push_back(c);
    VectorXd out = VectorXd::Zero(k);
    if (free.empty()) return out;
    const VectorXd wanted = at.moments.mean - at.x;
    Eigen::MatrixXd h = Eigen::MatrixXd(at.moments.square.selfadjointView<Eigen::Lower>())(free, free);
    h.diagonal().array() += 1e-14 * at.x(free).array() + 1e-300;  // directions without curvature are left alone
    const VectorXd step = h.ldlt().solve(wanted(free));
    bool inside = true;
    for (std::size_t j = 0; j < free.size(); ++j) {
      const Index c = free[j];
      out(c) = std::isfinite(step(static_cast<Index>(j))) ? step(static_cast<Index>(j)) : 0;
      if (!bound(c) || out(c) >= 0) continue;
      held[static_cast<std::size_t>(c)] = 1;
      inside = false;
    }
    if (inside) return out;
  }
}

// The first of ever shorter steps that helps (Armijo's rule along the path that the bounds bend).
std::optional<ShareSearch::Evaluation> ShareSearch::improved(const Evaluation& from, const VectorXd& step,
                                                             double length, double shortest) const {
  for (; length >= shortest; length /= 2) {
    Evaluation to = look((from.x.array() * (1 + length * step.array())).max(least_.array()));
    const double promised = from.slope.dot(to.x - from.x);
    if (!(promised < 0) || !std::isfinite(to.value)) continue;
    // at the bottom the objective is flat to rounding: there the certificate decides
    const bool flat = to.value <= from.value + 1e-15 * (1 + std::abs(from.value)) && gap(to) < gap(from) / 2;
    if (to.value <= from.value + 1e-4 * promised || flat) return to;
  }
  return std::nullopt;
}

std::optional<ShareSearch::Evaluation> ShareSearch::em_step(const Evaluation& from) {
  auto to = improved(from, -from.slope, stretch_, stretch_);
  if (to) {
    stretch_ *= 1.5;
    return to;
  }
  stretch_ = 1;
  return improved(from, -from.slope, 1, 0x1p-30);
}

ClassShares ShareSearch::run(int max_iterations) {
  ClassShares out;
  Evaluation at = look(prior_);
  while (gap(at) > gap_goal && out.iterations < max_iterations) {
    const bool newton = at.x.size() <= newton_classes && out.iterations >= 3;
    auto to = newton ? improved(at, newton_step(at), 1, 0x1p-8) : std::nullopt;
    if (!to) to = em_step(at);
    if (!to) break;  // rounding
    at = *std::move(to);
    ++out.iterations;
  }
  out.gap = gap(at);
  const VectorXd b = log_ratio(at.x);
  out.log_ratio.assign(b.begin(), b.end());
  const VectorXd share = at.x / at.x.sum();
  out.share.assign(share.begin(), share.end());
  for (Index c = 0; c < at.x.size(); ++c)
    if (at.x(c) <= least_(c)) out.at_bound.push_back(static_cast<std::size_t>(c));
  return out;
}

}  // namespace

ClassShares class_shares(const ShiftedRows& rows, std::span<const double> prior, int max_iterations) {
  const int usual = static_cast<Index>(prior.size()) <= newton_classes ? 500 : 3000;
  return ShareSearch(rows, prior).run(max_iterations > 0 ? max_iterations : usual);
}

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

}  // namespace tare::detail::fit
