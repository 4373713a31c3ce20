// Several models in one table: each is tested on its own, and where all hold the same rows their differences are
// judged on these.
#pragma once

#include <vector>

#include "tare/analysis/survey.hpp"
#include "tare/core/models.hpp"

namespace tare::detail::analysis {

Result<ModelTable> compare_models(const std::vector<Predictions>& models, const SurveyOptions& options);

}  // namespace tare::detail::analysis
