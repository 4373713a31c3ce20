// From file names to checked predictions: one fold, declared, never sniffed by value.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tare/core/predictions.hpp"

namespace tare::inner::read {

// How the numbers are to be read, where they do not say it themselves.
struct Reading {
  std::string class_names = {};  // of the columns, in their order: with commas between, or a file with one per line
  std::string positive = {};     // the label that is class 1
  int first_label = 0;           // what the first class is called, in numbers
  bool percent = false;          // divide probabilities and confidences by 100
  bool renormalize = false;      // divide rows of probabilities by their sums, whatever these are
  std::string format = {};       // of files whose ending says nothing: "csv", "jsonl.gz"
  bool drop_missing = false;     // leave out rows with missing values, and count them
  bool operator==(const Reading&) const = default;
};

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
  std::string split = {};                // "test" or "val" for files that hold both; empty: test
  std::vector<std::string> groups = {};  // columns whose values are groups of rows
  int group_bins = 0;                    // so many groups of equal size of a column of numbers; 0: one per value
  Reading reading = {};
  bool operator==(const Fold&) const = default;
};

Result<Predictions> fold(const Fold& names, int threads = 1);

// The same in pieces, one after the other, for what is too large to be held: of about `bytes` of a table, else of
// `rows` rows. Ends with the first error of `each`, which it returns. A table whose labels are words comes in one
// piece.
struct Pieces {
  std::size_t rows = std::size_t{1} << 20;
  std::size_t bytes = std::size_t{1} << 26;
};
Result<void> fold_pieces(const Fold& names, const std::function<Result<void>(const Predictions&)>& each,
                         int threads = 1, const Pieces& pieces = {});

// About how many bytes of memory the whole of it takes to be read and measured.
Result<double> memory_needed(const Fold& names);

// Predictions without the truth, for applying a calibrator: their labels are all 0 and mean nothing.
Result<Predictions> unlabelled(const Fold& names, int threads = 1);

// Predictions with the truth where it is there, and with weights; `labelled` says whether it is.
struct PerhapsLabelled {
  Predictions predictions;
  bool labelled = true;
};
Result<PerhapsLabelled> perhaps_labelled(const Fold& names, int threads = 1);

// The files that these names mean, without what they name inside them. "-" is standard input.
std::vector<std::string> files(const Fold& names);

// Does the one file hold predictions named val_* or test_*?
bool has_split(const std::string& file, const std::string& split);

}  // namespace tare::inner::read
