// Pieces of HTML: text that is never markup, tables that a screen reader can walk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::inner::render {

// A name from outside: escaped, and its direction of writing ends with it.
std::string isolated(std::string_view untrusted);

// Nothing for no words.
std::string paragraph(std::string_view untrusted, std::string_view css_class = {});

// `id` names the place that the table of contents leads to; `body` is HTML.
std::string section(std::string_view id, std::string_view title, std::string_view body);

std::string details(std::string_view summary, std::string_view body, bool open = false);

// A figure with its caption; `picture` and `caption` are HTML.
std::string with_caption(std::string_view picture, std::string_view caption);

// Code that can be copied as it stands.
std::string code_block(std::string_view untrusted, std::string_view label);

class HtmlTable {
 public:
  struct Column {
    std::string title;
    bool number = false;
  };
  // `caption` is what the table is called, for those who cannot see where it stands.
  HtmlTable(std::string caption, std::vector<Column> columns)
      : caption_(std::move(caption)), columns_(std::move(columns)) {}
  // Cells are HTML; the first is the heading of its row. A row of class "best" stands out.
  void add(std::vector<std::string> cells, std::string_view css_class = {});
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  // A column without a single filled cell is left out. Wide tables scroll inside their own frame.
  [[nodiscard]] std::string str() const;

 private:
  struct Line {
    std::vector<std::string> cells;
    std::string css_class;
  };
  std::string caption_;
  std::vector<Column> columns_;
  std::vector<Line> rows_;
};

}  // namespace tare::inner::render
