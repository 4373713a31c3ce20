// Neighbouring groups of equal scores, taken together.
#pragma once

#include <cstddef>
#include <span>

#include "tare/numeric/order/order.hpp"

namespace tare::inner::numeric {

// One group for the groups cut[c] .. cut[c + 1] - 1 of the data, at the mean of their scores. cut ascends;
// groups before its first and from its last on are left out.
Ordered gather(const Ordered& data, std::span<const std::size_t> cut);

}  // namespace tare::inner::numeric
