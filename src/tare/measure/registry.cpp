// The table of estimators, in the order of reports. To add one: write its file and its test,
// then its line here.
#include <algorithm>
#include <array>

#include "tare/measure/ece.hpp"
#include "tare/measure/spec.hpp"

namespace tare::measure {

std::span<const Row> all() {
  static constexpr std::array rows{
      ece_ew_row,
      ece_em_row,
  };
  return rows;
}

const Row* find(std::string_view name) {
  const auto rows = all();
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

}  // namespace tare::measure
