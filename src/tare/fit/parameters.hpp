// Reading the parameters of a saved calibrator: each is there, of the right type and size, finite and
// in range, or the error names it.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "tare/core/model.hpp"
#include "tare/core/result.hpp"

namespace tare::detail::fit {

using Lists = std::vector<std::vector<double>>;

struct Bounds {
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
};

Error bad_parameter(const std::string& name, const std::string& what);

template <class T>
Result<const T*> parameter(const Model& model, const std::string& name, const char* type) {
  const auto at = model.parameters.find(name);
  if (at == model.parameters.end()) return bad_parameter(name, "is missing");
  const T* value = std::get_if<T>(&at->second);
  if (!value) return bad_parameter(name, std::string("is not ") + type);
  return value;
}

bool inside(double x, Bounds range);
Result<double> number(const Model& model, const std::string& name, Bounds range = {});
Result<std::string> word(const Model& model, const std::string& name);

// `size` numbers, in range.
Result<std::vector<double>> list(const Model& model, const std::string& name, std::size_t size, Bounds range = {});

// `count` lists of any lengths, all numbers in range.
Result<Lists> lists(const Model& model, const std::string& name, std::size_t count, Bounds range = {});

}  // namespace tare::detail::fit
