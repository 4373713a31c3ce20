#include "tare/render/text/diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

// Accuracy is drawn solid; what confidence claims beyond it is hollow (░), what it leaves unclaimed is dense (▓).
// The gap is seen by texture and by the side of the mark on which it lies. [ and ] are the ends of the band.
std::string bar(const Bin& bin, const Band* band, int columns) {
  const auto at = [&](double x) { return static_cast<int>(std::lround(x * columns)); };
  const int accuracy = at(bin.mean_label);
  const int claim = std::min(at(bin.mean_score), columns);
  const int shared = std::min(accuracy, claim), longest = std::max(accuracy, claim);
  const int low = band ? at(band->low) : -1, high = band ? at(band->high) : -1;
  std::string out;
  for (int i = 0; i <= std::max(longest, high); ++i) {
    if (i == claim)
      out += "┃";
    else if (i == low)
      out += "[";
    else if (i == high)
      out += "]";
    else if (i > longest)
      out += " ";
    else if (i < shared)
      out += "█";
    else
      out += accuracy > claim ? "▓" : "░";
  }
  return out;
}

bool outside(const Bin& bin, const Band& band) { return bin.mean_label < band.low || bin.mean_label > band.high; }

}  // namespace

std::string ruler(int columns) {
  std::string out(static_cast<std::size_t>(columns) + 4, ' ');
  for (const int tick : {0, 25, 50, 75, 100}) {
    const std::string label = fmt::format("{}", tick);
    out.replace(static_cast<std::size_t>(std::lround(tick * columns / 100.0)), label.size(), label);
  }
  return out.substr(0, out.find_last_not_of(' ') + 1) + "%";
}

std::string diagram(const std::vector<Bin>& bins, const std::vector<Band>& bands, Reduction reduction,
                    const TextOptions& options) {
  const bool top = reduction == Reduction::top_label;
  Table table({{top ? "confidence" : "probability"}, {""}, {top ? "conf-acc" : "prob-rate", true}, {"count", true}});
  std::size_t count_width = 5;
  for (const Bin& bin : bins) count_width = std::max(count_width, grouped(bin.count).size());
  const int columns = std::clamp(options.width - 35 - static_cast<int>(count_width), 10, 100);
  table.add({{}, {ruler(columns), Ink::dim}, {}, {}});
  const bool banded = bands.size() == bins.size();
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const Bin& bin = bins[b];
    const bool louder = banded && outside(bin, bands[b]);
    table.add({{fmt::format("{:.3f} - {:.3f}", bin.lower, bin.upper)},
               {bar(bin, banded ? &bands[b] : nullptr, columns)},
               {signed_percent(bin.mean_score - bin.mean_label) + (!banded  ? ""
                                                                   : louder ? " !"
                                                                            : "  ")},
               {grouped(bin.count)}});
  }
  std::string legend =
      wrap(top ? "█\u00a0accuracy  ┃\u00a0mean\u00a0confidence  ░\u00a0overconfident  ▓\u00a0underconfident"
               : "█\u00a0observed\u00a0rate  ┃\u00a0mean\u00a0probability  ░\u00a0too\u00a0high  ▓\u00a0too\u00a0low",
           options.width);
  if (banded)
    legend += wrap(fmt::format("[ ] where {} would end by chance in 95 of 100 samples  !\u00a0outside",
                               top ? "accuracy" : "the rate"),
                   options.width);
  return table.str(options.colour, options.width) + legend;
}

}  // namespace tare::inner::render
