// What an estimator answers that exists in one norm only, when it is asked for another.
#pragma once

#include <string>
#include <string_view>

#include "tare/core/result.hpp"

namespace tare::inner::measure {

inline Error norm_refusal(std::string_view estimator, int only, int asked) {
  const std::string norm = std::to_string(only);
  return {.code = Errc::unsupported,
          .what = std::string(estimator) + " exists in norm " + norm + " only, not in norm " + std::to_string(asked),
          .remedy = "pass `norm` " + norm};
}

}  // namespace tare::inner::measure
