// What the GPU is given: arrays on a device by pointer, shape, type and stream. No type of CUDA is seen here, so that
// host code needs no CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tare/core/views.hpp"

namespace tare::inner::gpu {

using Stream = void*;  // a cudaStream_t; null is the default stream

enum class Type { float32, float16, bfloat16 };
constexpr std::size_t size_of(Type type) { return type == Type::float32 ? 4 : 2; }

// n rows of k numbers, 2 <= k <= 1,000,000. A row is contiguous; rows may begin anywhere, `stride` numbers apart.
struct Rows {
  const void* data = nullptr;
  std::size_t n = 0;
  std::size_t k = 0;
  std::size_t stride = 0;  // in numbers
  Type type = Type::float32;
  Kind kind = Kind::logits;
};

// One class per row; a row whose label is `ignored` does not count, and is not looked at.
struct Labels {
  const void* data = nullptr;  // null: there are none
  bool wide = false;           // int64 instead of int32
  std::size_t stride = 1;      // in numbers
  std::int64_t ignored = -100;
};

inline constexpr std::size_t most_classes = 1'000'000;

}  // namespace tare::inner::gpu
