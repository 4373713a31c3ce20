// A fitted temperature or vector scaling, applied to logits on a device: probabilities, in place or elsewhere, in the
// type of the input or another. A temperature keeps the top label, whatever the probabilities are rounded to.
#pragma once

#include "tare/core/model.hpp"
#include "tare/gpu/memory.hpp"

namespace tare::detail::gpu {

struct Output {
  void* data = nullptr;
  std::size_t stride = 0;  // in numbers
  Type type = Type::float32;
};

// Waits for the stream: a row that cannot be used is an error.
Result<bool> apply(const Model& model, const DeviceRows& rows, const Output& out, Stream stream);

}  // namespace tare::detail::gpu
