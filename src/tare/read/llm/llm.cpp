#include "tare/read/llm/llm.hpp"

#include <string_view>

#include "tare/read/json.hpp"

namespace tare::detail::read::llm {

std::optional<LogKind> recognised(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  const char* const end = text.data() + text.size();
  const char* at = skip_space(text.data(), end);
  if (at != end && *at == '[') ++at;
  std::optional<LogKind> out;
  bool doc_id = false, responses = false, custom_id = false, response = false, version = false, status = false;
  each_long_member(at, end, [&](const std::string& name, const char* value) -> const char* {
    const char next = *value;
    doc_id = doc_id || name == "doc_id";
    responses = responses || name == "filtered_resps";
    custom_id = custom_id || name == "custom_id";
    response = response || (name == "response" && (next == '{' || next == 'n'));
    version = version || (name == "version" && next != '"' && next != '{');
    status = status || (name == "status" && next == '"');
    if (doc_id && responses) out = LogKind::harness;
    if (custom_id && response) out = LogKind::batch;
    if (version && status && name == "eval" && next == '{') out = LogKind::inspect;
    return out ? nullptr : value_end(value, end);
  });
  return out;
}

Result<Records> open(LogKind kind, std::span<const std::byte> bytes, const std::string& file, const Reading& reading) {
  if (kind == LogKind::harness) return harness(bytes, file, reading);
  if (kind == LogKind::batch) return batch(bytes, file, reading);
  return inspect(bytes, false, file, reading);
}

}  // namespace tare::detail::read::llm
