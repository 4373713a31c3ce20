// A period, a day or the reference: the cells of its state in ascending order, as plain numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/core/result.hpp"
#include "tare/state/state.hpp"

namespace tare::detail::watch {

struct Period {
  std::vector<double> score = {};  // mean of the cell
  std::vector<double> rows = {};
  std::vector<double> hits = {};
  bool exact = true;  // no cell has several scores
  std::optional<Reduction> reduction = {};

  [[nodiscard]] std::size_t size() const { return score.size(); }
  [[nodiscard]] double all_rows() const;
  [[nodiscard]] double all_hits() const;
  [[nodiscard]] double mean_score() const;
};

// An error where there are no rows, or weights that are not whole. Whole weights count rows.
Result<Period> period_of(const state::State& state);
// Of a saved state. `source`: what to call it where something is wrong with it.
Result<Period> period_of(std::string_view bytes, const std::string& source);

}  // namespace tare::detail::watch
