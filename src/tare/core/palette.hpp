// Colours, marks and dashes of every picture of the project: drawn by render/svg, handed to Python by its module. Which
// of them an estimator has stands in style.cpp; nothing else names a colour. Plain data.
//
// Hues are chosen after Okabe and Ito: at least 3:1 against the ground, light and dark, and told apart by people who
// see fewer colours (tests/core/palette_test.cpp computes it). Marks and dashes differ as well.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tare::detail {

struct Colour {
  std::string_view light = {};  // on white, and on paper; SVG says it in its attributes
  std::string_view dark = {};   // instead of it where the page around the picture is dark
  friend constexpr bool operator==(const Colour&, const Colour&) = default;
};

namespace palette {

// Lines and marks of series.
inline constexpr Colour blue{"#0072b2", "#4a9bea"}, vermilion{"#d55e00", "#f5813f"}, green{"#009e73", "#3fcf9f"},
    purple{"#7b3294", "#d3a6f7"}, gold{"#6b5000", "#f5e08c"}, sky{"#4497d0", "#a8dcff"}, pink{"#d0609f", "#ff8fc4"},
    ink{"#222", "#e4e8ec"}, grey{"#6b6b6b", "#8f99a3"};

// What is the same in every picture.
inline constexpr Colour ground{"#fff", "#14181d"}, grid{"#ddd", "#39424c"}, dim{"#555", "#a3aeb9"};
inline constexpr Colour bar{"#6f9bc8", "#41719f"}, count{"#999", "#6b7682"};
inline constexpr Colour over{"#b22222", "#ff9b92"}, under{"#1f4e79", "#8fbbe6"}, under_ground{"#dbe9f6", "#22384d"};
inline constexpr Colour found = over, better = under, worse = over;
inline constexpr Colour diagonal = ink, curve = under, isotonic = purple, bracket{"#b35900", "#ffb05c"};
inline constexpr Colour band{"#c5d7ea", "#2d4a66"};    // of a curve: where the true one may lie
inline constexpr Colour chance{"#d2d2d2", "#4a545e"};  // what a calibrated model shows
inline constexpr Colour before = grey, after = under;
inline constexpr Colour empty{"#f4f4f4", "#1c2229"};  // a cell without a number

struct Role {
  std::string_view name;
  Colour colour;
};
inline constexpr std::array roles{
    Role{"ink", ink},     Role{"ground", ground},     Role{"grid", grid},         Role{"dim", dim},
    Role{"bar", bar},     Role{"count", count},       Role{"over", over},         Role{"under", under},
    Role{"found", found}, Role{"better", better},     Role{"worse", worse},       Role{"under_ground", under_ground},
    Role{"curve", curve}, Role{"diagonal", diagonal}, Role{"isotonic", isotonic}, Role{"bracket", bracket},
    Role{"band", band},   Role{"chance", chance},     Role{"before", before},     Role{"after", after},
    Role{"empty", empty},
};

}  // namespace palette

enum class MarkShape {
  disc,
  ring,
  square,
  open_square,
  triangle,
  open_triangle,
  diamond,
  open_diamond,
  cross,
  plus,
  fall,  // a triangle that stands on its tip
  open_fall
};
inline constexpr std::array<std::string_view, 12> mark_names{"disc",     "ring",          "square",  "open_square",
                                                             "triangle", "open_triangle", "diamond", "open_diamond",
                                                             "cross",    "plus",          "fall",    "open_fall"};
constexpr std::string_view name(MarkShape shape) { return mark_names[static_cast<std::size_t>(shape)]; }

namespace palette {

inline constexpr std::string_view solid = "", dashed = "6 3", dotted = "2 2", dash_dot = "9 3 2 3";

}  // namespace palette

// How a line and its marks look.
struct Style {
  Colour colour = palette::grey;
  MarkShape mark = MarkShape::disc;
  std::string_view dash = palette::solid;
};

namespace palette {

// Series that are no estimators (models, calibrators, truths), in the order of a legend.
inline constexpr std::array series{
    Style{blue, MarkShape::disc, solid},       Style{vermilion, MarkShape::open_square, dash_dot},
    Style{green, MarkShape::triangle, dashed}, Style{purple, MarkShape::ring, solid},
    Style{gold, MarkShape::cross, dotted},     Style{sky, MarkShape::open_diamond, dash_dot},
    Style{pink, MarkShape::square, dashed},    Style{ink, MarkShape::open_triangle, dotted},
};
constexpr const Style& series_style(std::size_t i) { return series[i % series.size()]; }

}  // namespace palette

// The one map from estimators to what they look like in pictures, whoever draws them (style.cpp).
// Null: it is no estimator, or one that nobody gave a look.
const Style* find_style(std::string_view estimator);

// The same; grey for a name that is not in the map.
const Style& style_of_estimator(std::string_view estimator);

}  // namespace tare::detail
