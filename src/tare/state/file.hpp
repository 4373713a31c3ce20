// A state as bytes, the same on every machine: a header with the low byte first, then columns of numbers of variable
// length, deflated, then a CRC of all that. The reader believes nothing: what it is given may come from anywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tare/core/predictions.hpp"
#include "tare/state/state.hpp"

namespace tare::inner::state {

// What the rows were.
struct Source {
  std::uint64_t rows = 0;
  std::uint64_t classes = 0;                // 0: not known yet
  std::optional<Reduction> reduction = {};  // top_label or positive; empty: not known yet
};

struct Saved {
  Source source;
  State state;
};

Result<std::string> to_bytes(const State& state, const Source& source);
Result<Saved> from_bytes(std::string_view bytes);

}  // namespace tare::inner::state
