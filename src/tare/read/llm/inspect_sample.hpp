// One sample of a log of Inspect: how sure the model was of its answer, and whether the scorer called it right.
// https://inspect.aisi.org.uk/eval-logs.html
#pragma once

#include <optional>

#include "tare/core/result.hpp"
#include "tare/read/fold.hpp"
#include "tare/read/llm/json.hpp"

namespace tare::detail::read::llm {

// The members of a sample that are used; the messages and events, which are most of it, are skipped.
bool parse_sample(JsonDocument& sample, Json& out);

struct InspectRow {
  double confidence = 0;
  double correct = 0;
  bool no_answer = false;       // the score is N
  bool token_alone = false;     // there were no other tokens to compare the answer's with
  bool missing_option = false;  // an option is not among the likely tokens
};

// What is wrong with it has no place yet. Where rows may be left out it is `absent`.
struct SampleFault {
  Error error = {};
  bool absent = false;
};
std::optional<SampleFault> inspect_row(const Json& sample, const Reading& reading, InspectRow& out);

}  // namespace tare::detail::read::llm
