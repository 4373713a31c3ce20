// What is said about groups of rows, in the terminal, on the page and in the JSON.
#pragma once

#include <string>
#include <vector>

#include "tare/core/groups.hpp"

namespace tare::inner::render {

// What a page or a terminal has room for: the strongest evidence, then the largest of the others, by their rows.
// left_out() says how many are not among them and where they are; empty: all are shown.
std::vector<const GroupLine*> shown_groups(const GroupReport& report, std::size_t strongest, std::size_t largest);
std::string left_out(const GroupReport& report, std::size_t strongest, std::size_t largest);

std::string group_name(const GroupReport& report, const GroupLine& line);  // "FR"; of several columns "country = FR"
std::string gap_words(const GroupReport& report);                          // what a gap is, here
std::string exact_p(double log_p);                                         // "0.0421", "3.2e-08", "< 1e-300"
// The answer first: which groups are off, or that none was found and what that means.
std::vector<std::string> group_sentences(const GroupReport& report);
// What the columns mean; `whole`: all of them are shown.
std::vector<std::string> group_notes(const GroupReport& report, bool whole = true);

}  // namespace tare::inner::render
