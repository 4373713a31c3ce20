#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/prose/prose.hpp"
#include "tare/render/table/table.hpp"
#include "tare/render/text/charts.hpp"

namespace tare::detail::render {
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

std::string not_shown(const GroupReport& report, const TextOptions& options, std::size_t shown) {
  if (shown == report.lines.size()) return "";
  if (options.all) return wrap(left_out(report, whole_room.strongest, whole_room.largest), options.width);
  return fmt::format("and {} more\n", grouped(report.lines.size() - shown));
}

}  // namespace

std::string text(const GroupReport& report, const TextOptions& options) {
  const auto sentences = group_sentences(report);
  std::string out = paint(wrap(printable(sentences.front()), options.width), Ink::bold, options.colour);
  for (std::size_t i = 1; i < sentences.size(); ++i) out += wrap(printable(sentences[i]), options.width);
  const auto shown = lines_shown(report, options);
  out += "\n" +
         text_table(groups_table(report, shown, Reader::terminal, options.width)).str(options.colour, options.width) +
         not_shown(report, options, shown.size()) + "\n";
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
    names = std::max(names, display_width(short_group_name(report, line, 28)));
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
    const std::string name = short_group_name(report, line, 28);
    out += name + std::string(names - display_width(name), ' ') + " " + bar +
           fmt::format(" {:>6} {}\n", signed_percent(line.gap.value), group_mark(report, line));
  }
  return out + not_shown(report, options, shown.size()) +
         wrap(fmt::format("{} in points, from {} to {}; ● found after adjusting for the number of groups, ○ not",
                          gap_words(report), signed_percent(-furthest), signed_percent(furthest)),
              options.width);
}

}  // namespace tare::detail::render
