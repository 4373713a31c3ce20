// The table of calibrators, in the order of reports. To add one: write its file and its test, then its
// line here.
#include <algorithm>
#include <string>
#include <vector>

#include "tare/core/suggest.hpp"
#include "tare/fit/affine/affine.hpp"
#include "tare/fit/bbq.hpp"
#include "tare/fit/beta.hpp"
#include "tare/fit/ensemble_temperature.hpp"
#include "tare/fit/histogram.hpp"
#include "tare/fit/isotonic.hpp"
#include "tare/fit/platt.hpp"
#include "tare/fit/prior_shift.hpp"
#include "tare/fit/scaling_binning.hpp"
#include "tare/fit/spec.hpp"
#include "tare/fit/temperature.hpp"

namespace tare::detail::fit {

std::span<const Calibrator> all() {
  static const std::vector<Calibrator> rows{
      temperature_calibrator,
      vector_calibrator,
      matrix_calibrator,
      dirichlet_calibrator,
      ensemble_temperature_calibrator,
      histogram_calibrator,
      isotonic_calibrator,
      bbq_calibrator,
      platt_calibrator,
      beta_calibrator,
      scaling_binning_calibrator,
      prior_shift_calibrator,
  };
  return rows;
}

const Calibrator& identity() { return identity_calibrator; }

const Calibrator* find(std::string_view name) {
  const auto rows = all();
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Calibrator& r) { return r.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

Error unknown_method(std::string_view name) {
  std::vector<std::string> known;
  for (const Calibrator& row : all()) known.emplace_back(row.name);
  return {.code = Errc::bad_option,
          .what = "there is no calibrator '" + foreign(name) + "'",
          .remedy = did_you_mean(name, known, "`tare list` names them all")};
}

}  // namespace tare::detail::fit
