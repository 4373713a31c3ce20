#include "tare/infer/resample/row_losses.hpp"

#include <algorithm>
#include <cmath>

#include "tare/fit/rows/map.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::infer {
namespace {

constexpr std::size_t block_rows = 512;

Reals block_of(const MulticlassView& view, std::size_t from, std::size_t count) {
  const std::size_t k = view.columns();
  return view.values().visit([&](auto values) { return Reals(values.subspan(from * k, count * k)); });
}

// The probabilities as they are.
void uncalibrated(Kind kind, std::size_t k, Reals in, std::span<double> out) {
  in.visit([&](auto z) {
    if (kind == Kind::probs) {
      std::copy(z.begin(), z.end(), out.begin());
      return;
    }
    if (k == 1) {
      for (std::size_t i = 0; i < z.size(); ++i) out[i] = 1 / (1 + std::exp(-static_cast<double>(z[i])));
      return;
    }
    for (std::size_t at = 0; at < z.size(); at += k) {
      const auto row = z.subspan(at, k);
      const double top = static_cast<double>(*std::max_element(row.begin(), row.end()));
      double sum = 0;
      for (std::size_t j = 0; j < k; ++j) sum += out[at + j] = std::exp(static_cast<double>(row[j]) - top);
      for (std::size_t j = 0; j < k; ++j) out[at + j] /= sum;
    }
  });
}

void add_loss(std::span<const double> p, std::size_t label, Reduction reduction, std::size_t to, RowLosses& out) {
  const auto put = [to](auto& list, auto value) {
    if (!list.empty()) list[to] = value;
  };
  if (p.size() <= 2) {
    const double one = p.back(), zero = p.size() == 2 ? p[0] : 1 - one, y = label == 1 ? 1 : 0;
    const bool right = (p.size() == 2 ? one > zero : one > 0.5) == (label == 1);
    const bool top = reduction == Reduction::top_label;
    put(out.right, right);
    put(out.brier, (one - y) * (one - y));
    if (!out.nll.empty()) out.nll[to] = -std::log(label == 1 ? one : zero);
    put(out.score, std::min(top ? std::max(one, zero) : one, 1.0));
    put(out.label, top ? right : label == 1);
    return;
  }
  const auto top = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
  put(out.right, top == label);
  put(out.score, std::min(p[top], 1.0));
  put(out.label, top == label);
  if (!out.nll.empty()) out.nll[to] = -std::log(p[label]);
  if (out.brier.empty()) return;
  double square = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    const double d = p[j] - (j == label ? 1 : 0);
    square += d * d;
  }
  out.brier[to] = square;
}

}  // namespace

void add_losses(const MulticlassView& view, const fit::Map* map, Reduction reduction,
                const std::vector<std::size_t>& rows, RowLosses& out, int threads) {
  const std::size_t n = view.size(), k = view.columns();
  numeric::parallel_for((n + block_rows - 1) / block_rows, threads, [&](std::size_t chunk) {
    const std::size_t from = chunk * block_rows, count = std::min(block_rows, n - from);
    std::vector<double> p(count * k);
    const Reals in = block_of(view, from, count);
    if (map)
      map->apply(in, p);
    else
      uncalibrated(view.kind(), k, in, p);
    fit::exclude_masked(in, k, p);
    for (std::size_t i = 0; i < count; ++i)
      add_loss(std::span<const double>(p).subspan(i * k, k), static_cast<std::size_t>(view.label()[from + i]),
               reduction, rows.empty() ? from + i : rows[from + i], out);
  });
}

// Small weights are taken times a power of two: exact sums have 60 bits after the point.
double mean_loss(std::span<const double> loss, std::span<const double> weight) {
  numeric::ExactSum sum, total;
  const double largest = weight.empty() ? 1 : *std::max_element(weight.begin(), weight.end());
  const double scale = largest < 1 ? std::ldexp(1, -std::ilogb(largest)) : 1;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    const double w = weight.empty() ? 1 : weight[i] * scale;
    if (w == 0) continue;
    if (!std::isfinite(loss[i])) return loss[i];
    sum.add(loss[i], w);
    total.add(w);
  }
  return sum.value() / total.value();
}

}  // namespace tare::detail::infer
