// Classes whose logit was -inf (masked_logit): whatever a map makes of the number that stands for it, their
// probability is 0.
#pragma once

#include <cstddef>
#include <span>

#include "tare/core/views.hpp"

namespace tare::inner::fit {

// Rows of `columns` numbers before and after a map.
void exclude_masked(const Reals& in, std::size_t columns, std::span<double> out);

}  // namespace tare::inner::fit
