// DeviceRows for the GPU and the same numbers for the CPU, which is what the GPU is compared with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tare/gpu/memory.hpp"

namespace tare::detail::gpu::testing {

// Every test of this folder begins with it.
#define TARE_NEEDS_GPU() \
  if (::tare::detail::gpu::device_count() == 0) GTEST_SKIP() << "!!!!!! NO GPU HERE: nothing was tested"

// Under compute-sanitizer, which is a thousand times slower: every kernel, on less data.
inline bool short_data() { return std::getenv("TARE_SHORT") != nullptr; }

enum class Style { random, tied, saturated, masked, equal };
inline constexpr Style all_looks[] = {Style::random, Style::tied, Style::saturated, Style::masked, Style::equal};

struct Case {
  std::size_t n = 0, k = 0;
  Type type = Type::float32;
  Style look = Style::random;
  std::size_t offset = 0;   // numbers before the first row: 1 is out of line with every pack
  std::size_t padding = 0;  // numbers between rows
  bool wide = true;         // int64 labels
  double scale = 2.5;       // of the logits
};

inline std::string name(const Case& c) {
  return "n " + std::to_string(c.n) + ", k " + std::to_string(c.k) + ", type " +
         std::to_string(static_cast<int>(c.type)) + ", look " + std::to_string(static_cast<int>(c.look)) + ", offset " +
         std::to_string(c.offset) + ", padding " + std::to_string(c.padding);
}

// The bits of x in a type, and the number that they stand for.
inline std::uint32_t bits_of(float x, Type type) {
  if (type == Type::float32) return std::bit_cast<std::uint32_t>(x);
  if (type == Type::float16) return std::bit_cast<std::uint16_t>(static_cast<_Float16>(x));
  const auto b = std::bit_cast<std::uint32_t>(x);
  return std::isfinite(x) ? (b + 0x7fffU + (b >> 16 & 1)) >> 16 : b >> 16;
}
inline float value_of(std::uint32_t bits, Type type) {
  if (type == Type::float32) return std::bit_cast<float>(bits);
  if (type == Type::float16) return static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
  return std::bit_cast<float>(bits << 16);
}

// Device memory filled with 0xff, so that what nobody wrote shows.
template <class T>
Buffer<T> poisoned(std::size_t size) {
  Buffer<T> out(std::max<std::size_t>(size, 1), nullptr);
  fill_bytes(out.data(), 0xff, out.size() * sizeof(T), nullptr);
  return out;
}

class Data {
 public:
  explicit Data(const Case& given, unsigned seed = 1) : c(given) {
    std::mt19937_64 random(seed + 31 * c.n + 1009 * c.k + 7 * static_cast<unsigned>(c.look));
    std::normal_distribution<float> normal(0, static_cast<float>(c.scale));
    std::uniform_real_distribution<double> uniform;
    values.resize(c.n * c.k);
    label.resize(c.n);
    for (std::size_t i = 0; i < c.n; ++i) {
      float* row = values.data() + i * c.k;
      for (std::size_t j = 0; j < c.k; ++j) row[j] = normal(random);
      label[i] = drawn(row, uniform(random), uniform(random));
      reshape(row, random);
      for (std::size_t j = 0; j < c.k; ++j) row[j] = value_of(bits_of(row[j], c.type), c.type);
    }
    upload();
  }

  // Changed on the host; the device is told.
  void upload() {
    const std::size_t size = size_of(c.type), stride = c.k + c.padding;
    std::vector<std::uint8_t> bytes((c.offset + c.n * stride) * size, 0xff);  // NaN between the rows
    for (std::size_t i = 0; i < c.n; ++i)
      for (std::size_t j = 0; j < c.k; ++j) {
        const std::uint32_t b = bits_of(values[i * c.k + j], c.type);
        std::copy_n(reinterpret_cast<const std::uint8_t*>(&b), size, bytes.data() + (c.offset + i * stride + j) * size);
      }
    if (c.padding > 0 && c.n > 0) bytes.resize(bytes.size() - c.padding * size);  // the array ends with its last row
    memory_ = poisoned<std::uint8_t>(bytes.size());
    memory_.upload(bytes);
    const std::vector<std::int32_t> narrow(label.begin(), label.end());
    wide_ = poisoned<std::int64_t>(c.n);
    narrow_ = poisoned<std::int32_t>(c.n);
    wide_.upload(label);
    narrow_.upload(narrow);
    wait_for(nullptr);
  }

  [[nodiscard]] DeviceRows rows(Kind kind = Kind::logits) const {
    return {memory_.data() + c.offset * size_of(c.type), c.n, c.k, c.k + c.padding, c.type, kind};
  }
  [[nodiscard]] Labels labels() const {
    return {c.wide ? static_cast<const void*>(wide_.data()) : narrow_.data(), c.wide, 1, -100};
  }
  [[nodiscard]] std::vector<std::size_t> counted() const {  // rows that are not masked
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < c.n; ++i)
      if (label[i] != -100) out.push_back(i);
    return out;
  }
  // As the reader gives them to the CPU: only rows that count, and numbers only.
  [[nodiscard]] std::vector<double> cpu_values() const {
    std::vector<double> out;
    for (const std::size_t i : counted())
      for (std::size_t j = 0; j < c.k; ++j) {
        const auto z = static_cast<double>(values[i * c.k + j]);
        out.push_back(std::isinf(z) ? masked_logit : z);
      }
    return out;
  }
  [[nodiscard]] std::vector<std::int32_t> cpu_labels() const {
    std::vector<std::int32_t> out;
    for (const std::size_t i : counted()) out.push_back(static_cast<std::int32_t>(label[i]));
    return out;
  }

  Case c;
  std::vector<float> values;
  std::vector<std::int64_t> label;

 private:
  // From the softmax of the row at temperature 2: the logits are overconfident. Every seventh or so at random.
  [[nodiscard]] std::int64_t drawn(const float* row, double u, double other) const {
    if (other < 0.14) return static_cast<std::int64_t>(u * static_cast<double>(c.k));
    double sum = 0;
    for (std::size_t j = 0; j < c.k; ++j) sum += std::exp(static_cast<double>(row[j]) / 2);
    double left = u * sum;
    for (std::size_t j = 0; j < c.k; ++j) {
      left -= std::exp(static_cast<double>(row[j]) / 2);
      if (left <= 0) return static_cast<std::int64_t>(j);
    }
    return static_cast<std::int64_t>(c.k - 1);
  }
  void reshape(float* row, std::mt19937_64& random) const {
    const auto any = [&] { return static_cast<std::size_t>(random() % c.k); };
    switch (c.look) {
      case Style::random:
        break;
      case Style::tied:
        for (std::size_t j = 0; j < c.k; ++j) row[j] = std::round(row[j] / 2);
        break;
      case Style::saturated:
        row[any()] += static_cast<float>(20 + random() % 180);
        break;
      case Style::masked: {
        const std::size_t keep = any();
        for (std::size_t j = 0; j < c.k; ++j)
          if (j != keep && random() % 4 == 0) row[j] = -std::numeric_limits<float>::infinity();
        break;
      }
      case Style::equal:
        std::fill(row, row + c.k, row[0]);
        break;
    }
  }

  Buffer<std::uint8_t> memory_;
  Buffer<std::int64_t> wide_;
  Buffer<std::int32_t> narrow_;
};

inline double ulps(float a, float b) {
  return std::abs(static_cast<double>(std::bit_cast<std::int32_t>(a)) - std::bit_cast<std::int32_t>(b));
}

inline constexpr Type all_types[] = {Type::float32, Type::float16, Type::bfloat16};

}  // namespace tare::detail::gpu::testing
