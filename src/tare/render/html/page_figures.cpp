// The first screen: the calibration curve on the axis that suits its rows and on the others, bars, and their switches;
// the histogram; and the numbers behind them.
#include <fmt/format.h>

#include "tare/render/html/page.hpp"
#include "tare/render/pictures/plots.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

// One of the drawings that the first screen switches between.
struct PagePanel {
  std::string id, label;  // of its switch
  std::string html;
};

// A fraction in percent, with the number behind it.
HtmlCell percent_cell(double fraction, fmt::string_view form = "{:.1f}") {
  return {fmt::format(fmt::runtime(form), 100 * fraction), 100 * fraction};
}

HtmlCell range_cell(const HtmlCell& low, const HtmlCell& high) {
  return {low.html + " – " + high.html, std::vector<double>{low.values[0], high.values[0]}};
}

HtmlCell edges_cell(const Bin& bin) {
  return range_cell(percent_cell(bin.lower, "{:.4g}"), percent_cell(bin.upper, "{:.4g}"));
}

// The estimators with a diagram on the page, in the order of the survey.
std::vector<const EstimatorInfo*> shown(const Survey& survey) {
  std::vector<const EstimatorInfo*> out;
  for (const Measured& m : survey.measured)
    if (!m.class_index && !m.about.panel.label.empty() && (out.empty() || out.back()->name != m.about.name))
      out.push_back(&m.about);
  return out;
}

std::string bins_table(const Report& report, const Measured& m, const std::vector<Band>* band) {
  const bool top = report.survey.input.reduction == Reduction::top_label;
  HtmlTable table(fmt::format("bins-of-{}", m.name),
                  fmt::format("Bins of {} ({}), in percent", m.name, m.about.panel.label),
                  {{"from – to", false, {"from", "to"}},
                   {report.survey.input.weighted ? "weight" : "rows", true},
                   {top ? "mean confidence" : "mean probability", true},
                   {top ? "accuracy" : "observed rate", true},
                   {"difference", true},
                   {"if calibrated", true, {"if calibrated, low", "if calibrated, high"}},
                   {"outside?"}});
  const auto& bins = m.estimate->per_bin;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const Bin& b = bins[i];
    HtmlCell expected = "";
    std::string outside;
    if (band && band->size() == bins.size()) {
      const Band& a = (*band)[i];
      expected = range_cell(percent_cell(a.low), percent_cell(a.high));
      outside = b.mean_label < a.low ? "below" : b.mean_label > a.high ? "above" : "";
    }
    table.add({edges_cell(b),
               {grouped(b.count), b.count},
               percent_cell(b.mean_score),
               percent_cell(b.mean_label),
               {signed_percent(b.mean_score - b.mean_label), 100 * (b.mean_score - b.mean_label)},
               expected,
               outside});
  }
  return table.str();
}

std::string value_caption(const Measured& m) {
  std::string out =
      fmt::format("Bins of {}: {}, {} bins: {}", m.about.panel.bins, label_of(m),
                  m.estimate->bins ? grouped(*m.estimate->bins) : "?", shown_number(m, m.estimate->value));
  if (m.floor && m.floor_high) out += "; " + noise_words(m);
  return out + ".";
}

PagePanel bars_panel(const Report& report, const EstimatorInfo& about, std::size_t index) {
  const auto* band = band_of(report.survey, about.name);
  PictureOptions options{.estimator = std::string(about.name),
                         .id = fmt::format("bins{}", index),
                         .heading = false,
                         .style = ReliabilityStyle::bars};
  if (band) options.band = *band;
  const auto picture = reliability_svg(report.survey, options);
  std::string body;
  if (picture) {
    const Measured& m = **drawn(report.survey, options);
    // A table longer than a screen or two is no longer read; the JSON of `tare measure` has all bins.
    const bool few = m.estimate->per_bin.size() <= 100;
    body = figure_html(
        {.name = m.about.name,
         .picture = *picture,
         .caption = xml(value_caption(m) + (few ? "" : " More than 100 bins: `tare measure --json` lists them.")),
         .numbers = few ? bins_table(report, m, band) : ""});
  } else {
    body = paragraph("Not drawn: " + sentence(picture.error()) + ".", "notes");
  }
  return {fmt::format("bins-{}", index), std::string(about.panel.label), body};
}

std::string switch_group(std::string_view legend, const std::vector<PagePanel>& panels, bool chosen) {
  std::string out;
  for (const PagePanel& p : panels) {
    out += fmt::format("<label><input type=\"radio\" name=\"drawing\" id=\"{}\"{}>{}</label>\n", p.id,
                       chosen ? " checked" : "", xml(p.label));
    chosen = false;
  }
  return out.empty() ? "" : fmt::format("<fieldset>\n<legend>{}</legend>\n{}</fieldset>\n", legend, out);
}

// Which panel is seen is a matter of style, so that it works without script.
std::string panel_html(const PagePanel& p) {
  return fmt::format(
      "<style>.reliability:has(#{0}:checked) .panel:not(.panel-{0}){{display:none}}</style>\n<div class=\"panel "
      "panel-{0}\">\n{1}</div>\n",
      p.id, p.html);
}

std::string histogram_table(const Report& report, const Measured& m) {
  double total = 0;
  for (const Bin& bin : m.estimate->per_bin) total += bin.count;
  HtmlTable table("histogram-numbers", "Rows by score, in percent",
                  {{"from – to", false, {"from", "to"}},
                   {report.survey.input.weighted ? "weight" : "rows", true},
                   {"share", true}});
  for (const Bin& b : m.estimate->per_bin)
    table.add({edges_cell(b), {grouped(b.count), b.count}, {percent(b.count / total, 1), 100 * b.count / total}});
  return table.str();
}

std::string histogram(const Report& report) {
  const PictureOptions options{.id = "histogram", .heading = false};
  const auto picture = histogram_svg(report.survey, options);
  if (!picture) return paragraph("No histogram: " + sentence(picture.error()) + ".", "notes");
  const bool top = report.survey.input.reduction == Reduction::top_label;
  return figure_html(
      {.name = "histogram",
       .picture = *picture,
       .caption = top ? "Share of rows by confidence. A calibrated model has its mean confidence (dashed) on "
                        "its accuracy (solid)."
                      : "Share of rows by probability. A calibrated model has its mean probability "
                        "(dashed) on the observed rate (solid).",
       .numbers = histogram_table(report, **drawn(report.survey, options))});
}

constexpr std::size_t most_curve_rows = 32;

std::string curve_table(const Report& report, const CurveBand& curve) {
  const bool top = report.survey.input.reduction == Reduction::top_label;
  const bool values = curve.basis == BandBasis::values;
  const std::size_t step = (curve.cells.size() + most_curve_rows - 1) / most_curve_rows;
  std::vector<CurveCell> rows;
  for (std::size_t i = step / 2; i < curve.cells.size(); i += step) rows.push_back(curve.cells[i]);
  Columns c(rows);
  c.add("", &CurveCell::mean_score).percent().page(top ? "confidence" : "probability");
  c.add("", &CurveCell::count).count().page(report.survey.input.weighted ? "weight" : "rows");
  c.add("", &CurveCell::rate).percent().page(top ? "accuracy" : "observed rate");
  if (!values) c.add("", &CurveCell::curve).percent().page("curve");
  if (curve.basis != BandBasis::none)
    c.range(&CurveCell::low, &CurveCell::high).percent().page(values ? "interval" : "band", {"low", "high"});
  return page_table("curve-numbers",
                    step > 1 ? fmt::format("One in {} of the {} cells of neighbouring scores, in percent; saved as CSV "
                                           "there are all",
                                           step, curve.cells.size())
                             : "Cells of neighbouring scores, in percent",
                    c.take())
      .str();
}

std::vector<PagePanel> curve_panels(const Report& report) {
  if (!report.survey.curve) return {};
  const CurveBand& curve = *report.survey.curve;
  std::vector<AxisKind> kinds{suited_axis({&curve})};
  if (curve.basis != BandBasis::values)
    for (const AxisKind kind : {AxisKind::linear, AxisKind::logit, AxisKind::rank})
      if (kind != kinds.front()) kinds.push_back(kind);
  std::vector<PagePanel> out;
  for (const AxisKind kind : kinds) {
    const auto picture = reliability_svg(report.survey, {.id = "curve", .heading = false, .axis = kind});
    if (!picture) continue;
    const bool first = out.empty();
    out.push_back({fmt::format("curve-{}", axis_name(kind)),
                   curve.basis == BandBasis::values ? "values" : std::string(axis_name(kind)),
                   figure_html({.name = "reliability",
                                .picture = *picture,
                                .caption = xml(band_meaning(curve) + " " + diagonal_sentence(curve)),
                                .numbers = first ? curve_table(report, curve) : "",
                                .table = first ? "" : "curve-numbers",
                                .csv = first ? curve_csv(curve) : ""})});
  }
  return out;
}

constexpr std::size_t most_kind_rows = 30;

std::string rejection_numbers(const RejectionCurve& curve) {
  const std::size_t step = (curve.points.size() + most_kind_rows - 1) / most_kind_rows;
  std::vector<RejectionPoint> few;
  for (std::size_t i = step - 1; i < curve.points.size(); i += step) few.push_back(curve.points[i]);
  return page_table("rejection-numbers",
                    "Accuracy among the most confident rows, in percent; saved as CSV there are more", table(few))
      .str();
}

std::string rejection_figure(const Report& report) {
  if (!report.rejection || report.rejection->points.size() < 2) return "";
  return figure_html({.name = "rejection",
                      .picture = *svg(*report.rejection, false),
                      .caption =
                          "Accuracy among the most confident rows, if the others are handed to somebody else, and "
                          "the accuracy that the model claims for them.",
                      .numbers = rejection_numbers(*report.rejection),
                      .csv = page_csv(table(report.rejection->points))});
}

}  // namespace

std::string reliability_panels(const Report& report) {
  const std::vector<PagePanel> curves = curve_panels(report);
  std::vector<PagePanel> bars;
  for (const EstimatorInfo* about : shown(report.survey)) bars.push_back(bars_panel(report, *about, bars.size()));
  std::string out;
  for (const PagePanel& p : curves) out += panel_html(p);
  for (const PagePanel& p : bars) out += panel_html(p);
  const Words say = words(report.survey.input.reduction);
  const std::string reading = fmt::format(
      "Bars: one is as high as the {0} of its bin; the hatched part is the gap to the {1}. Brackets show where the bar "
      "of a perfectly calibrated model would end in 95 of 100 samples ({2} redrawings of the labels, each bin by "
      "itself, so that one of twenty bins is outside by chance). The stepped line is the best monotone recalibration.",
      say.rate, say.mean_score, grouped(report.survey.band_resamples));
  const std::string axes =
      curves.empty()      ? ""
      : curves.size() < 2 ? "Dots: each is one value of the score, as large as its number of rows. The line through "
                            "it is its exact interval."
                          : "Curve: on a logit axis, scores near 0 and 100% have more room; on a rank "
                            "axis every row has the same room. The dots are bins, "
                            "as large as their number of rows.";
  return "<div class=\"reliability\" id=\"diagram\">\n" + out + "<div class=\"switches\">\n" +
         switch_group(curves.size() > 1 ? "Curve, axis" : "Dots", curves, true) +
         switch_group("Bars, bins of", bars, curves.empty()) +
         "<fieldset class=\"of-bars\">\n<legend>Show</legend>\n"
         "<label><input type=\"checkbox\" id=\"show-band\" checked>consistency band</label>\n"
         "<label><input type=\"checkbox\" id=\"show-corp\" checked>isotonic fit (CORP)</label>\n</fieldset>\n</div>\n" +
         details("How to read it", paragraph(axes) + paragraph(reading, "of-paper-bars")) + "</div>\n";
}

std::string rows_section(const Report& report) {
  return section("rows", "Where the rows are",
                 "<div class=\"two\">\n" + histogram(report) + rejection_figure(report) + "</div>\n");
}

std::string curve_csv(const CurveBand& curve) {
  std::string out = "from,to,rows,mean score,rate,curve,band low,band high\n";
  for (const CurveCell& c : curve.cells) {
    out += fmt::format("{:.8g},{:.8g},{:.8g},{:.8g},{:.8g},{:.8g},", 100 * c.first, 100 * c.last, c.count,
                       100 * c.mean_score, 100 * c.rate, 100 * c.curve);
    out += curve.basis == BandBasis::none ? ",\n" : fmt::format("{:.8g},{:.8g}\n", 100 * c.low, 100 * c.high);
  }
  return out;
}

}  // namespace tare::detail::render
