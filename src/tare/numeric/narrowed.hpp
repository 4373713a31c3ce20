// Whole numbers of any type as class indices, 32 bits wide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tare::detail::numeric {

// Writes all of them; the first that does not fit, or n.
template <class From>
std::size_t narrowed(std::span<const From> from, std::int32_t* out, int threads);

}  // namespace tare::detail::numeric
