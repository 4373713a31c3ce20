// Scores in [0, 1] with a mark, as integers that sort like the scores: the bits of a
// non-negative IEEE number are ordered as the number is; shifting left by one drops the sign
// (of -0) and makes room for the mark.
//
// By hand, because Highway's VQSort (1.0.3) is not faster on every machine: on 1e6 to 1e8 rows it takes 35 to 53 ns a
// row for float32 and 9 to 12 ns for float64 with AVX-512 (Zen 4), 5 to 6 and 13 to 15 ns with AVX2, in one thread;
// this takes 8 to 9 and 11 to 16 ns with both, in any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "tare/numeric/memory.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::numeric {

template <class Key>
using Keys = LargeArray<Key>;

inline std::uint32_t key_of(float score, std::uint8_t mark) {
  return (std::bit_cast<std::uint32_t>(score) << 1) | mark;
}
inline std::uint64_t key_of(double score, std::uint8_t mark) {
  return (std::bit_cast<std::uint64_t>(score) << 1) | mark;
}
inline double score_of(std::uint32_t key) { return static_cast<double>(std::bit_cast<float>(key >> 1)); }
inline double score_of(std::uint64_t key) { return std::bit_cast<double>(key >> 1); }

#if defined(__SSE2__)
inline void write_line(const void* from, void* to) {
  for (int i = 0; i < 4; ++i)
    _mm_stream_si128(static_cast<__m128i*>(to) + i, _mm_load_si128(static_cast<const __m128i*>(from) + i));
}
inline void finish_lines() { _mm_sfence(); }
#else
inline void write_line(const void* from, void* to) { std::memcpy(to, from, 64); }
inline void finish_lines() {}
#endif

// Sorts by the unsigned integer key(item). One pass deals the items into buckets that follow one another and hold about
// as many items each: a histogram of the range in which most keys lie says where to cut. A bucket that is still large
// is dealt again. The others fit the second cache, where two passes sort them by the highest bits in which they differ;
// neighbours that agree in those bits, few as a rule, are sorted by the rest.
template <class Item, class Key>
class RadixSort {
  using Bits = decltype(std::declval<Key>()(std::declval<Item>()));

 public:
  RadixSort(const Key& key, int threads) : key_(key), threads_(threads) {}

  template <class Source>
  LargeArray<Item> run(std::size_t n, const Source& source) {
    LargeArray<Item> items(n);
    if (n <= fits_the_cache) {
      for (std::size_t i = 0; i < n; ++i) items[i] = source(i);
      buckets_ = {{0, n}};
    } else {
      deal(source, n, usual_range(source, n), 0, items.data());
    }
    for (std::size_t i = 0; i < buckets_.size(); ++i) {  // the list grows
      const ItemRange range = buckets_[i];
      if (range.size() <= std::max(fits_the_cache, 4 * n / wanted_buckets)) continue;
      const LargeArray<Item> large(items.data() + range.from, items.data() + range.to);
      const auto item = [&](std::size_t j) { return large[j]; };
      const Cells cells = usual_range(item, range.size());
      if (cells.low == cells.high) continue;
      buckets_[i] = {};
      deal(item, range.size(), cells, range.from, items.data());
    }
    parallel_for(buckets_.size(), threads_,
                 [&](std::size_t i) { sort_bucket(items.data() + buckets_[i].from, buckets_[i].size()); });
    return items;
  }

 private:
  struct ItemRange {
    std::size_t from = 0, to = 0;
    [[nodiscard]] std::size_t size() const { return to - from; }
  };

  // The cell of a key, in equal steps from low to high; what lies outside goes to the first or the last cell.
  struct Cells {
    Bits low, high;
    int shift;
    [[nodiscard]] std::size_t of(Bits key) const {
      return static_cast<std::size_t>((std::min(std::max(key, low), high) - low) >> shift);
    }
    [[nodiscard]] std::size_t count() const { return of(high) + 1; }
  };

  template <class Source>
  Cells usual_range(const Source& source, std::size_t n) const {
    std::array<Bits, 1024> some;
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = key_(source(n / some.size() * i));
    std::sort(some.begin(), some.end());
    const Bits low = some[2], high = some[some.size() - 3];
    return {low, high, std::max(0, static_cast<int>(std::bit_width(static_cast<Bits>(high - low))) - cell_bits)};
  }

  // Writes n items to `to` from place `at` on, bucket by bucket, and lists the buckets.
  template <class Source>
  void deal(const Source& source, std::size_t n, const Cells& cell, std::size_t at, Item* to) {
    const auto wanted = static_cast<std::size_t>(std::max(threads_, 1));
    const std::size_t pieces = std::clamp<std::size_t>(n / worth_a_thread, 1, std::max(wanted, n >> 31));
    const auto piece = [&](std::size_t p) {
      return ItemRange{n / pieces * p, p + 1 == pieces ? n : n / pieces * (p + 1)};
    };

    std::vector<std::vector<std::uint32_t>> counts(pieces);
    parallel_for(pieces, threads_, [&](std::size_t p) {
      counts[p].resize(cell.count());
      for (std::size_t i = piece(p).from; i < piece(p).to; ++i) ++counts[p][cell.of(key_(source(i)))];
    });

    // Two neighbouring buckets hold more than n / wanted_buckets, so there are at most twice that many.
    std::vector<std::uint16_t> bucket(cell.count());
    std::vector<std::vector<std::size_t>> sizes(1, std::vector<std::size_t>(pieces));
    std::size_t filled = 0;
    for (std::size_t c = 0; c < bucket.size(); ++c) {
      std::size_t here = 0;
      for (const auto& count : counts) here += count[c];
      if (filled > 0 && filled + here > n / wanted_buckets) {
        sizes.emplace_back(pieces);
        filled = 0;
      }
      filled += here;
      bucket[c] = static_cast<std::uint16_t>(sizes.size() - 1);
      for (std::size_t p = 0; p < pieces; ++p) sizes.back()[p] += counts[p][c];
    }

    std::vector<std::vector<std::size_t>> start(pieces, std::vector<std::size_t>(sizes.size()));
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      const std::size_t first = at;
      for (std::size_t p = 0; p < pieces; ++p) {
        start[p][b] = at;
        at += sizes[b][p];
      }
      buckets_.push_back({first, at});
    }
    parallel_for(pieces, threads_, [&](std::size_t p) {
      scatter(source, piece(p), start[p], to, [&](const Item& x) { return bucket[cell.of(key_(x))]; });
    });
  }

  // Collects a cache line per destination and writes it past the caches, which would otherwise first
  // read every line that is about to be overwritten.
  template <class Source, class Bucket>
  static void scatter(const Source& source, ItemRange piece, const std::vector<std::size_t>& start, Item* to,
                      const Bucket& bucket) {
    constexpr std::size_t size = 64 / sizeof(Item);
    struct alignas(64) CacheLine {
      std::array<Item, size> item;
    };
    std::vector<CacheLine> line(start.size());
    auto next = start;
    for (std::size_t i = piece.from; i < piece.to; ++i) {
      const Item x = source(i);
      const std::size_t b = bucket(x), at = next[b]++;
      line[b].item[at % size] = x;
      if (at % size < size - 1) continue;
      const std::size_t first = at - (size - 1);
      if (first >= start[b])
        write_line(&line[b], to + first);
      else
        std::copy(line[b].item.begin() + static_cast<std::ptrdiff_t>(start[b] - first), line[b].item.end(),
                  to + start[b]);
    }
    finish_lines();
    for (std::size_t b = 0; b < start.size(); ++b)
      for (std::size_t i = std::max(start[b], next[b] - next[b] % size); i < next[b]; ++i)
        to[i] = line[b].item[i % size];
  }

  void sort_bucket(Item* item, std::size_t n) const {
    if (n <= few) {
      for (std::size_t i = 1; i < n; ++i) {
        const Item x = item[i];
        std::size_t j = i;
        for (; j > 0 && key_(item[j - 1]) > key_(x); --j) item[j] = item[j - 1];
        item[j] = x;
      }
      return;
    }
    Bits all = key_(item[0]), any = all;
    for (std::size_t i = 1; i < n; ++i) {
      all &= key_(item[i]);
      any |= key_(item[i]);
    }
    if (all == any) return;
    const int width = static_cast<int>(std::bit_width(static_cast<Bits>(all ^ any)));
    const int digit = std::min({static_cast<int>(std::bit_width(n)) - 2, most_digit_bits, (width + 1) / 2});
    const int shift = std::max(width - 2 * digit, 0);
    const Bits low_bits = static_cast<Bits>(~Bits{0}) >> (8 * sizeof(Bits) - static_cast<std::size_t>(width));
    const std::size_t mask = (std::size_t{1} << digit) - 1;
    const auto value = [&](const Item& x) { return static_cast<std::size_t>((key_(x) & low_bits) >> shift); };

    std::array<std::size_t, 1 << most_digit_bits> lower, upper;
    std::fill_n(lower.begin(), mask + 1, 0);
    std::fill_n(upper.begin(), mask + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t v = value(item[i]);
      ++lower[v & mask];
      ++upper[v >> digit];
    }
    std::size_t lower_total = 0, upper_total = 0;
    for (std::size_t v = 0; v <= mask; ++v) {
      lower_total += std::exchange(lower[v], lower_total);
      upper_total += std::exchange(upper[v], upper_total);
    }
    LargeArray<Item> spare(n);
    for (std::size_t i = 0; i < n; ++i) spare[lower[value(item[i]) & mask]++] = item[i];
    for (std::size_t i = 0; i < n; ++i) item[upper[value(spare[i]) >> digit]++] = spare[i];
    if (shift == 0) return;
    for (std::size_t i = 0; i + 1 < n;) {
      std::size_t end = i + 1;
      while (end < n && value(item[end]) == value(item[i])) ++end;
      if (end - i > 1) sort_bucket(item + i, end - i);
      i = end;
    }
  }

  static constexpr std::size_t fits_the_cache = std::size_t{1} << 17;
  static constexpr std::size_t worth_a_thread = std::size_t{1} << 16;
  static constexpr std::size_t wanted_buckets = 256;
  static constexpr std::size_t few = 32;
  static constexpr int cell_bits = 13;
  static constexpr int most_digit_bits = 11;

  const Key& key_;
  int threads_;
  std::vector<ItemRange> buckets_;
};

template <class Item, class Source, class Key>
LargeArray<Item> radix_sorted(std::size_t n, const Source& source, const Key& key, int threads) {
  return RadixSort<Item, Key>(key, threads).run(n, source);
}

// The keys of scores and their marks.
template <class Score>
auto sorted_keys(std::span<const Score> score, std::span<const std::uint8_t> mark, int threads = 1) {
  using Key = decltype(key_of(Score{}, 0));
  return radix_sorted<Key>(
      score.size(), [&](std::size_t i) { return key_of(score[i], mark[i]); }, [](Key k) { return k; }, threads);
}

}  // namespace tare::detail::numeric
