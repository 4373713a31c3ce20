#include "tare/read/word_column.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace tare::detail::read {
namespace {

// "7" and "10", but not "07".
std::optional<std::size_t> small_count(std::string_view word) {
  if (word.empty() || word.size() > 3 || (word.size() > 1 && word[0] == '0')) return std::nullopt;
  std::size_t out = 0;
  for (const char c : word) {
    if (c < '0' || c > '9') return std::nullopt;
    out = 10 * out + static_cast<std::size_t>(c - '0');
  }
  return out;
}

}  // namespace

std::int32_t WordColumn::code(std::string_view word) {
  const auto count = small_count(word);
  if (count && small_[*count] >= 0) return small_[*count];
  auto at = code_of_.find(word);
  if (at == code_of_.end()) {
    at = code_of_.emplace(std::string(word), static_cast<std::int32_t>(words_.size())).first;
    words_.emplace_back(word);
  }
  if (count) small_[*count] = at->second;
  return at->second;
}

Array WordColumn::put_into(Array array) && {
  struct Kept {
    std::vector<std::int32_t> codes;
    std::vector<std::string> words;
  };
  const auto kept = std::make_shared<const Kept>(Kept{std::move(codes_), std::move(words_)});
  array.dtype = DType::word;
  array.swapped = false;
  array.width = 0;
  array.data = reinterpret_cast<const std::byte*>(kept->codes.data());
  array.words = std::shared_ptr<const std::vector<std::string>>(kept, &kept->words);
  array.owner = kept;
  return array;
}

}  // namespace tare::detail::read
