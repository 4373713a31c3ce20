#include "tare/render/text/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/core/names.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/figure.hpp"
#include "tare/render/text/diagram.hpp"
#include "tare/render/text/layout.hpp"

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
  std::string value = fmt::format("{}{}: {}", m.name, m.norm ? fmt::format(" (l{})", *m.norm) : "",
                                  is_fraction(m) ? percent(m.estimate->value) + "%" : visible(m.estimate->value, 4));
  if (m.class_index) value += ", class " + class_label(survey, *m.class_index);
  if (m.floor && m.floor_high)
    value += fmt::format("; a perfectly calibrated model of this n: {}% on average, up to {}%", percent(*m.floor),
                         percent(*m.floor_high));
  return header(survey.input, options) + wrap(value, options.width) + "\n";
}

std::string percent_or_nothing(const std::optional<double>& x) { return x ? percent(*x) + "%" : ""; }

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
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.change->value < b.change->value; });
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
    table.add({{repeats ? "" : grouped(static_cast<double>(r.n))},
               {r.estimator},
               {axis.draw(*r.bias - sd, *r.bias, *r.bias + sd, "●")},
               {signed_percent(*r.bias, 2)}});
  }
  return table.str(options.colour, options.width) +
         wrap(fmt::format("● bias in percentage points, norm {}; ├─┤ plus and minus the "
                          "standard deviation of one estimate; {} samples each",
                          picture.norm, grouped(static_cast<double>(t.replicates))),
              options.width);
}

Result<std::string> estimators_chart(const Survey& survey, const EstimatorsPicture& picture,
                                     const TextOptions& options) {
  const auto lines = estimator_lines(survey, picture);
  if (lines.empty()) return no_estimators();
  Table table({{"estimator"},
               {"value", true},
               {"by chance", true},
               {"up to", true},
               {"interval", true, true},
               {"corrected", true, true}});
  for (const EstimatorLine& l : lines) {
    const Measured& m = *l.measured;
    const bool above = m.judgement == Judgement::above_noise;
    table.add({{label_of(m)},
               {percent(m.estimate->value) + "%", above ? Ink::yellow : Ink::plain},
               {percent_or_nothing(m.floor), Ink::dim},
               {percent_or_nothing(m.floor_high), Ink::dim},
               {m.low && m.high ? percent(*m.low) + "–" + percent(*m.high) + "%" : ""},
               {percent_or_nothing(l.corrected)}});
  }
  return header(survey.input, options) + "\n" + table.str(options.colour, options.width) +
         wrap("by chance: what a calibrated model with these scores shows, on average and 95 of 100 times",
              options.width);
}

}  // namespace tare::detail::render
