// Files of one folder that appear together or not at all: they are written into a folder of their own inside it, and
// moved when all are there. What they replace comes back where one of them cannot be moved.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/write/whole_file.hpp"

namespace tare::detail::write {

class FileSet {
 public:
  static Result<FileSet> open(const std::string& folder);  // made where there is none
  FileSet(FileSet&& other) noexcept;
  FileSet& operator=(FileSet&&) = delete;
  ~FileSet();  // without finish() nothing has changed, and a folder that was made is gone

  Result<bool> add(const std::string& name, std::string_view bytes);
  Result<bool> finish();

 private:
  FileSet() = default;
  [[nodiscard]] std::string staged(std::size_t i) const { return staging_ + "/" + std::to_string(i); }
  [[nodiscard]] std::string replaced(std::size_t i) const { return staging_ + "/old-" + std::to_string(i); }
  [[nodiscard]] std::string target(std::size_t i) const { return folder_ + "/" + names_[i]; }
  Result<bool> look_at_targets();
  bool move_all();
  void move_back(std::size_t moved);
  void remove_staging() noexcept;

  std::string folder_, staging_;
  std::vector<std::string> made_;  // folders, the outermost first
  std::vector<std::string> names_;
  std::vector<bool> there_;        // which targets were there before
  std::vector<Unfinished> noted_;  // the folders and what is in them
};

}  // namespace tare::detail::write
