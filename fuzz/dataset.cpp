#include "consume.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  tare::detail::fuzz::dataset(std::as_bytes(std::span(data, size)));
  return 0;
}
