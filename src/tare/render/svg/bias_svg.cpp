#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/core/palette.hpp"
#include "tare/render/pictures/picture.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr double bias_heading = 62, bias_labels = 96;

struct SeriesOfSizes {
  std::string estimator;
  std::vector<const SimRow*> rows;  // ascending n
};

std::vector<SeriesOfSizes> series_of(const SimTable& table, int norm) {
  std::vector<SeriesOfSizes> out;
  for (const SimRow& row : table.rows) {
    if (!row.bias || (row.norm && row.norm != norm)) continue;
    auto at = std::ranges::find_if(out, [&](const SeriesOfSizes& s) { return s.estimator == row.estimator; });
    if (at == out.end()) at = out.insert(out.end(), SeriesOfSizes{row.estimator, {}});
    at->rows.push_back(&row);
  }
  for (SeriesOfSizes& s : out)
    std::ranges::stable_sort(s.rows, [](const SimRow* a, const SimRow* b) { return a->n < b->n; });
  return out;
}

struct BiasHeading {
  std::string title, facts;
  std::vector<HeadingLine> lines;
};
BiasHeading heading_of(const SimTable& table, const BiasPictureOptions& options) {
  const TruthInfo& t = table.truth;
  const std::string who = !options.source.empty() ? options.source : !t.name.empty() ? t.name : "a known truth";
  const auto error = table.true_error.of(options.norm);
  const std::string facts =
      fmt::format("bias of estimators, norm {}; true error {}; {} samples each", options.norm,
                  error ? percent(*error) + "%" : "unknown", grouped(table.complete ? table.replicates : table.fewest));
  const std::string source = options.source.empty() ? who : "a model fitted to " + who;
  return {"Bias of estimators: " + who, facts, {{22, shortened(source, 50), 14, true}, {42, facts}}};
}

// One n: bias as a point with plus and minus one standard deviation of an estimate.
std::string dots(const BiasHeading& heading, const std::vector<SeriesOfSizes>& all) {
  std::vector<PictureRow> rows;
  double low = 0, high = 0;
  for (const SeriesOfSizes& s : all) {
    const double bias = *s.rows.front()->bias, sd = s.rows.front()->sd.value_or(0);
    low = std::min(low, bias - sd);
    high = std::max(high, bias + sd);
    rows.push_back({.label = s.estimator,
                    .tip = fmt::format("{}: bias {} points, sd {:.3f}", s.estimator, signed_percent(bias, 3), 100 * sd),
                    .low = bias - sd,
                    .high = bias + sd,
                    .caps = false,
                    .value = bias,
                    .dot = {style_of_estimator(s.estimator), 4.5}});
  }
  const double pad = 0.04 * (high - low);
  return svg(RowPicture{.title = heading.title,
                        .description = heading.facts,
                        .heading = heading.lines,
                        .x = {.title = fmt::format("bias ± sd of one estimate at n = {}, percentage points",
                                                   grouped(all.front().rows.front()->n)),
                              .low = low - pad,
                              .high = high + pad,
                              .ticks = round_ticks(low - pad, high + pad, 100, 6)},
                        .zero = Stroke{palette::ink, 1.5, "6 4"},
                        .rows = std::move(rows),
                        .top = bias_heading,
                        .left = 110,
                        .width = 330,
                        .margin = 3,
                        .size = 12});
}

std::vector<Tick> size_ticks(const std::vector<SeriesOfSizes>& all) {
  std::vector<std::size_t> sizes;
  for (const SeriesOfSizes& s : all)
    for (const SimRow* r : s.rows) sizes.push_back(r->n);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  const double span = std::log10(static_cast<double>(sizes.back()) / static_cast<double>(sizes.front()));
  std::vector<Tick> out;
  for (const std::size_t n : sizes) {  // labels need room: an eighth of the axis
    const double at = std::log10(static_cast<double>(n));
    const bool crowded = !out.empty() && (at - out.back().at) / span < 0.14;
    if (!crowded) out.push_back({at, grouped(n)});
  }
  return out;
}

// Names beside the last points, moved apart where they would touch.
void labels(Svg& svg, std::vector<std::pair<double, std::size_t>> at, const std::vector<SeriesOfSizes>& all, double x,
            const Frame& frame) {
  constexpr double room = 13;
  std::ranges::sort(at);
  for (std::size_t i = 1; i < at.size(); ++i) at[i].first = std::max(at[i].first, at[i - 1].first + room);
  double limit = frame.bottom();
  for (std::size_t i = at.size(); i-- > 0; limit -= room) at[i].first = std::min(at[i].first, limit);
  for (const auto& [y, s] : at) {
    draw_sample(svg, x + 4, y, 20, style_of_estimator(all[s].estimator));
    svg.text(x + 28, y + 4, all[s].estimator);
  }
}

std::string curves(const BiasHeading& heading, const std::vector<SeriesOfSizes>& all) {
  double low = 0, high = 0, first = 1e300, last = 0;
  for (const SeriesOfSizes& s : all)
    for (const SimRow* r : s.rows) {
      low = std::min(low, *r->bias);
      high = std::max(high, *r->bias);
      first = std::min(first, static_cast<double>(r->n));
      last = std::max(last, static_cast<double>(r->n));
    }
  const double pad = 0.06 * std::max(high - low, 1e-9);
  const Frame frame{60, bias_heading, figure_width - 60 - bias_labels,
                    std::max(300.0, 13.0 * static_cast<double>(all.size()) + 20)};
  const Scale x{std::log10(first), std::log10(last), frame.left + 10, frame.right() - 10};
  const Scale y{low - pad, high + pad, frame.bottom(), frame.top};
  Svg svg(figure_width, frame.bottom() + 44, heading.title, heading.facts);
  svg.heading(heading.lines);
  const auto up = round_ticks(y.low, y.high, 100, 6);
  const auto across = size_ticks(all);
  svg.grid(frame, x, across, y, up);
  svg.line(frame.left, y(0), frame.right(), y(0), {.stroke = dark, .width = 1.5, .dash = "6 4"});
  std::vector<std::pair<double, std::size_t>> ends;
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::vector<Point> through;
    for (const SimRow* r : all[s].rows) through.push_back({x(std::log10(static_cast<double>(r->n))), y(*r->bias)});
    const Style& look = style_of_estimator(all[s].estimator);
    svg.begin("bin", all[s].estimator);
    svg.path(through, {.stroke = look.colour.light, .width = 2, .dash = look.dash});
    for (const Point& p : through) draw_mark(svg, p.x, p.y, look, 3);
    svg.end();
    ends.push_back({through.back().y, s});
  }
  labels(svg, std::move(ends), all, frame.right(), frame);
  svg.x_axis(frame, x, across, "n (log)");
  svg.y_axis(frame, y, up, "bias, percentage points");
  return svg.str();
}

}  // namespace

Result<std::string> bias_svg(const SimTable& table, const BiasPictureOptions& options) {
  const auto all = series_of(table, options.norm);
  if (all.empty())
    return Error{.code = Errc::undefined,
                 .what = fmt::format("no estimator has a bias in norm {} here", options.norm),
                 .remedy = "pass the other `norm`"};
  const bool one = std::ranges::all_of(all, [&](const SeriesOfSizes& s) {
    return s.rows.size() == 1 && s.rows.front()->n == all.front().rows.front()->n;
  });
  const BiasHeading heading = heading_of(table, options);
  return one ? dots(heading, all) : curves(heading, all);
}

}  // namespace tare::detail::render
