#include "tare/paper/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tare/render/svg/svg.hpp"

namespace tare::inner::paper {
namespace {

constexpr std::array groups{
    std::pair{"roelofs", "Roelofs, Cain, Shlens and Mozer 2022: Mitigating Bias in Calibration Error Estimation"},
    std::pair{"guo", "Guo, Pleiss, Sun and Weinberger 2017: On Calibration of Modern Neural Networks"},
    std::pair{"beyond", "Beyond the papers: rank_poly and rank_sign"}};

std::string_view sign(ClaimVerdict v) {
  switch (v) {
    case ClaimVerdict::reproduced:
      return "✓";
    case ClaimVerdict::in_direction:
      return "~";
    case ClaimVerdict::not_reproduced:
      return "✗";
    case ClaimVerdict::not_evaluated:
      return "?";
  }
  return {};
}

// Numbers stand right, words left: decided by the column.
bool is_words(const TextTable& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) {
                       return column < row.size() && !row[column].empty() &&
                              row[column].find_first_of("0123456789") == std::string::npos;
                     }) ||
         column == 0;
}

std::string table_html(const TextTable& table) {
  std::string out = "<div class=\"scroll\"><table>\n";
  if (!table.title.empty()) out += "<caption>" + render::xml(table.title) + "</caption>\n";
  const auto row = [&](const std::vector<std::string>& cells, const char* tag) {
    out += "<tr>";
    for (std::size_t c = 0; c < cells.size(); ++c)
      out += fmt::format("<{0}{1}>{2}</{0}>", tag, is_words(table, c) ? " class=\"words\"" : "", render::xml(cells[c]));
    out += "</tr>\n";
  };
  row(table.head, "th");
  for (const auto& cells : table.rows) row(cells, "td");
  return out + "</table></div>\n";
}

std::string claims_html(const std::vector<Claim>& claims) {
  if (claims.empty()) return {};
  std::string out =
      "<div class=\"scroll\"><table>\n<caption>Claims</caption>\n<tr><th class=\"words\">the paper says</th><th "
      "class=\"words\">verdict</th><th class=\"words\">we found</th></tr>\n";
  for (const Claim& c : claims) {
    out += fmt::format(
        "<tr><td class=\"words\">{}{}</td><td class=\"words\"><span class=\"verdict\">{} {}</span></td><td "
        "class=\"words\">{}<details class=\"small\"><summary>rule</summary><code>{}</code>{}</details></td></tr>\n",
        render::xml(c.text), c.place.empty() ? "" : " <span class=\"small\">(" + render::xml(c.place) + ")</span>",
        sign(c.verdict), name(c.verdict), render::xml(c.found + (c.why.empty() ? "" : ". " + c.why)),
        render::xml(c.rule),
        c.direction.empty() ? "" : "<br/>in direction: <code>" + render::xml(c.direction) + "</code>");
  }
  return out + "</table></div>\n";
}

std::string exhibit_html(const Exhibit& e) {
  std::string out = fmt::format("<section>\n<h3 id=\"{}\">{}</h3>\n", render::xml(e.name), render::xml(e.title));
  if (!e.problem.empty())
    return out + "<p><strong>Not computed:</strong> " + render::xml(e.problem) + "</p>\n</section>\n";
  if (!e.what.empty()) out += "<p>" + render::xml(e.what) + "</p>\n";
  if (!e.choices.empty()) {
    out += "<details><summary>What the paper leaves open, and what was taken</summary><ul>\n";
    for (const std::string& choice : e.choices) out += "<li>" + render::xml(choice) + "</li>\n";
    out += "</ul></details>\n";
  }
  if (!e.pictures.empty()) out += "<div class=\"pictures\">\n";
  for (const Picture& p : e.pictures)
    out += fmt::format("<figure><a href=\"{0}\"><img src=\"{0}\" alt=\"{1}\"/></a></figure>\n", render::xml(p.file),
                       render::xml(p.caption));
  if (!e.pictures.empty()) out += "</div>\n";
  for (const TextTable& table : e.tables) out += table_html(table);
  out += claims_html(e.claims);
  out += fmt::format(
      "<p class=\"small\">All numbers: <a href=\"{0}\">{0}</a>{1}. Again: <code>tare paper "
      "{2}</code></p>\n</section>\n",
      render::xml(e.data),
      e.tables.empty() ? "" : fmt::format(", tables as Markdown: <a href=\"{0}.md\">{0}.md</a>", render::xml(e.name)),
      render::xml(e.name));
  return out;
}

std::string counts(const Page& page) {
  std::array<int, 4> count{};
  for (const Exhibit& e : page.exhibits)
    for (const Claim& c : e.claims) ++count[static_cast<std::size_t>(c.verdict)];
  std::string out =
      fmt::format("{} claims reproduced, {} reproduced in direction, {} not reproduced", count[0], count[1], count[2]);
  if (count[3] > 0) out += fmt::format(", {} not evaluated", count[3]);
  std::string missing;
  for (const Exhibit& e : page.exhibits)
    if (!e.problem.empty()) missing += (missing.empty() ? "" : ", ") + e.name;
  return missing.empty() ? out : out + "; not computed: " + missing;
}

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string html(const Page& page) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"/>\n<title>The two papers, recomputed</title>\n<style>\n" +
      std::string(page_style) + "</style>\n</head>\n<body>\n<h1>The two papers, recomputed</h1>\n";
  out += fmt::format(
      "<p>Every figure and table computed anew by <code>tare paper</code>, seed {}. {}. A claim is decided by the rule "
      "shown with it, never by hand. Error bars are two standard errors of the simulation. "
      "Our networks are the ten that come with the program, not those of the papers.</p>\n",
      page.seed, render::xml(counts(page)));
  if (page.quick)
    out += "<p><strong>A quick run: few replicates, wide error bars.</strong> Leave out --quick for the numbers.</p>\n";
  out += "<nav><ul>\n";
  for (const Exhibit& e : page.exhibits) {
    std::string marks;
    for (const Claim& c : e.claims) marks += sign(c.verdict);
    out += fmt::format("<li><a href=\"#{}\">{}</a> {}</li>\n", render::xml(e.name), render::xml(e.title), marks);
  }
  out += "</ul></nav>\n";
  for (const auto& [group, title] : groups) {
    bool first = true;
    for (const Exhibit& e : page.exhibits) {
      if (e.group != group) continue;
      if (first) out += fmt::format("<h2>{}</h2>\n", render::xml(title));
      first = false;
      out += exhibit_html(e);
    }
  }
  return out + "</body>\n</html>\n";
}

std::string claims_markdown(const Page& page) {
  std::string out = fmt::format(
      "# The two papers, recomputed\n\n`tare paper{}` wrote this page (seed {}): every claim of the two papers that "
      "its rule could decide, "
      "with what we found. Pictures, tables and rules are in the `index.html` it writes beside it.\n\n{}.\n\n"
      "| item | the paper says | verdict | we found |\n|---|---|---|---|\n",
      page.quick ? " --quick" : "", page.seed, counts(page));
  for (const Exhibit& e : page.exhibits)
    for (const Claim& c : e.claims)
      out += fmt::format("| {} | {}{} | {} | {} |\n", e.name, cell(c.text),
                         c.place.empty() ? "" : " (" + cell(c.place) + ")", name(c.verdict),
                         cell(c.found + (c.why.empty() ? "" : ". " + c.why)));
  out += "\nWhat the papers leave open, and what was taken:\n\n";
  for (const Exhibit& e : page.exhibits)
    for (const std::string& choice : e.choices) out += fmt::format("- **{}**: {}\n", e.name, choice);
  return out;
}

std::string markdown(const Exhibit& e) {
  std::string out = "# " + e.title + "\n";
  for (const TextTable& table : e.tables) {
    out += "\n" + (table.title.empty() ? "" : table.title + "\n\n");
    const auto row = [&](const std::vector<std::string>& cells) {
      out += "|";
      for (const std::string& c : cells) out += " " + cell(c) + " |";
      out += "\n";
    };
    row(table.head);
    out += "|";
    for (std::size_t c = 0; c < table.head.size(); ++c) out += is_words(table, c) ? "---|" : "---:|";
    out += "\n";
    for (const auto& cells : table.rows) row(cells);
  }
  return out;
}

}  // namespace tare::inner::paper
