// DeviceRows that cannot be used: the device notes the first of them, and the host says what is wrong with it.
#pragma once

#include "tare/gpu/memory.hpp"

namespace tare::detail::gpu {

// Is the array one that kernels can read? Classes, strides, pointers.
Result<bool> readable(const DeviceRows& rows, const Labels& labels);

class Faults {
 public:
  explicit Faults(Stream stream);

  [[nodiscard]] unsigned long long* first() const { return first_.data(); }  // on the device: kernels lower it
  // Waits for the stream. Says what is wrong with the first bad row, in the words of the CPU; true if there is none.
  [[nodiscard]] Result<bool> check(const DeviceRows& rows, const Labels& labels) const;

 private:
  Stream stream_;
  Buffer<unsigned long long> first_;
};

}  // namespace tare::detail::gpu
