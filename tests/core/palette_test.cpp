// The palette can be read: contrast to the ground (WCAG 2.1), and distances as people see them who lack one kind of
// cone (Viénot, Brettel and Mollon 1999), light and dark.
#include "tare/core/palette.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>

namespace {

using namespace tare::detail;

using Three = std::array<double, 3>;
using Matrix = std::array<Three, 3>;

Three times(const Matrix& m, const Three& v) {
  Three out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out[i] += m[i][j] * v[j];
  return out;
}

// Linear light of "#rgb" or "#rrggbb" (IEC 61966-2-1).
Three linear(std::string_view hex) {
  Three out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string digits = hex.size() == 4 ? std::string(2, hex[1 + i]) : std::string(hex.substr(1 + 2 * i, 2));
    const double v = std::stoi(digits, nullptr, 16) / 255.0;
    out[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  return out;
}

double luminance(std::string_view hex) {
  const Three rgb = linear(hex);
  return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

double contrast(std::string_view a, std::string_view b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

Three lab(const Three& rgb) {
  const Matrix to_xyz{{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
  const Three white{0.9505, 1, 1.089};
  Three f = times(to_xyz, rgb);
  for (std::size_t i = 0; i < 3; ++i) {
    f[i] /= white[i];
    f[i] = f[i] > 216.0 / 24389 ? std::cbrt(f[i]) : (24389.0 / 27 * f[i] + 16) / 116;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

// Full sight, no long cones, no medium cones; in linear light.
constexpr std::array<Matrix, 3> sights{{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                        {{{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}}},
                                        {{{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}}}}};

double distance(std::string_view a, std::string_view b, const Matrix& sight) {
  const Three x = lab(times(sight, linear(a))), y = lab(times(sight, linear(b)));
  return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

constexpr std::array hues{palette::blue, palette::vermilion, palette::green, palette::purple, palette::gold,
                          palette::sky,  palette::pink,      palette::ink,   palette::grey};

TEST(palette, of_black_and_white_has_the_known_contrast) {
  EXPECT_DOUBLE_EQ(contrast("#000", "#fff"), 21);
  EXPECT_NEAR(contrast("#777777", "#ffffff"), 4.48, 0.01);  // the example of WCAG's tools
}

TEST(palette, hues_stand_out_from_the_ground) {
  for (const Colour& hue : hues) {
    EXPECT_GE(contrast(hue.light, palette::ground.light), 3) << hue.light;
    EXPECT_GE(contrast(hue.dark, palette::ground.dark), 3) << hue.dark;
  }
  for (const Colour& colour : {palette::over, palette::under, palette::bracket, palette::before, palette::after}) {
    EXPECT_GE(contrast(colour.light, palette::ground.light), 3) << colour.light;
    EXPECT_GE(contrast(colour.dark, palette::ground.dark), 3) << colour.dark;
  }
}

TEST(palette, hues_are_told_apart_by_people_who_see_fewer_colours) {
  for (const Matrix& sight : sights)
    for (std::size_t i = 0; i < hues.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_GE(distance(hues[i].light, hues[j].light, sight), 10) << hues[i].light << ' ' << hues[j].light;
        EXPECT_GE(distance(hues[i].dark, hues[j].dark, sight), 10) << hues[i].dark << ' ' << hues[j].dark;
      }
}

TEST(palette, series_differ_without_colour) {
  std::set<std::pair<MarkShape, std::string_view>> seen;
  for (const Style& look : palette::series) EXPECT_TRUE(seen.insert({look.mark, look.dash}).second) << name(look.mark);
}

// A page replaces colours by what they are: one colour cannot become two.
TEST(palette, every_colour_has_one_dark_one) {
  for (const palette::Role& a : palette::roles)
    for (const palette::Role& b : palette::roles)
      EXPECT_TRUE(a.colour.light != b.colour.light || a.colour.dark == b.colour.dark) << a.name << ' ' << b.name;
  EXPECT_EQ(name(MarkShape::open_fall), "open_fall");
}

}  // namespace
