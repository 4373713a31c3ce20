// Pieces of HTML: text that is never markup, tables that a screen reader can walk, figures with the numbers behind
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::detail::render {

// A name from outside: escaped, and its direction of writing ends with it.
std::string isolated(std::string_view untrusted);

// Nothing for no words.
std::string paragraph(std::string_view untrusted, std::string_view css_class = {});

// `id` names the place that the table of contents leads to; `body` is HTML.
std::string section(std::string_view id, std::string_view title, std::string_view body);

// Nothing for no body.
std::string details(std::string_view summary, std::string_view body);

// A picture with its caption. The script of the page offers it as SVG, and its numbers as CSV.
struct Figure {
  std::string_view name = {};  // of the files: letters, digits and hyphens
  std::string picture = {};    // SVG
  std::string caption = {};    // HTML
  std::string numbers = {};    // the table behind it, folded away; or
  std::string table = {};      // the id of a table elsewhere on the page that holds them; or
  std::string csv = {};        // the numbers of a small picture
  std::string_view css_class = {};
};
std::string figure_html(const Figure& figure);

// Code that can be copied as it stands.
std::string code_block(std::string_view untrusted, std::string_view label);

// What is shown (HTML), and the numbers behind it in the units shown: tables are sorted by the first and written as CSV
// with all of them, unrounded.
struct HtmlCell {
  std::string html = {};
  std::vector<double> values = {};
  // NOLINTBEGIN(google-explicit-constructor): words are cells
  HtmlCell(std::string words) : html(std::move(words)) {}
  HtmlCell(const char* words) : html(words) {}
  // NOLINTEND(google-explicit-constructor)
  HtmlCell(std::string shown, double value) : html(std::move(shown)), values{value} {}
  HtmlCell(std::string shown, std::vector<double> numbers) : html(std::move(shown)), values(std::move(numbers)) {}
};

class HtmlTable {
 public:
  struct Column {
    std::string title = {};
    bool number = false;
    std::vector<std::string> parts = {};  // where a cell holds several numbers: their headings in CSV
  };
  // `caption` is what the table is called, for those who cannot see where it stands. `id` is used once on a page.
  HtmlTable(std::string id, std::string caption, std::vector<Column> columns)
      : id_(std::move(id)), caption_(std::move(caption)), columns_(std::move(columns)) {}
  // The first cell is the heading of its row. A row of class "best" stands out.
  void add(std::vector<HtmlCell> cells, std::string_view css_class = {});
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  // A column without a single filled cell is left out. Wide tables scroll inside their own frame, long ones too; on a
  // phone a row becomes a card with its headings in it.
  [[nodiscard]] std::string str() const;

 private:
  struct Line {
    std::vector<HtmlCell> cells;
    std::string css_class;
  };
  std::string id_, caption_;
  std::vector<Column> columns_;
  std::vector<Line> rows_;
};

}  // namespace tare::detail::render
