// The ten networks of Roelofs et al. 2022: Beta scores of Table 2, and of Table 3 the curve of least AIC.
#pragma once

#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

struct PublishedModel {
  std::string_view name;
  std::string_view title;
  double alpha = 1;
  double beta = 1;
  std::string_view curve;  // as parse_curve reads it
};

std::span<const PublishedModel> models();

// perfect: the same scores, and the identity as the curve.
Result<Truth> model(std::string_view name, bool perfect = false);

}  // namespace tare::detail::simulate
