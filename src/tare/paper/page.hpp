// The two papers, recomputed: one page without network, and Markdown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tare/paper/exhibit.hpp"

namespace tare::detail::paper {

struct Page {
  bool quick = false;
  std::uint64_t seed = 1;
  std::vector<Exhibit> exhibits = {};
};

extern const std::string_view page_style;  // page.css

std::string html(const Page& page);
std::string claims_markdown(const Page& page);  // every claim and what became of it
std::string markdown(const Exhibit& exhibit);   // its tables

}  // namespace tare::detail::paper
