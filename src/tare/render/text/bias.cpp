#include <fmt/format.h>

#include <cmath>

#include "tare/core/names.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/table/table.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::render {
namespace {

std::string percent_or(const std::optional<double>& x, const char* otherwise = "") {
  return x ? percent(*x) : otherwise;
}
std::string signed_or(const std::optional<double>& x) { return x ? signed_percent(*x, 2) : std::string(); }

std::string truth_line(const SimTable& t) {
  const TruthInfo& truth = t.truth;
  std::string out = truth.name.empty() ? "" : truth.name + ": ";
  if (truth.scores == "beta")
    out += fmt::format("scores Beta({:.4g}, {:.4g})", truth.alpha.value_or(0), truth.beta.value_or(0));
  else if (truth.values)
    out += fmt::format("scores resampled from {}", grouped(*truth.values));
  else
    out += "scores uniform";
  // of a fitted curve the coefficients stand in their own table, and of an isotonic one they are many
  out += ", curve " + (truth.curve.size() > 30 ? truth.curve.substr(0, truth.curve.find(':')) : truth.curve);
  out += fmt::format("; true calibration error l1 {}%, l2 {}%", percent_or(t.true_error.norm1, "n/a "),
                     percent_or(t.true_error.norm2, "n/a "));
  return out;
}

// "1,000 samples", or how far an interrupted study got
std::string samples(const SimTable& t) {
  const auto number = [](std::size_t n) { return grouped(n); };
  if (t.complete) return number(t.replicates) + " samples";
  const std::string drawn = t.fewest == t.most ? number(t.most) : number(t.fewest) + " to " + number(t.most);
  return drawn + " of " + number(t.replicates) + " samples";
}

std::string footnotes(const SimTable& t, const TextOptions& options) {
  std::string out =
      wrap(fmt::format("{} per line, seed {}; everything in percent; bias: mean estimate minus true error; sd "
                       "and rmse: of one estimate",
                       samples(t), t.seed),
           options.width);
  for (const SimRow& r : t.rows) {
    if (r.undefined == 0) continue;
    out += wrap(fmt::format("{} {}, n = {}: {} samples without a value were left out ({})", r.estimator,
                            norm_of(r.norm), grouped(r.n), r.undefined, printable(r.reason)),
                options.width);
  }
  out = paint(out.substr(0, out.size() - 1), Ink::dim, options.colour) + "\n";
  if (!t.complete)
    out += wrap(fmt::format("Interrupted: {} were drawn for each line above.", samples(t)), options.width);
  return out;
}

// Least absolute bias and least RMSE among the estimators of one norm.
struct Best {
  const Correction* bias = nullptr;
  const Correction* rmse = nullptr;
};
Best best_of(const BiasReport& report, int norm) {
  Best out;
  for (const Correction& c : report.corrections) {
    if (c.norm != norm || !c.bias || !c.rmse) continue;
    if (!out.bias || std::abs(*c.bias) < std::abs(*out.bias->bias)) out.bias = &c;
    if (!out.rmse || *c.rmse < *out.rmse->rmse) out.rmse = &c;
  }
  return out;
}

std::string number(double x) { return general(x, 4); }

std::string fit_text(const BiasReport& report, const TextOptions& options) {
  std::string out;
  if (report.table.truth.scores == "beta" && report.scores) {
    const ScoreFit& s = *report.scores;
    out += wrap(fmt::format("Scores: Beta({} ± {}, {} ± {}); {} of {} rows are within 2^-20 of 1, {} of 0 (rule: {}).",
                            number(s.alpha), number(s.alpha_error), number(s.beta), number(s.beta_error),
                            grouped(s.saturated_high), grouped(report.input.total_weight), grouped(s.saturated_low),
                            s.saturated),
                options.width);
  } else {
    out += wrap("Scores: the data's own, resampled.", options.width);
  }
  Table table({{"calibration curve"}, {"coefficients"}, {"AIC", true}, {"against best", true}, {"fit"}});
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; i < std::min(report.curves.size(), most); ++i) {
    const CurveLine& c = report.curves[i];
    std::string numbers;
    for (const double x : c.coefficients) numbers += (numbers.empty() ? "" : ", ") + number(x);
    table.add({{c.name},
               {numbers},
               {fixed(c.aic, 1)},
               {"+" + fixed(c.aic - report.curves.front().aic, 1)},
               {c.status == FitStatus::converged ? "" : std::string(name(c.status)), Ink::yellow}});
  }
  return out + "\n" + table.str(options.colour, options.width) + "\n";
}

// "; not corrected: ... (sweep_em, rank_poly)"
std::string left_alone(const BiasReport& report) {
  std::string who, reason;
  for (const Correction& c : report.corrections)
    if (c.observed && !c.corrected && !c.reason.empty() &&
        (", " + who + ",").find(" " + c.estimator + ",") == std::string::npos) {
      reason = c.reason;
      who += (who.empty() ? "" : ", ") + c.estimator;
    }
  return who.empty() ? "" : fmt::format("; {} ({})", reason, who);
}

std::string correction_text(const BiasReport& report, const TextOptions& options) {
  const Table table = text_table(corrections_table(report.corrections, Reader::terminal));
  std::string out = table.str(options.colour, options.width) + "\n";
  out += paint(
      wrap(
          std::string(
              "if the fit is true: mean ± sd of the estimator on samples of the fitted model at this n; corrected: the "
              "true error, on the path from perfect calibration through the fitted curve, whose mean estimate is the "
              "measured value") +
              left_alone(report),
          options.width),
      Ink::dim, options.colour);
  return out + "\n";
}

std::string advice(const BiasReport& report, const TextOptions& options) {
  std::string out;
  for (const int norm : {2, 1}) {
    const Best best = best_of(report, norm);
    if (!best.bias) continue;
    std::string line = fmt::format("In norm {}, at n = {}, {} has the least bias ({} points)", norm, grouped(report.n),
                                   best.bias->estimator, signed_or(best.bias->bias));
    line += best.rmse == best.bias ? " and the least error in all"
                                   : fmt::format(", {} the least error in all", best.rmse->estimator);
    line += fmt::format(" (RMSE {} points).", percent(*best.rmse->rmse));
    if (best.bias->observed && best.bias->corrected)
      line += fmt::format(" Move its {}% by {} to {}%.", percent(*best.bias->observed),
                          signed_or(*best.bias->corrected - *best.bias->observed), percent(*best.bias->corrected));
    out += wrap(line, options.width);
  }
  if (const std::string fits = description(report); !fits.empty()) out += wrap(fits, options.width);
  return out;
}

}  // namespace

std::string text(const SimTable& t, const TextOptions& options) {
  return wrap(truth_line(t), options.width) + "\n" +
         text_table(simulation_table(t, Reader::terminal)).str(options.colour, options.width) + "\n" +
         footnotes(t, options);
}

std::string text(const BiasReport& report, const TextOptions& options) {
  std::string out = header(report.input, options);
  if (!report.corrections.empty())
    out += paint(advice(report, options), Ink::bold, options.colour) + "\n" + correction_text(report, options) + "\n";
  out += fit_text(report, options) + text(report.table, options);
  return report.note.empty() ? out : out + "\n" + wrap(report.note, options.width);
}

}  // namespace tare::detail::render
