// The right answers of a second file, by the ids of the questions.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "tare/core/result.hpp"
#include "tare/read/fold.hpp"

namespace tare::detail::read::llm {

class Answers {
 public:
  // Of reading.answers: a table FILE, or FILE:COLUMN, with a column of ids (reading.id, else custom_id or id).
  static Result<Answers> open(const Reading& reading);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::size_t size() const { return label_of_.size(); }
  // Null where there is none. Says whom nobody asked for.
  const std::string* take(const std::string& id);
  [[nodiscard]] std::size_t left() const { return label_of_.size() - taken_; }
  [[nodiscard]] std::string one_left() const;

 private:
  struct Label {
    std::string text = {};
    bool taken = false;
  };
  [[nodiscard]] std::string key_of(const std::string& id) const;

  std::string file_;
  bool numbers_ = false;  // the ids are written as numbers: 7 is 007
  std::size_t taken_ = 0;
  std::unordered_map<std::string, Label> label_of_;
};

}  // namespace tare::detail::read::llm
