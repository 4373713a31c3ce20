#include "tare/numeric/order/row_order.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "tare/numeric/order/radix_sort.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::numeric {
namespace {

// A bijection of 64 bits in which every bit of the input moves every bit of the output (Stafford 2011, mix 13; the
// last step of splitmix64).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x + 0.0); }  // -0 + 0 = 0

// Four states side by side, so that a long row does not wait for its own products. One step is a bijection of
// the state, and of the number: rows that differ in one number never end in the same four states.
struct Start {
  std::array<std::uint64_t, 4> state;
  explicit Start(std::uint64_t seed) {
    for (std::size_t l = 0; l < 4; ++l) state[l] = mixed(seed + (l + 1) * 0x9E3779B97F4A7C15U);
  }
};

constexpr std::uint64_t step(std::uint64_t state, std::uint64_t number) {
  return std::rotl((state ^ number) * 0xD1342543DE82EF95U, 29);
}

template <class T>
std::uint64_t hash(const Start& start, const T* p, std::size_t k, std::int32_t mark, double weight) {
  auto s = start.state;
  std::size_t j = 0;
  for (; j + 4 <= k; j += 4)
    for (std::size_t l = 0; l < 4; ++l) s[l] = step(s[l], bits(static_cast<double>(p[j + l])));
  for (std::size_t l = 0; j < k; ++j, ++l) s[l] = step(s[l], bits(static_cast<double>(p[j])));
  std::uint64_t out = mixed(bits(weight) ^ start.state[0]) + static_cast<std::uint32_t>(mark);
  for (const std::uint64_t x : s) out = mixed(out) ^ x;
  return mixed(out);
}

template <class T>
class RowKeys {
 public:
  RowKeys(const RowContent& rows, std::span<const T> values) : rows_(rows), values_(values) {}
  [[nodiscard]] std::size_t size() const { return values_.size() / rows_.columns; }
  [[nodiscard]] std::span<const T> values(std::size_t i) const {
    return values_.subspan(i * rows_.columns, rows_.columns);
  }
  [[nodiscard]] std::int32_t mark(std::size_t i) const { return rows_.mark.empty() ? 0 : rows_.mark[i]; }
  [[nodiscard]] double weight(std::size_t i) const { return rows_.weight.empty() ? 1 : rows_.weight[i]; }
  [[nodiscard]] std::uint64_t hash_of(const Start& start, std::size_t i) const {
    return hash(start, values(i).data(), rows_.columns, mark(i), weight(i));
  }
  [[nodiscard]] bool less(std::size_t a, std::size_t b) const {
    if (mark(a) != mark(b)) return mark(a) < mark(b);
    if (weight(a) != weight(b)) return weight(a) < weight(b);
    const auto x = values(a), y = values(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  }

 private:
  const RowContent& rows_;
  std::span<const T> values_;
};

}  // namespace

std::vector<std::uint64_t> row_hashes(const RowContent& rows, std::uint64_t seed, int threads) {
  const Start start(seed);
  const std::size_t n = rows.values.size() / rows.columns;
  const std::size_t chunk = std::max<std::size_t>(1, 65536 / rows.columns);
  std::vector<std::uint64_t> out(n);
  rows.values.visit([&](auto values) {
    const RowKeys all(rows, values);
    parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
      for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) out[i] = all.hash_of(start, i);
    });
  });
  return out;
}

std::vector<std::size_t> row_order(const RowContent& rows, std::uint64_t seed, int threads) {
  struct Item {
    std::uint64_t hash;
    std::size_t row;
  };
  const auto hashes = row_hashes(rows, seed, threads);
  auto sorted = radix_sorted<Item>(
      hashes.size(),
      [&](std::size_t i) {
        return Item{hashes[i], i};
      },
      [](const Item& x) { return x.hash; }, threads);
  rows.values.visit([&](auto values) {
    const RowKeys all(rows, values);
    for (auto from = sorted.begin(); from != sorted.end();) {
      const auto to = std::find_if(from, sorted.end(), [&](const Item& x) { return x.hash != from->hash; });
      const bool alike = std::none_of(
          from, to, [&](const Item& x) { return all.less(from->row, x.row) || all.less(x.row, from->row); });
      if (alike) {
        std::sort(from, to, [](const Item& a, const Item& b) { return a.row < b.row; });
      } else {  // as a heap, which stays within its bounds even where somebody writes to the rows meanwhile
        const auto before = [&](const Item& a, const Item& b) {
          if (all.less(a.row, b.row) || all.less(b.row, a.row)) return all.less(a.row, b.row);
          return a.row < b.row;
        };
        std::make_heap(from, to, before);
        std::sort_heap(from, to, before);
      }
      from = to;
    }
  });
  std::vector<std::size_t> out(sorted.size());
  std::transform(sorted.begin(), sorted.end(), out.begin(), [](const Item& x) { return x.row; });
  return out;
}

}  // namespace tare::detail::numeric
