#include "tare/gpu/sort.cuh"

#include <cub/device/device_radix_sort.cuh>

#include "tare/gpu/check.cuh"

namespace tare::detail::gpu {

void sort_keys(Buffer<std::uint32_t>& keys, int bits, Stream stream) {
  Buffer<std::uint32_t> other(keys.size(), stream);
  cub::DoubleBuffer<std::uint32_t> both(keys.data(), other.data());
  std::size_t bytes = 0;
  const auto items = static_cast<long long>(keys.size());
  check(cub::DeviceRadixSort::SortKeys(nullptr, bytes, both, items, 0, bits, cuda(stream)), "sorting scores");
  const Buffer<std::uint8_t> room(bytes > 0 ? bytes : 1, stream);
  check(cub::DeviceRadixSort::SortKeys(room.data(), bytes, both, items, 0, bits, cuda(stream)), "sorting scores");
  if (both.Current() != keys.data()) keys = std::move(other);
}

}  // namespace tare::detail::gpu
