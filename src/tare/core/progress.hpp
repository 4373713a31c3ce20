// How long work tells where it is: called now and then from the calling thread, or never.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace tare::detail {

using Progress = std::function<void(std::string_view stage, std::size_t done, std::size_t total)>;

}  // namespace tare::detail
