// The saved form of a calibrator: one JSON object, no code. Files of every released format keep loading; a change that
// an older reader would misread gets a new number. Format 2 is format 1 with the rates of zeros.hpp, which tare 0.1.0
// would not apply; a model without them is still written as format 1.
//
//   {"tare": "0.1.0", "format": 1, "method": ..., "k": 10, "columns": 10, "input": "logits" | "probs" | "confidences",
//    "parameters": {name: number | text | list of numbers | list of lists}, "fit": {...}, "provenance": {name: text}}
//
// Laid out by hand, one line per list; numbers and texts are written by the library.
#include <cmath>
#include <nlohmann/json.hpp>

#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::fit {
namespace {

using nlohmann::json;

// Only single numbers and words are given to the library that writes them: its lists need memory even to be destroyed,
// and the program would end where there is none.

// In the shortest form that reads back as the same double.
std::string text(double x) { return json(x).dump(); }

std::string in_quotes(std::string_view words) {
  return json(words).dump(-1, ' ', false, json::error_handler_t::replace);
}
std::string text(const std::string& words) { return in_quotes(words); }

std::string text(const std::vector<double>& numbers) {
  std::string out = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) out += (i ? "," : "") + text(numbers[i]);
  return out + "]";
}

std::string text(const std::vector<std::vector<double>>& lists) {  // one line per list
  std::string out = "[";
  for (std::size_t i = 0; i < lists.size(); ++i) out += (i ? ",\n      " : "") + text(lists[i]);
  return out + "]";
}

std::string text(const Parameter& parameter) {
  return std::visit([](const auto& value) { return text(value); }, parameter);
}

std::string number_or_null(const std::optional<double>& x) { return x && std::isfinite(*x) ? text(*x) : "null"; }

}  // namespace

std::string to_json(const Model& model) {
  std::string out = "{\n  \"tare\": \"" TARE_VERSION "\",\n  \"format\": " +
                    std::to_string(model.parameters.contains("certain_rate") ? 2 : 1);
  out += ",\n  \"method\": " + in_quotes(model.method);
  out += ",\n  \"k\": " + std::to_string(model.k) + ",\n  \"columns\": " + std::to_string(model.columns);
  out += ",\n  \"input\": " + in_quotes(name(model.input));
  out += ",\n  \"parameters\": {";
  const char* separator = "\n    ";
  for (const auto& [key, value] : model.parameters) {
    out += separator + in_quotes(key) + ": " + text(value);
    separator = ",\n    ";
  }
  const FitReport& fit = model.fit;
  out += "\n  },\n  \"fit\": {\n    \"status\": " + in_quotes(name(fit.status));
  out += ",\n    \"iterations\": " + std::to_string(fit.iterations);
  out += ",\n    \"gradient\": " + number_or_null(fit.gradient);
  out += ",\n    \"nll_before\": " + number_or_null(fit.nll_before);
  out += ",\n    \"nll_after\": " + number_or_null(fit.nll_after);
  out += ",\n    \"note\": " + in_quotes(fit.note) + "\n  }";
  if (model.provenance.empty()) return out + "\n}\n";
  out += ",\n  \"provenance\": {";
  separator = "\n    ";
  for (const auto& [key, value] : model.provenance) {
    out += separator + in_quotes(key) + ": " + in_quotes(value);
    separator = ",\n    ";
  }
  return out + "\n  }\n}\n";
}

}  // namespace tare::detail::fit
