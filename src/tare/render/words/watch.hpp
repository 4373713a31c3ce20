// What is said about a watch: three questions, answered apart.
#pragma once

#include <string>
#include <vector>

#include "tare/core/watch.hpp"

namespace tare::inner::render {

// One sentence for each question: is calibration lost, of late, compared with the reference; has the curve moved, have
// only the scores drifted. The first says whether there is an alarm at all.
std::vector<std::string> watch_sentences(const WatchReport& report);

// What moved on a day: the curve, or the scores only; empty on a calm day.
std::string day_words(const WatchReport& report, const WatchDay& day);

// What is assumed, and what the numbers are.
std::vector<std::string> watch_notes(const WatchReport& report);

}  // namespace tare::inner::render
