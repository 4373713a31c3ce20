#include "tare/render/text/diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

// Accuracy is drawn solid; what confidence claims beyond it is hollow (░), what it leaves unclaimed is dense (▓).
// The gap is seen by texture and by the side of the mark on which it lies.
std::string bar(const Bin& bin, int columns) {
  const auto at = [&](double x) { return static_cast<int>(std::lround(x * columns)); };
  const int accuracy = at(bin.mean_label);
  const int claim = std::min(at(bin.mean_score), columns);
  const int shared = std::min(accuracy, claim), longest = std::max(accuracy, claim);
  std::string out;
  for (int i = 0; i <= longest; ++i) {
    if (i == claim)
      out += "┃";
    else if (i < shared)
      out += "█";
    else
      out += accuracy > claim ? "▓" : "░";
  }
  return out;
}

std::string ruler(int columns) {
  std::string out(static_cast<std::size_t>(columns) + 4, ' ');
  for (const int tick : {0, 25, 50, 75, 100}) {
    const std::string label = fmt::format("{}", tick);
    out.replace(static_cast<std::size_t>(std::lround(tick * columns / 100.0)), label.size(), label);
  }
  return out.substr(0, out.find_last_not_of(' ') + 1) + "%";
}

}  // namespace

std::string diagram(const std::vector<Bin>& bins, Reduction reduction, const TextOptions& options) {
  const bool top = reduction == Reduction::top_label;
  Table table({{top ? "confidence" : "probability"}, {""}, {top ? "conf-acc" : "prob-rate", true}, {"count", true}});
  std::size_t count_width = 5;
  for (const Bin& bin : bins) count_width = std::max(count_width, grouped(bin.count).size());
  const int columns = std::clamp(options.width - 33 - static_cast<int>(count_width), 10, 100);
  table.add({{}, {ruler(columns), Ink::dim}, {}, {}});
  for (const Bin& bin : bins)
    table.add({{fmt::format("{:.3f} - {:.3f}", bin.lower, bin.upper)},
               {bar(bin, columns)},
               {signed_percent(bin.mean_score - bin.mean_label)},
               {grouped(bin.count)}});
  return table.str(options.colour) + (top ? "█ accuracy  ┃ mean confidence  ░ overconfident  ▓ underconfident\n"
                                          : "█ observed rate  ┃ mean probability  ░ too high  ▓ too low\n");
}

}  // namespace tare::inner::render
