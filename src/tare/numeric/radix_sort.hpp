// Scores in [0, 1] with a mark, as integers that sort like the scores: the bits of a
// non-negative IEEE number are ordered as the number is; shifting left by one drops the sign
// (of -0) and makes room for the mark. They are sorted digit by digit, lowest first, 8 bits at a
// time: 256 open destinations fit the first cache, 2048 do not.
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

namespace tare::numeric {

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

Keys<std::uint32_t> sorted_keys(std::span<const float> score, std::span<const std::uint8_t> mark, int threads = 1);
Keys<std::uint64_t> sorted_keys(std::span<const double> score, std::span<const std::uint8_t> mark, int threads = 1);

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

// A stable sort of the items source(0) .. source(n - 1) by the unsigned integer key(item).
template <class Item, class Source, class Key>
class RadixSort {
  using KeyType = decltype(std::declval<Key>()(std::declval<Item>()));
  static constexpr std::size_t digits = sizeof(KeyType);
  using Counts = std::array<std::array<std::size_t, 256>, digits>;

 public:
  RadixSort(std::size_t n, const Source& source, const Key& key, int threads)
      : n_(n), source_(source), key_(key), threads_(threads) {
    constexpr std::size_t worth_a_thread = 1 << 16;
    const auto wanted = static_cast<std::size_t>(std::max(threads, 1));
    counts_.resize(std::clamp<std::size_t>(n / worth_a_thread, 1, wanted));
  }

  LargeArray<Item> run() {
    for_pieces([&](std::size_t p) { count_all(p); });
    std::vector<std::size_t> moving;  // digits in which the items differ
    for (std::size_t d = 0; d < digits; ++d)
      if (!is_constant(d)) moving.push_back(d);
    LargeArray<Item> a(n_), b(moving.size() > 1 ? n_ : 0);
    if (moving.empty()) moving.push_back(0);
    pass(moving[0], source_, a.data());
    for (std::size_t m = 1; m < moving.size(); ++m) {
      const Item* from = a.data();
      const auto item = [from](std::size_t i) { return from[i]; };
      if (counts_.size() > 1) for_pieces([&](std::size_t p) { count_one(p, moving[m], item); });
      pass(moving[m], item, b.data());
      std::swap(a, b);
    }
    return a;
  }

 private:
  template <class Body>
  void for_pieces(const Body& body) {
    parallel_for(counts_.size(), threads_, body);
  }
  [[nodiscard]] std::size_t begin(std::size_t piece) const { return n_ / counts_.size() * piece; }
  [[nodiscard]] std::size_t end(std::size_t piece) const { return piece + 1 == counts_.size() ? n_ : begin(piece + 1); }
  [[nodiscard]] std::size_t digit(const Item& item, std::size_t d) const { return (key_(item) >> (8 * d)) & 255; }

  // Even and odd rows are counted apart: the upper digits of neighbours are mostly equal, and
  // adding to one counter twice in a row would wait for the first addition.
  void count_all(std::size_t p) {
    auto other = std::make_unique<Counts>();
    auto& even = counts_[p];
    auto& odd = *other;
    std::size_t i = begin(p);
    for (; i + 1 < end(p); i += 2) {
      const Item x = source_(i), y = source_(i + 1);
      for (std::size_t d = 0; d < digits; ++d) {
        ++even[d][digit(x, d)];
        ++odd[d][digit(y, d)];
      }
    }
    for (; i < end(p); ++i)
      for (std::size_t d = 0; d < digits; ++d) ++even[d][digit(source_(i), d)];
    for (std::size_t d = 0; d < digits; ++d)
      for (std::size_t v = 0; v < 256; ++v) even[d][v] += odd[d][v];
  }

  template <class Items>
  void count_one(std::size_t p, std::size_t d, const Items& item) {
    auto& count = counts_[p][d];
    count.fill(0);
    for (std::size_t i = begin(p); i < end(p); ++i) ++count[digit(item(i), d)];
  }

  [[nodiscard]] bool is_constant(std::size_t d) const {
    for (std::size_t v = 0; v < 256; ++v) {
      std::size_t total = 0;
      for (const auto& c : counts_) total += c[d][v];
      if (total > 0) return total == n_;
    }
    return true;
  }

  template <class Items>
  void pass(std::size_t d, const Items& item, Item* to) {
    std::vector<std::array<std::size_t, 256>> at(counts_.size());
    std::size_t total = 0;
    for (std::size_t v = 0; v < 256; ++v)
      for (std::size_t p = 0; p < counts_.size(); ++p) {
        at[p][v] = total;
        total += counts_[p][d][v];
      }
    for_pieces([&](std::size_t p) {
      if (n_ * sizeof(Item) > too_large_to_cache)
        scatter_lines(p, d, item, at[p], to);
      else
        scatter(p, d, item, at[p], to);
    });
  }

  template <class Items>
  void scatter(std::size_t p, std::size_t d, const Items& item, std::array<std::size_t, 256> next, Item* to) const {
    for (std::size_t i = begin(p); i < end(p); ++i) {
      const Item x = item(i);
      to[next[digit(x, d)]++] = x;
    }
  }

  // Collects a cache line per destination and writes it past the caches, which would otherwise first
  // read every line that is about to be overwritten.
  template <class Items>
  void scatter_lines(std::size_t p, std::size_t d, const Items& item, const std::array<std::size_t, 256>& start,
                     Item* to) const {
    constexpr std::size_t size = 64 / sizeof(Item);
    alignas(64) std::array<std::array<Item, size>, 256> line;
    auto next = start;
    for (std::size_t i = begin(p); i < end(p); ++i) {
      const Item x = item(i);
      const std::size_t v = digit(x, d), at = next[v]++;
      line[v][at % size] = x;
      if (at % size < size - 1) continue;
      const std::size_t first = at - (size - 1);
      if (first >= start[v])
        write_line(line[v].data(), to + first);
      else
        std::copy(line[v].begin() + static_cast<std::ptrdiff_t>(start[v] - first), line[v].end(), to + start[v]);
    }
    finish_lines();
    for (std::size_t v = 0; v < 256; ++v)
      for (std::size_t i = std::max(start[v], next[v] - next[v] % size); i < next[v]; ++i) to[i] = line[v][i % size];
  }

  static constexpr std::size_t too_large_to_cache = std::size_t{1} << 23;

  std::size_t n_;
  const Source& source_;
  const Key& key_;
  int threads_;
  std::vector<Counts> counts_;  // per piece of the rows
};

template <class Item, class Source, class Key>
LargeArray<Item> radix_sorted(std::size_t n, const Source& source, const Key& key, int threads) {
  return RadixSort<Item, Source, Key>(n, source, key, threads).run();
}

}  // namespace tare::numeric
