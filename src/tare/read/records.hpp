// A file that was turned into named arrays as a whole: the logs of programs that evaluate language models (read/llm).
#pragma once

#include <string>
#include <vector>

#include "tare/read/array.hpp"

namespace tare::inner::read {

struct Records {
  std::vector<std::string> names = {};
  std::vector<Array> arrays = {};       // one per name, of as many rows
  std::vector<std::string> notes = {};  // what was decided on the way
  std::string format = {};              // "lm-evaluation-harness", "Inspect", "batch"
  std::string where_labels_are = {};    // the remedy where labels are wanted and not there
};

}  // namespace tare::inner::read
