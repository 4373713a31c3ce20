// Which rows have a label.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tare::detail {

// 1 where the label is the wanted one, 0 elsewhere.
std::vector<std::uint8_t> is_label(std::span<const std::int32_t> label, std::int32_t wanted, int threads = 1);

}  // namespace tare::detail
