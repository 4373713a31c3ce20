// Numbers as people write them, for text, pages and pictures. One rule for all: what is not finite is a word, never
// `inf` or `nan`, and what would have more than 15 digits before the point is written 1.234e+200.
#pragma once

#include <string>

namespace tare::detail::render {

std::string grouped(double whole);                 // 10000 -> "10,000"; a sum of weights keeps three decimals
std::string general(double x, int digits);         // as %g: "0.1234", "1.2e-07"
std::string visible(double x, int digits);         // "0.12"; what would look like 0 and is not keeps two: "2.9e-06"
std::string percent(double part, int digits = 2);  // 0.0475 -> "4.75"; visible
std::string signed_percent(double part, int digits = 1);  // "+4.2"; never "-0.0"
// "+0.1234"; never "-0.0000". exact: what would look like 0 is written "-2.9e-10".
std::string signed_number(double x, int digits, bool exact = false);
std::string fixed(double x, int digits);  // "0.1234"; never "-0.0000"

}  // namespace tare::detail::render
