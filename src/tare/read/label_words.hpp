// What a label means, by its own text and the classes alone: the same in every piece of a data set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tare/read/fold.hpp"

namespace tare::detail::read {

// 1 for yes, true, win and the like, 0 for their opposites; -1 for any other word. Of any case.
int truth_of(std::string_view word);

// "2", "2.0" and "+2" are 2; nothing for what is no whole number, or does not fit.
std::optional<std::int64_t> whole_number(std::string_view text);

enum class LabelForm { unknown, missing, number, name, truth };
struct LabelMeaning {
  LabelForm form = LabelForm::unknown;
  std::int64_t index = -1;
};

class LabelWords {
 public:
  // `names` of the classes and `columns` for them may be empty; `k` = 1: labels are 0 and 1.
  LabelWords(const std::vector<std::string>& names, const std::vector<std::string>& columns, std::size_t k,
             const Reading& reading);

  [[nodiscard]] LabelMeaning of(const std::string& word) const;
  // The same of a label that is a number. Nothing where the names of the classes are other numbers.
  [[nodiscard]] std::optional<std::int64_t> of(std::int64_t number) const;
  [[nodiscard]] bool is_positive(const std::string& word) const;  // the one that was asked for

 private:
  std::size_t k_;
  int first_label_;
  std::string positive_;
  std::unordered_map<std::string, std::int64_t> exact_, lower_;  // lower_: -1 where two classes differ in capitals only
  bool numbers_ = false, numbered_ = false;                      // the names are numbers; and not 0, 1, 2, ...
  std::unordered_map<std::int64_t, std::int64_t> by_number_;
};

// The names of the classes where they count 0, 1, 2, ...: they say nothing more than their places.
bool counts_from_zero(const std::vector<std::string>& names);

}  // namespace tare::detail::read
