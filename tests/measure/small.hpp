// What the tests of several estimators share: a small matrix, and the parts of an estimate by name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "tare/core/results.hpp"

namespace tare::detail::testing {

inline MulticlassView matrix(Kind kind, const std::vector<double>& values, std::size_t k,
                             const std::vector<std::int32_t>& label, const std::vector<double>& weight = {}) {
  return must(multiclass_view(kind, std::span<const double>(values), k, label, weight));
}

// Six rows of three classes.
inline const std::vector<double> six_logits{2, 0.5, -1, 0.1, 0.2, 0.3, -1, 3, 0, 0, 0, 0, 1.5, 1, -2, -0.5, 0.25, 2};
inline const std::vector<std::int32_t> six_labels{0, 2, 1, 1, 1, 2};

inline std::map<std::string, double> parts(const Estimate& e) {
  std::map<std::string, double> out;
  for (const auto& p : e.parts) out[p.name] = p.value;
  return out;
}

}  // namespace tare::detail::testing
