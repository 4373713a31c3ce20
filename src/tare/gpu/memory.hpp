// Memory of a device, and failures of CUDA as errors. Host code: no CUDA header is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/core/views.hpp"

namespace tare::detail::gpu {

// What the GPU is given: arrays on a device by pointer, shape, type and stream. No type of CUDA is seen here, so that
// host code needs no CUDA header.

using Stream = void*;  // a cudaStream_t; null is the default stream

enum class Type { float32, float16, bfloat16 };
constexpr std::size_t size_of(Type type) { return type == Type::float32 ? 4 : 2; }

// n rows of k numbers, 2 <= k <= 1,000,000. A row is contiguous; rows may begin anywhere, `stride` numbers apart.
struct DeviceRows {
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

// Thrown inside the room, and caught by guarded() at its edge.
struct Broken {
  Error error;
};

// How many devices there are; 0 where there is no driver.
int device_count();

// While it lives, this device is the current one. Negative: it stays as it is.
class OnDevice {
 public:
  explicit OnDevice(int device);
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice();

 private:
  int before_ = -1;
};

void* allocate(std::size_t bytes, Stream stream);
void release(void* memory, Stream stream) noexcept;
void copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream);  // waits for the stream
void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream);
void fill_bytes(void* to, int byte, std::size_t bytes, Stream stream);
void wait_for(Stream stream);

// An array on the device, in the order of a stream: made when the stream gets there, and gone when it gets to the end.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::size_t size, Stream stream)
      : size_(size), stream_(stream), data_(static_cast<T*>(allocate(size * sizeof(T), stream))) {}
  Buffer(Buffer&& other) noexcept
      : size_(std::exchange(other.size_, 0)), stream_(other.stream_), data_(std::exchange(other.data_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(stream_, other.stream_);
    std::swap(data_, other.data_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(data_, stream_); }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void zero() { fill_bytes(data_, 0, size_ * sizeof(T), stream_); }
  void upload(const std::vector<T>& from) { copy_to_device(data_, from.data(), from.size() * sizeof(T), stream_); }
  [[nodiscard]] std::vector<T> download() const {
    std::vector<T> out(size_);
    copy_to_host(out.data(), data_, size_ * sizeof(T), stream_);
    return out;
  }

 private:
  std::size_t size_ = 0;
  Stream stream_ = nullptr;
  T* data_ = nullptr;
};

// Calls work(), whose result is a Result; a failure of CUDA becomes its error.
template <class Work>
auto guarded(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (Broken& broken) {
    return std::move(broken.error);
  } catch (const std::bad_alloc&) {
    return Error{.code = Errc::out_of_memory, .what = "there was not enough memory"};
  }
}

// ---- Rows that cannot be used: the device notes the first of them, and the host says what is wrong with it
// (faults.cpp).

Error no_rows();
Error unsupported(std::string what, const char* remedy);

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
