// The softmax of the same rows, as hexadecimal numbers: packaging/compare_bits.py compares those of two machines.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "tare/numeric/simd/softmax.hpp"

namespace {

using namespace tare::detail::numeric;

void print(const char* name, const std::vector<double>& numbers) {
  std::printf("\n%s", name);
  for (const double x : numbers) std::printf(" %a", x);
}

// Logits in [-16, 16) that every machine computes alike: whole numbers over a power of two.
template <class T>
void rows(const char* name, std::size_t n, std::size_t k) {
  std::vector<T> z(n * k);
  std::uint64_t state = 1;
  for (T& x : z) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    x = static_cast<T>(static_cast<double>(state >> 44U) / 32768.0 - 16.0);
  }
  const std::vector<std::int32_t> label(n, 0);
  std::vector<double> confidence(n), complement(n), nll(n), log_normaliser(n);
  std::vector<std::int32_t> argmax(n);
  softmax_rows(std::span<const T>(z), k, label,
               {.confidence = confidence.data(),
                .complement = complement.data(),
                .nll = nll.data(),
                .log_normaliser = log_normaliser.data(),
                .argmax = argmax.data()});
  std::printf("%s rows of %zu", name, k);
  print("confidence", confidence);
  print("complement", complement);
  print("nll", nll);
  print("log_normaliser", log_normaliser);
  print("argmax", {argmax.begin(), argmax.end()});
  std::printf("\n\n");
}

}  // namespace

int main() {
  for (const std::size_t k : {1, 2, 10, 100}) {
    rows<double>("float64", 20'000, k);
    rows<float>("float32", 20'000, k);
  }
}
