// Pieces of text reports: widths of UTF-8, wrapped paragraphs, aligned tables.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

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

std::string grouped(double whole);  // 10000 -> "10,000"; a sum of weights keeps three decimals
template <std::integral T>
std::string grouped(T whole) {
  return grouped(static_cast<double>(whole));
}
std::string general(double x, int digits);         // as %g: "0.1234", "1.2e-07"
std::string visible(double x, int digits);         // "0.12"; what would look like 0 and is not keeps two: "2.9e-06"
std::string percent(double part, int digits = 2);  // 0.0475 -> "4.75"; visible
std::string signed_percent(double part, int digits = 1);  // "+4.2"; never "-0.0"
// "+0.1234"; never "-0.0000". exact: what would look like 0 is written "-2.9e-10".
std::string signed_number(double x, int digits, bool exact = false);
std::string fixed(double x, int digits);  // "0.1234"; never "-0.0000"

}  // namespace tare::detail::render
