#include "tare/analysis/bin_choice.hpp"

#include <algorithm>
#include <cmath>

#include "tare/analysis/curves.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/core/errors.hpp"
#include "tare/infer/resample/null.hpp"
#include "tare/infer/resample/ticker.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/random/rng.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

constexpr std::uint32_t stream_of_parts = 0x3000'0000;  // away from redrawn labels and from truths

Result<std::vector<const measure::Estimator*>> chosen_estimators(const BinChoiceOptions& options) {
  std::vector<const measure::Estimator*> out;
  for (const std::string& name : options.estimators) {
    const measure::Estimator* found = measure::find(name);
    if (!found) return measure::unknown_estimator(name);
    if (!found->uses_bins || (found->norms != Norms::none && !has_norm(*found, options.norm)))
      return bad_option(name + (found->uses_bins ? " has another norm" : " has no number of bins to choose"),
                        found->uses_bins ? "pass the other `norm`" : "name estimators that have bins, as ece_ew");
    out.push_back(found);
  }
  if (!out.empty()) return out;
  for (const measure::Estimator& e : measure::all())
    if (e.roles.bias_drawn && e.uses_bins && has_norm(e, options.norm)) out.push_back(&e);
  return out;
}

std::vector<int> usual_counts(double n, int asked) {
  std::vector<int> out{asked};
  for (const int b : {1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500})
    if (b <= std::max(20.0, n)) out.push_back(b);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::size_t> usual_part_sizes(double n) {
  std::vector<std::size_t> out;
  for (double power = 10; power < std::min(n, 1e6); power *= 10)
    for (const double lead : {1.0, 2.0, 5.0})
      if (lead * power >= 50 && lead * power < 0.8 * n && lead * power <= 1e6)
        out.push_back(static_cast<std::size_t>(lead * power));
  return out;
}

// `n` different units of mass at random: the first n different ones of a sequence.
numeric::Ordered random_part(const numeric::Ordered& rows, std::size_t n, std::uint64_t seed, std::uint32_t stream,
                             std::uint32_t replicate) {
  numeric::Rng rng(seed, stream, replicate);
  const std::uint64_t total = rows.total_mass();
  std::vector<std::uint64_t> units;
  while (units.size() < n) {
    while (units.size() < n)
      units.push_back(std::min(total - 1, static_cast<std::uint64_t>(rng.uniform() * static_cast<double>(total))));
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
  }
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  std::size_t g = 0, last = rows.groups();
  for (const std::uint64_t unit : units) {
    while (rows.mass_before(g + 1) <= unit) ++g;
    if (last != g) score.push_back(rows.score(g)), mass.push_back(0), hits.push_back(0), last = g;
    ++mass.back();
    if (unit - rows.mass_before(g) < rows.hits(g)) ++hits.back();
  }
  return {std::move(score), mass, hits};
}

class BinStudy {
 public:
  BinStudy(const numeric::Ordered& rows, const BinChoiceOptions& options) : rows_(rows), options_(options) {}

  // Values of all rows, with floors, for every line.
  [[nodiscard]] Result<std::vector<BinChoicePoint>> whole(const std::vector<infer::ResampledChoice>& lines,
                                                          double at) const {
    return with_floors(lines, measure::Sample(&rows_), rows_, at);
  }

  [[nodiscard]] Result<std::vector<BinChoicePoint>> parts(const std::vector<infer::ResampledChoice>& lines,
                                                          std::size_t n, std::uint32_t stream) const {
    std::vector<std::vector<double>> values(lines.size(), std::vector<double>(options_.parts, NAN));
    numeric::parallel_for(options_.parts, options_.threads, [&](std::size_t r) {
      const measure::Sample sample(random_part(rows_, n, options_.seed, stream, static_cast<std::uint32_t>(r)));
      for (std::size_t l = 0; l < lines.size(); ++l)
        if (const auto e = lines[l].without_details().run(sample)) values[l][r] = e->value;
    });
    auto out = with_floors(lines, {}, resized(rows_, n), static_cast<double>(n));
    if (!out) return out;
    for (std::size_t l = 0; l < lines.size(); ++l) {
      double sum = 0, squares = 0;
      for (const double v : values[l]) sum += v;
      const double mean = sum / static_cast<double>(options_.parts);
      for (const double v : values[l]) squares += (v - mean) * (v - mean);
      if (!std::isfinite(mean))
        return failure(
            Errc::undefined,
            std::string(lines[l].estimator->name) + " has no value on some parts of " + std::to_string(n) + " rows",
            "pass larger sizes");
      (*out)[l].value = mean;
      (*out)[l].sd = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(options_.parts, 2) - 1));
    }
    return out;
  }

 private:
  [[nodiscard]] Result<std::vector<BinChoicePoint>> with_floors(const std::vector<infer::ResampledChoice>& lines,
                                                                const std::optional<measure::Sample>& sample,
                                                                const numeric::Ordered& scores, double at) const {
    const auto cells = infer::floor_cells(scores, lines.front().options.bins);
    const auto values = infer::null_values(cells, lines, options_.seed, 0, options_.threads);
    std::vector<BinChoicePoint> out;
    for (std::size_t l = 0; l < lines.size(); ++l) {
      BinChoicePoint& point = out.emplace_back(BinChoicePoint{.at = at});
      if (sample) {
        const auto e = lines[l].run(*sample);
        if (!e) return e.error();
        point.value = e->value;
      }
      if (const auto floor = infer::floor_of(values[l])) point.floor = floor->mean, point.floor_high = floor->high;
    }
    return out;
  }

  const numeric::Ordered& rows_;
  const BinChoiceOptions& options_;
};

std::vector<infer::ResampledChoice> lines_with(const std::vector<const measure::Estimator*>& estimators, int bins,
                                               const BinChoiceOptions& options) {
  std::vector<infer::ResampledChoice> out;
  for (const measure::Estimator* e : estimators)
    out.push_back({{e, {.bins = bins, .norm = options.norm}}, options.resamples});
  return out;
}

Result<void> checked(const BinChoiceOptions& options) {
  for (const int b : options.counts)
    if (const auto fine = in_range(options::bins, b); !fine) return fine;
  for (const std::size_t n : options.sizes)
    if (const auto fine = in_range(options::n, n); !fine) return fine;
  return all_of({in_range(options::bins, options.bins), in_range(options::norm, options.norm),
                 in_range(options::threads, options.threads)});
}

}  // namespace

Result<BinChoice> bin_choice(const Predictions& predictions, const BinChoiceOptions& options) {
  if (const auto fine = checked(options); !fine) return fine.error();
  const auto estimators = chosen_estimators(options);
  if (!estimators) return estimators.error();
  const auto one = one_problem(predictions, options.reduction, options.threads,
                               "this picture is about top_label or positive, not classwise", "leave `reduction` out");
  if (!one) return one.error();
  const BinaryView view = one->data.view();
  const auto rows = numeric::order(view.score(), view.label(), view.weight(), options.threads);
  const BinStudy study(rows, options);

  BinChoice out{.input = input_info(predictions, one->reduction),
                .bins = options.bins,
                .parts = options.parts,
                .resamples = options.resamples,
                .seed = options.seed};
  for (const measure::Estimator* e : *estimators)
    out.lines.push_back({.about = *e, .norm = e->norms == Norms::none ? std::nullopt : std::optional(options.norm)});
  const auto counts = options.counts.empty() ? usual_counts(rows.weight(), options.bins) : options.counts;
  auto sizes = options.sizes.empty() ? usual_part_sizes(rows.weight()) : options.sizes;
  if (rows.unit() != 1) {
    sizes.clear();
    out.reason = "parts of the rows are drawn by whole weights, and these are not whole";
  }
  std::erase_if(sizes, [&](std::size_t n) { return static_cast<double>(n) >= rows.weight(); });
  std::sort(sizes.begin(), sizes.end());

  const infer::Ticker ticker(options.progress, "pictures of bins", counts.size() + sizes.size() + 1);
  const auto add = [&](const Result<std::vector<BinChoicePoint>>& found, auto BinChoiceLine::*to) {
    for (std::size_t l = 0; found && l < out.lines.size(); ++l) (out.lines[l].*to).push_back((*found)[l]);
    ticker.done();
    return found.has_value();
  };
  for (const int b : counts) {
    const auto found = study.whole(lines_with(*estimators, b, options), b);
    if (!add(found, &BinChoiceLine::by_bins)) return found.error();
  }
  const auto lines = lines_with(*estimators, options.bins, options);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto found = study.parts(lines, sizes[i], stream_of_parts + static_cast<std::uint32_t>(i));
    if (!add(found, &BinChoiceLine::by_rows)) return found.error();
  }
  const auto all = study.whole(lines, rows.weight());
  if (!add(all, &BinChoiceLine::by_rows)) return all.error();
  return out;
}

}  // namespace tare::detail::analysis
