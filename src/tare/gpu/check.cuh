// A failed call of CUDA, thrown as an error of this room.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "tare/gpu/memory.hpp"

namespace tare::detail::gpu {

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  const bool memory = status == cudaErrorMemoryAllocation;
  (void)cudaGetLastError();  // a failed allocation is no reason to fail the next call, too
  throw Broken{{.code = memory ? Errc::out_of_memory : Errc::internal,
                .what = std::string(what) + ": " + cudaGetErrorString(status),
                .remedy = memory ? "free memory of the device, or give fewer rows at a time" : ""}};
}
inline void check_launch(const char* what) { check(cudaGetLastError(), what); }

inline cudaStream_t cuda(Stream stream) { return static_cast<cudaStream_t>(stream); }

}  // namespace tare::detail::gpu
