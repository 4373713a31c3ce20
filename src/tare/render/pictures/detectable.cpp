#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/json/json.hpp"
#include "tare/render/pictures/plots.hpp"

namespace tare::detail::render {
namespace {

constexpr Style detectable_look{palette::curve, MarkShape::disc, palette::solid};

// A bar of `value` on 0 .. `most`, `columns` wide.
std::string bar_of(double value, double most, int columns) {
  const int full = most > 0 ? static_cast<int>(std::lround(std::clamp(value / most, 0.0, 1.0) * columns)) : 0;
  std::string out;
  for (int i = 0; i < full; ++i) out += "█";
  return out;
}

std::string detectable_about(const DetectableCurve& curve) {
  const auto here = std::ranges::find_if(curve.points, [](const auto& p) { return p.here; });
  if (here == curve.points.end() || !here->smallest.tce) return "at this n no error of these paths is found";
  std::string out = fmt::format("this n finds an error of {}% or more", percent(*here->smallest.tce));
  if (curve.estimate.value && curve.needed && *curve.needed > here->n * 1.05)
    out += fmt::format("; one of {}%, as estimated, takes about {} rows", percent(*curve.estimate.value),
                       grouped(std::pow(10, std::floor(std::log10(*curve.needed)) - 1) *
                               std::ceil(*curve.needed / std::pow(10, std::floor(std::log10(*curve.needed)) - 1))));
  return out;
}

// The estimated error of the data, with its interval, across the frame.
PictureRule estimate_rule(const ErrorRange& e) {
  PictureRule out{.label = fmt::format("estimated error: {}%", percent(*e.value)),
                  .at = *e.value,
                  .line = {palette::ink, 1.4, palette::dashed},
                  .low = e.low.value_or(*e.value),
                  .high = e.high.value_or(*e.value),
                  .tip = fmt::format("estimated error of these data ({}): {}%", e.estimator, percent(*e.value))};
  if (e.low && e.high) out.tip += fmt::format(", interval {}% to {}%", percent(*e.low), percent(*e.high));
  return out;
}

// The points with an error, and those of the data apart.
void add_points(PicturePanel& panel, const std::vector<const DetectablePoint*>& known) {
  const Style around{palette::ink, MarkShape::ring};
  PictureMark line{.label = fmt::format("smallest error that {} finds", known.front()->smallest.statistic),
                   .line = Stroke{palette::curve}};
  PictureMark others{.dot = Dot{detectable_look, 3.4}}, ring{.dot = Dot{around, 6.5, 2}},
      middle{.dot = Dot{{palette::ink}, 3, 0}};
  for (const DetectablePoint* p : known) {
    const double tce = *p->smallest.tce;
    const std::string tip = fmt::format("n = {}: an error of {}% or more is found in {:.3g} of 100 samples",
                                        grouped(p->n), percent(tce), 100 * p->smallest.power);
    line.add(p->n, tce, tip);
    if (!p->here) {
      others.add(p->n, tce, tip);
      continue;
    }
    panel.rules.push_back({.at = p->n, .vertical = true, .line = {palette::ink, 1, palette::dotted}});
    ring.add(p->n, tce, tip);
    middle.add(p->n, tce);
    panel.notes.push_back({p->n, tce, fmt::format("you are here: {}%", percent(tce))});
  }
  panel.marks = {std::move(line), std::move(others), std::move(ring), std::move(middle)};
}

}  // namespace

ColumnTable table(const std::vector<DetectablePoint>& points) {
  using P = DetectablePoint;
  double most = 0;
  for (const P& p : points) most = std::max(most, p.smallest.tce.value_or(0));
  const auto ink = [](const P& p) { return p.here ? Ink::bold : Ink::plain; };
  Columns c(points);
  c.add("n", &P::n).count().text("n").page("rows").shown([&](const P& p) {
    return Shown{grouped(p.n), ink(p), {}, {p.n}};
  });
  c.add("tce", [](const P& p) { return p.smallest.tce; })
      .percent()
      .text("smallest error found")
      .page("error")
      .shown([&](const P& p) {
        if (!p.smallest.tce) return Shown{"none", ink(p), "n/a"};
        return Shown{percent(*p.smallest.tce) + "%", ink(p), percent(*p.smallest.tce), {100 * *p.smallest.tce}};
      });
  c.shown([&](const P& p) { return Shown{bar_of(p.smallest.tce.value_or(0), most, 24)}; }).text("");
  c.add("here", &P::here).text("").page("").shown([](const P& p) {
    return p.here ? Shown{.text = "◂ you are here", .html = "these data"} : Shown{};
  });
  c.add("path", [](const P& p) { return words_or_nothing(p.smallest.path); });
  c.add("exponent", [](const P& p) { return p.smallest.exponent; });
  c.add("reason", [](const P& p) { return words_or_nothing(p.smallest.reason); });
  return c.take();
}

std::string csv(const DetectableCurve& curve) { return csv(table(curve.points)); }

std::string json(const DetectableCurve& curve) {
  Json out = plot_json("detectable", curve.input);
  const Detectable any = curve.points.empty() ? Detectable{} : curve.points.front().smallest;
  out.set("seed", curve.seed);
  out.set("resamples", curve.resamples);
  out.set("statistic", any.statistic);
  out.set("alpha", any.alpha);
  out.set("power", any.power);
  out.set("norm", any.norm);
  out.set("estimate", {{"estimator", or_null(curve.estimate.estimator)},
                       {"value", or_null(curve.estimate.value)},
                       {"low", or_null(curve.estimate.low)},
                       {"high", or_null(curve.estimate.high)}});
  out.set("needed", or_null(curve.needed));
  out.set("points", json_rows(table(curve.points)));
  return out.indented();
}

std::string text(const DetectableCurve& curve, const TextOptions& options) {
  std::string out =
      header(curve.input, options) + "\n" + text_table(table(curve.points)).str(options.colour, options.width);
  if (curve.estimate.value)
    out +=
        wrap(fmt::format(
                 "estimated error of these data: {}%{}", percent(*curve.estimate.value),
                 curve.needed ? fmt::format("; found from about {} rows on", grouped(std::ceil(*curve.needed))) : ""),
             options.width);
  return out;
}

Result<Picture> picture(const DetectableCurve& curve) {
  std::vector<const DetectablePoint*> known;
  for (const DetectablePoint& p : curve.points)
    if (p.smallest.tce && *p.smallest.tce > 0) known.push_back(&p);
  if (known.empty())
    return Error{.code = Errc::undefined,
                 .what = "no error would be found at any of these sizes" +
                         (curve.points.empty() ? std::string() : ": " + curve.points.front().smallest.reason),
                 .remedy = "pass larger sizes"};
  double low = HUGE_VAL, high = 0, first = HUGE_VAL, last = 0;
  for (const DetectablePoint& p : curve.points) first = std::min(first, p.n), last = std::max(last, p.n);
  for (const DetectablePoint* p : known) low = std::min(low, *p->smallest.tce), high = std::max(high, *p->smallest.tce);
  const ErrorRange& estimate = curve.estimate;
  if (estimate.value && *estimate.value > 0) {  // in sight, too
    low = std::min(low, *estimate.value);
    high = std::max(high, *estimate.value);
  }
  PicturePanel panel{.x = log_axis("n (log)", first / 1.15, last * 1.15),
                     .y = log_axis("true error (norm 2), % (log)", low / 1.3, std::min(1.0, high * 1.3), 100),
                     .height = 290};
  if (estimate.value && *estimate.value > panel.y.low) panel.rules.push_back(estimate_rule(estimate));
  add_points(panel, known);
  const Detectable& any = known.front()->smallest;
  const std::string about = detectable_about(curve);
  Picture out{.title = "Smallest error that is found",
              .description = about + ".",
              .input = curve.input,
              .about = shortened(about, 74),
              .panels = {std::move(panel)},
              .legend = {{.words = fmt::format("smallest error that {} finds: power {:g}%, level {:g}%", any.statistic,
                                               100 * any.power, 100 * any.alpha),
                          .line = Stroke{palette::curve, 1.8},
                          .dot = Dot{detectable_look, 3.4}}},
              .sample = 24};
  if (estimate.value)
    out.legend.push_back(
        {.words = fmt::format("estimated error of these data: {}%{}", percent(*estimate.value),
                              estimate.low && estimate.high
                                  ? fmt::format(" ({}% to {}%)", percent(*estimate.low), percent(*estimate.high))
                                  : std::string()),
         .box = palette::chance,
         .line = Stroke{palette::ink, 1.4, palette::dashed}});
  return out;
}

}  // namespace tare::detail::render
