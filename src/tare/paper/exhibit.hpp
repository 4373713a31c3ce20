// A figure or table of a paper, recomputed: pictures, tables, and what became of each claim. Plain data, ready to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::detail::paper {

struct TextTable {
  std::string title = {};
  std::vector<std::string> head = {};
  std::vector<std::vector<std::string>> rows = {};
};

enum class ClaimVerdict { reproduced, in_direction, not_reproduced, not_evaluated };

constexpr std::string_view name(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::reproduced:
      return "reproduced";
    case ClaimVerdict::in_direction:
      return "reproduced in direction";
    case ClaimVerdict::not_reproduced:
      return "not reproduced";
    case ClaimVerdict::not_evaluated:
      return "not evaluated";
  }
  return {};
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

}  // namespace tare::detail::paper
