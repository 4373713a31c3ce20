// A column of texts as it is gathered: each word once, and its number in each row.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tare/read/array.hpp"

namespace tare::detail::read {

class WordColumn {
 public:
  WordColumn() { small_.fill(-1); }

  std::int32_t code(std::string_view word);  // of this word, which may be new
  void add(std::string_view word) { codes_.push_back(code(word)); }
  void add_code(std::int32_t code) { codes_.push_back(code); }
  void add_missing() { codes_.push_back(-1); }
  void fill_to(std::size_t rows) { codes_.resize(rows, -1); }  // with missing ones
  void reserve(std::size_t rows) { codes_.reserve(rows); }

  [[nodiscard]] std::size_t size() const { return codes_.size(); }
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

  // The same array, of as many items, with these words for its contents.
  [[nodiscard]] Array put_into(Array array) &&;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<std::int32_t> codes_;
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> code_of_;
  std::array<std::int32_t, 1000> small_;  // the codes of 0 to 999, most labels of most tables; -1: new
};

}  // namespace tare::detail::read
