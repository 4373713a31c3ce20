// exp of many numbers at once, by vector instructions, to about 1 ulp. A number's result does not depend on
// its place or its neighbours.
#pragma once

#include <span>

namespace tare::detail::numeric {

// x <- exp(x), for finite x <= 700.
void exp_all(std::span<double> x);

}  // namespace tare::detail::numeric
