// Small multiples: reliability diagrams without words of their own. They share the hatchings of the page around them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/results.hpp"

namespace tare::inner::render {

struct SmallPicture {
  std::string title;  // what a screen reader says
  std::string description;
  std::string_view patterns;  // begins the names of the page's hatchings
};

std::string small_reliability_svg(const std::vector<Bin>& bins, const SmallPicture& options);

}  // namespace tare::inner::render
