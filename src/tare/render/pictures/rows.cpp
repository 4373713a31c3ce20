// The charts of rows on one axis: calibrators that were compared, groups, estimators.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/core/names.hpp"
#include "tare/core/palette.hpp"
#include "tare/render/pictures/picture.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

struct MethodLine {
  const MethodResult* method;
  const Difference* change;  // null: not fitted, or infinite
};

std::vector<MethodLine> method_lines(const Comparison& c, Criterion criterion) {
  std::vector<MethodLine> out;
  for (const MethodResult& m : c.methods)
    if (m.method != "uncalibrated") out.push_back({&m, difference(m, criterion, "uncalibrated")});
  // What is recommended first, then the best; what has no number last.
  std::ranges::stable_sort(out, [&](const MethodLine& a, const MethodLine& b) {
    const auto wins = [&](const MethodLine& l) { return l.method->method == c.winner.method; };
    if (wins(a) || wins(b)) return wins(a) && !wins(b);
    if (!a.change || !b.change) return a.change != nullptr && b.change == nullptr;
    return a.change->value < b.change->value;
  });
  return out;
}

// Full: better. Hollow: noise. A square: worse.
Dot dot_of(Change change) {
  if (change == Change::worse) return {{palette::worse, MarkShape::square}, 4, 1, palette::ink};
  if (change == Change::noise) return {{palette::ink, MarkShape::ring}, 4.5, 1.3};
  return {{palette::better, MarkShape::disc}, 4.5, 1.3, palette::ink};
}

PictureRow row_of(const Comparison& c, const MethodLine& l) {
  const bool wins = l.method->method == c.winner.method;
  PictureRow out{.label = (wins ? "▸ " : "") + l.method->method, .bold = wins};
  if (!l.change) {
    out.words = l.method->reason.empty() ? "n/a: infinite" : "not fitted";
    return out;
  }
  const Difference& d = *l.change;
  const double factor = about(d.criterion).factor;
  out.tip = fmt::format("{}: {:+.4g}, interval {:+.4g} to {:+.4g}, {}", l.method->method, factor * d.value,
                        factor * d.low, factor * d.high, name(d.change));
  out.low = d.low;
  out.high = d.high;
  out.value = d.value;
  out.dot = dot_of(d.change);
  return out;
}

constexpr std::size_t most_groups = 40;

// Full: found. Hollow: not. The small bar is the shrunken gap.
PictureRow row_of(const GroupReport& report, const GroupLine& line) {
  const bool found = report.found(line);
  const Colour ink = found ? palette::found : palette::ink;
  return {.label = shortened(group_name(report, line), 28),
          .tip = fmt::format("{}: {} rows, confidence {}%, accuracy {}%, gap {} points ({} to {}), adjusted p {}",
                             group_name(report, line), grouped(line.rows), percent(line.confidence, 1),
                             percent(line.accuracy, 1), signed_percent(line.gap.value), signed_percent(*line.gap.low),
                             signed_percent(*line.gap.high), exact_p(std::log(line.bh))),
          .low = line.gap.low,
          .high = line.gap.high,
          .line = {ink, 1.4},
          .caps = false,
          .second = Upright{.line = {ink, 2.4}, .above = 5, .below = 5, .at = line.shrunken_gap},
          .value = line.gap.value,
          .dot = {{ink, found ? MarkShape::disc : MarkShape::ring}, 4, 1.3},
          .beside = grouped(line.rows)};
}

bool is_shown(const Measured& m, std::optional<int> norm) {
  if (!m.about.is_error || !is_fraction(m) || m.class_index || !m.estimate) return false;
  return !m.norm || *m.norm == norm.value_or(usual_norm(m.about));
}

std::string estimator_tip(const EstimatorLine& l) {
  const Measured& m = *l.measured;
  std::string out = fmt::format("{}: {}%", label_of(m), percent(m.estimate->value));
  if (m.floor && m.floor_high)
    out += fmt::format("; by chance {}% on average, up to {}% (95 of 100)", percent(*m.floor), percent(*m.floor_high));
  if (m.low && m.high) out += fmt::format("; interval {}% to {}%", percent(*m.low), percent(*m.high));
  if (l.corrected) out += fmt::format("; corrected {}%", percent(*l.corrected));
  return out;
}

// The axis is for errors of the same kind; a largest gap may be ten times as large, and stands at its end.
double end_of_axis(const std::vector<EstimatorLine>& lines) {
  double end = 0, any = 0;
  for (const EstimatorLine& l : lines) {
    const Measured& m = *l.measured;
    const double most = std::max({m.estimate->value, m.high.value_or(0), m.floor_high.value_or(0)});
    any = std::max(any, most);
    if (!m.estimand.empty()) end = std::max(end, most);
  }
  return end > 0 ? 1.04 * end : any > 0 ? 1.04 * any : 0.01;
}

PictureRow row_of(const EstimatorLine& l, double end) {
  const Measured& m = *l.measured;
  const Style& look = style_of_estimator(m.name);
  PictureRow out{.label = label_of(m),
                 .tip = estimator_tip(l),
                 .chance = m.floor_high,
                 .low = m.low,
                 .high = m.high,
                 .line = {look.colour, 1.8},
                 .value = m.estimate->value,
                 .dot = {look, 4.4},
                 .beside = percent(m.estimate->value) + "%" + (m.estimate->value > end ? " ▸" : "")};
  if (m.floor_high && m.floor) out.mean = Upright{.line = {palette::dim, 1.2}, .at = *m.floor};
  if (l.corrected)
    out.second = Upright{.line = {look.colour, 2.8}, .above = 8, .below = 8, .at = *l.corrected, .rim = true};
  return out;
}

}  // namespace

Result<std::string> compare_svg(const Comparison& c, const ComparisonPictureOptions& options) {
  const CriterionInfo& criterion = about(options.criterion);
  std::vector<PictureRow> rows;
  double low = 0, high = 0;
  for (const MethodLine& l : method_lines(c, options.criterion)) {
    rows.push_back(row_of(c, l));
    low = std::min(low, rows.back().low.value_or(0));
    high = std::max(high, rows.back().high.value_or(0));
  }
  if (!(high > low))
    return Error{.code = Errc::undefined,
                 .what = fmt::format("no method has a difference in {}", criterion.axis),
                 .remedy = "draw another criterion"};
  const double pad = 0.04 * (high - low);
  const std::string source = source_of(c.test);
  const std::string facts = fmt::format("{}: after minus before, {} rows", criterion.axis, grouped(c.test.n));
  const std::string chosen = fmt::format("▸ {}: recommended by {}, on validation data only", c.winner.method,
                                         about(c.winner.criterion).abbreviation);
  RowPicture out{
      .title = "Calibrators compared: " + source,
      .description = fmt::format("{}. Recommended: {} ({}).", facts, c.winner.method, c.winner.how),
      .x = {.title = "change, negative is better",
            .low = low - pad,
            .high = high + pad,
            .ticks = round_ticks(low - pad, high + pad, criterion.factor, 6)},
      .zero = Stroke{palette::ink, 1.5, "6 4"},
      .rows = std::move(rows),
      .legend = {{.words = "better", .dot = dot_of(Change::better), .x = 15},
                 {.words = "noise: the interval holds 0", .dot = dot_of(Change::noise), .x = 90, .beside = true},
                 {.words = "worse", .dot = dot_of(Change::worse), .x = 280, .beside = true}},
      .top = options.heading ? 78.0 : 14.0,
      .left = 160,
      .width = 280,
      .step = 24,
      .margin = 3,
      .size = 12,
      .below = 66};
  if (options.heading) out.heading = {{22, shortened(source, 50), 14, true}, {41, shortened(facts, 70)}, {58, chosen}};
  return svg(out);
}

std::string groups_svg(const GroupReport& report, bool heading) {
  const std::size_t shown = std::min(report.lines.size(), most_groups);
  double furthest = 0.01;
  std::size_t longest = 4;
  std::vector<PictureRow> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    const GroupLine& line = report.lines[i];
    furthest = std::max({furthest, std::abs(*line.gap.low), std::abs(*line.gap.high)});
    longest = std::max(longest, display_width(group_name(report, line)));
    rows.push_back(row_of(report, line));
  }
  furthest *= 1.04;  // intervals end inside the frame
  const double label = std::clamp(6.8 * static_cast<double>(longest), 60.0, 190.0);
  const Dot found{{palette::found}, 4, 1}, not_found{{palette::ink, MarkShape::ring}, 4, 1.3};
  const Upright shrunken{.line = {palette::ink, 2.4}, .above = 5, .below = 5};
  RowPicture out{
      .title = "gaps of groups",
      .description = group_sentences(report).front(),
      .x = {.title = gap_words(report) + ", in points",
            .low = -furthest,
            .high = furthest,
            .ticks = round_ticks(-furthest, furthest, 100, 4)},
      .zero = Stroke{palette::ink, 1},
      .rows = std::move(rows),
      .beside = "rows",
      .legend = {{.words = "found", .dot = found, .x = 15},
                 {.words = "not found", .dot = not_found, .x = 80, .beside = true},
                 {.words = "shrunken gap", .upright = shrunken, .x = 167, .beside = true, .sample = 4},
                 {.words = "95% interval", .line = Stroke{palette::ink, 1.4}, .x = 269, .beside = true, .sample = 20}},
      .top = heading ? 66.0 : 40.0,
      .left = label + 14,
      .width = 460 - label - 14 - 56,
      .step = 20,
      .below = 44,
      .legend_at = heading ? -8.0 : -16.0};
  const std::string order = "the strongest evidence first";
  if (heading)
    out.heading = {
        {22, shortened(report.input.source, 50), 14, true},
        {40,
         shown < report.lines.size() ? fmt::format("{} of {} groups, {}", shown, report.lines.size(), order) : order,
         11}};
  return svg(out);
}

std::vector<EstimatorLine> estimator_lines(const Survey& survey, const EstimatorsPicture& options) {
  std::vector<EstimatorLine> out;
  for (const Measured& m : survey.measured) {
    if (!is_shown(m, options.norm)) continue;
    const Correction* c = options.bias ? correction_of(*options.bias, m) : nullptr;
    out.push_back({&m, c ? c->corrected : std::nullopt});
  }
  std::stable_partition(out.begin(), out.end(), [](const EstimatorLine& l) {
    return l.measured->about.roles.headline || l.measured->about.roles.mean_gap;
  });
  return out;
}

Error no_estimators() {
  return {.code = Errc::undefined,
          .what = "no error of calibration was measured here",
          .remedy = "measure one that has this norm"};
}

Result<std::string> estimators_svg(const Survey& survey, const EstimatorsPicture& options) {
  const auto lines = estimator_lines(survey, options);
  if (lines.empty()) return no_estimators();
  const bool corrected = std::ranges::any_of(lines, [](const auto& l) { return l.corrected.has_value(); });
  const double end = end_of_axis(lines);
  const Upright mean{.line = {palette::dim, 1.2}};
  RowPicture out{.title = "Estimators: " + source_of(survey.input),
                 .description = facts_of(survey.input) + ". " + conclusion(survey),
                 .x = {.title = "error, %", .high = end, .ticks = round_ticks(0, end, 100, 5)},
                 .left_line = true,
                 .legend = {{.words = "value", .dot = Dot{{palette::ink}, 4, 0}, .x = 16},
                            {.words = "95% interval of the true error",
                             .line = Stroke{palette::ink, 1.8},
                             .caps = true,
                             .x = 80,
                             .beside = true,
                             .sample = 26},
                            {.box = palette::chance, .sample = 30, .box_height = 12},
                            {.words = "chance: a calibrated model, on average and 95 of 100",
                             .upright = mean,
                             .x = 16,
                             .beside = true,
                             .sample = 28}},
                 .top = options.heading ? kind_heading_height + 4 : kind_no_heading_height,
                 .beside_gap = 10,
                 .below = corrected ? 106.0 : 88.0,
                 .legend_at = 58};
  for (const EstimatorLine& l : lines) out.rows.push_back(row_of(l, end));
  if (corrected)
    out.legend.push_back({.words = "corrected for the bias at this n, by simulation",
                          .upright = Upright{.line = {palette::ink, 2.8}, .above = 8},
                          .x = 16});
  if (options.heading) out.heading = kind_heading(survey.input, "every estimator beside what chance alone shows");
  return svg(out);
}

}  // namespace tare::detail::render
