#include "tare/render/text/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/core/names.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t most_rows = 60;

Result<const Measured*> few_bins(const Survey& survey, const PictureOptions& picture) {
  const auto found = drawn(survey, picture);
  if (found && (*found)->estimate->per_bin.size() > most_rows)
    return Error{.code = Errc::unsupported,
                 .what = fmt::format("{} bins are too many for a terminal", (*found)->estimate->per_bin.size()),
                 .remedy = "write a .svg, or ask for fewer bins"};
  return found;
}

std::string title(const Survey& survey, const Measured& m, const TextOptions& options) {
  std::string value = label_of(m) + ": " + shown_number(m, m.estimate->value);
  if (m.class_index) value += ", class " + class_label(survey, *m.class_index);
  if (m.floor && m.floor_high)
    value += fmt::format("; a perfectly calibrated model of this n: {}% on average, up to {}%", percent(*m.floor),
                         percent(*m.floor_high));
  return header(survey.input, options) + wrap(value, options.width) + "\n";
}

// One line of a chart on low .. high: an interval, a mark, and a rule at 0.
struct CharacterAxis {
  double low = 0, high = 0;
  int columns = 0;
  [[nodiscard]] int at(double x) const {
    return static_cast<int>(std::lround((x - low) / (high - low) * (columns - 1)));
  }
  [[nodiscard]] std::string draw(double from, double value, double to, const char* mark) const {
    std::string out;
    for (int i = 0; i < columns; ++i)
      out += i == at(value)               ? mark
             : i == at(from)              ? "├"
             : i == at(to)                ? "┤"
             : i > at(from) && i < at(to) ? (i == at(0) ? "┼" : "─")
             : i == at(0)                 ? "│"
                                          : " ";
    return out.substr(0, out.find_last_not_of(' ') + 1);
  }
};

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

Result<std::string> reliability_chart(const Survey& survey, const PictureOptions& picture, const TextOptions& options) {
  const auto line = drawn(survey, picture);
  if (!line) return line.error();
  const CurveBand* curve = curve_of(survey, **line);
  if (picture.style == ReliabilityStyle::curve && curve)
    return title(survey, **line, options) + curve_diagram(*curve, survey.input.reduction, picture.axis, options);
  const auto found = few_bins(survey, picture);
  if (!found) return found.error();
  return title(survey, **found, options) + diagram((*found)->estimate->per_bin, {}, survey.input.reduction, options);
}

Result<std::string> histogram_chart(const Survey& survey, const PictureOptions& picture, const TextOptions& options) {
  const auto found = few_bins(survey, picture);
  if (!found) return found.error();
  const Measured& m = **found;
  double total = 0, most = 0;
  for (const Bin& bin : m.estimate->per_bin) {
    total += bin.count;
    most = std::max(most, bin.count);
  }
  const bool top = survey.input.reduction == Reduction::top_label;
  const int columns = std::clamp(options.width - 38, 10, 100);
  Table table({{top ? "confidence" : "probability"}, {""}, {"share, %", true}, {"rows", true}});
  for (const Bin& bin : m.estimate->per_bin) {
    std::string bar;
    for (int i = 0; i < static_cast<int>(std::lround(bin.count / most * columns)); ++i) bar += "█";
    table.add({{fmt::format("{:.3f} - {:.3f}", bin.lower, bin.upper)},
               {bar.empty() ? "▏" : bar},
               {fmt::format("{:.1f}", 100 * bin.count / total)},
               {grouped(bin.count)}});
  }
  std::string out = title(survey, m, options) + table.str(options.colour, options.width);
  const Measured* rate = find(survey, &Roles::mean_label, m.class_index);
  const Measured* claim = find(survey, &Roles::mean_score, m.class_index);
  if (rate && claim && rate->estimate && claim->estimate)
    out += fmt::format("{} {:.1f}%, {} {:.1f}%\n", top ? "accuracy" : "observed rate", 100 * rate->estimate->value,
                       top ? "mean confidence" : "mean probability", 100 * claim->estimate->value);
  return out;
}

Result<std::string> compare_chart(const Comparison& c, const ComparisonPictureOptions& picture,
                                  const TextOptions& options) {
  struct Line {
    const MethodResult* method;
    const Difference* change;
  };
  std::vector<Line> lines;
  CharacterAxis axis{.columns = std::clamp(options.width - 52, 16, 80)};
  for (const MethodResult& m : c.methods)
    if (const Difference* d = difference(m, picture.criterion, "uncalibrated")) {
      lines.push_back({&m, d});
      axis.low = std::min(axis.low, d->low);
      axis.high = std::max(axis.high, d->high);
    }
  if (lines.empty() || !(axis.high > axis.low))
    return Error{.code = Errc::undefined,
                 .what = fmt::format("no method has a difference in {}", name(picture.criterion)),
                 .remedy = "draw another criterion"};
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) { return a.change->value < b.change->value; });
  Table table({{fmt::format("after minus before, {}", name(picture.criterion))}, {"", false}, {"change", true}, {""}});
  for (const Line& l : lines) {
    const Difference& d = *l.change;
    const char* mark = d.change == Change::better ? "●" : d.change == Change::worse ? "■" : "○";
    const bool wins = l.method->method == c.winner.method;
    table.add({{(wins ? "> " : "  ") + l.method->method, wins ? Ink::bold : Ink::plain},
               {axis.draw(d.low, d.value, d.high, mark)},
               {(d.value < 0 ? "" : "+") + general(d.value, 3)},
               {std::string(name(d.change))}});
  }
  return table.str(options.colour, options.width) +
         "● better  ○ noise  ■ worse; negative is better; > was chosen on validation data\n";
}

Result<std::string> bias_chart(const SimTable& t, const BiasPictureOptions& picture, const TextOptions& options) {
  CharacterAxis axis{.columns = std::clamp(options.width - 36, 16, 80)};
  bool any = false;
  const auto shown = [&](const SimRow& r) { return r.bias && (!r.norm || r.norm == picture.norm); };
  for (const SimRow& r : t.rows)
    if (shown(r)) {
      any = true;
      axis.low = std::min(axis.low, *r.bias - r.sd.value_or(0));
      axis.high = std::max(axis.high, *r.bias + r.sd.value_or(0));
    }
  if (!any || !(axis.high > axis.low))
    return Error{.code = Errc::undefined,
                 .what = fmt::format("no estimator has a bias in norm {} here", picture.norm),
                 .remedy = "pass the other `norm`"};
  Table table({{"n", true}, {"estimator"}, {""}, {"bias", true}});
  std::optional<std::size_t> previous;
  for (const SimRow& r : t.rows) {
    if (!shown(r)) continue;
    const bool repeats = previous == r.n;
    previous = r.n;
    const double sd = r.sd.value_or(0);
    table.add({{repeats ? "" : grouped(r.n)},
               {r.estimator},
               {axis.draw(*r.bias - sd, *r.bias, *r.bias + sd, "●")},
               {signed_percent(*r.bias, 2)}});
  }
  return table.str(options.colour, options.width) +
         wrap(fmt::format("● bias in percentage points, norm {}; ├─┤ plus and minus the "
                          "standard deviation of one estimate; {} samples each",
                          picture.norm, grouped(t.replicates)),
              options.width);
}

Result<std::string> estimators_chart(const Survey& survey, const EstimatorsPicture& picture,
                                     const TextOptions& options) {
  const auto lines = estimator_lines(survey, picture);
  if (lines.empty()) return no_estimators();
  using L = EstimatorLine;
  const auto of = [](auto member) { return [=](const L& l) { return l.measured->*member; }; };
  Columns c(lines);
  c.add("", [](const L& l) { return label_of(*l.measured); }).text("estimator");
  c.shown([](const L& l) {
     const bool above = l.measured->judgement == Judgement::above_noise;
     return Shown{percent(l.measured->estimate->value) + "%", above ? Ink::yellow : Ink::plain};
   })
      .plain()
      .text("value");
  c.add("", of(&Measured::floor)).percent().text("by chance", 2, "%").ink(Ink::dim);
  c.add("", of(&Measured::floor_high)).percent().text("up to", 2, "%").ink(Ink::dim);
  c.range(of(&Measured::low), of(&Measured::high)).percent().text("interval", 2, "%").spare();
  c.add("", &L::corrected).percent().text("corrected", 2, "%").spare();
  return header(survey.input, options) + "\n" + text_table(c.take()).str(options.colour, options.width) +
         wrap("by chance: what a calibrated model with these scores shows, on average and 95 of 100 times",
              options.width);
}

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
