#include "tare/read/llm/lines.hpp"

#include <algorithm>
#include <string_view>

namespace tare::inner::read::llm {

Place line_place(const std::string& file, std::size_t line) {
  return {.array = file, .spelled = file + ": line " + std::to_string(line)};
}

JsonText text_of(std::span<const std::byte> bytes) {
  const char* const start = reinterpret_cast<const char*>(bytes.data());
  const bool mark = std::string_view(start, bytes.size()).starts_with("\xef\xbb\xbf");
  return {start + (mark ? 3 : 0), start + bytes.size()};
}

Result<void> each_object(std::span<const std::byte> bytes, const std::string& file, const std::string& remedy,
                         const std::function<Result<void>(JsonText& in, std::size_t line)>& each) {
  JsonText in = text_of(bytes);
  const char* counted = in.at;
  std::size_t line = 1;
  const auto here = [&] {
    in.skip_space();
    line += static_cast<std::size_t>(std::count(counted, in.at, '\n'));
    counted = in.at;
    return line;
  };
  const auto wrong = [&](const std::string& what) {
    return Error{.code = Errc::bad_input, .what = what, .place = line_place(file, here()), .remedy = remedy};
  };
  const bool array = in.take('[');
  while (!in.done() && in.peek() != ']') {
    const std::size_t at = here();
    if (in.peek() != '{') return wrong("is not a JSON object");
    if (const auto done = each(in, at); !done) return done;
    if (array && !in.take(',')) break;
  }
  if (array && !in.take(']')) return wrong("ends before its array does");
  if (!in.done()) return wrong("something follows the objects");
  return {};
}

}  // namespace tare::inner::read::llm
