#include "tare/render/json.hpp"

#include "tare/core/version.hpp"
#include "tare/render/json_parts.hpp"

namespace tare::render {

// One estimate per line: a person can read it, and `grep` and `diff` can too.
std::string json(const Survey& survey) {
  std::string out = "{\"tare\": " + dump(TARE_VERSION) + ", \"command\": \"measure\",\n\"input\": " + dump(to_json(survey.input)) +
                    ",\n\"seed\": " + dump(survey.seed) + ", \"resamples\": " + dump(survey.resamples) +
                    ",\n\"estimates\": [";
  const char* separator = "\n";
  for (const Measured& m : survey.measured) {
    out += separator + dump(to_json(m, survey.class_names));
    separator = ",\n";
  }
  return out + "\n]}\n";
}

}  // namespace tare::render
