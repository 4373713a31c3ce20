// The normal distribution.
#pragma once

namespace tare::inner::numeric {

// The 97.5% quantile of the standard normal distribution: a 95% interval reaches so many standard errors to each side.
inline constexpr double z95 = 1.959963984540054;

}  // namespace tare::inner::numeric
