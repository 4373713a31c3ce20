// Why there is no error by polynomials in rank: what rank_poly and rank_sign cannot be asked.
#pragma once

#include <optional>
#include <string>

#include "tare/measure/norm_refusal.hpp"
#include "tare/measure/sample.hpp"
#include "tare/measure/spec.hpp"

namespace tare::inner::measure {

// A row is predicted from the others.
inline std::optional<Error> without_others(const Estimator& estimator, const Sample& sample) {
  if (sample.ordered().weight() > 1) return std::nullopt;
  return Error{.code = Errc::undefined,
               .what = std::string(estimator.name) + " predicts a row from the others, and there are none",
               .remedy = "more than one row is needed"};
}

// The same, and each exists in one norm.
inline std::optional<Error> rank_refusal(const Estimator& estimator, const Sample& sample, const Options& options) {
  if (has_norm(estimator, options.norm)) return without_others(estimator, sample);
  return norm_refusal(estimator.name, usual_norm(estimator), options.norm);
}

}  // namespace tare::inner::measure
