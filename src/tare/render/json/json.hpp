// Results as one JSON object: stable keys, unrounded numbers, null with a reason where there is no number. It ends with
// a newline.
#pragma once

#include <string>

#include "tare/core/bias.hpp"
#include "tare/core/catalogue.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/models.hpp"
#include "tare/core/survey.hpp"
#include "tare/core/test_report.hpp"
#include "tare/core/watch.hpp"

namespace tare::detail::render {

// bias: its numbers beside each estimate; null: nothing was simulated, and there are no such keys.
std::string json(const Survey& survey, const BiasReport* bias = nullptr);
std::string json(const Comparison& comparison);
std::string json(const TestReport& report);
std::string json(const ModelTable& models);
std::string json(const SimTable& table);     // the bias under a truth with a name
std::string json(const BiasReport& report);  // and under one fitted to the user's data
std::string json(const WatchReport& report);
std::string json(const Catalogue& catalogue);

}  // namespace tare::detail::render
