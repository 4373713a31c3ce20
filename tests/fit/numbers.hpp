// What a model holds, as one list.
#pragma once

#include <variant>
#include <vector>

#include "tare/core/model.hpp"

namespace tare::detail::testing {

// All numbers of a model, one after another.
inline std::vector<double> numbers(const Model& model) {
  std::vector<double> out;
  for (const auto& [key, value] : model.parameters) {
    if (const auto* x = std::get_if<double>(&value)) out.push_back(*x);
    if (const auto* x = std::get_if<std::vector<double>>(&value)) out.insert(out.end(), x->begin(), x->end());
    if (const auto* x = std::get_if<std::vector<std::vector<double>>>(&value))
      for (const auto& y : *x) out.insert(out.end(), y.begin(), y.end());
  }
  return out;
}

}  // namespace tare::detail::testing
