#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tare/render/prose/prose.hpp"
#include "tare/render/table/table.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t shown_days = 31;

std::string day_table(const WatchReport& report, const TextOptions& options) {
  const std::size_t from = options.all || report.days.size() <= shown_days ? 0 : report.days.size() - shown_days;
  auto days = all_rows(report.days);
  days.erase(days.begin(), days.begin() + static_cast<std::ptrdiff_t>(from));
  const Table table = text_table(days_table(report, days, Reader::terminal));
  std::string out = table.str(options.colour, options.width);
  if (from > 0) out += fmt::format("{} earlier days are not shown\n", from);
  return out;
}

// Evidence over its alarm, in powers of ten, days from left to right; where there are more days than columns, the
// largest of those in a column.
std::string picture(const WatchReport& report, const TextOptions& options) {
  constexpr int top = 2, bottom = -4, lines = 2 * (top - bottom) + 1;
  struct Line {
    const char* mark;
    double limit;
    double WatchDay::*value;
  };
  const std::array<Line, 3> all{{{"■", report.reference_limit(), &WatchDay::reference_evidence},
                                 {"▲", report.options.run_length, &WatchDay::detector},
                                 {"●", report.evidence_limit(), &WatchDay::evidence}}};
  const std::size_t days = report.days.size();
  const std::size_t columns = std::min(days, static_cast<std::size_t>(std::clamp(options.width - 12, 16, 100)));
  std::vector<std::vector<std::string>> grid(lines, std::vector<std::string>(columns, " "));
  for (std::string& cell : grid[2 * top]) cell = "╌";
  for (const Line& line : all)
    for (std::size_t c = 0; c < columns; ++c) {
      double largest = 0;
      for (std::size_t i = c * days / columns; i < (c + 1) * days / columns; ++i)
        largest = std::max(largest, report.days[i].*line.value / line.limit);
      const double height = std::clamp(largest > 0 ? std::log10(largest) : bottom, double{bottom}, double{top});
      grid[static_cast<std::size_t>(std::lround(2 * (top - height)))][c] = line.mark;
    }
  std::string out;
  for (int i = 0; i < lines; ++i) {
    const int power = top - i / 2;
    const std::string label = i % 2 == 1 ? "" : power == 0 ? "alarm" : fmt::format("{:g}", std::pow(10.0, power));
    std::string row;
    for (const std::string& cell : grid[static_cast<std::size_t>(i)]) row += cell;
    out += fmt::format("{:>7} │{}\n", label, row.substr(0, row.find_last_not_of(' ') + 1));
  }
  return out + "        ● lost  ▲ lately  ■ changed: each over its alarm, day by day\n";
}

}  // namespace

std::string text(const WatchReport& report, const TextOptions& options) {
  std::string out = wrap(fmt::format("reference {}: {} rows, mean score {}%, hit rate {}%", printable(report.reference),
                                     grouped(report.reference_rows), percent(report.reference_score, 1),
                                     percent(report.reference_rate, 1)),
                         options.width) +
                    "\n";
  const auto sentences = watch_sentences(report);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const std::string line = wrap(printable(sentences[i]), options.width);
    out += i == 0 ? paint(line, Ink::bold, options.colour) : line;
  }
  if (report.days.empty()) return out;
  out += "\n" + day_table(report, options) + "\n" + picture(report, options) + "\n";
  std::string notes;
  for (const std::string& note : watch_notes(report)) notes += wrap(note, options.width);
  return out + paint(notes.substr(0, notes.size() - 1), Ink::dim, options.colour) + "\n";
}

}  // namespace tare::detail::render
