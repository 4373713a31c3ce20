#include <fmt/format.h>

#include <algorithm>

#include "tare/render/pictures/plots.hpp"
#include "tare/render/prose/prose.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t rejection_marks = 50;  // with exact numbers; the curve has more points

std::string rejection_tip(const RejectionPoint& p, bool weighted) {
  return fmt::format("the surest {}%: {}, scores from {:.4g}, accuracy {}% ({}% to {}%), claimed {}%",
                     percent(p.share, 1), counted(p.weight, weighted), p.threshold, percent(p.accuracy), percent(p.low),
                     percent(p.high), percent(p.claimed));
}

// Intervals of single rows reach far down; the axis begins where those of a twentieth of the rows do.
double lowest_accuracy(const RejectionCurve& curve) {
  double least = 1;
  for (const RejectionPoint& p : curve.points) {
    least = std::min({least, p.accuracy, p.claimed});
    if (p.share >= 0.05) least = std::min(least, p.low);
  }
  return std::max(0.0, least - 0.04 * (1.02 - least));
}

}  // namespace

ColumnTable table(const std::vector<RejectionPoint>& points) {
  using P = RejectionPoint;
  Columns c(points);
  c.add("share", &P::share).percent().text("kept", 0, "%").page("share kept");
  c.shown([](const P& p) { return Shown{grouped(p.weight)}; }).count().text("rows");
  c.add("threshold", &P::threshold).percent().page("threshold");
  c.shown([](const P& p) { return Shown{fmt::format("{:.4g}", p.threshold)}; }).plain().text("scores from").spare();
  c.add("weight", &P::weight);
  c.add("accuracy", &P::accuracy).percent().text("accuracy", 2, "%").ink(Ink::bold).page("accuracy");
  c.add("low", &P::low);
  c.add("high", &P::high);
  c.range(&P::low, &P::high).percent().text("interval", 2, "%").page("95% interval", {"low", "high"});
  c.add("claimed", &P::claimed).percent().text("claimed", 2, "%").ink(Ink::dim).page("claimed");
  return c.take();
}

std::string csv(const RejectionCurve& curve) { return csv(table(curve.points)); }

std::string json(const RejectionCurve& curve) {
  Json out = plot_json("rejection", curve.input);
  out.set("thresholds", curve.thresholds);
  out.set("mean_accuracy", curve.mean_accuracy);
  out.set("points", json_rows(table(curve.points)));
  return out.indented();
}

std::string text(const RejectionCurve& curve, const TextOptions& options) {
  std::vector<RejectionPoint> few;
  double next = 0.05;
  for (const RejectionPoint& p : curve.points) {
    if (p.share < next - 1e-12 && &p != &curve.points.back()) continue;
    while (next <= p.share + 1e-12) next += next < 0.0999 ? 0.05 : 0.1;
    few.push_back(p);
  }
  return header(curve.input, options) + "\naccuracy among the most confident rows\n" +
         text_table(table(few)).str(options.colour, options.width);
}

Result<Picture> picture(const RejectionCurve& curve) {
  const RejectionPoint& all = curve.points.back();
  const Stroke claimed{palette::ink, 1.6, palette::dashed}, accuracy{palette::curve};
  PictureMark band{.label = "95% interval of each share", .area = palette::band};
  PictureMark claims{.label = "claimed: mean score", .line = claimed}, line{.label = "accuracy", .line = accuracy};
  PictureMark dots{.dot = Dot{{palette::curve}, 2.6, 0}};
  const double low = lowest_accuracy(curve);
  for (const RejectionPoint& p : curve.points) {
    band.add_range(p.share, p.low, p.high);
    claims.add(p.share, p.claimed);
    line.add(p.share, p.accuracy);
  }
  const std::size_t step = (curve.points.size() + rejection_marks - 1) / rejection_marks;
  for (std::size_t i = curve.points.size() - 1;; i -= std::min(i, step)) {
    const RejectionPoint& p = curve.points[i];
    dots.add(p.share, p.accuracy, rejection_tip(p, curve.input.weighted));
    if (i == 0) break;
  }
  const std::string kept = curve.input.weighted ? "weight" : "rows";
  return Picture{
      .title = "Accuracy among the most confident rows",
      .description =
          fmt::format("All rows: accuracy {}%, mean score {}%.", percent(all.accuracy), percent(all.claimed)),
      .input = curve.input,
      .about = fmt::format("all rows: accuracy {}%, claimed {}%", percent(all.accuracy), percent(all.claimed)),
      .panels = {{.x = percent_axis("share of the " + kept + " kept, the most confident first, %"),
                  .y = percent_axis("accuracy of these rows, %", low, 1),
                  .marks = {std::move(band), std::move(claims), std::move(line), std::move(dots)}}},
      .legend = {{.words = "accuracy", .line = accuracy},
                 {.words = "95% interval of each share", .box = palette::band, .x = 112, .beside = true},
                 {.words = "claimed: mean score", .line = claimed, .x = 300, .beside = true}},
      .sample = 20};
}

}  // namespace tare::detail::render
