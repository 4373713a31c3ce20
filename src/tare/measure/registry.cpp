// The table of estimators, in the order of reports. To add one: write its file and its test,
// then its line here.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tare/core/suggest.hpp"
#include "tare/measure/brier.hpp"
#include "tare/measure/corp.hpp"
#include "tare/measure/debias.hpp"
#include "tare/measure/ece.hpp"
#include "tare/measure/kde/kde.hpp"
#include "tare/measure/ks.hpp"
#include "tare/measure/lb.hpp"
#include "tare/measure/mce.hpp"
#include "tare/measure/means.hpp"
#include "tare/measure/nll.hpp"
#include "tare/measure/rank_poly/rank_poly.hpp"
#include "tare/measure/smece/smece.hpp"
#include "tare/measure/spec.hpp"
#include "tare/measure/sweep.hpp"

namespace tare::inner::measure {

std::span<const Row> all() {
  static constexpr std::array rows{
      ece_ew_row, ece_em_row, debias_ew_row, debias_em_row, sweep_ew_row,   sweep_em_row, rank_poly_row,
      lb_ew_row,  lb_em_row,  mce_ew_row,    mce_em_row,    kde_row,        smece_row,    ks_row,
      corp_row,   brier_row,  nll_row,       accuracy_row,  confidence_row,
  };
  return rows;
}

const Row* find(std::string_view name) {
  const auto rows = all();
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

Error unknown_estimator(std::string_view name) {
  std::vector<std::string> known;
  for (const Row& row : all()) known.emplace_back(row.name);
  return {.code = Errc::bad_option,
          .what = "there is no estimator '" + foreign(name) + "'",
          .remedy = did_you_mean(name, known, "`tare list` names them all")};
}

}  // namespace tare::inner::measure
