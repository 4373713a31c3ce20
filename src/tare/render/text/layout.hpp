// Pieces of text reports: widths of UTF-8, wrapped paragraphs, aligned tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/render/text/numbers.hpp"

namespace tare::detail::render {

enum class Ink { plain, dim, bold, green, yellow, red };

std::string paint(std::string_view text, Ink ink, bool colour);

std::size_t display_width(std::string_view utf8);  // code points: we print no wide ones

std::string printable(std::string_view untrusted);  // core/clean.hpp: a name may not move the cursor

// Lines end in '\n'. Never breaks at a `no_break`, and prints it as a space.
std::string wrap(std::string_view paragraph, int width, std::string_view indent = "");
inline constexpr std::string_view no_break = "\u00a0";

struct Cell {
  std::string text = {};
  Ink ink = Ink::plain;
};

// Columns are as wide as their widest cell; a column without a single filled cell is left out. Where there is no room
// for the others, so are spare ones, the last first.
class Table {
 public:
  struct Column {
    std::string title;
    bool right = false;
    bool spare = false;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] std::string str(bool colour, int width = 1000) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace tare::detail::render
