// How much memory may be asked for before the system begins to end programs: it promises more than it has.
#pragma once

#include <cstddef>

namespace tare::inner::read {

std::size_t usable_memory();  // bytes, now

}  // namespace tare::inner::read
