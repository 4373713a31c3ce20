#include "tare/core/result.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace tare::detail {
namespace {

// An entry of an array: of "values" it is a value.
std::string one_of(const std::string& array) {
  return array.ends_with('s') ? array.substr(0, array.size() - 1) : array;
}

std::string subject(const Error& error, const Spelling& spell) {
  const Place& place = error.place;
  if (!place.spelled.empty()) return place.spelled;
  if (!place.row) {
    const std::string option = spell ? spell(place.array) : "";
    return option.empty() ? place.array : option;
  }
  std::string out = place.array.empty() ? "" : (error.value.empty() ? place.array : one_of(place.array)) + " at ";
  out += "row " + std::to_string(*place.row);
  return place.column ? out + ", column " + std::to_string(*place.column) : out;
}

// Backquotes are doubled in text of others, single ones hold a name.
std::string written(std::string_view text, const Spelling& spell) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open + 1);
    if (text.starts_with('`')) {
      out += '`';
      text.remove_prefix(1);
      continue;
    }
    const std::size_t close = text.find('`');
    const std::string_view name = text.substr(0, close);
    const std::string option = spell && close != std::string_view::npos ? spell(name) : "";
    out += option.empty() ? '`' + std::string(name) : option;
    if (close == std::string_view::npos) break;
    if (option.empty()) out += '`';
    text.remove_prefix(close + 1);
  }
  return out;
}

template <class T>
std::string shortest(T x) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

}  // namespace

std::string sentence(const Error& error, const Spelling& spell) {
  const std::string where = subject(error, spell), what = written(error.what, spell);
  if (where.empty()) return what;
  return error.value.empty() ? where + ": " + what : where + " is " + error.value + ", " + what;
}

std::string advice(const Error& error, const Spelling& spell) { return written(error.remedy, spell); }

std::string foreign(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '`' ? "``" : std::string(1, c);
  return out;
}

std::string number_text(double x) { return shortest(x); }
std::string number_text(float x) { return shortest(x); }

}  // namespace tare::detail

namespace tare {
inline namespace v0_3 {

std::string message(const Error& error) {
  const std::string what = detail::sentence(error);
  return error.remedy.empty() ? what : what + "; " + detail::advice(error);
}

Failure::Failure(Error error) : std::runtime_error(message(error)), error_(std::move(error)) {}
Failure::Failure(const Failure&) = default;
Failure::~Failure() = default;

namespace support {

void raise(const Error& error) { throw Failure(error); }

Counted::~Counted() = default;

Handle::Handle(const Handle& other) noexcept : to_(other.to_) {
  if (to_ != nullptr) to_->owners_.fetch_add(1, std::memory_order_relaxed);
}

Handle::~Handle() {
  if (to_ != nullptr && to_->owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete to_;
}

void raise_no_error() { throw Failure({Errc::internal, "error() was asked of a Result that has a value"}); }

}  // namespace support

const char* version() noexcept { return TARE_VERSION; }

}  // namespace v0_3
}  // namespace tare
