// The one map from estimators to what they look like in pictures, whoever draws them: SVG, the page, the figures of
// the papers, Python.
#pragma once

#include <string_view>

#include "tare/core/palette.hpp"

namespace tare::detail {

// Null: it is no estimator, or one that nobody gave a look.
const Style* find_style(std::string_view estimator);

// The same; grey for a name that is not in the map.
const Style& style_of_estimator(std::string_view estimator);

}  // namespace tare::detail
