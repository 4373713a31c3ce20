#include "tare/fit/parameters.hpp"

#include <cmath>

#include "tare/core/result.hpp"

namespace tare::detail::fit {
namespace {

Error out_of_range(const std::string& name, const std::string& place, double x) {
  return bad_parameter(
      name, "holds " + (std::isnan(x) ? std::string("NaN") : number_text(x)) + place + ", which is out of range");
}

}  // namespace

Error bad_parameter(const std::string& name, const std::string& what) {
  return {.code = Errc::bad_input,
          .what = "parameter '" + foreign(name) + "' " + foreign(what),
          .remedy = "the file is not a calibrator as tare saved it; fit it again"};
}

bool inside(double x, Bounds range) { return std::isfinite(x) && x >= range.low && x <= range.high; }

Result<double> number(const Model& model, const std::string& name, Bounds range) {
  const auto value = parameter<double>(model, name, "a number");
  if (!value) return value.error();
  if (!inside(**value, range)) return out_of_range(name, "", **value);
  return **value;
}

Result<std::string> word(const Model& model, const std::string& name) {
  const auto value = parameter<std::string>(model, name, "a text");
  if (!value) return value.error();
  return **value;
}

Result<std::vector<double>> list(const Model& model, const std::string& name, std::size_t size, Bounds range) {
  const auto value = parameter<std::vector<double>>(model, name, "a list of numbers");
  if (!value) return value.error();
  const std::vector<double>& numbers = **value;
  if (numbers.size() != size)
    return bad_parameter(name, "has " + std::to_string(numbers.size()) + " numbers, not " + std::to_string(size));
  for (std::size_t i = 0; i < size; ++i)
    if (!inside(numbers[i], range)) return out_of_range(name, " at position " + std::to_string(i), numbers[i]);
  return numbers;
}

Result<Lists> lists(const Model& model, const std::string& name, std::size_t count, Bounds range) {
  const auto value = parameter<Lists>(model, name, "a list of lists of numbers");
  if (!value) return value.error();
  const Lists& all = **value;
  if (all.size() != count)
    return bad_parameter(name, "has " + std::to_string(all.size()) + " lists, not " + std::to_string(count));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < all[i].size(); ++j)
      if (!inside(all[i][j], range))
        return out_of_range(name, " at position " + std::to_string(j) + " of list " + std::to_string(i), all[i][j]);
  return all;
}

}  // namespace tare::detail::fit
