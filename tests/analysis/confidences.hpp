// Rows as a person hands them in: a confidence each, and whether it was right.
#pragma once

#include "support/data.hpp"
#include "tare/core/predictions.hpp"

namespace tare::detail::testing {

inline Predictions confidences(const Rows& rows) {
  Predictions out;
  out.kind = Kind::confidences;
  out.n = rows.score.size();
  out.confidences = rows.view();
  return out;
}

}  // namespace tare::detail::testing
