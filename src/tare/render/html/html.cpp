#include "tare/render/html/html.hpp"

#include <fmt/format.h>

#include "tare/render/svg/svg.hpp"

namespace tare::inner::render {

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

std::string details(std::string_view summary, std::string_view body, bool open) {
  return fmt::format("<details{}>\n<summary>{}</summary>\n{}</details>\n", open ? " open" : "", xml(summary), body);
}

std::string with_caption(std::string_view picture, std::string_view caption) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", picture, caption);
}

std::string code_block(std::string_view untrusted, std::string_view label) {
  std::string text;  // lines stay lines: xml() has no place for control characters
  while (true) {
    const auto end = untrusted.find('\n');
    text += xml(untrusted.substr(0, end));
    if (end == std::string_view::npos) break;
    text += '\n';
    untrusted.remove_prefix(end + 1);
  }
  return fmt::format(
      "<pre class=\"copy\" dir=\"ltr\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><code>{}</code></pre>\n",
      xml(label), text);
}

void HtmlTable::add(std::vector<std::string> cells, std::string_view css_class) {
  rows_.push_back({std::move(cells), std::string(css_class)});
}

std::string HtmlTable::str() const {
  std::vector<bool> filled(columns_.size(), false);
  for (const Line& row : rows_)
    for (std::size_t c = 0; c < row.cells.size(); ++c) filled[c] = filled[c] || !row.cells[c].empty();
  const auto kind = [&](std::size_t c) { return columns_[c].number ? " class=\"n\"" : ""; };
  std::string out = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{0}\">\n<table>\n<caption>{0}</caption>\n<thead><tr>",
      xml(caption_));
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (filled[c]) out += fmt::format("<th scope=\"col\"{}>{}</th>", kind(c), xml(columns_[c].title));
  out += "</tr></thead>\n<tbody>\n";
  for (const Line& row : rows_) {
    out += row.css_class.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", row.css_class);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!filled[c]) continue;
      const std::string cell = c < row.cells.size() ? row.cells[c] : "";
      out += c == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", kind(c), cell)
                    : fmt::format("<td{}>{}</td>", kind(c), cell);
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n";
}

}  // namespace tare::inner::render
