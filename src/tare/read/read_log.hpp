// What reading did to the rows, and what looks wrong about them: added up over all pieces and files of a data set, told
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::detail::read {

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

}  // namespace tare::detail::read
