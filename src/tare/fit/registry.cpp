// The table of calibrators, in the order of reports. To add one: write its file and its test, then its
// line here.
#include <algorithm>
#include <string>
#include <vector>

#include "tare/core/suggest.hpp"
#include "tare/fit/affine/dirichlet.hpp"
#include "tare/fit/affine/matrix.hpp"
#include "tare/fit/affine/vector.hpp"
#include "tare/fit/bbq.hpp"
#include "tare/fit/beta.hpp"
#include "tare/fit/ensemble_temperature.hpp"
#include "tare/fit/histogram.hpp"
#include "tare/fit/isotonic.hpp"
#include "tare/fit/platt.hpp"
#include "tare/fit/scaling_binning.hpp"
#include "tare/fit/spec.hpp"
#include "tare/fit/temperature.hpp"

namespace tare::inner::fit {

std::span<const Row> all() {
  static const std::vector<Row> rows{
      temperature_row, vector_row, matrix_row, dirichlet_row, ensemble_temperature_row, histogram_row,
      isotonic_row,    bbq_row,    platt_row,  beta_row,      scaling_binning_row,
  };
  return rows;
}

const Row* find(std::string_view name) {
  const auto rows = all();
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

Error unknown_method(std::string_view name) {
  std::vector<std::string> known;
  for (const Row& row : all()) known.emplace_back(row.name);
  return {.code = Errc::bad_option,
          .what = "there is no calibrator '" + foreign(name) + "'",
          .remedy = did_you_mean(name, known, "`tare list` names them all")};
}

}  // namespace tare::inner::fit
