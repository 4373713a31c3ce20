// The values of one estimator over many samples of one truth: their histogram, and the bins of one sample.
// Roelofs et al. 2022, Figure 1. In percent.
#include <algorithm>
#include <cmath>

#include "tare/paper/truths.hpp"

namespace tare::detail::paper {
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
  std::sort(values.begin(), values.end());
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
