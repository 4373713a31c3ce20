// How much memory may be asked for: what the system has, and what this process may take.
#pragma once

#include <cstddef>

namespace tare::inner::read {

std::size_t usable_memory();  // bytes, now

}  // namespace tare::inner::read
