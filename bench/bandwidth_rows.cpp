// The limits everything is compared with: one thread reading 1.6 GB and adding it up, and for what writes as much as it
// reads one thread copying 0.8 GB; by fixed kernels, so that the compiler does not move the yardstick.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/bandwidth_rows.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tare::detail::bench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

double sum(const double* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = a, c = a, e = a;
  for (std::size_t i = 0; i + 4 * lanes <= n; i += 4 * lanes) {
    a = hn::Add(a, hn::LoadU(d, x + i));
    b = hn::Add(b, hn::LoadU(d, x + i + lanes));
    c = hn::Add(c, hn::LoadU(d, x + i + 2 * lanes));
    e = hn::Add(e, hn::LoadU(d, x + i + 3 * lanes));
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
}

void copy(const double* from, std::size_t n, double* to) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i + lanes <= n; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
}

}  // namespace
}  // namespace tare::detail::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "bench/data.hpp"
#include "bench/table.hpp"

namespace tare::detail::bench {
namespace {
HWY_EXPORT(sum);
HWY_EXPORT(copy);

void add_copy(Table& table) {
  const std::size_t n = table.rows(1e8);
  table.time(
      copying,
      [n] {
        auto from = std::make_shared<numeric::LargeArray<double>>(n, 1.0);
        auto to = std::make_shared<numeric::LargeArray<double>>(n, 2.0);
        return [=] {
          HWY_DYNAMIC_DISPATCH(copy)(from->data(), from->size(), to->data());
          sink = (*to)[0];
        };
      },
      Clock::cpu, 15);
  table.line(
      "memory, copy", n, copying, [n](const Times& t) { return 16 * static_cast<double>(n) / t(copying) * 1e-9; },
      "GB/s", Goal::none, 0);
}

}  // namespace

double bandwidth_bytes(const Table& table) { return 8 * static_cast<double>(table.rows(2e8)); }
double copied_numbers(const Table& table) { return static_cast<double>(table.rows(1e8)); }

void add_bandwidth(Table& table) {
  const std::size_t n = table.rows(2e8);
  table.time(
      bandwidth,
      [n] {
        auto x = std::make_shared<numeric::LargeArray<double>>(n, 1.0);
        return [x] { sink = HWY_DYNAMIC_DISPATCH(sum)(x->data(), x->size()); };
      },
      Clock::cpu, 15);
  const double bytes = bandwidth_bytes(table);
  table.line(
      "memory, read and add", n, bandwidth, [bytes](const Times& t) { return bytes / t(bandwidth) * 1e-9; }, "GB/s",
      Goal::none, 0);
  add_copy(table);
}

}  // namespace tare::detail::bench
#endif
