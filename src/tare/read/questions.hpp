// Where a file can be read in two ways, or its names say nothing: what to type. Every way is tried on the file before
// it is shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tare/read/pick.hpp"

namespace tare::detail::read {

// One way to read a file: the fold that says it, and what it would mean.
struct Way {
  Fold fold;
  std::string means = {};
  std::string against = {};  // what the rows say against it
};

// The ways that work, as options to type, with "or" between: "`probs` 'score' `labels` 'y' (score is ...)". Empty:
// none.
std::string ways_to_type(const Fold& base, const std::vector<Way>& ways, const std::string& file, LabelRule rule,
                         Files& files);

// Ways that names and first rows suggest, the likeliest first.
std::vector<Way> suggested_ways(const Fold& base, const Source& source);

// Two readings: a single column of probabilities beside one of predictions (the probability of class 1, or the
// confidence of the prediction?), and a label that may be a prediction beside one that is the truth. Nothing where the
// user said it, or where there is one reading.
std::optional<Error> question_about(const Fold& names, const Picks& picks, LabelRule rule, Files& files);

}  // namespace tare::detail::read
