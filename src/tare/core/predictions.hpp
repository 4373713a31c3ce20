// Predictions: what was read, with whatever memory keeps it alive (a mapped file, a buffer).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/groups.hpp"
#include "tare/core/results.hpp"
#include "tare/core/views.hpp"

namespace tare::detail {

// Rows that were added up to cells, each a hit and a miss with a weight: what the cells do not say.
struct Summed {
  std::size_t rows = 0;
  bool weighted = false;
  Reduction reduction = Reduction::top_label;
  std::vector<BinaryView> classes = {};                  // classwise: one problem for each
  std::optional<Result<Estimate>> nll = {}, brier = {};  // of the full matrix
  std::string note = {};                                 // how far scores may have been moved; empty: not at all
};

// Rows that were reduced elsewhere, on a GPU: what only the full matrix could say of them.
struct MatrixScores {
  Result<Estimate> nll, brier;
};

struct Predictions {
  Kind kind = Kind::logits;
  std::size_t n = 0;
  std::size_t k = 0;  // classes; 0 if unknown (confidences without labels)

  // Exactly one of the two: the full matrix, or confidences with their hits. Neither where `summed` has classes.
  std::optional<MulticlassView> matrix;
  std::optional<BinaryView> confidences;

  std::string source;                    // for messages and reports: file names as given
  std::string used = {};                 // which columns or arrays play which part; empty: the caller named each
  std::vector<std::string> class_names;  // empty, or k names (CSV headers)
  std::vector<std::shared_ptr<const void>> owners;
  std::shared_ptr<const Summed> summed = {};        // null: n rows as they were given
  std::shared_ptr<const MatrixScores> scores = {};  // of confidences whose matrix is elsewhere
  std::vector<std::string> notes = {};              // what reading did to the numbers, and what looks wrong about them
  std::size_t dropped = 0;                          // rows with missing values, which are not among the n
  std::vector<Grouping> groupings = {};             // where groups were asked for
};

}  // namespace tare::detail
