// An unfinished study in a file: which parts are done and their sums, with the settings it belongs to. Written whole or
// not at all, so that a program killed at any moment leaves a file to go on from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/simulate/tally.hpp"

namespace tare::inner::simulate {

// What must agree for sums to belong together: names with values, for the message when one does not.
using Settings = std::vector<std::pair<std::string, std::string>>;

struct Checkpoint {
  std::vector<std::uint8_t> done = {};  // per part of the study
  std::vector<Tally> tallies = {};
};

Result<int> write_checkpoint(const std::string& path, const Settings& settings, const Checkpoint& checkpoint);

// False if there is no such file. An error if it is of another study, or is no checkpoint.
Result<bool> read_checkpoint(const std::string& path, const Settings& settings, Checkpoint& checkpoint);

}  // namespace tare::inner::simulate
