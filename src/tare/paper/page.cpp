#include "tare/paper/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tare/render/html/html.hpp"
#include "tare/render/html/page.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::detail::paper {
namespace {

constexpr std::array groups{
    std::pair{"roelofs", "Roelofs, Cain, Shlens and Mozer 2022: Mitigating Bias in Calibration Error Estimation"},
    std::pair{"guo", "Guo, Pleiss, Sun and Weinberger 2017: On Calibration of Modern Neural Networks"},
    std::pair{"beyond", "Beyond the papers: rank_poly and rank_sign"}};

bool is_ours(const Exhibit& e) { return e.group == "beyond"; }

std::string_view colour(ClaimVerdict v) {
  return v == ClaimVerdict::reproduced ? "good" : v == ClaimVerdict::in_direction ? "warn" : "bad";
}

std::string_view sign(ClaimVerdict v) {
  constexpr std::string_view signs[] = {"✓", "~", "✗", "?"};
  return signs[static_cast<std::size_t>(v)];
}

// Numbers stand right, words left: decided by the column.
bool is_words(const TextTable& table, std::size_t column) {
  return std::ranges::any_of(table.rows,
                             [&](const auto& row) {
                               return column < row.size() && !row[column].empty() &&
                                      row[column].find_first_of("0123456789") == std::string::npos;
                             }) ||
         column == 0;
}

std::string table_html(const TextTable& table, const std::string& id) {
  std::vector<render::HtmlTable::Column> columns;
  for (std::size_t c = 0; c < table.head.size(); ++c) columns.push_back({table.head[c], !is_words(table, c)});
  render::HtmlTable out(id, table.title, columns);
  for (const auto& row : table.rows) {
    std::vector<render::HtmlCell> cells;
    for (const std::string& text : row) cells.emplace_back(render::xml(text));
    out.add(std::move(cells));
  }
  return out.str();
}

std::string claims_html(const Exhibit& e) {
  if (e.claims.empty()) return {};
  render::HtmlTable out(e.name + "-claims", "Claims",
                        {{is_ours(e) ? "this project says" : "the paper says"}, {"verdict"}, {"we found"}});
  for (const Claim& c : e.claims) {
    const std::string place =
        c.place.empty() || is_ours(e) ? "" : " <span class=\"facts\">(" + render::xml(c.place) + ")</span>";
    std::string rule = "<p>reproduced: <code>" + render::xml(c.rule) + "</code></p>\n";
    if (!c.direction.empty()) rule += "<p>in direction: <code>" + render::xml(c.direction) + "</code></p>\n";
    out.add({render::xml(c.text) + place,
             fmt::format("<span class=\"{}\">{} {}</span>", colour(c.verdict), sign(c.verdict), name(c.verdict)),
             render::xml(c.found + (c.why.empty() ? "" : ". " + c.why)) + render::details("rule", rule)});
  }
  return out.str();
}

std::string picture_html(const Picture& p) {
  std::string name = p.file.substr(0, p.file.rfind('.'));
  std::ranges::replace(name, '_', '-');
  return render::figure_html(
      {.name = name,
       .picture = fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">{}</div>\n",
                              render::xml(p.caption), p.svg),
       .caption = (p.published.empty() ? "" : "Published values: " + render::xml(p.published) + ". ") +
                  fmt::format("<a href=\"{0}\">{0}</a>", render::xml(p.file)),
       .css_class = p.wide ? "wide" : ""});
}

std::string exhibit_html(const Exhibit& e) {
  std::string out = fmt::format("<article>\n<h3 id=\"{}\">{}</h3>\n", render::xml(e.name), render::xml(e.title));
  if (!e.problem.empty())
    return out + "<p><strong>Not computed:</strong> " + render::xml(e.problem) + "</p>\n</article>\n";
  out += render::paragraph(e.what);
  if (!e.choices.empty()) {
    std::string list = "<ul>\n";
    for (const std::string& choice : e.choices) list += "<li>" + render::xml(choice) + "</li>\n";
    out += render::details("What the paper leaves open, and what was taken", list + "</ul>\n");
  }
  if (!e.pictures.empty()) out += "<div class=\"pictures\">\n";
  for (const Picture& p : e.pictures) out += picture_html(p);
  if (!e.pictures.empty()) out += "</div>\n";
  for (std::size_t i = 0; i < e.tables.size(); ++i)
    out += table_html(e.tables[i], fmt::format("{}-table{}", e.name, i + 1));
  out += claims_html(e);
  out += fmt::format(
      "<p class=\"facts\">All numbers: <a href=\"{0}\">{0}</a>{1}. Again: <code>tare paper "
      "{2}</code></p>\n</article>\n",
      render::xml(e.data),
      e.tables.empty() ? "" : fmt::format(", tables as Markdown: <a href=\"{0}.md\">{0}.md</a>", render::xml(e.name)),
      render::xml(e.name));
  return out;
}

// "66 claims of the two papers: 54 reproduced, ...", or those of our own.
std::string counts(const Page& page, bool ours) {
  std::array<int, 4> count{};
  for (const Exhibit& e : page.exhibits)
    if (is_ours(e) == ours)
      for (const Claim& c : e.claims) ++count[static_cast<std::size_t>(c.verdict)];
  const int all = count[0] + count[1] + count[2] + count[3];
  if (all == 0) return {};
  std::string out = fmt::format("{} claim{} of {}: {} reproduced, {} reproduced in direction, {} not reproduced", all,
                                all == 1 ? "" : "s", ours ? "this project about its own estimators" : "the two papers",
                                count[0], count[1], count[2]);
  if (count[3] > 0) out += fmt::format(", {} not evaluated", count[3]);
  return out + ".";
}

std::string not_computed(const Page& page) {
  std::string out;
  for (const Exhibit& e : page.exhibits)
    if (!e.problem.empty()) out += (out.empty() ? "Not computed: " : ", ") + e.name;
  return out.empty() ? out : out + ".";
}

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

std::string html(const Page& page) {
  std::string nav = "<nav aria-label=\"Figures and tables\"><ul>\n", body;
  for (const auto& [group, title] : groups) {
    std::string inside;
    for (const Exhibit& e : page.exhibits) {
      if (e.group != group) continue;
      std::string marks;
      for (const Claim& c : e.claims) marks += sign(c.verdict);
      nav += fmt::format("<li><a href=\"#{}\">{}</a> {}</li>\n", render::xml(e.name), render::xml(e.title), marks);
      inside += exhibit_html(e);
    }
    if (!inside.empty()) body += render::section(group, title, inside);
  }
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"/>\n<title>The two papers, recomputed</title>\n<style>\n" +
      render::whole_style() + std::string(page_style) + "</style>\n</head>\n<body>\n";
  out +=
      "<a class=\"skip\" href=\"#main\">Skip to the figures</a>\n<header>\n<p class=\"kind\">tare paper</p>\n"
      "<h1>The two papers, recomputed</h1>\n";
  out += render::paragraph(
      fmt::format("Every figure and table computed anew, seed {}. A claim is decided by the rule shown with it, never "
                  "by hand. Error bars are two standard errors of the simulation. Our networks are the ten that come "
                  "with the program, not those of the papers.",
                  page.seed),
      "facts");
  out += nav + "</ul></nav>\n</header>\n<main id=\"main\">\n";
  out += render::paragraph(counts(page, false), "verdict") + render::paragraph(counts(page, true), "winner") +
         render::paragraph(not_computed(page));
  if (page.quick)
    out += "<p><strong>A quick run: few replicates, wide error bars.</strong> Leave out --quick for the numbers.</p>\n";
  return out + body + "</main>\n<script>\n\n" + std::string(render::page_script) + "</script>\n</body>\n</html>\n";
}

std::string claims_markdown(const Page& page) {
  std::string out = fmt::format(
      "# The two papers, recomputed\n\n`tare paper{}` wrote this page (seed {}): every claim of the two papers that "
      "its rule could decide, with what we found, and the claims of this project about its own estimators, counted "
      "apart. Pictures, tables and rules are in the `index.html` it writes beside it.\n",
      page.quick ? " --quick" : "", page.seed);
  for (const bool ours : {false, true}) {
    const std::string counted = counts(page, ours);
    if (counted.empty()) continue;
    out += fmt::format("\n## {}\n\n{}\n\n| item | {} | verdict | we found |\n|---|---|---|---|\n",
                       ours ? "What this project says" : "What the papers say", counted,
                       ours ? "we say" : "the paper says");
    for (const Exhibit& e : page.exhibits)
      for (const Claim& c : e.claims)
        if (is_ours(e) == ours)
          out += fmt::format("| {} | {}{} | {} | {} |\n", e.name, cell(c.text),
                             c.place.empty() || ours ? "" : " (" + cell(c.place) + ")", name(c.verdict),
                             cell(c.found + (c.why.empty() ? "" : ". " + c.why)));
  }
  if (const std::string missing = not_computed(page); !missing.empty()) out += "\n" + missing + "\n";
  out += "\n## What the papers leave open, and what was taken\n\n";
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

}  // namespace tare::detail::paper
