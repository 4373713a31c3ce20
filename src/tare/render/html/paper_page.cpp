#include "tare/render/html/paper_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tare/render/svg/svg.hpp"

namespace tare::inner::render {
namespace {

constexpr std::string_view style = R"(
body { font: 16px/1.5 system-ui, "Helvetica Neue", Arial, sans-serif; color: #222; background: #fff; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.35rem; margin-top: 3rem; border-bottom: 1px solid #ccc; } h3 { font-size: 1.1rem; margin-top: 2.5rem; }
figure { margin: 1rem 0; } figure img { max-width: 100%; height: auto; } figcaption, .small { font-size: .88rem; color: #444; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; } .pictures figure { margin: 0; max-width: 100%; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .88rem; margin: .6rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .2rem 0; } th, td { padding: .18rem .55rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top; }
th { border-bottom: 2px solid #666; } td:not(.words) { white-space: nowrap; } th.words, td.words { text-align: left; }
.verdict { font-weight: 600; white-space: nowrap; } code { font-size: .85em; background: #f3f3f3; overflow-wrap: anywhere; }
nav { columns: 2; } details { margin: .3rem 0; } @media print { nav { display: none; } h3 { break-after: avoid; } figure { break-inside: avoid; } }
)";

constexpr std::array groups{
    std::pair{"roelofs", "Roelofs, Cain, Shlens and Mozer 2022: Mitigating Bias in Calibration Error Estimation"},
    std::pair{"guo", "Guo, Pleiss, Sun and Weinberger 2017: On Calibration of Modern Neural Networks"},
    std::pair{"beyond", "Beyond the papers: rank_poly"}};

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
  if (!table.title.empty()) out += "<caption>" + xml(table.title) + "</caption>\n";
  const auto row = [&](const std::vector<std::string>& cells, const char* tag) {
    out += "<tr>";
    for (std::size_t c = 0; c < cells.size(); ++c)
      out += fmt::format("<{0}{1}>{2}</{0}>", tag, is_words(table, c) ? " class=\"words\"" : "", xml(cells[c]));
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
        xml(c.text), c.place.empty() ? "" : " <span class=\"small\">(" + xml(c.place) + ")</span>", sign(c.verdict),
        name(c.verdict), xml(c.found + (c.why.empty() ? "" : ". " + c.why)), xml(c.rule),
        c.direction.empty() ? "" : "<br/>in direction: <code>" + xml(c.direction) + "</code>");
  }
  return out + "</table></div>\n";
}

std::string exhibit_html(const Exhibit& e) {
  std::string out = fmt::format("<section>\n<h3 id=\"{}\">{}</h3>\n", xml(e.name), xml(e.title));
  if (!e.problem.empty()) return out + "<p><strong>Not computed:</strong> " + xml(e.problem) + "</p>\n</section>\n";
  if (!e.what.empty()) out += "<p>" + xml(e.what) + "</p>\n";
  if (!e.choices.empty()) {
    out += "<details><summary>What the paper leaves open, and what was taken</summary><ul>\n";
    for (const std::string& choice : e.choices) out += "<li>" + xml(choice) + "</li>\n";
    out += "</ul></details>\n";
  }
  if (!e.pictures.empty()) out += "<div class=\"pictures\">\n";
  for (const Picture& p : e.pictures)
    out += fmt::format("<figure><a href=\"{0}\"><img src=\"{0}\" alt=\"{1}\"/></a></figure>\n", xml(p.file),
                       xml(p.caption));
  if (!e.pictures.empty()) out += "</div>\n";
  for (const TextTable& table : e.tables) out += table_html(table);
  out += claims_html(e.claims);
  out += fmt::format(
      "<p class=\"small\">All numbers: <a href=\"{0}\">{0}</a>{1}. Again: <code>tare paper "
      "{2}</code></p>\n</section>\n",
      xml(e.data),
      e.tables.empty() ? "" : fmt::format(", tables as Markdown: <a href=\"{0}.md\">{0}.md</a>", xml(e.name)),
      xml(e.name));
  return out;
}

std::string counts(const PaperPage& page) {
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

std::string html(const PaperPage& page) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"/>\n<title>The two papers, recomputed</title>\n<style>" +
      std::string(style) + "</style>\n</head>\n<body>\n<h1>The two papers, recomputed</h1>\n";
  out += fmt::format(
      "<p>Every figure and table computed anew by <code>tare paper</code>, seed {}. {}. A claim is decided by the rule "
      "shown with it, never by hand. Error bars are two standard errors of the simulation. "
      "Our networks are the ten that come with the program, not those of the papers.</p>\n",
      page.seed, xml(counts(page)));
  if (page.quick)
    out += "<p><strong>A quick run: few replicates, wide error bars.</strong> Leave out --quick for the numbers.</p>\n";
  out += "<nav><ul>\n";
  for (const Exhibit& e : page.exhibits) {
    std::string marks;
    for (const Claim& c : e.claims) marks += sign(c.verdict);
    out += fmt::format("<li><a href=\"#{}\">{}</a> {}</li>\n", xml(e.name), xml(e.title), marks);
  }
  out += "</ul></nav>\n";
  for (const auto& [group, title] : groups) {
    bool first = true;
    for (const Exhibit& e : page.exhibits) {
      if (e.group != group) continue;
      if (first) out += fmt::format("<h2>{}</h2>\n", xml(title));
      first = false;
      out += exhibit_html(e);
    }
  }
  return out + "</body>\n</html>\n";
}

std::string claims_markdown(const PaperPage& page) {
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

}  // namespace tare::inner::render
