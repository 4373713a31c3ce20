#include "tare/analysis/classwise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tare/infer/band/curve_band.hpp"
#include "tare/infer/resample/null.hpp"
#include "tare/infer/resample/ticker.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::analysis {
namespace {

double from_mean_term(const infer::ResampledChoice& line, double mean) {
  return line.norm() == 2 ? std::sqrt(std::max(mean, 0.0)) : mean;
}

std::string class_text(const Predictions& predictions, std::size_t k) {
  return k < predictions.class_names.size() ? "class " + predictions.class_names[k] : "class " + std::to_string(k);
}

struct OneClass {
  std::vector<Measured> measured;
  infer::JointClass null;
};

OneClass measure_class(const OneVsRest& problems, std::size_t k, std::span<const infer::ResampledChoice> lines,
                       const ClasswiseOptions& options, std::size_t cells, bool joint) {
  const BinaryData data = problems.problem(k);
  const BinaryView view = data.view();
  const measure::Sample sample(view);
  const numeric::Ordered& rows = sample.ordered();
  OneClass out;
  out.null.lines.assign(lines.begin(), lines.end());
  for (std::size_t l = 0; l < lines.size(); ++l) {
    out.measured.push_back(measure_estimate_row(lines[l], sample));
    Measured& m = out.measured.back();
    m.class_index = k;
    if (options.resample) add_interval(m, rows.weight());
    if (!m.estimate) out.null.lines[l].resamples = 0;
  }
  if (!options.resample) return out;
  out.null.null = infer::null_cells(rows, options.bins, cells);
  if (!joint) return out;
  const auto& last = out.null.null.cells.last;
  out.null.cell_of_row.resize(view.size());
  view.score().visit([&](auto s) {
    for (std::size_t i = 0; i < s.size(); ++i)
      out.null.cell_of_row[i] = static_cast<std::uint16_t>(
          std::lower_bound(last.begin(), last.end(), static_cast<double>(s[i])) - last.begin());
  });
  return out;
}

// The mean over classes, or the first class that has no value.
Measured mean_of(const infer::ResampledChoice& line, std::size_t l, std::span<const OneClass> problems,
                 const Predictions& predictions) {
  Measured out = problems[0].measured[l];
  out.class_index.reset();
  out.estimate.reset();
  out.low.reset();
  out.high.reset();
  out.interval.clear();
  Estimate mean;
  double terms = 0;
  bool squared = true, same_bins = true;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const Measured& m = problems[k].measured[l];
    if (!m.estimate) {
      out.reason = class_text(predictions, k) + ": " + m.reason;
      return out;
    }
    terms += infer::term_of(line, *m.estimate);
    squared = squared && m.estimate->squared.has_value();
    same_bins = same_bins && m.estimate->bins == problems[0].measured[l].estimate->bins;
  }
  terms /= static_cast<double>(problems.size());
  mean.value = from_mean_term(line, terms);
  if (squared) mean.squared = terms;
  if (same_bins) mean.bins = problems[0].measured[l].estimate->bins;
  out.estimate = mean;
  return out;
}

std::vector<infer::NullValue> mean_null(const infer::ResampledChoice& line, std::size_t l,
                                        std::span<const infer::NullValues> values) {
  std::size_t replicates = std::numeric_limits<std::size_t>::max();
  for (const auto& v : values) replicates = std::min(replicates, v[l].size());
  std::vector<infer::NullValue> out(replicates);
  for (std::size_t r = 0; r < replicates; ++r) {
    double terms = 0;
    bool defined = true;
    for (const auto& v : values) {
      defined = defined && v[l][r].defined;
      terms += v[l][r].term;
    }
    terms /= static_cast<double>(values.size());
    if (defined) out[r] = {true, from_mean_term(line, terms), terms};
  }
  return out;
}

std::vector<infer::NullValues> null_of(const Predictions& predictions, std::vector<OneClass>& problems,
                                       const ClasswiseOptions& options, bool joint) {
  if (joint) {
    std::vector<infer::JointClass> classes;
    for (auto& p : problems) classes.push_back(std::move(p.null));
    return infer::joint_values(*predictions.matrix, classes, options.seed, options.threads, options.progress);
  }
  std::vector<infer::NullValues> out(problems.size());
  const infer::Ticker ticker(options.progress, "noise floors of classes", problems.size());
  numeric::parallel_for(problems.size(), options.threads, [&](std::size_t k) {
    const infer::JointClass& c = problems[k].null;
    out[k] = infer::null_values(c.null, c.lines, options.seed, static_cast<std::uint32_t>(k + 1), 1);
    ticker.done();
  });
  return out;
}

// Cells of all classes together: 2^17, and per class no fewer than 256.
std::size_t cells_per_class(std::size_t classes) {
  return std::clamp<std::size_t>((std::size_t{1} << 17) / classes, 256, infer::usual_cells);
}

// Draws of rows must be affordable, and the cell of a row must fit into 16 bits.
bool can_draw_jointly(const Predictions& predictions, std::size_t resamples, const ClasswiseOptions& options) {
  if (!predictions.matrix) return false;  // a state has lost which class goes with which
  const MulticlassView& view = *predictions.matrix;
  const std::size_t classes = view.classes();
  const std::size_t most_cells = 2 * cells_per_class(classes) + 2 * static_cast<std::size_t>(options.bins);
  return view.weight().empty() && resamples > 0 && view.size() <= options.joint_draws / resamples &&
         view.size() <= most_joint_cells / classes && most_cells <= std::numeric_limits<std::uint16_t>::max();
}

// The classes whose curves are kept: those with the largest errors beyond noise, by the first line that has bins.
std::vector<ClassCurve> chosen_classes(const std::vector<OneClass>& problems) {
  const auto& lines = problems[0].measured;
  const auto has_bins = [](const Measured& m) { return m.estimate && !m.estimate->per_bin.empty(); };
  const auto line = static_cast<std::size_t>(std::find_if(lines.begin(), lines.end(), has_bins) - lines.begin());
  std::vector<ClassCurve> out;
  if (line == lines.size()) return out;
  for (std::size_t k = 0; k < problems.size(); ++k) out.push_back({.class_index = k});
  const auto error = [&](const ClassCurve& c) {
    const Measured& m = problems[c.class_index].measured[line];
    return m.estimate ? beyond_noise(m) : -1;
  };
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return error(a) > error(b); });
  out.resize(std::min(out.size(), most_class_curves));
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.class_index < b.class_index; });
  return out;
}

}  // namespace

std::size_t class_resamples(std::size_t resamples, std::size_t classes) {
  return std::min(resamples, std::max<std::size_t>(19, resamples * 20 / classes));
}

Result<ClasswiseResult> survey_classes(const Predictions& predictions, std::vector<infer::ResampledChoice> lines,
                                       const ClasswiseOptions& options) {
  const auto made = OneVsRest::make(predictions, options.threads);
  if (!made) return made.error();
  const OneVsRest& one_vs_rest = *made;
  const std::size_t classes = one_vs_rest.classes();

  ClasswiseResult out;
  std::size_t wanted = 0;
  for (infer::ResampledChoice& line : lines) {
    wanted = std::max(wanted, line.resamples);
    line.resamples = class_resamples(line.resamples, classes);
    out.resamples = std::max(out.resamples, line.resamples);
  }
  if (out.resamples < wanted)
    out.notes.push_back("noise floors of " + std::to_string(classes) + " classes use up to " +
                        std::to_string(out.resamples) + " redrawings per class instead of " + std::to_string(wanted));
  const bool joint = can_draw_jointly(predictions, out.resamples, options);
  if (options.resample && out.resamples > 0 && !joint)
    out.notes.push_back(
        "classes were redrawn one by one: the 95% quantile of the mean over classes ignores their dependence");

  std::vector<OneClass> problems(classes);
  const infer::Ticker ticker(options.progress, "classes", classes);
  numeric::parallel_for(classes, options.threads, [&](std::size_t k) {
    problems[k] = measure_class(one_vs_rest, k, lines, options, cells_per_class(classes), joint);
    ticker.done();
  });
  for (std::size_t l = 0; l < lines.size(); ++l) {
    auto whole = matrix_estimate_row(lines[l], predictions, options.threads);
    const bool is_whole = whole.has_value();
    out.measured.push_back(is_whole ? *std::move(whole) : mean_of(lines[l], l, problems, predictions));
    if (!options.resample || !out.measured.back().estimate) continue;
    if (is_whole)
      add_interval(out.measured.back(), static_cast<double>(predictions.n));
    else
      out.measured.back().interval_reason = "no valid interval: the classes depend on each other";
  }
  if (options.resample) {
    const auto values = null_of(predictions, problems, options, joint);
    for (std::size_t l = 0; l < lines.size(); ++l) {
      add_floor(out.measured[l], mean_null(lines[l], l, values));
      for (std::size_t k = 0; k < classes; ++k) add_floor(problems[k].measured[l], values[k][l]);
    }
  }
  out.curves = chosen_classes(problems);
  numeric::parallel_for(out.curves.size(), options.threads, [&](std::size_t i) {
    const BinaryData data = one_vs_rest.problem(out.curves[i].class_index);
    out.curves[i].curve = infer::curve_band(measure::Sample(data.view()).ordered());
  });
  for (auto& p : problems) std::move(p.measured.begin(), p.measured.end(), std::back_inserter(out.measured));
  return out;
}

}  // namespace tare::detail::analysis
