#include "tare/render/html/html.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tare/render/svg/svg.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t most_open_rows = 40;  // as page.css has it for paper

// Lines stay lines: xml() has no place for control characters.
std::string xml_lines(std::string_view untrusted, std::string_view line_break) {
  std::string out;
  while (true) {
    const auto end = untrusted.find('\n');
    out += xml(untrusted.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += line_break;
    untrusted.remove_prefix(end + 1);
  }
}

// Text for `content:` of a style sheet.
std::string css_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\' || c == '<' || static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\{:x} ", static_cast<unsigned char>(c));
    else
      out += c;
  return out + "\"";
}

// Ten digits are more than any of these numbers is known to.
std::string behind(const HtmlCell& cell) {
  for (const double value : cell.values)
    if (!std::isfinite(value)) return "";  // what is shown says why
  return cell.values.empty() ? "" : fmt::format(" data-v=\"{:.10g}\"", fmt::join(cell.values, " "));
}

}  // namespace

std::string isolated(std::string_view untrusted) { return "<bdi>" + xml(untrusted) + "</bdi>"; }

std::string paragraph(std::string_view untrusted, std::string_view css_class) {
  if (untrusted.empty()) return "";
  if (css_class.empty()) return "<p>" + xml(untrusted) + "</p>\n";
  return fmt::format("<p class=\"{}\">{}</p>\n", css_class, xml(untrusted));
}

std::string section(std::string_view id, std::string_view title, std::string_view body) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n", id,
      xml(title), body);
}

std::string details(std::string_view summary, std::string_view body) {
  if (body.empty()) return "";
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", xml(summary), body);
}

std::string figure_html(const Figure& f) {
  std::string out = fmt::format("<figure data-name=\"{}\"", f.name);
  if (!f.css_class.empty()) out += fmt::format(" class=\"{}\"", f.css_class);
  if (!f.table.empty()) out += fmt::format(" data-table=\"{}\"", f.table);
  if (!f.csv.empty()) out += fmt::format(" data-csv=\"{}\"", xml_lines(f.csv, "&#10;"));
  return out + fmt::format(">\n{}<figcaption>{}</figcaption>\n{}</figure>\n", f.picture, f.caption,
                           details("The numbers", f.numbers));
}

std::string code_block(std::string_view untrusted, std::string_view label) {
  return fmt::format(
      "<pre class=\"copy\" dir=\"ltr\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><code>{}</code></pre>\n",
      xml(label), xml_lines(untrusted, "\n"));
}

void HtmlTable::add(std::vector<HtmlCell> cells, std::string_view css_class) {
  rows_.push_back({std::move(cells), std::string(css_class)});
}

std::string HtmlTable::str() const {
  std::vector<std::size_t> shown;  // the columns with something in them
  for (std::size_t c = 0; c < columns_.size(); ++c)
    for (const Line& row : rows_)
      if (c < row.cells.size() && !row.cells[c].html.empty()) {
        shown.push_back(c);
        break;
      }
  const auto kind = [&](std::size_t c) { return columns_[c].number ? " class=\"n\"" : ""; };
  std::string labels, head, body;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Column& column = columns_[shown[i]];
    if (i > 0)
      labels += fmt::format("#{} td:nth-child({})::before{{content:{}}}", id_, i + 1, css_string(column.title));
    head += fmt::format(
        "<th scope=\"col\"{}{}>{}</th>", kind(shown[i]),
        column.parts.empty() ? "" : " data-csv=\"" + xml(fmt::format("{}", fmt::join(column.parts, "|"))) + "\"",
        xml(column.title));
  }
  for (const Line& row : rows_) {
    body += row.css_class.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", row.css_class);
    for (const std::size_t c : shown) {
      const HtmlCell cell = c < row.cells.size() ? row.cells[c] : HtmlCell("");
      body += c == 0 ? fmt::format("<th scope=\"row\"{}{}>{}</th>", kind(c), behind(cell), cell.html)
                     : fmt::format("<td{}{}>{}</td>", kind(c), behind(cell), cell.html);
    }
    body += "</tr>\n";
  }
  return fmt::format(
      "<style>@media screen and (max-width:36rem){{{0}}}</style>\n<div class=\"scroll{1}\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"{2}\">\n<table id=\"{3}\">\n<caption>{2}</caption>\n<thead><tr>{4}</tr></thead>\n"
      "<tbody>\n{5}</tbody>\n</table>\n</div>\n",
      labels, rows_.size() > most_open_rows ? " tall" : "", xml(caption_), id_, head, body);
}

}  // namespace tare::detail::render
