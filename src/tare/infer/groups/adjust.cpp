#include "tare/infer/groups/adjust.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace tare::detail::infer {
namespace {

std::vector<std::size_t> ascending(std::span<const double> log_p) {
  std::vector<std::size_t> order(log_p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return log_p[a] < log_p[b]; });
  return order;
}

double times(double factor, double log_p) { return std::exp(std::min(0.0, std::log(factor) + log_p)); }

}  // namespace

std::vector<double> holm(std::span<const double> log_p) {
  std::vector<double> out(log_p.size());
  double largest = 0;
  std::size_t left = log_p.size();
  for (const std::size_t i : ascending(log_p))
    out[i] = largest = std::max(largest, times(static_cast<double>(left--), log_p[i]));
  return out;
}

std::vector<double> benjamini_hochberg(std::span<const double> log_p) {
  const auto order = ascending(log_p);
  std::vector<double> out(log_p.size());
  double smallest = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    out[i] = smallest =
        std::min(smallest, times(static_cast<double>(order.size()) / static_cast<double>(rank), log_p[i]));
  }
  return out;
}

}  // namespace tare::detail::infer
