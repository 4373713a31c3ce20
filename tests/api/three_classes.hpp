// What the tests of the public interface share: include/tare only.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/folders.hpp"

namespace tare::detail::testing {

inline const std::string network = source_dir() + "/data/resnet110_cifar10.npz";

struct Data {
  std::vector<float> logits;
  std::vector<std::int64_t> labels;
};

inline Data three_classes(std::size_t n, unsigned seed = 7) {
  std::mt19937 rng(seed);
  std::normal_distribution<float> normal;
  Data out;
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) out.logits.push_back(2 * normal(rng));
    out.labels.push_back(static_cast<std::int64_t>(rng() % 3));
  }
  return out;
}

}  // namespace tare::detail::testing
