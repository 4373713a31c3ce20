#include "tare/infer/tests/detectable.hpp"

#include <atomic>
#include <cmath>

namespace tare::detail::infer {
namespace {

constexpr std::uint32_t stream_of_truths = 0x2000'0000;  // away from the redrawings of the null
constexpr double largest_exponent = 0x1p60;              // beyond that no score below 1 - 1e-16 moves any more
constexpr double precision = 1.02;                       // of the answer; its Monte Carlo error is as large

struct Path {
  const char* name;
  double (*rate)(double score, double d);
};
constexpr Path paths[] = {
    {"power c^d", [](double c, double d) { return std::pow(c, d); }},
    {"flipped power 1-(1-c)^d", [](double c, double d) { return -std::expm1(d * std::log1p(-c)); }},
};

std::vector<double> rates(const numeric::Ordered& cells, const Path& path, double d) {
  std::vector<double> out;
  out.reserve(cells.groups());
  for (const double s : cells.scores()) out.push_back(std::clamp(path.rate(s, d), 0.0, 1.0));
  return out;
}

double true_error(const numeric::Ordered& cells, const std::vector<double>& rate) {
  double sum = 0;
  for (std::size_t c = 0; c < cells.groups(); ++c) {
    const double gap = cells.score(c) - rate[c];
    sum += static_cast<double>(cells.mass(c)) * gap * gap;
  }
  return std::sqrt(sum / static_cast<double>(cells.total_mass()));
}

class Search {
 public:
  Search(const NullCells& cells, const Statistic& statistic, const NullDistribution& null,
         const DetectableOptions& options)
      : cells_(cells), statistic_(statistic), null_(null), options_(options) {}

  // The exponent with this true error; both rise together.
  [[nodiscard]] double exponent(const Path& path, double error) const {
    double low = 0, high = std::log(largest_exponent);
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (error_at(path, std::exp(middle)) < error ? low : high) = middle;
    }
    return std::exp(high);
  }

  [[nodiscard]] double error_at(const Path& path, double d) const {
    return true_error(cells_.cells.ordered, rates(cells_.cells.ordered, path, d));
  }

  // Is the power reached? Draws in batches, until it is clear (four standard errors) or the draws are used up.
  [[nodiscard]] bool reached(const Path& path, double d) const {
    constexpr std::size_t batch = 112;  // seven chunks of redrawings
    const Redraw redraw(cells_.cells.ordered, rates(cells_.cells.ordered, path, d));
    std::atomic<std::size_t> found = 0;
    std::size_t done = 0;
    while (done < options_.draws) {
      const std::size_t more = std::min(batch, options_.draws - done);
      redraw.for_each(options_.seed, stream_of_truths, done, more, options_.threads,
                      [&](std::size_t, std::span<const std::uint64_t> hits) {
                        const auto value = statistic_(redrawn(cells_, hits));
                        if (value && null_.p_value(*value) < options_.alpha) ++found;
                      });
      done += more;
      const double n = static_cast<double>(done), share = static_cast<double>(found) / n, power = options_.power;
      if (std::abs(share - power) > 4 * std::sqrt(power * (1 - power) / n) + 1 / n) break;
    }
    return static_cast<double>(found) >= options_.power * static_cast<double>(done);
  }

  // The smallest error on the path that reaches the power; empty if none does.
  [[nodiscard]] std::optional<double> smallest(const Path& path) const {
    // From the far end inwards: there some statistics do not exist (every label the same), and others reject.
    double high = error_at(path, largest_exponent);
    const double far = high;
    while (high > 0 && !reached(path, exponent(path, high)))
      if ((high /= 2) < far / 256) return std::nullopt;
    if (!(high > 0)) return std::nullopt;
    double low = high / 2;
    while (reached(path, exponent(path, low))) {
      high = low;
      low /= 2;
      if (low < 1e-12) return high;  // no sample is large enough to come here
    }
    while (high > precision * low) {
      const double middle = std::sqrt(low * high);
      (reached(path, exponent(path, middle)) ? high : low) = middle;
    }
    return high;
  }

 private:
  const NullCells& cells_;
  const Statistic& statistic_;
  const NullDistribution& null_;
  const DetectableOptions& options_;
};

}  // namespace

Detectable find_detectable(const NullCells& cells, const Statistic& statistic, const NullDistribution& null,
                           const DetectableOptions& options) {
  Detectable out{.statistic = std::string(statistic.name()), .alpha = options.alpha, .power = options.power};
  const Search search(cells, statistic, null, options);
  for (const Path& path : paths) {
    const auto error = search.smallest(path);
    if (!error) continue;
    out.path = path.name;
    out.exponent = search.exponent(path, *error);
    out.tce = search.error_at(path, *out.exponent);
    return out;
  }
  out.path = std::string(paths[0].name) + ", " + paths[1].name;
  const auto scores = cells.cells.ordered.scores();
  const bool certain = std::ranges::all_of(scores, [](double s) { return s == 0 || s == 1; });
  out.reason = certain ? "every score is 0 or 1, and no curve of these paths moves them"
                       : "not even the far end of these paths is detected with this power at this n";
  return out;
}

}  // namespace tare::detail::infer
