#include "tare/render/text/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/text/layout.hpp"
#include "tare/render/words/groups.hpp"

namespace tare::inner::render {
namespace {

struct Room {
  std::size_t strongest, largest;
};
constexpr Room usual_room{15, 0}, whole_room{800, 200};  // with all that was asked for, as many as anybody reads
constexpr int wide_enough = 100;                         // for all columns

std::vector<const GroupLine*> lines_shown(const GroupReport& report, const TextOptions& options) {
  const Room room = options.all ? whole_room : usual_room;
  return shown_groups(report, room.strongest, room.largest);
}

std::string mark(const GroupReport& report, const GroupLine& line) {
  return !report.found(line) ? "" : line.holm <= report.alpha ? "!!" : "!";
}

std::string not_shown(const GroupReport& report, const TextOptions& options, std::size_t shown) {
  if (shown == report.lines.size()) return "";
  if (options.all) return wrap(left_out(report, whole_room.strongest, whole_room.largest), options.width);
  return fmt::format("and {} more\n", grouped(static_cast<double>(report.lines.size() - shown)));
}

std::string name_cell(const GroupReport& report, const GroupLine& line, std::size_t most) {
  const std::string name = printable(group_name(report, line));
  if (display_width(name) <= most) return name;
  std::string cut;
  for (const char c : name) {
    const bool starts = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    if (starts && display_width(cut) + 1 == most) break;
    cut += c;
  }
  return cut + "…";
}

std::string group_table(const GroupReport& report, const TextOptions& options) {
  const bool wide = options.width >= wide_enough, means = options.width >= 72;  // what there is room for
  const bool top = report.input.reduction == Reduction::top_label;
  const int most = std::clamp(options.width - (wide ? 80 : means ? 56 : 44), 12, 40);
  Table table({{"group"},
               {"rows", true},
               {top ? "conf." : "prob.", true},
               {top ? "acc." : "rate", true},
               {"gap", true},
               {"interval", true},
               {"shrunken", true},
               {"p", true},
               {"adjusted", true},
               {""}});
  const auto shown = lines_shown(report, options);
  for (const GroupLine* at : shown) {
    const GroupLine& line = *at;
    table.add({{name_cell(report, line, static_cast<std::size_t>(most))},
               {grouped(static_cast<double>(line.rows))},
               {means ? percent(line.confidence, 1) : ""},
               {means ? percent(line.accuracy, 1) : ""},
               {signed_percent(line.gap.value)},
               {signed_percent(*line.gap.low) + " to " + signed_percent(*line.gap.high), Ink::dim},
               {wide ? signed_percent(line.shrunken_gap) : ""},
               {wide ? exact_p(line.log_p) : ""},
               {exact_p(std::log(line.bh))},
               {mark(report, line), Ink::red}});
  }
  return table.str(options.colour, options.width) + not_shown(report, options, shown.size());
}

}  // namespace

std::string text(const GroupReport& report, const TextOptions& options) {
  const auto sentences = group_sentences(report);
  std::string out = paint(wrap(printable(sentences.front()), options.width), Ink::bold, options.colour);
  for (std::size_t i = 1; i < sentences.size(); ++i) out += wrap(printable(sentences[i]), options.width);
  out += "\n" + group_table(report, options) + "\n";
  std::string notes;
  for (const std::string& note : group_notes(report, options.width >= wide_enough))
    notes += wrap(printable(note), options.width);
  return out + paint(notes.substr(0, notes.size() - 1), Ink::dim, options.colour) + "\n";
}

std::string groups_chart(const GroupReport& report, const TextOptions& options) {
  const auto shown = lines_shown(report, options);
  std::size_t names = 5;
  double furthest = 0.01;
  for (const GroupLine* at : shown) {
    const GroupLine& line = *at;
    names = std::max(names, display_width(name_cell(report, line, 28)));
    furthest = std::max({furthest, std::abs(*line.gap.low), std::abs(*line.gap.high)});
  }
  const int half = std::clamp((options.width - static_cast<int>(names) - 14) / 2, 8, 40);
  const auto column = [&](double gap) {
    return static_cast<std::size_t>(half + std::lround(std::clamp(gap / furthest, -1.0, 1.0) * half));
  };
  std::string out =
      paint(wrap(printable(group_sentences(report).front()), options.width), Ink::bold, options.colour) + "\n";
  for (const GroupLine* at : shown) {
    const GroupLine& line = *at;
    std::vector<std::string> cells(static_cast<std::size_t>(2 * half + 1), " ");
    for (std::size_t c = column(*line.gap.low); c <= column(*line.gap.high); ++c) cells[c] = "─";
    cells[static_cast<std::size_t>(half)] = "│";
    cells[column(line.gap.value)] = report.found(line) ? "●" : "○";
    std::string bar;
    for (const std::string& cell : cells) bar += cell;
    const std::string name = name_cell(report, line, 28);
    out += name + std::string(names - display_width(name), ' ') + " " + bar +
           fmt::format(" {:>6} {}\n", signed_percent(line.gap.value), mark(report, line));
  }
  return out + not_shown(report, options, shown.size()) +
         wrap(fmt::format("{} in points, from {} to {}; ● found after adjusting for the number of groups, ○ not",
                          gap_words(report), signed_percent(-furthest), signed_percent(furthest)),
              options.width);
}

}  // namespace tare::inner::render
