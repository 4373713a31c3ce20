// A data file of paper/: what is computed, what was published, how it is shown, and by which rules its claims are
// decided.
#pragma once

#include <string>
#include <vector>

#include "tare/paper/exhibit.hpp"
#include "tare/paper/frame.hpp"
#include "tare/paper/value.hpp"

namespace tare::detail::paper {

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

struct Drawing {
  std::string file;  // without folder
  std::string caption;
  std::string published;
  std::string svg;
  bool wide = false;  // several panels
};
Result<std::vector<Drawing>> drawings(const Frame& frame, const Item& item);

}  // namespace tare::detail::paper
