// Four predictions by hand: mean confidence 0.75, accuracy 0.5, one bin, so the error is 0.25. Then every header
// that was installed must be usable, and the program's own path from file to report.
#include <tare/answer/survey.hpp>
#include <tare/measure/ece.hpp>
#include <tare/read/fold.hpp>
#include <tare/render/json/json.hpp>
#include <tare/render/text/text.hpp>
#include <tare/version.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const std::vector<double> score{0.75, 0.75, 0.75, 0.75};
  const std::vector<std::uint8_t> label{1, 0, 1, 0};
  const auto view = tare::inner::binary_view(std::span<const double>(score), label);
  if (!view) return 1;
  const auto error = tare::inner::measure::ece_ew(tare::inner::measure::Sample(*view), {.bins = 1, .norm = 1});
  if (!error || std::abs(error->value - 0.25) > 1e-15) return 2;

  if (argc < 2) return 0;
  const auto predictions = tare::inner::read::fold({.file = argv[1]});
  if (!predictions) return std::puts(tare::message(predictions.error()).c_str()), 3;
  const auto survey = tare::inner::answer::survey(*predictions, {.resample = false});
  if (!survey) return std::puts(tare::message(survey.error()).c_str()), 4;
  std::printf("tare %s\n%s", TARE_VERSION, tare::inner::render::text(*survey).c_str());
  return tare::inner::render::json(*survey).empty() ? 5 : 0;
}
