// What a user says about predictions in files: which, and how they are to be read. Declared, never guessed by value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tare/read/roles.hpp"

namespace tare::detail::read {

// How the numbers are to be read, where they do not say it themselves.
struct Reading {
  std::string class_names = {};  // of the columns, in their order: with commas between, or a file with one per line
  std::string positive = {};     // the label that is class 1
  int first_label = 0;           // what the first class is called, in numbers
  bool percent = false;          // divide probabilities and confidences by 100
  bool renormalize = false;      // divide rows of probabilities by their sums, whatever these are
  std::string format = {};       // of files whose ending says nothing: "csv", "jsonl.gz"
  bool drop_missing = false;     // leave out rows with missing values, and count them
  bool no_header = false;        // the first line of a table is data
  std::string delimiter = {};    // of tables: one character, "tab" or "space"; empty: as the first line has it
  std::vector<std::string> names = {};  // of the columns, each as it is; instead of class_names
  // Of what programs that evaluate language models write (read/llm):
  std::vector<std::string> options = {};  // what the model may answer: A, B, C, D
  std::string answers = {};               // a table of right answers, FILE or FILE:COLUMN
  std::string id = {};                    // its column of ids
  std::string filter = {};                // of several filters of a document
  std::string scorer = {};                // of several scores of a sample
  std::string confidence_from = {};       // the path of a number in a sample: "metadata.confidence"
  bool length_normalized = false;         // divide log-likelihoods by the lengths of the options
  bool operator==(const Reading&) const = default;
};

// Every string names a file, `file.npz:array`, `file.csv:column` (or 'file.csv:p_*' for several), or is empty.
struct Fold {
  std::vector<std::string> files = {};  // .npz, .csv, ...: their names say what they hold. Several are one data set
  std::string logits = {};
  std::string probs = {};
  std::string log_probs = {};
  std::string confidences = {};
  std::string correct = {};
  std::string predictions = {};
  std::string labels = {};
  std::string weights = {};
  std::string split = {};                // "test" or "val" for files that hold both; empty: test
  std::vector<std::string> groups = {};  // columns whose values are groups of rows
  int group_bins = 0;                    // so many groups of equal size of a column of numbers; 0: one per value
  Reading reading = {};
  std::map<Role, std::vector<std::string>> members = {};  // arrays or columns of `file` by role, never taken for files
  bool operator==(const Fold&) const = default;
};

// What the predictions are to be compared with: it must be there, is taken where it is, or is not wanted.
enum class LabelRule { needed, optional, unwanted };

}  // namespace tare::detail::read
