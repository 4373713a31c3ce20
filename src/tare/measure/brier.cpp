#include "tare/measure/brier.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tare/numeric/parallel.hpp"
#include "tare/numeric/softmax.hpp"

namespace tare::measure {
namespace {

using numeric::BinSums;

// Classes whose bins are kept at one time: memory does not grow with n, and little with k.
constexpr std::size_t most_cells = std::size_t{1} << 18;

// Probabilities of all classes, a row at a time.
class Probabilities {
 public:
  explicit Probabilities(const MulticlassView& view) : view_(view), row_(view.classes()) {}

  std::span<const double> operator()(std::size_t i) {
    const std::size_t k = view_.columns();
    view_.values().visit([&](auto values) {
      const auto z = values.subspan(i * k, k);
      if (view_.kind() == Kind::logits)
        softmax(z);
      else if (k == 1)
        pair(1 - static_cast<double>(z[0]), static_cast<double>(z[0]));
      else
        std::copy(z.begin(), z.end(), row_.begin());
    });
    return row_;
  }

 private:
  template <class T>
  void softmax(std::span<const T> z) {
    double confidence = 0, complement = 0;
    std::int32_t top = 0;
    numeric::softmax_rows(z, z.size(), {}, {.confidence = &confidence, .complement = &complement, .argmax = &top});
    if (z.size() == 1) {
      if (top == 1)
        pair(complement, confidence);
      else
        pair(confidence, complement);
      return;
    }
    const auto m = static_cast<double>(z[static_cast<std::size_t>(top)]);
    for (std::size_t j = 0; j < z.size(); ++j) row_[j] = confidence * std::exp(static_cast<double>(z[j]) - m);
  }
  void pair(double zero, double one) {
    row_[0] = zero;
    row_[1] = one;
  }

  const MulticlassView& view_;
  std::vector<double> row_;
};

struct Sums {
  numeric::Moments loss{4};   // a row's score is at most 2, or a little more where it does not quite sum to 1
  std::vector<BinSums> bins;  // of each class of the block, b in a row
};

// One pass over some rows for the classes first .. last - 1.
void accumulate(const MulticlassView& view, std::size_t from, std::size_t to, std::size_t first, std::size_t last,
                std::size_t b, std::uint64_t unit, Sums& out) {
  std::vector<double> edge(b + 1);
  for (std::size_t j = 0; j <= b; ++j) edge[j] = numeric::width_edge(j, b);
  out.bins.resize((last - first) * b);
  Probabilities probabilities(view);
  for (std::size_t i = from; i < to; ++i) {
    const auto p = probabilities(i);
    const auto label = static_cast<std::size_t>(view.label()[i]);
    const std::uint64_t mass = view.weight().empty() ? 1 : numeric::to_mass(view.weight()[i], unit);
    double loss = 0;
    for (std::size_t c = 0; c < p.size(); ++c) {
      const double difference = c == label ? 1 - p[c] : p[c];
      loss += difference * difference;
      if (c < first || c >= last) continue;
      // numeric::width_bin without its divisions
      std::size_t j = std::min(static_cast<std::size_t>(p[c] * static_cast<double>(b)), b - 1);
      while (j > 0 && p[c] <= edge[j]) --j;
      while (j + 1 < b && p[c] > edge[j + 1]) ++j;
      BinSums& bin = out.bins[(c - first) * b + j];
      bin.mass += mass;
      bin.hits += c == label ? mass : 0;
      bin.score += static_cast<numeric::u128>(numeric::to_fixed(p[c])) * mass;
    }
    out.loss.add(loss, mass);
  }
}

}  // namespace

Result<Estimate> brier_matrix(const MulticlassView& view, const Options& options, int threads) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  const std::size_t n = view.size(), k = view.classes();
  const std::uint64_t unit = numeric::mass_unit(view.weight());
  const std::size_t block = std::max<std::size_t>(most_cells / *b, 1);
  const auto ranges = static_cast<std::size_t>(std::max(threads, 1));

  numeric::Moments loss;
  BrierParts parts;
  for (std::size_t first = 0; first < k; first += block) {
    const std::size_t last = std::min(first + block, k);
    std::vector<Sums> sums(ranges);
    numeric::parallel_for(ranges, threads, [&](std::size_t r) {
      accumulate(view, n * r / ranges, n * (r + 1) / ranges, first, last, *b, unit, sums[r]);
    });
    for (std::size_t r = 1; r < ranges; ++r) {
      sums[0].loss.merge(sums[r].loss);
      for (std::size_t j = 0; j < sums[0].bins.size(); ++j) sums[0].bins[j].merge(sums[r].bins[j]);
    }
    loss = sums[0].loss;
    for (std::size_t c = 0; c < last - first; ++c)
      parts.add(std::span<const BinSums>(sums[0].bins).subspan(c * *b, *b));
  }
  return Estimate{.value = loss.mean(), .se = loss.se(unit), .bins = options.bins, .parts = parts.of(loss.mean())};
}

}  // namespace tare::measure
