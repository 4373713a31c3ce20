// Studies on samples of known truths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/numeric/special.hpp"
#include "tare/paper/study.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::paper {

// Bias by construction over a grid of truths, sizes, estimators and bins. Roelofs et al. 2022, equation 7. In percent.

namespace {

Cell percent(const std::optional<double>& x) { return x ? Cell(100 * *x) : Cell(); }
constexpr std::uint32_t first_stream = 0x70617065;  // "pape"

}  // namespace

Result<Frame> bias_study(const Settings& settings, const Context& context) {
  const auto all = truths(settings, "truths");
  const auto named = tasks(settings);
  simulate::SimOptions options{.sizes = sizes(settings),
                               .replicates = {.count = settings.count("replicates", 1000), .seed = context.seed},
                               .threads = context.threads,
                               .cancel = context.cancel};
  if (!settings.problem().empty()) return settings.error();
  const auto list = plain(named);
  Frame out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // one stream for each truth, so that errors of simulation are independent
    options.replicates.stream = first_stream + static_cast<std::uint32_t>(i);
    options.true_error = all[i].error;
    if (context.progress)
      options.progress = [&](std::string_view, std::size_t done, std::size_t total) {
        context.progress("", i * total + done, all.size() * total);
      };
    if (!context.scratch.empty()) options.checkpoint = fmt::format("{}.{}", context.scratch, i);
    const auto table = simulate::study(all[i].truth, list, options);
    if (!table) return table.error();
    if (!table->complete) return interrupted();
    for (std::size_t r = 0; r < table->rows.size(); ++r) {
      const SimRow& row = table->rows[r];
      const NamedTask& task = named[r % named.size()];
      out.add(joined(joined(all[i].labels, task.labels), {{"n", static_cast<double>(row.n)},
                                                          {"tce", percent(all[i].error.of(task.task.options.norm))},
                                                          {"mean", percent(row.mean)},
                                                          {"bias", percent(row.bias)},
                                                          {"se", percent(row.se)},
                                                          {"sd", percent(row.sd)},
                                                          {"rmse", percent(row.rmse)},
                                                          {"mean_bins", row.mean_bins ? Cell(*row.mean_bins) : Cell()},
                                                          {"replicates", static_cast<double>(row.replicates)},
                                                          {"undefined", static_cast<double>(row.undefined)}}));
    }
  }
  return out;
}

// Densities of scores and calibration curves of known truths, point by point. Roelofs et al. 2022, Figures 2a, 3a and
// 3b.

Result<Frame> curves_study(const Settings& settings, const Context&) {
  const auto all = truths(settings, "truths");
  const auto points = settings.numbers("points");
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  for (const NamedTruth& named : all) {
    const simulate::Scores& s = named.truth.scores;
    const double norm = numeric::log_gamma(s.alpha + s.beta) - numeric::log_gamma(s.alpha) - numeric::log_gamma(s.beta);
    for (const double c : points) {
      const double density = std::exp(norm + (s.alpha - 1) * std::log(c) + (s.beta - 1) * std::log1p(-c));
      out.add(joined(named.labels, {{"c", c},
                                    {"density", density},
                                    {"hit", named.truth.curve.hit({c, 1 - c})},
                                    {"alpha", s.alpha},
                                    {"beta", s.beta},
                                    {"tce", 100 * named.error.norm2.value_or(0)}}));
    }
  }
  return out;
}

// How often a test misses: its critical value is a quantile of the statistic on calibrated samples of the same scores,
// its miss rate the share of samples of a given true error that stay at or below it. Roelofs et al. 2022, section 7.2.
// In percent.

namespace {

constexpr std::uint32_t null_stream = 0x6e756c6c, other_stream = 0x6d697373;  // "null", "miss"

// [task][replicate]; a sample without a value rejects nothing
using Statistics = std::vector<std::vector<double>>;
Statistics statistics(const simulate::Sampler& sampler, const std::vector<NamedTask>& named, std::size_t n,
                      const simulate::Replicates& replicates, int threads) {
  Statistics out(named.size(), std::vector<double>(replicates.count, -HUGE_VAL));
  simulate::for_each_sample(sampler, n, replicates, threads, [&](std::size_t i, const measure::Sample& sample) {
    for (std::size_t t = 0; t < named.size(); ++t) {
      const auto estimate = named[t].task.estimator->run(sample, named[t].task.options);
      if (!estimate) continue;
      double& value = out[t][i - replicates.first];
      value = estimate->value;
      for (const Component& part : estimate->parts)
        if (part.name == named[t].part) value = part.value;
    }
  });
  return out;
}

// The d at which the true error of c^d is the target, in percent.
Result<simulate::Truth> power_with(const simulate::Scores& scores, double target) {
  double low = 1, high = 1000;
  simulate::Truth truth{.name = {}, .scores = scores, .curve = {}};
  for (int i = 0; i < 60; ++i) {
    const double d = std::sqrt(low * high);
    auto curve = simulate::parse_curve(fmt::format("power:{}", d));
    if (!curve) return curve.error();
    truth.curve = *std::move(curve);
    const auto error = simulate::true_error(truth, 2);
    if (!error) return error.error();
    (100 * *error < target ? low : high) = d;
  }
  return truth;
}

}  // namespace

Result<Frame> detection_study(const Settings& settings, const Context& context) {
  const auto all = truths(settings, "truths");
  const auto named = tasks(settings);
  const auto ns = sizes(settings);
  const auto errors = settings.numbers("true_errors");
  const double level = settings.number("level", 0.05);
  const std::size_t m = settings.count("replicates", 1000);
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  std::size_t done = 0;
  for (const NamedTruth& given : all) {
    const auto null = simulate::Sampler::of({.name = {}, .scores = given.truth.scores, .curve = simulate::identity()});
    if (!null) return null.error();
    for (std::size_t s = 0; s < ns.size(); ++s) {
      auto calibrated = statistics(
          *null, named, ns[s],
          {.count = m, .seed = context.seed, .stream = null_stream + static_cast<std::uint32_t>(s)}, context.threads);
      for (auto& values : calibrated) std::ranges::sort(values);
      const auto rank = static_cast<std::size_t>(std::ceil((1 - level) * static_cast<double>(m))) - 1;
      for (std::size_t e = 0; e < errors.size(); ++e) {
        if (context.cancel && context.cancel->load()) return interrupted();
        if (context.progress) context.progress("", done++, all.size() * ns.size() * errors.size());
        const auto truth = power_with(given.truth.scores, errors[e]);
        if (!truth) return truth.error();
        const auto values = statistics(null->with(truth->curve), named, ns[s],
                                       {.count = m,
                                        .seed = context.seed,
                                        .stream = other_stream + static_cast<std::uint32_t>(s * errors.size() + e)},
                                       context.threads);
        for (std::size_t t = 0; t < named.size(); ++t) {
          const double critical = calibrated[t][rank];
          const double miss =
              static_cast<double>(std::ranges::count_if(values[t], [&](double v) { return v <= critical; })) /
              static_cast<double>(m);
          out.add(joined(joined(given.labels, named[t].labels),
                         {{"n", static_cast<double>(ns[s])},
                          {"tce", errors[e]},
                          {"d", truth->curve.coefficients[0]},
                          {"critical", critical},
                          {"miss", 100 * miss},
                          {"se", 100 * std::sqrt(std::max(miss * (1 - miss), 0.25 / static_cast<double>(m)) /
                                                 static_cast<double>(m))},
                          {"replicates", static_cast<double>(m)}}));
        }
      }
    }
  }
  return out;
}

// The values of one estimator over many samples of one truth: their histogram, and the bins of one sample.
// Roelofs et al. 2022, Figure 1. In percent.

namespace {

// A sample that the picture of one sample is drawn from.
void add_sample(Frame& out, const simulate::Sampler& sampler, const NamedTask& task, std::size_t n,
                simulate::Replicates replicates, std::size_t which, double mean, double high) {
  replicates.first = which;
  replicates.count = 1;
  simulate::for_each_sample(sampler, n, replicates, 1, [&](std::size_t, const measure::Sample& sample) {
    const auto estimate = task.task.estimator->run(sample, task.task.options);
    if (!estimate) return;
    for (const Bin& bin : estimate->per_bin)
      out.add({{"part", "sample"},
               {"estimator", std::string(task.task.estimator->name)},
               {"norm", static_cast<double>(task.task.options.norm)},
               {"bins", static_cast<double>(task.task.options.bins)},
               {"n", static_cast<double>(n)},
               {"value", 100 * estimate->value},
               {"floor", std::isnan(mean) ? Cell() : Cell(mean)},
               {"floor_high", std::isnan(high) ? Cell() : Cell(high)},
               {"lower", bin.lower},
               {"upper", bin.upper},
               {"count", bin.count},
               {"mean_score", bin.mean_score},
               {"mean_label", bin.mean_label}});
  });
}

void add_histogram(Frame& out, const std::vector<double>& values, double low, double high, std::size_t cells) {
  std::vector<double> count(cells);
  for (const double v : values) {
    const double at = (v - low) / (high - low) * static_cast<double>(cells);
    ++count[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(cells) - 1))];
  }
  const double width = (high - low) / static_cast<double>(cells);
  for (std::size_t i = 0; i < cells; ++i)
    out.add({{"part", "histogram"},
             {"low", low + width * static_cast<double>(i)},
             {"centre", low + width * (static_cast<double>(i) + 0.5)},
             {"high", low + width * static_cast<double>(i + 1)},
             {"count", count[i]},
             {"share", 100 * count[i] / static_cast<double>(values.size())}});
}

}  // namespace

Result<Frame> distribution_study(const Settings& settings, const Context& context) {
  const auto all = truths(settings, "truths");
  const auto named = tasks(settings);
  const std::size_t n = settings.count("n", 200), replicates = settings.count("replicates", 1000),
                    which = settings.count("sample", 1);
  const double low = settings.number("low", 0), high = settings.number("high", 20);
  const std::size_t cells = settings.count("cells", 40);
  if (!settings.problem().empty()) return settings.error();
  const auto sampler = simulate::Sampler::of(all.front().truth);
  if (!sampler) return sampler.error();
  const auto list = plain({named.front()});
  std::vector<double> values;
  constexpr std::size_t at_once = 20000;
  for (std::size_t first = 0; first < replicates; first += at_once) {
    if (context.cancel && context.cancel->load()) return interrupted();
    if (context.progress) context.progress("", first, replicates);
    const auto some = simulate::replicate_values(
        *sampler, list, n, {.count = std::min(at_once, replicates - first), .first = first, .seed = context.seed},
        context.threads);
    if (!some) return some.error();
    for (const auto& v : (*some)[0])
      if (v) values.push_back(100 * *v);
  }
  Frame out;
  std::ranges::sort(values);
  const auto quantile = [&](double p) {
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
  };
  double sum = 0, squares = 0;
  for (const double v : values) sum += v, squares += v * v;
  const double m = static_cast<double>(values.size()), mean = sum / m;
  out.add({{"part", "summary"},
           {"n", static_cast<double>(n)},
           {"replicates", m},
           {"tce", 100 * all.front().error.norm2.value_or(0)},
           {"mean", mean},
           {"sd", std::sqrt(std::max(squares / m - mean * mean, 0.0))},
           {"se", std::sqrt(std::max(squares / m - mean * mean, 0.0) / m)},
           {"q05", quantile(0.05)},
           {"q50", quantile(0.5)},
           {"q95", quantile(0.95)},
           {"least", values.front()},
           {"largest", values.back()}});
  add_histogram(out, values, low, high, cells);
  const bool perfect = all.front().error.norm2.value_or(1) == 0;
  const double unknown = std::nan("");  // the noise of a calibrated model is known where the truth is one
  add_sample(out, *sampler, named.front(), n, {.seed = context.seed}, which, perfect ? mean : unknown,
             perfect ? quantile(0.95) : unknown);
  return out;
}

}  // namespace tare::detail::paper
