// A running watch: a reference and the days after it, one by one. What was said of a day stays as it is; a watch can be
// saved and goes on where it was (file.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/watch.hpp"
#include "tare/watch/against_reference.hpp"
#include "tare/watch/bets.hpp"
#include "tare/watch/period.hpp"

namespace tare::inner::watch {

inline constexpr std::size_t longest_name = 4096;  // bytes

class Watch {
 public:
  // Of a saved state; `name` is what it is called. An error where it is none, or says too little.
  static Result<Watch> make(std::string_view reference, std::string name, const WatchOptions& options = {});

  // The next day: a saved state. After an error nothing has changed.
  [[nodiscard]] Result<void> add(std::string_view day, std::string name);

  [[nodiscard]] const WatchReport& report() const { return report_; }
  [[nodiscard]] bool has(std::string_view name) const;  // a day of this name

  // What the file keeps.
  [[nodiscard]] const std::string& reference() const { return reference_bytes_; }
  [[nodiscard]] const std::vector<Gathered>& gathered() const { return gathered_; }
  [[nodiscard]] const Directions& directions() const { return directions_; }
  // A day that was added once, as the file has it: the caller answers for it.
  void add_again(WatchDay said, const Gathered& seen);
  void set_exact(bool exact) { report_.exact = report_.exact && exact; }

 private:
  Watch(Period reference, std::string bytes, const WatchOptions& options);
  void settle(const Gathered& seen);

  Period reference_;
  std::string reference_bytes_;
  Directions directions_;
  Bets bets_;
  AgainstReference against_;
  Past past_;
  WatchReport report_;
  std::vector<Gathered> gathered_;
};

}  // namespace tare::inner::watch
