// `tare paper`: runs data files, keeps what is finished, writes pictures, tables and one page.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/progress.hpp"
#include "tare/paper/item.hpp"

namespace tare::detail::paper {

struct RunOptions {
  std::string out;   // folder
  std::string data;  // folder of the networks
  bool quick = false;
  std::uint64_t seed = 1;
  int threads = 1;
  Progress progress = {};
  const std::atomic<bool>* cancel = nullptr;
};

// Runs the items and writes OUT/NAME.csv, OUT/NAME*.svg, OUT/NAME.md, OUT/papers.md and OUT/index.html, which shows
// everything that the folder has of these settings. Studies that are finished there are not run again. Same settings,
// same bytes; times excepted. An item that fails does not stop the others: it is shown with its problem. An error: all
// of them failed, the run was interrupted, or the page cannot be written.
Result<std::vector<Exhibit>> run(const std::vector<Item>& all, const std::vector<const Item*>& chosen,
                                 const RunOptions& options);

// What `tare paper` answers a program: one JSON object.

std::string json(const std::vector<Item>& items);  // what there is

struct Answered {
  std::uint64_t seed = 1;
  bool quick = false;
  std::string index = {};  // the page
};
std::string json(const std::vector<Exhibit>& exhibits, const Answered& how);  // every claim

// The two papers, recomputed: one page without network, and Markdown.

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
