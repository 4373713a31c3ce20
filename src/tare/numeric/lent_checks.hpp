// Threads that check rows (core/workers.hpp).
#pragma once

#include <cstddef>
#include <functional>

#include "tare/core/workers.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::inner::numeric {

inline Workers workers(int threads) {
  return [threads](std::size_t parts, const std::function<void(std::size_t)>& part) {
    parallel_for(parts, threads, part);
  };
}

}  // namespace tare::inner::numeric
