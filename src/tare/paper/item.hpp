// A data file of paper/: what is computed, what was published, how it is shown, and by which rules its claims are
// decided.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/paper/frame.hpp"
#include "tare/paper/value.hpp"

namespace tare::detail::paper {

// Of a figure or table of a paper, recomputed: pictures, tables, and what became of each claim. Plain data, ready to
// show.

struct TextTable {
  std::string title = {};
  std::vector<std::string> head = {};
  std::vector<std::vector<std::string>> rows = {};
};

enum class ClaimVerdict { reproduced, in_direction, not_reproduced, not_evaluated };

constexpr std::string_view name(ClaimVerdict verdict) {
  constexpr std::string_view names[] = {"reproduced", "reproduced in direction", "not reproduced", "not evaluated"};
  return names[static_cast<std::size_t>(verdict)];
}

struct Claim {
  std::string id = {};
  std::string text = {};       // what the paper says
  std::string place = {};      // where it says so
  std::string rule = {};       // holds: reproduced
  std::string direction = {};  // holds instead: reproduced in direction; may be empty
  std::string found = {};      // our numbers, in words
  std::string why = {};        // what may explain a difference; shown where the claim is not reproduced
  ClaimVerdict verdict = ClaimVerdict::not_evaluated;
};

struct Picture {
  std::string file = {};  // beside the page, which holds it, too
  std::string caption = {};
  std::string published = {};  // what of it the paper prints, and where
  std::string svg = {};
  bool wide = false;  // several panels: on a phone it scrolls instead of shrinking
};

struct Exhibit {
  std::string name = {};
  std::string group = {};  // the paper, or what else it belongs to
  std::string title = {};
  std::string what = {};                  // what was computed
  std::vector<std::string> choices = {};  // what the paper leaves open, and what was taken
  std::string data = {};                  // the file with every number
  std::vector<Picture> pictures = {};
  std::vector<TextTable> tables = {};
  std::vector<Claim> claims = {};
  std::string problem = {};  // why there is nothing to show; else empty
};

struct Item {
  std::string name;   // of the file
  std::string group;  // roelofs, guo, beyond
  std::string title;
  double order = 0;
  Value file;   // all of it
  Value study;  // for a full run
  Value quick;  // for a quick one
};

// All data files of a folder, in order.
Result<std::vector<Item>> load_items(const std::string& folder);

// Items by name or group; none given: every group but "beyond".
Result<std::vector<const Item*>> chosen(const std::vector<Item>& items, const std::vector<std::string>& names);

// Published numbers put beside ours: rows that agree in the key columns get them, others are added with nothing of
// ours.
Result<Frame> with_published(Frame frame, const Item& item);

// Claims with their verdicts. A rule that cannot be evaluated is a verdict of its own, with the reason.
std::vector<Claim> judged(const Frame& frame, const Item& item);

Result<std::vector<TextTable>> tables(const Frame& frame, const Item& item);
Result<std::vector<Picture>> drawings(const Frame& frame, const Item& item);

}  // namespace tare::detail::paper
