#include "tare/read/jsonl.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "tare/read/json_text.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {

Result<Jsonl> Jsonl::open(std::span<const std::byte> bytes, const std::string& name,
                          std::shared_ptr<const void> owner) {
  Jsonl out;
  out.name_ = name;
  out.owner_ = std::move(owner);
  out.body_ = reinterpret_cast<const char*>(bytes.data());
  out.end_ = out.body_ + bytes.size();
  if (std::string_view(out.body_, bytes.size()).starts_with("\xef\xbb\xbf")) out.body_ += 3;
  while (out.end_ != out.body_ && std::string_view(" \t\r\n").find(out.end_[-1]) != std::string_view::npos) --out.end_;
  JsonText in{out.body_, out.end_};
  out.array_ = in.take('[');
  const Error wrong{.code = Errc::bad_input,
                    .what = in.done() ? "the file is empty" : "does not begin with a JSON object",
                    .place = file_place(name),
                    .remedy = "write one object per line: {\"label\": 2, \"probs\": [0.2, 0.3, 0.5]}"};
  if (!in.take('{')) return wrong;
  do {
    std::string key;
    if (!in.text(key) || !in.take(':') || !in.skip_value()) return wrong;
    if (std::find(out.names_.begin(), out.names_.end(), key) != out.names_.end()) return wrong;
    out.names_.push_back(std::move(key));
  } while (in.take(','));
  if (!in.take('}')) return wrong;
  return out;
}

Jsonl Jsonl::take_front(std::size_t bytes) {
  const char* at = array_ ? end_ : body_ + std::min(std::max<std::size_t>(bytes, 1), this->bytes());
  while (at != end_ && at != body_ && at[-1] != '\n') ++at;
  Jsonl out = *this;
  out.end_ = at;
  body_line_ += static_cast<std::size_t>(std::count(body_, at, '\n'));
  body_ = at;
  return out;
}

}  // namespace tare::inner::read
