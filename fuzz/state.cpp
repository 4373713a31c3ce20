#include "consume_state.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  tare::detail::fuzz::state({reinterpret_cast<const char*>(data), size});
  return 0;
}
