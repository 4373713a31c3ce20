// What is told about the members that were picked: which they are, whose they are, how much memory they take.
#pragma once

#include <string>
#include <vector>

#include "tare/read/pick.hpp"

namespace tare::inner::read {

// "scores: column y_prob · labels: column y_true · weights: none"
std::string used_of(const Picks& picks);

// "net.npz (test)", or "z.npy" and "y.npy"
std::vector<std::string> names_of_sources(const Picks& picks);

// "z.npy, y.npy"; only `some` of many: "1.csv, 2.csv, 3.csv and 54 more"
std::string told(const std::vector<std::string>& names, bool some);

// About how much memory the rows take to be read and measured.
double bytes_of(const Picks& picks);

}  // namespace tare::inner::read
