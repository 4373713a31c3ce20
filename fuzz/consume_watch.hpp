// What the fuzzer of running watches does with bytes: reads them as they are, and with a CRC that is right. What is
// accepted must survive another trip, and be a watch that works.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tare/state/file.hpp"
#include "tare/watch/watch.hpp"

namespace tare::detail::fuzz {

inline void watch_as_it_is(std::string_view bytes) {
  auto read = watch::from_bytes(bytes, "fuzzed");
  if (!read) return;
  for (const WatchDay& day : read->report().days)
    if (!std::isfinite(day.evidence) || !std::isfinite(day.detector) || !std::isfinite(day.reference_evidence))
      std::abort();
  if (!watch::from_bytes(watch::to_bytes(*read), "again")) std::abort();
  if (const auto done = read->add(read->reference(), "one more day"); done && read->report().days.empty()) std::abort();
}

inline void watch(std::string_view bytes) {
  watch_as_it_is(bytes);
  if (bytes.size() < 4) return;
  std::string mended(bytes.substr(0, bytes.size() - 4));
  state::seal(mended);
  watch_as_it_is(mended);
}

}  // namespace tare::detail::fuzz
