// The two papers, recomputed: one page without network, and Markdown.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tare/core/exhibit.hpp"

namespace tare::inner::render {

struct PaperPage {
  bool quick = false;
  std::uint64_t seed = 1;
  std::vector<Exhibit> exhibits = {};
};

std::string html(const PaperPage& page);
std::string claims_markdown(const PaperPage& page);  // every claim and what became of it
std::string markdown(const Exhibit& exhibit);        // its tables

}  // namespace tare::inner::render
