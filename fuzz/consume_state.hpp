// What the fuzzer of states and the replay of its corpus do with bytes: read them as they are, and with a CRC that is
// right. What is accepted must survive another trip.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include "tare/state/file.hpp"
#include "tare/state/sample.hpp"

namespace tare::detail::fuzz {

inline bool state_as_it_is(std::string_view bytes) {
  const auto read = state::from_bytes(bytes);
  if (!read) return false;
  const auto again = state::to_bytes(*read);
  if (!again) return true;
  const auto back = state::from_bytes(*again);
  if (!back || !(*back == *read)) std::abort();
  static_cast<void>(state::predictions_of(*read, "a state"));
  return true;
}

// True if the file was acceptable.
inline bool state(std::string_view bytes) {
  const bool accepted = state_as_it_is(bytes);
  if (bytes.size() < 4) return accepted;
  std::string mended(bytes.substr(0, bytes.size() - 4));
  state::seal(mended);
  static_cast<void>(state_as_it_is(mended));
  return accepted;
}

}  // namespace tare::detail::fuzz
