#include "tare/core/palette.hpp"

namespace tare::detail {
namespace palette {
namespace {

struct Known {
  std::string_view estimator;
  Style look;
};

// One hue for each family; bins of equal width have a full mark and a whole line, those of equal mass an open and a
// dashed one. No two share both mark and dash.
constexpr Known known_looks[] = {
    {"ece_ew", {blue, MarkShape::disc, solid}},          {"ece_em", {blue, MarkShape::ring, dashed}},
    {"debias_ew", {green, MarkShape::triangle, solid}},  {"debias_em", {green, MarkShape::open_triangle, dashed}},
    {"sweep_ew", {vermilion, MarkShape::square, solid}}, {"sweep_em", {vermilion, MarkShape::open_square, dashed}},
    {"rank_poly", {ink, MarkShape::diamond, solid}},     {"rank_sign", {ink, MarkShape::open_diamond, dashed}},
    {"lb_ew", {sky, MarkShape::cross, solid}},           {"lb_em", {sky, MarkShape::plus, dashed}},
    {"mce_ew", {gold, MarkShape::fall, solid}},          {"mce_em", {gold, MarkShape::open_fall, dashed}},
    {"kde", {pink, MarkShape::disc, dash_dot}},          {"kde_unrooted", {pink, MarkShape::plus, dotted}},
    {"smece", {pink, MarkShape::ring, dotted}},          {"ks", {pink, MarkShape::cross, dotted}},
    {"corp", {purple, MarkShape::square, dash_dot}},  // as its curve in a diagram
    {"brier", {grey, MarkShape::diamond, dash_dot}},     {"nll", {grey, MarkShape::open_square, dotted}},
    {"accuracy", {grey, MarkShape::disc, dotted}},       {"confidence", {grey, MarkShape::ring, dash_dot}},
};

}  // namespace
}  // namespace palette

const Style* find_style(std::string_view estimator) {
  for (const auto& known : palette::known_looks)
    if (known.estimator == estimator) return &known.look;
  return nullptr;
}

const Style& style_of_estimator(std::string_view estimator) {
  static constexpr Style other{};
  const Style* known = find_style(estimator);
  return known ? *known : other;
}

}  // namespace tare::detail
