// One line of EleutherAI's lm-evaluation-harness: the log-likelihood of each option of a question, and which is right.
// https://github.com/EleutherAI/lm-evaluation-harness (samples_TASK_DATE.jsonl, of versions since 0.4.0)
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/llm/json.hpp"

namespace tare::detail::read::llm {

struct HarnessLine {
  std::string id = {}, hash = {}, filter = {}, task = {}, subject = {}, category = {};
  std::vector<double> loglik = {};         // of each option, in their order
  std::vector<std::string> contexts = {};  // of each option, or none
  std::vector<std::string> options = {};   // the texts of the options without what separates them from the context
  std::optional<double> acc = {}, acc_norm = {};  // as the harness counted
  bool mutual = false;                            // unconditional log-likelihoods stood behind the conditional ones
  std::optional<std::size_t> by_index = {};       // the right option, if the target is its number
  std::optional<std::size_t> by_text = {};        // and if it is its text
  std::string target = {};                        // as it is written

  // The options are put into the context, and continue in the same way: of these no target says which is right.
  [[nodiscard]] bool options_are_contexts() const;
};

// What is wrong with it has no place yet.
Result<HarnessLine> harness_line(JsonDocument& line);

// The first of the largest.
std::size_t best(const std::vector<double>& values);

// Divided by the lengths of the options in letters, as acc_norm is.
Result<std::vector<double>> length_normalized(const HarnessLine& line);

}  // namespace tare::detail::read::llm
