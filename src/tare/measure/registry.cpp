// The table of estimators, in the order of reports. To add one: write its file and its test, then its line here.
#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <vector>

#include "tare/core/suggest.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/measure/rank_poly/rank_poly.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

std::span<const Estimator> all() {
  static const std::array estimators{
      ece_ew_estimator,   ece_em_estimator,    debias_ew_estimator, debias_em_estimator, sweep_ew_estimator,
      sweep_em_estimator, rank_poly_estimator, rank_sign_estimator, lb_ew_estimator,     lb_em_estimator,
      mce_ew_estimator,   mce_em_estimator,    kde_estimator,       smece_estimator,     ks_estimator,
      corp_estimator,     brier_estimator,     nll_estimator,       accuracy_estimator,  confidence_estimator,
  };
  return estimators;
}

const Estimator* find(std::string_view name) {
  const auto estimators = all();
  const auto at = std::ranges::find(estimators, name, &Estimator::name);
  return at == estimators.end() ? nullptr : &*at;
}

const Estimator& with_role(bool Roles::*role) {
  const auto estimators = all();
  const auto at = std::ranges::find_if(estimators, [&](const Estimator& e) { return e.roles.*role; });
  assert(at != estimators.end());
  return *at;
}

Error unknown_estimator(std::string_view name) {
  std::vector<std::string> known;
  for (const Estimator& e : all()) known.emplace_back(e.name);
  return {.code = Errc::bad_option,
          .what = "there is no estimator '" + foreign(name) + "'",
          .remedy = did_you_mean(name, known, "`tare list` names them all")};
}

}  // namespace tare::detail::measure
