// From file names to checked predictions: one fold, declared, never sniffed by value.
#pragma once

#include <string>

#include "tare/core/predictions.hpp"

namespace tare::read {

// Every string names a file, `file.npz:array`, `file.csv:column` (or 'file.csv:p_*' for several), or is empty.
struct Fold {
  std::string file = {};  // one .npz or .csv whose names say what they are
  std::string logits = {};
  std::string probs = {};
  std::string confidences = {};
  std::string correct = {};
  std::string predictions = {};
  std::string labels = {};
  std::string weights = {};
  std::string split = {};  // "test" or "val" for files that hold both; empty: test
};

Result<Predictions> fold(const Fold& names, int threads = 1);

}  // namespace tare::read
