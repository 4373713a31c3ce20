#include "tare/watch/directions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tare/state/file.hpp"
#include "tare/state/sample.hpp"

namespace tare::detail::watch {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;

constexpr int information_steps = 48, row_steps = 24;
constexpr std::array<double, Past::memories> half_lives{10, 60, HUGE_VAL};

// The broken line through (x, y) at a place, constant beyond its ends.
double line_at(const std::vector<double>& x, const std::vector<double>& y, double place) {
  const auto above = std::ranges::upper_bound(x, place);
  if (above == x.begin()) return y.front();
  if (above == x.end()) return y.back();
  const auto i = static_cast<std::size_t>(above - x.begin());
  return y[i - 1] + (place - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1]);
}

// (sum before + half of the own) / sum of all
std::vector<double> middles(const std::vector<double>& amount) {
  std::vector<double> out;
  double sum = 0;
  for (const double a : amount) {
    sum += a;
    out.push_back(sum - 0.5 * a);
  }
  for (double& m : out) m /= sum;
  return out;
}

std::vector<double> edges_of(const Period& reference, const std::vector<double>& information) {
  const auto rank = middles(reference.rows);
  std::vector<double> out{tail_width, 1 - tail_width};
  for (int k = 1; k < information_steps; ++k)
    out.push_back(line_at(information, reference.score, static_cast<double>(k) / information_steps));
  for (int k = 1; k < row_steps; ++k) out.push_back(line_at(rank, reference.score, static_cast<double>(k) / row_steps));
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

ArrayXd Gathered::mean() const { return (rows > 0).select(score / rows.max(1e-9), 0.5); }

Gathered& Gathered::operator+=(const Gathered& day) {
  rows += day.rows;
  hits += day.hits;
  score += day.score;
  return *this;
}

void Gathered::fade(double factor) {
  rows *= factor;
  hits *= factor;
  score *= factor;
}

Directions::Directions(const Period& reference) {
  std::vector<double> variance;
  for (std::size_t i = 0; i < reference.size(); ++i)
    variance.push_back(reference.rows[i] * reference.score[i] * (1 - reference.score[i]));
  const auto information = middles(variance);
  edge_ = edges_of(reference, information);

  const Gathered seen = gather(reference);
  centre_ = seen.mean();
  for (Index c = 0; c < cells(); ++c) {
    if (seen.rows[c] > 0) continue;
    const auto [low, high] = ends(c);
    centre_[c] = (low + high) / 2;
  }
  ArrayXd time(cells());
  for (Index c = 0; c < cells(); ++c) time[c] = 2 * line_at(reference.score, information, centre_[c]) - 1;

  curve_.resize(curve_terms, cells());
  ArrayXd before = ArrayXd::Zero(cells()), here = ArrayXd::Ones(cells());
  for (Index k = 0; k < polynomials; ++k) {  // Bonnet's recursion
    const double d = static_cast<double>(k);
    curve_.row(k) = std::sqrt(2 * d + 1) * here.matrix().transpose();
    const ArrayXd next = ((2 * d + 1) * time * here - d * before) / (d + 1);
    before = here;
    here = next;
  }
  curve_.row(polynomials) = (centre_ > 1 - tail_width).cast<double>().matrix().transpose();
  curve_.row(polynomials + 1) = (centre_ < tail_width).cast<double>().matrix().transpose();
  directions_.resize(family, cells());
  directions_.topRows(family - 2) = curve_.topRows(family - 2);
  directions_.bottomRows(2) = curve_.bottomRows(2);
}

std::pair<double, double> Directions::ends(Index cell) const {
  const auto at = static_cast<std::size_t>(cell);
  return {at == 0 ? 0 : edge_[at - 1], at == edge_.size() ? 1 : edge_[at]};
}

Gathered Directions::gather(const Period& period) const {
  Gathered out(cells());
  for (std::size_t i = 0; i < period.size(); ++i) {
    const Index c = std::ranges::lower_bound(edge_, period.score[i]) - edge_.begin();
    out.rows[c] += period.rows[i];
    out.hits[c] += period.hits[i];
    out.score[c] += period.score[i] * period.rows[i];
  }
  return out;
}

void Past::add(const Gathered& day) {
  for (std::size_t i = 0; i < memories; ++i) {
    fading_[i].fade(std::exp2(-1 / half_lives[i]));
    fading_[i] += day;
  }
}

double Period::all_rows() const { return std::accumulate(rows.begin(), rows.end(), 0.0); }
double Period::all_hits() const { return std::accumulate(hits.begin(), hits.end(), 0.0); }
double Period::mean_score() const {
  return std::inner_product(score.begin(), score.end(), rows.begin(), 0.0) / all_rows();
}

Result<Period> period_of(const state::State& state) {
  if (state.empty())
    return Error{.code = Errc::bad_input, .what = "the state has no rows", .remedy = "leave it out, or add its rows"};
  const state::Grouped grouped = state::grouped(state.body(), state.shape());
  const numeric::Ordered& cells = grouped.ordered;
  if (cells.unit() != 1)
    return Error{.code = Errc::unsupported,
                 .what = "the state has weights that are not whole: monitoring counts rows",
                 .remedy = "make the state without weights, or with whole ones"};
  Period out{.exact = grouped.exact};
  for (std::size_t g = 0; g < cells.groups(); ++g) {
    out.score.push_back(cells.score(g));
    out.rows.push_back(static_cast<double>(cells.mass(g)));
    out.hits.push_back(static_cast<double>(cells.hits(g)));
  }
  return out;
}

Result<Period> period_of(std::string_view bytes, const std::string& source) {
  const auto at = [&](Error error) {
    error.place = {.array = source};
    return error;
  };
  const auto saved = state::from_bytes(bytes);
  if (!saved) return at(saved.error());
  if (saved->parts().size() != 1)
    return at({.code = Errc::unsupported,
               .what = "the state is classwise: a watch follows one question",
               .remedy = "make it with the reduction top_label or positive"});
  auto out = period_of(saved->parts().front());
  if (!out) return at(out.error());
  out->reduction = saved->source().reduction;
  return out;
}

}  // namespace tare::detail::watch
