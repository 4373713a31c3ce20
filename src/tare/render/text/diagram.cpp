#include "tare/render/text/diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/prose/prose.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
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

namespace {

constexpr int diagram_lines = 15;

// Cells that share a line.
struct CurveLine {
  int part = 0;
  double first = 0, last = 0, count = 0, score = 0, hits = 0;
  bool outside = false;  // the diagonal leaves the band at one of its scores, or of spans where the line is drawn
};

int logit_part(double score) {
  constexpr double ends[] = {1e-4, 0.001, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999};
  return static_cast<int>(std::upper_bound(std::begin(ends), std::end(ends), score) - std::begin(ends));
}

std::vector<CurveLine> lines_of(const CurveBand& curve, AxisKind axis) {
  double all = 0, before = 0;
  for (const CurveCell& c : curve.cells) all += c.count;
  std::vector<CurveLine> out;
  for (const CurveCell& c : curve.cells) {
    const double rank = (before + c.count / 2) / all;
    before += c.count;
    const int part = curve.basis == BandBasis::values ? static_cast<int>(out.size())
                     : axis == AxisKind::logit
                         ? logit_part(c.mean_score)
                         : static_cast<int>(diagram_lines * (axis == AxisKind::rank ? rank : c.mean_score));
    if (out.empty() || out.back().part != part || curve.basis == BandBasis::values) out.push_back({part, c.first});
    CurveLine& line = out.back();
    line.last = c.last;
    line.count += c.count;
    line.score += c.count * c.mean_score;
    line.hits += c.count * c.rate;
    if (curve.basis != BandBasis::spans) line.outside = line.outside || c.last < c.low || c.first > c.high;
  }
  for (CurveLine& line : out) line.score /= line.count;
  return out;
}

// The band shaded, the estimate a dot, the mean score a bar: in a calibrated model the dot lies on the bar.
std::string drawn_line(const BandPiece& band, bool banded, double estimate, double score, int columns) {
  const auto at = [&](double x) { return static_cast<int>(std::lround(x * columns)); };
  const int low = banded ? at(band.low) : 1, high = banded ? at(band.high) : 0, dot = at(estimate), claim = at(score);
  std::string out;
  for (int i = 0; i <= std::max({high, dot, claim}); ++i)
    out += i == claim && i == dot ? "◆" : i == dot ? "●" : i == claim ? "┃" : i >= low && i <= high ? "░" : " ";
  return out;
}

std::string score_range(const CurveLine& line) {
  if (line.first == line.last) return fmt::format("{:.4g}", line.first);
  const int digits = line.last > 0.9995 && line.first > 0.99 ? 5 : 3;
  return fmt::format("{:.{}f} - {:.{}f}", line.first, digits, line.last, digits);
}

}  // namespace

std::string curve_diagram(const CurveBand& curve, Reduction reduction, AxisKind axis, const TextOptions& options) {
  const bool top = reduction == Reduction::top_label, banded = curve.basis != BandBasis::none;
  const AxisKind kind = axis == AxisKind::automatic ? suited_axis({&curve}) : axis;
  const auto lines = lines_of(curve, kind);
  Table table({{top ? "confidence" : "probability"}, {""}, {top ? "conf-acc" : "prob-rate", true}, {"count", true}});
  std::size_t count_width = 5, range_width = 11;
  for (const CurveLine& line : lines) {
    count_width = std::max(count_width, grouped(line.count).size());
    range_width = std::max(range_width, score_range(line).size());
  }
  const int columns =
      std::clamp(options.width - 22 - static_cast<int>(count_width) - static_cast<int>(range_width), 10, 100);
  table.add({{}, {ruler(columns), Ink::dim}, {}, {}});
  for (const CurveLine& line : lines) {
    const BandPiece band = band_at(curve, line.score);
    const bool outside = line.outside || (banded && (line.score < band.low || line.score > band.high));
    table.add({{score_range(line)},
               {drawn_line(band, banded, curve_at(curve, line.score), line.score, columns)},
               {signed_percent(line.score - line.hits / line.count) + (!banded   ? ""
                                                                       : outside ? " !"
                                                                                 : "  ")},
               {grouped(line.count)}});
  }
  std::string legend = top ? "●\u00a0smooth\u00a0estimate\u00a0of\u00a0accuracy  ┃\u00a0mean\u00a0confidence"
                           : "●\u00a0smooth\u00a0estimate\u00a0of\u00a0the\u00a0rate  ┃\u00a0mean\u00a0probability";
  legend += "  ◆\u00a0both";
  if (banded) legend += "  ░\u00a0" + band_label(curve) + "  !\u00a0the\u00a0diagonal\u00a0leaves\u00a0it";
  return table.str(options.colour, options.width) + wrap(legend, options.width) +
         wrap(banded ? diagonal_sentence(curve) : band_meaning(curve), options.width);
}

}  // namespace tare::detail::render
