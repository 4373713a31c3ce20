// A running watch: a reference and the days after it, one by one. What was said of a day stays as it is; a watch can be
// saved and goes on where it was (file.hpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/core/watch.hpp"

namespace tare::detail::watch {

class Directions;
struct Gathered;
struct Period;

inline constexpr std::size_t longest_name = 4096;  // bytes

class Watch {
 public:
  // Of a saved state; `name` is what it is called. An error where it is none, or says too little.
  static Result<Watch> make(std::string_view reference, std::string name, const WatchOptions& options = {});
  Watch(Watch&&) noexcept;
  Watch& operator=(Watch&&) noexcept;
  ~Watch();

  // The next day: a saved state. After an error nothing has changed.
  [[nodiscard]] Result<void> add(std::string_view day, std::string name);

  [[nodiscard]] const WatchReport& report() const { return report_; }
  [[nodiscard]] bool has(std::string_view name) const;  // a day of this name

  // What the file keeps.
  [[nodiscard]] const std::string& reference() const { return reference_; }
  [[nodiscard]] const std::vector<Gathered>& gathered() const;
  [[nodiscard]] const Directions& directions() const;
  // A day that was added once, as the file has it: the caller answers for it.
  void add_again(WatchDay said, const Gathered& seen);
  void set_exact(bool exact) { report_.exact = report_.exact && exact; }

 private:
  struct Running;  // all that changes from day to day
  Watch(Period reference, std::string bytes, const WatchOptions& options);

  std::string reference_;  // its saved state
  WatchReport report_;
  std::unique_ptr<Running> running_;
};

// A running watch as bytes: the settings, the state of the reference as it was given, and for each day what was said of
// it and its rows in the cells of the watch, from which evidence is worked out again. Whole numbers have the low byte
// first; a CRC of everything stands at the end. The reader believes nothing.

inline constexpr std::string_view magic = "TAREWTCH";  // what such a file begins with

std::string to_bytes(const Watch& watch);
// `source`: what to call the bytes where they are wrong.
Result<Watch> from_bytes(std::string_view bytes, const std::string& source);

}  // namespace tare::detail::watch
