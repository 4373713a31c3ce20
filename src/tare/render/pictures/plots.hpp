// The kinds of `tare plot` that are about one question each: for each result its numbers as CSV and JSON, its table in
// the terminal, its picture. Nothing is computed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/plots.hpp"
#include "tare/core/result.hpp"
#include "tare/render/pictures/picture.hpp"
#include "tare/render/table/table.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::render {

// What every JSON of a plot begins with.
Json plot_json(const char* kind, const InputInfo& input);

// Accuracy among the most confident share of the rows, with the interval of each share, and what the model claims.
ColumnTable table(const std::vector<RejectionPoint>& points);
std::string csv(const RejectionCurve& curve);
std::string json(const RejectionCurve& curve);
std::string text(const RejectionCurve& curve, const TextOptions& options);
Result<Picture> picture(const RejectionCurve& curve);

// The smallest error that the test finds, against the number of rows.
ColumnTable table(const std::vector<DetectablePoint>& points);
std::string csv(const DetectableCurve& curve);
std::string json(const DetectableCurve& curve);
std::string text(const DetectableCurve& curve, const TextOptions& options);
Result<Picture> picture(const DetectableCurve& curve);

// Binned errors against the number of bins and against the number of rows, each over its chance level.
ColumnTable table(const BinChoice& choice);
std::string csv(const BinChoice& choice);
std::string json(const BinChoice& choice);
std::string text(const BinChoice& choice, const TextOptions& options);
Result<Picture> picture(const BinChoice& choice);

// What a calibrator makes of every score, over the hit rates of the data.
ColumnTable table(const CalibratorMap& map);
std::string csv(const CalibratorMap& map);
std::string json(const CalibratorMap& map);
std::string text(const CalibratorMap& map, const TextOptions& options);
Result<Picture> picture(const CalibratorMap& map);

// Calibration curves of several models; their pictures are in svg/curves_svg.cpp.
ColumnTable table(const std::vector<NamedCurve>& curves);
std::string csv(const std::vector<NamedCurve>& curves);
std::string json(const std::vector<NamedCurve>& curves);
std::string text(const std::vector<NamedCurve>& curves, const TextOptions& options);

template <class Found>
Result<std::string> svg(const Found& found, bool heading = true) {
  const auto drawn = picture(found);
  if (!drawn) return drawn.error();
  return svg(*drawn, heading);
}

}  // namespace tare::detail::render
