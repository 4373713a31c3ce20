#include "tare/fit/row_scores.hpp"

#include <algorithm>
#include <cmath>

#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::inner::fit {
namespace {

double clamped(double z) { return std::clamp(z, -largest_log_odds, largest_log_odds); }
double finite(double z) { return std::clamp(z, -1e100, 1e100); }  // differences of logits may overflow

// Log-odds of the largest logit: m - log sum of the others' exp z_j.
template <class T>
double odds_of_top_logit(std::span<const T> row, std::size_t top) {
  double second = -INFINITY;
  for (std::size_t j = 0; j < row.size(); ++j)
    if (j != top) second = std::max(second, static_cast<double>(row[j]));
  double rest = 0;
  for (std::size_t j = 0; j < row.size(); ++j)
    if (j != top) rest += std::exp(static_cast<double>(row[j]) - second);
  return finite(static_cast<double>(row[top]) - second - std::log(rest));
}

template <class T>
double odds_of_top_probability(std::span<const T> row, std::size_t top) {
  double rest = 0;
  for (std::size_t j = 0; j < row.size(); ++j)
    if (j != top) rest += static_cast<double>(row[j]);
  return clamped(std::log(static_cast<double>(row[top])) - std::log(rest));
}

}  // namespace

double sigma(double z) {
  const double e = std::exp(-std::abs(z));
  return z >= 0 ? 1 / (1 + e) : e / (1 + e);
}

double log_sigma(double z) { return std::min(z, 0.0) - std::log1p(std::exp(-std::abs(z))); }

double log_odds(double p) { return clamped(std::log(p) - (p > 0.5 ? std::log(1 - p) : std::log1p(-p))); }

RowScores::RowScores(Kind kind, std::size_t columns, Reals rows, Scale scale, int threads)
    : kind_(kind), columns_(columns), rows_(rows), scale_(scale), n_(rows.size() / columns) {
  if (columns_ <= 2) return;
  const bool odds = scale_ == Scale::log_odds;
  if (kind_ == Kind::logits) log_normaliser_.resize(n_);
  if (odds) {
    top_.resize(n_);
    top_odds_.resize(n_);
  }
  rows_.visit([&](auto values) {
    constexpr std::size_t chunk = 1024;
    numeric::parallel_for((n_ + chunk - 1) / chunk, threads, [&](std::size_t c) {
      const std::size_t first = c * chunk, count = std::min(chunk, n_ - first);
      const auto block = values.subspan(first * columns_, count * columns_);
      if (kind_ == Kind::logits) {
        // float64 whatever the input: in float32 the normaliser has eight digits
        const std::vector<double> wide(block.begin(), block.end());
        numeric::softmax_rows(std::span<const double>(wide), columns_, {},
                              {.log_normaliser = log_normaliser_.data() + first});
      }
      for (std::size_t i = 0; odds && i < count; ++i) {
        const auto row = block.subspan(i * columns_, columns_);
        const auto top = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
        top_[first + i] = static_cast<std::int32_t>(top);
        top_odds_[first + i] = kind_ == Kind::logits ? odds_of_top_logit(row, top) : odds_of_top_probability(row, top);
      }
    });
  });
}

// x: the number of class j in row i, more than two columns.
double RowScores::score(double x, std::size_t i, std::size_t j) const {
  const bool logits = kind_ == Kind::logits;
  if (scale_ == Scale::probability)
    // rounding may carry the exponent above 0
    return logits ? std::min(1.0, std::exp(x - log_normaliser_[i])) : x;
  if (top_[i] == static_cast<std::int32_t>(j)) return top_odds_[i];
  if (!logits) return log_odds(x);
  const double log_p = x - log_normaliser_[i];
  return finite(log_p - std::log1p(-std::min(std::exp(log_p), 0.5)));  // not the top class: at most 1/2
}

Reals RowScores::column(std::size_t j, std::vector<double>& buffer) const {
  const bool logits = kind_ == Kind::logits, odds = scale_ == Scale::log_odds;
  if (columns_ == 1 && logits == odds) return rows_;
  buffer.resize(n_);
  rows_.visit([&](auto values) {
    for (std::size_t i = 0; i < n_; ++i) {
      numeric::stop_if_asked_at(i);
      if (columns_ > 2) {
        buffer[i] = score(static_cast<double>(values[i * columns_ + j]), i, j);
        continue;
      }
      const auto one = static_cast<double>(values[i * columns_ + columns_ - 1]);
      if (columns_ == 1) {
        buffer[i] = logits ? sigma(one) : log_odds(one);
        continue;
      }
      const auto zero = static_cast<double>(values[i * columns_]);
      if (logits)
        buffer[i] = odds ? finite(one - zero) : sigma(one - zero);
      else
        // both columns: the log-odds of 1 - 1e-30 is in the other one
        buffer[i] = odds ? clamped(std::log(one) - std::log(zero)) : one;
    }
  });
  return std::span<const double>(buffer);
}

}  // namespace tare::inner::fit
