// What programs that evaluate language models write, as arrays: EleutherAI's lm-evaluation-harness, Inspect, and the
// batch results of OpenAI's interface, which vLLM writes, too.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "tare/core/result.hpp"
#include "tare/read/array.hpp"
#include "tare/read/fold.hpp"

namespace tare::detail::read::llm {

enum class LogKind { harness, inspect, batch };

// By the members of the first object of JSON, or JSON lines; nothing where it is another table.
std::optional<LogKind> recognised(std::span<const std::byte> bytes);

// logits (log-likelihoods of the options), labels, task, filter, subject, category, doc_id.
Result<Records> harness(std::span<const std::byte> bytes, const std::string& file, const Reading& reading);

// confidences, correct, task, model, id, epoch, subject, metadata.NAME. `zip`: an .eval file, else .json.
Result<Records> inspect(std::span<const std::byte> bytes, bool zip, const std::string& file, const Reading& reading);

// probs of the options, labels where answers are given, id, model.
Result<Records> batch(std::span<const std::byte> bytes, const std::string& file, const Reading& reading);

Result<Records> open(LogKind kind, std::span<const std::byte> bytes, const std::string& file, const Reading& reading);

}  // namespace tare::detail::read::llm
