// From the arrays of one fold, each with its role, to checked predictions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tare/core/groups.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/result.hpp"
#include "tare/read/array.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/fold.hpp"
#include "tare/read/roles.hpp"

namespace tare::detail::read {

// What reading did to the rows, and what looks wrong about them: added up over all pieces and files of a data set, told
// once.
struct ReadLog {
  std::size_t rows = 0, dropped = 0, elsewhere = 0;  // read; with missing values; of another part of the data

  // probabilities
  std::size_t rescaled = 0, clamped = 0;  // rows divided by their sums, numbers moved to 0 or 1
  double furthest = 0;                    // from 1, of those sums
  bool asked = false;                     // to divide
  double largest_log_sum = 0;             // of rows of log-probabilities, how far from 0

  // labels
  std::string number_label = {}, name_label = {};  // the first of each kind
  std::string class_one = {};                      // the word that is class 1
  std::string taken_for = {};                      // which column the first number means
  std::string positive = {};                       // what was asked for,
  bool positive_seen = false;                      // and whether it came
  std::vector<std::string> labels = {};            // some of them, for messages
  std::string predicted_number = {}, predicted_word = {}, true_number = {}, true_word = {};  // the first of each

  // what the rows look like, by a sample of them
  std::vector<double> predicted_count = {}, label_count = {};  // of each class
  double looked_at = 0, right = 0, confidence = 0;
  bool all_sum_to_one = true;  // logits
  bool logits = false, single = false, hits_only = false;
  std::size_t classes = 0;
};

// Sentences for people. Options are spelled `so`.
std::vector<std::string> notes_of(const ReadLog& log);

// What only all rows together can say: a label that never came, predictions in words beside labels in numbers.
Result<void> check_end(const ReadLog& log);

struct Parts {
  std::array<std::optional<Array>, role_count> arrays = {};
  std::vector<Array> groups = {};
  int group_bins = 0;
  std::vector<std::string> class_names = {};  // of the columns of logits or probs, where a table names them
  std::string source = {};
  Reading reading = {};
  bool labelled = true;  // false: the labels are stand-ins

  [[nodiscard]] const std::optional<Array>& operator[](Role r) const { return arrays[static_cast<std::size_t>(r)]; }
  std::optional<Array>& operator[](Role r) { return arrays[static_cast<std::size_t>(r)]; }
};

// Needs exactly one of logits, probs, log_probs and confidences; labels with the first three, and correct, or
// predictions and labels, with confidences, which log_probs may be, too. `log`: of a part of a data set, whose notes
// are told at its end; without it they are told here.
Result<Predictions> assemble(const Parts& parts, int threads = 1, ReadLog* log = nullptr);

// Rows with missing values, NaN or an empty cell, are left out of every array; how many they were.
Result<std::size_t> drop_missing(Parts& parts);
Error no_row_left(const std::string& source);                        // where no row is left
void keep_rows(Parts& parts, const std::vector<std::size_t>& rows);  // only these, of every array

// Labels as people write them (numbers counted from 0 or from 1, names of classes, yes and no, rows of zeros with one
// 1) as class indices of the rows of `m` (k = 1: labels are 0 and 1). `names` are those of its columns, or empty. What
// was decided on the way goes into `log`.
Result<Column<std::int32_t>> class_indices(const Parts& parts, const std::vector<std::string>& names, const Matrix& m,
                                           int threads, ReadLog& log);

// Hit = the predicted class is the label.
Result<Column<std::uint8_t>> equal_labels(const Array& predictions, const Array& labels, int threads, ReadLog& log);

// "cat,dog", or the lines of a file.
Result<std::vector<std::string>> given_class_names(const std::string& text);

// What reading does to the numbers themselves: percentages, logits of -inf, rows that were rounded, and one class
// against the rest. Each repair is a function of its row alone, so that no split of the data changes it.

// What was asked for: percentages, rows divided by their sums; and -inf among logits. Copied only where something has
// to change.
Result<Matrix> repaired(Matrix m, const Array& from, Kind kind, const Reading& reading, ReadLog& log);

// Probabilities that the views refuse, where rounding explains it: numbers outside [0, 1] by at most 1e-5, and rows
// whose sums are further from 1 than `tolerance`, but no further than their decimals explain.
Matrix unrounded(const Matrix& m, const Array& from, double tolerance, ReadLog& log);

// exp of log-probabilities; of at most 1e-5 above 0.
Result<Array> exponentials(const Array& from);
// Rows of log-probabilities are logits: the softmax gives the probabilities back.
Result<void> check_log_probs(const Array& from, ReadLog& log);

// The probability or the log-odds of one class against all others: n numbers.
Matrix one_class(const Matrix& m, Kind kind, std::size_t column);

template <class T>
double row_sum(std::span<const T> row) {
  double sum = 0;
  for (const T p : row) sum += static_cast<double>(p);
  return sum;
}

// The groups that a column puts rows into: one for each different value, or ranges of numbers.
// `bins`: so many ranges of numbers, with about as many rows each; 0, and for words: one group per value. Rows without
// a value are a group of their own. Groups are in the order of their values, whatever that of the rows.
Result<Grouping> grouping(const Array& column, std::size_t rows, int bins);

// Rows of several files, one after the other.
// Of one kind and one number of classes, or it is an error that names the file. One stays as it is.
Result<Predictions> concatenated(std::vector<Predictions> parts);

// The columns of groups of each part, as groupings of all rows.
Result<void> add_groups(Predictions& all, const std::vector<std::vector<Array>>& columns, int bins);

}  // namespace tare::detail::read
