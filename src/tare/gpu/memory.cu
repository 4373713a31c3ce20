#include <array>
#include <mutex>

#include "tare/gpu/check.cuh"

namespace tare::detail::gpu {
namespace {

// A pool of our own for each device, which keeps a little: memory that goes back to the driver after every call costs
// more than the calls.
cudaMemPool_t pool_of_device() {
  static std::mutex busy;
  static std::array<cudaMemPool_t, 64> pools{};
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  const std::lock_guard lock(busy);
  cudaMemPool_t& pool = pools.at(static_cast<std::size_t>(device));
  if (pool != nullptr) return pool;
  cudaMemPoolProps wish{};
  wish.allocType = cudaMemAllocationTypePinned;
  wish.location.type = cudaMemLocationTypeDevice;
  wish.location.id = device;
  check(cudaMemPoolCreate(&pool, &wish), "making a pool of memory");
  std::uint64_t keep = std::uint64_t{256} << 20U;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "making a pool of memory");
  return pool;
}

}  // namespace

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  (void)cudaGetLastError();
  return 0;
}

OnDevice::OnDevice(int device) {
  if (device < 0) return;
  int now = 0;
  check(cudaGetDevice(&now), "asking for the current device");
  if (now == device) return;
  check(cudaSetDevice(device), "choosing the device");
  before_ = now;
}
OnDevice::~OnDevice() {
  if (before_ >= 0) (void)cudaSetDevice(before_);
}

void* allocate(std::size_t bytes, Stream stream) {
  void* out = nullptr;
  if (bytes > 0)
    check(cudaMallocFromPoolAsync(&out, bytes, pool_of_device(), cuda(stream)), "taking memory of the device");
  return out;
}
void release(void* memory, Stream stream) noexcept {
  if (memory != nullptr) (void)cudaFreeAsync(memory, cuda(stream));
}
void copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, cuda(stream)), "copying to the host");
  wait_for(stream);
}
void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, cuda(stream)), "copying to the device");
}
void fill_bytes(void* to, int byte, std::size_t bytes, Stream stream) {
  if (bytes > 0) check(cudaMemsetAsync(to, byte, bytes, cuda(stream)), "filling memory of the device");
}
void wait_for(Stream stream) { check(cudaStreamSynchronize(cuda(stream)), "waiting for the device"); }

}  // namespace tare::detail::gpu
