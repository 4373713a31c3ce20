// Results for a person at a terminal: the answer first, then a picture of characters, then tables.
#pragma once

#include <string>

#include "tare/core/bias.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/model.hpp"
#include "tare/core/models.hpp"
#include "tare/core/survey.hpp"
#include "tare/core/test_report.hpp"
#include "tare/core/watch.hpp"

namespace tare::detail::render {

struct TextOptions {
  int width = 80;
  bool colour = false;  // nothing is said by colour alone
  bool all = false;     // every estimator and every difference, not only what people quote
};

// What the input is: source, n, K, kind and reduction, and an empty line.
std::string header(const InputInfo& input, const TextOptions& options = {});

// bias: what simulation says about the same data, as two more columns; null: nothing was simulated.
std::string text(const Survey& survey, const TextOptions& options = {}, const BiasReport* bias = nullptr);
std::string text(const Comparison& comparison, const TextOptions& options = {});
std::string text(const TestReport& report, const TextOptions& options = {});
std::string text(const ModelTable& models, const TextOptions& options = {});
std::string text(const ModelDescription& model, const TextOptions& options = {});
std::string text(const SimTable& table, const TextOptions& options);     // the bias under a truth with a name
std::string text(const BiasReport& report, const TextOptions& options);  // and under one fitted to the user's data
// The sentences, the groups with the strongest evidence (all of them with `all`), and what the columns mean.
std::string text(const GroupReport& report, const TextOptions& options = {});
// The answers, a line for each day, a picture of characters.
std::string text(const WatchReport& report, const TextOptions& options = {});

}  // namespace tare::detail::render
