// Predictions: what was read, with whatever memory keeps it alive (a mapped file, a buffer).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/views.hpp"

namespace tare::inner {

struct Predictions {
  Kind kind = Kind::logits;
  std::size_t n = 0;
  std::size_t k = 0;  // classes; 0 if unknown (confidences without labels)

  // Exactly one of the two: the full matrix, or confidences with their hits.
  std::optional<MulticlassView> matrix;
  std::optional<BinaryView> confidences;

  std::string source;                    // for messages and reports: file names as given
  std::vector<std::string> class_names;  // empty, or k names (CSV headers)
  std::vector<std::shared_ptr<const void>> owners;
};

}  // namespace tare::inner
