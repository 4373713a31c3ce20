// From arrays to kernels: the shape of the work and the type of the numbers choose the kernel.
#pragma once

#include <algorithm>

#include "tare/gpu/rows.cuh"

namespace tare::detail::gpu {

inline Source source_of(const DeviceRows& rows) {
  const std::size_t size = size_of(rows.type), bytes = rows.stride * size, length = rows.k * size;
  const bool brain = rows.type == Type::bfloat16, begins = reinterpret_cast<std::uintptr_t>(rows.data) % 16 == 0;
  const std::uint32_t lowest = rows.type == Type::float32 ? 0xff800000U : brain ? 0xff80ff80U : 0xfc00fc00U;  // -inf
  return {.data = static_cast<const Byte*>(rows.data),
          .n = static_cast<long long>(rows.n),
          .k = static_cast<int>(rows.k),
          .stride = static_cast<long long>(bytes),
          .brain = brain,
          .aligned = begins && length % 16 == 0 && (bytes % 16 == 0 || rows.n == 1),
          .side_by_side = begins && bytes == length,
          .fill = rows.kind == Kind::logits ? lowest : 0};
}
inline LabelSource source_of(const Labels& labels) {
  return {labels.data, labels.wide, static_cast<long long>(labels.stride), labels.ignored};
}

// Fixed numbers of blocks, not those of the device at hand: sums are then the same everywhere.
constexpr int most_lane_blocks = 4096, most_warp_blocks = 792, most_block_blocks = 528;

struct Shape {
  int blocks, threads;
  std::size_t shared;
};
enum class Form { lane, warp, block };
inline Form form_of(std::size_t k) {
  return k <= most_lane_classes ? Form::lane : k <= most_warp_classes ? Form::warp : Form::block;
}
inline Shape shape_of(std::size_t n, std::size_t k) {
  const auto blocks = [n](std::size_t rows, int most) {
    return static_cast<int>(std::clamp<std::size_t>((n + rows - 1) / rows, 1, static_cast<std::size_t>(most)));
  };
  switch (form_of(k)) {
    case Form::lane:
      return {blocks(lane_threads, most_lane_blocks), lane_threads,
              sizeof(float) * lane_threads * static_cast<std::size_t>(pitch_of(static_cast<int>(k)))};
    case Form::warp:
      return {blocks(warp_threads / 32, most_warp_blocks), warp_threads, 0};
    case Form::block:
      break;
  }
  return {blocks(1, most_block_blocks), block_threads, 0};
}

// Which of lane, warp or block suits k.
template <class... Given>
auto kernel_of(std::size_t k, void (*lane)(Given...), void (*warp)(Given...), void (*block)(Given...)) {
  if (form_of(k) != Form::lane) return form_of(k) == Form::warp ? warp : block;
  const int most = 4 * lane_threads * pitch_of(most_lane_classes);
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(lane), cudaFuncAttributeMaxDynamicSharedMemorySize, most),
        "asking for shared memory");
  return lane;
}

// In a fixed number of blocks.
template <class... Given, class... Passed>
void launch(std::size_t n, std::size_t k, Stream stream, void (*lane)(Given...), void (*warp)(Given...),
            void (*block)(Given...), Passed... passed) {
  if (n == 0) return;
  const Shape shape = shape_of(n, k);
  kernel_of(k, lane, warp, block)<<<shape.blocks, shape.threads, shape.shared, cuda(stream)>>>(passed...);
  check_launch("starting a kernel");
}

// In as many blocks as the device has room for at once: for work whose result does not depend on them.
template <class... Given, class... Passed>
void launch_full(void (*kernel)(Given...), std::size_t most, int threads, std::size_t shared, Stream stream,
                 Passed... passed) {
  if (most == 0) return;
  int device = 0, processors = 0, resident = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "asking for its processors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared), "asking for room");
  const std::size_t room = static_cast<std::size_t>(processors) * static_cast<std::size_t>(std::max(resident, 1));
  kernel<<<static_cast<unsigned>(std::min(most, room)), threads, shared, cuda(stream)>>>(passed...);
  check_launch("starting a kernel");
}
template <class... Given, class... Passed>
void launch_full(std::size_t n, std::size_t k, Stream stream, void (*lane)(Given...), void (*warp)(Given...),
                 void (*block)(Given...), Passed... passed) {
  const Shape shape = shape_of(n, k);
  const std::size_t rows = form_of(k) == Form::lane ? lane_threads : form_of(k) == Form::warp ? warp_threads / 32 : 1;
  launch_full(kernel_of(k, lane, warp, block), (n + rows - 1) / rows, shape.threads, shape.shared, stream, passed...);
}

// The three kernels of a work, on numbers of one type.
template <class E, class Work>
void launch_work(const DeviceRows& rows, Stream stream, const Work& work) {
  launch(rows.n, rows.k, stream, by_lanes<Work, E>, by_warps<Work, E>, by_blocks<Work, E>, work);
}
template <class E, class Work>
void launch_work_full(const DeviceRows& rows, Stream stream, const Work& work) {
  launch_full(rows.n, rows.k, stream, by_lanes<Work, E>, by_warps<Work, E>, by_blocks<Work, E>, work);
}

}  // namespace tare::detail::gpu
