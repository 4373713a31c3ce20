#include "tare/measure/nll.hpp"

#include <algorithm>
#include <vector>

#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::inner::measure {
namespace {

constexpr std::size_t chunk_rows = 4096;

// Losses of the rows first .. first + out.size() - 1; infinity where the label has probability 0.
void losses(const MulticlassView& view, std::size_t first, std::span<double> out) {
  const std::size_t k = view.columns();
  const auto label = view.label().subspan(first, out.size());
  view.values().visit([&](auto values) {
    const auto rows = values.subspan(first * k, out.size() * k);
    if (view.kind() == Kind::logits) {
      numeric::softmax_rows(rows, k, label, {.nll = out.data()});
      return;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto j = static_cast<std::size_t>(label[i]);
      if (k == 1)
        out[i] = j == 1 ? hit_loss(static_cast<double>(rows[i])) : miss_loss(static_cast<double>(rows[i]));
      else
        out[i] = hit_loss(static_cast<double>(rows[i * k + j]));
    }
  });
}

struct Total {
  numeric::Moments moments;
  double largest = 0;
  std::uint64_t infinite = 0;  // mass
};

// Sums what does not exceed the bound, and says what it would have to be.
Total total(const MulticlassView& view, double bound, std::uint64_t unit, int threads) {
  const std::size_t n = view.size(), chunks = (n + chunk_rows - 1) / chunk_rows;
  std::vector<Total> parts(chunks, Total{numeric::Moments(bound)});
  numeric::parallel_for(chunks, threads, [&](std::size_t c) {
    const std::size_t first = c * chunk_rows;
    std::vector<double> loss(std::min(chunk_rows, n - first));
    losses(view, first, loss);
    for (std::size_t i = 0; i < loss.size(); ++i) {
      const std::uint64_t mass = view.weight().empty() ? 1 : numeric::to_mass(view.weight()[first + i], unit);
      if (std::isinf(loss[i])) {
        parts[c].infinite += mass;
        continue;
      }
      parts[c].largest = std::max(parts[c].largest, loss[i]);
      if (loss[i] <= bound) parts[c].moments.add(loss[i], mass);
    }
  });
  Total out = parts[0];
  for (std::size_t c = 1; c < chunks; ++c) {
    out.moments.merge(parts[c].moments);
    out.largest = std::max(out.largest, parts[c].largest);
    out.infinite += parts[c].infinite;
  }
  return out;
}

}  // namespace

Result<Estimate> nll_matrix(const MulticlassView& view, const Options&, int threads) {
  const std::uint64_t unit = numeric::mass_unit(view.weight());
  double bound = 64;  // enough for all but absurd logits; those, and tiny losses, take a second pass
  Total sum = total(view, bound, unit, threads);
  if (sum.infinite != 0) return infinite_nll(sum.infinite, unit, "");
  if (sum.largest > 0 && (sum.largest > bound || sum.largest < 0x1p-20)) {
    bound = numeric::power_of_two_above(sum.largest);
    sum = total(view, bound, unit, threads);
  }
  return Estimate{.value = sum.moments.mean(), .se = sum.moments.se(unit)};
}

}  // namespace tare::inner::measure
