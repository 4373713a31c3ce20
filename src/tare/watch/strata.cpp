#include "tare/watch/strata.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tare::inner::watch {
namespace {

constexpr double least_rows = 8;

Side side(const Period& period, std::size_t i) {
  return {period.rows[i], period.hits[i], period.score[i] * period.rows[i]};
}

// One for each score of either period.
std::vector<Stratum> by_score(const Period& before, const Period& today) {
  std::vector<Stratum> out;
  for (std::size_t i = 0, j = 0; i < before.size() || j < today.size();) {
    const bool first = j == today.size() || (i < before.size() && before.score[i] <= today.score[j]);
    const bool second = i == before.size() || (j < today.size() && today.score[j] <= before.score[i]);
    Stratum stratum;
    if (first) stratum.before = side(before, i++);
    if (second) stratum.today = side(today, j++);
    out.push_back(stratum);
  }
  return out;
}

std::vector<Stratum> of_equal_mass(const std::vector<Stratum>& scores, double rows_today) {
  const double parts = std::clamp(std::floor(rows_today / least_rows), 1.0, static_cast<double>(most_strata));
  std::vector<Stratum> out;
  double before = 0, last = -1;
  for (const Stratum& score : scores) {
    const double middle = before + score.today.rows - 0.5 * score.today.rows;
    before += score.today.rows;
    const double part = std::min(std::floor(middle * parts / rows_today), parts - 1);
    if (std::exchange(last, part) != part) out.emplace_back();
    out.back().join(score);
  }
  return out;
}

bool is_full(const Stratum& stratum) { return stratum.before.rows >= least_rows && stratum.today.rows >= least_rows; }

std::vector<Stratum> joined(const std::vector<Stratum>& parts) {
  std::vector<Stratum> out{parts.front()};
  for (std::size_t j = 1; j < parts.size(); ++j) {
    if (is_full(out.back())) out.emplace_back();
    out.back().join(parts[j]);
  }
  if (out.size() > 1 && !is_full(out.back())) {
    const Stratum rest = out.back();
    out.pop_back();
    out.back().join(rest);
  }
  return out;
}

}  // namespace

void Stratum::join(const Stratum& other) {
  const auto add = [](Side& to, const Side& more) {
    to.rows += more.rows;
    to.hits += more.hits;
    to.score += more.score;
  };
  add(before, other.before);
  add(today, other.today);
}

std::vector<Stratum> strata(const Period& before, const Period& today) {
  auto out = by_score(before, today);
  return out.size() <= most_strata ? out : joined(of_equal_mass(out, today.all_rows()));
}

}  // namespace tare::inner::watch
