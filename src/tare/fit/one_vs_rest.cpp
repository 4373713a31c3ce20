#include "tare/fit/one_vs_rest.hpp"

namespace tare::inner::fit {

Reals rows_of(const Reals& values, std::size_t columns, std::size_t first, std::size_t count) {
  return values.visit([&](auto v) { return Reals(v.subspan(first * columns, count * columns)); });
}

}  // namespace tare::inner::fit
