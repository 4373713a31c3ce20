// Rows that tests of monitoring draw: those of tests/golden/watch_reference.py, bit for bit.
#pragma once

#include <string>

#include "support/data.hpp"
#include "support/drawn.hpp"
#include "tare/state/file.hpp"
#include "tare/watch/directions.hpp"

namespace tare::detail::testing {

// Hits with probability bend s^2 + (1 - bend) s + lift.
inline Rows watch_rows(const std::string& kind, std::size_t n, std::uint64_t seed, double bend = 0, double lift = 0) {
  SplitMix rng(seed);
  Rows out;
  for (std::size_t i = 0; i < n; ++i) {
    double u = rng.uniform();
    if (kind == "low") u = u * u;
    if (kind == "high") u = 1 - u * u;
    if (kind == "middle") u = (u + rng.uniform()) / 2;
    if (kind.starts_with("tied")) {
      const double steps = std::stod(kind.substr(4));
      u = std::floor(u * (steps + 1)) / steps;
    }
    out.score.push_back(u);
    out.label.push_back(rng.uniform() < bend * (u * u) + (1 - bend) * u + lift);
  }
  return out;
}

inline state::State state_of_rows(const Rows& rows) {
  state::State out = must(state::State::make());
  EXPECT_TRUE(rows.score.empty() || out.add(rows.view()));
  return out;
}

// A saved state.
inline std::string state_bytes(const Rows& rows, Reduction reduction = Reduction::top_label) {
  const state::Source source{.rows = rows.score.size(), .classes = 2, .reduction = reduction};
  return must(state::to_bytes(state::Running(source, {state_of_rows(rows)}, {})));
}

inline watch::Period period_of_rows(const Rows& rows) { return must(watch::period_of(state_of_rows(rows))); }

}  // namespace tare::detail::testing
