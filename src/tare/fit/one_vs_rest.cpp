#include "tare/fit/one_vs_rest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tare/fit/rows/kernels.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::fit {

Reals rows_of(const Reals& values, std::size_t columns, std::size_t first, std::size_t count) {
  return values.visit([&](auto v) { return Reals(v.subspan(first * columns, count * columns)); });
}

std::vector<double> counted_weights(std::span<const double> weight) {
  if (weight.empty()) return {};
  double least = std::numeric_limits<double>::max(), largest = 0, rows = 0;
  for (const double w : weight) {
    if (w == 0) continue;
    least = std::min(least, w);
    largest = std::max(largest, w);
    rows += 1;
  }
  const bool repetitions = largest / least <= 0x1p20 && std::all_of(weight.begin(), weight.end(), [&](double w) {
                             return std::abs(w / least - std::nearbyint(w / least)) <= 1e-9;
                           });
  numeric::u128 parts = 0;  // of the largest: whole numbers, so that the order of rows does not matter
  for (const double w : weight) parts += static_cast<std::uint64_t>(std::nearbyint(w / largest * 0x1p52));
  const double share = rows / (static_cast<double>(parts) * 0x1p-52);
  std::vector<double> out(weight.size());
  std::transform(weight.begin(), weight.end(), out.begin(),
                 [&](double w) { return repetitions ? std::nearbyint(w / least) : w / largest * share; });
  return out;
}

RowScores::RowScores(Kind kind, std::size_t columns, Reals rows, Scale scale, int threads)
    : kind_(kind), columns_(columns), rows_(rows), scale_(scale), n_(rows.size() / columns) {
  if (columns_ <= 2 || (kind_ != Kind::logits && scale_ != Scale::log_odds)) return;
  facts_.resize(n_);
  rows_.visit([&](auto values) {
    constexpr std::size_t chunk = 1024;
    numeric::parallel_for((n_ + chunk - 1) / chunk, threads, [&](std::size_t c) {
      const std::size_t first = c * chunk, count = std::min(chunk, n_ - first);
      rows::facts_of_rows(values.data() + first * columns_, count, columns_, kind_ == Kind::logits,
                          scale_ == Scale::log_odds, facts_.data() + first);
    });
  });
}

// As rows::score_of_class(): what a kernel takes, the kernel, and what it does not know.
void RowScores::score_class(std::size_t j, std::size_t first, std::span<double> score) const {
  const bool logits = kind_ == Kind::logits, odds = scale_ == Scale::log_odds;
  rows_.visit([&](auto values) {
    for (std::size_t i = 0; i < score.size(); ++i) {
      const auto x = static_cast<double>(values[(first + i) * columns_ + j]);
      score[i] = logits ? x - facts_[first + i].log_normaliser : odds ? x / (1 - x) : x;
    }
  });
  if (logits && odds)
    rows::take_class_odds(score.data(), score.size());
  else if (logits)
    rows::take_class_probabilities(score.data(), score.size());
  else if (odds)
    rows::take_log_of_odds(score.data(), score.size());
  for (std::size_t i = 0; odds && i < score.size(); ++i)
    if (facts_[first + i].top == j) score[i] = facts_[first + i].top_odds;
}

// As rows::score_of_two().
void RowScores::score_two(std::size_t first, std::span<double> score) const {
  const bool logits = kind_ == Kind::logits, odds = scale_ == Scale::log_odds;
  rows_.visit([&](auto values) {
    const auto* row = values.data() + first * columns_;
    if (columns_ == 1) {  // column() gives logits as log-odds and probabilities as they are
      return logits ? rows::sigma_rows(row, score.size(), score.data())
                    : rows::log_odds_rows(row, score.size(), score.data());
    }
    for (double& s : score) {
      const auto zero = static_cast<double>(row[0]), one = static_cast<double>(row[1]);
      s = !logits ? (odds ? one / zero : one) : odds ? rows::finite(one - zero) : one - zero;
      row += 2;
    }
    if (odds && !logits) rows::take_log_of_odds(score.data(), score.size());
    if (logits && !odds) rows::sigma_rows(score.data(), score.size(), score.data());
  });
}

namespace {

// Should somebody write to the rows, scores are still what curves are made for.
void settle(std::span<double> score, Scale scale) {
  if (scale == Scale::probability)
    for (double& s : score) s = s >= 0 ? (s <= 1 ? s : 1.0) : 0.0;
  else
    for (double& s : score) s = s == s ? s : 0.0;
}

}  // namespace

Reals RowScores::column(std::size_t j, std::vector<double>& buffer) const {
  if (columns_ == 1 && (kind_ == Kind::logits) == (scale_ == Scale::log_odds)) return rows_;
  constexpr std::size_t chunk = 4096;
  buffer.resize(n_);
  for (std::size_t first = 0; first < n_; first += chunk) {
    numeric::stop_if_asked_at(first);
    const auto score = std::span(buffer).subspan(first, std::min(chunk, n_ - first));
    columns_ > 2 ? score_class(j, first, score) : score_two(first, score);
    settle(score, scale_);
  }
  return std::span<const double>(buffer);
}

}  // namespace tare::detail::fit
