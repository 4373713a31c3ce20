// Scores in [0, 1] with a mark, as integers that sort like the scores: the bits of a
// non-negative IEEE number are ordered as the number is; shifting left by one drops the sign
// (of -0) and makes room for the mark.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tare::numeric {

template <class Key>
class Keys {
 public:
  explicit Keys(std::size_t n) : data_(std::make_unique_for_overwrite<Key[]>(n)), n_(n) {}
  [[nodiscard]] std::size_t size() const { return n_; }
  Key& operator[](std::size_t i) { return data_[i]; }
  const Key& operator[](std::size_t i) const { return data_[i]; }
  Key* data() { return data_.get(); }
  [[nodiscard]] const Key* data() const { return data_.get(); }

 private:
  std::unique_ptr<Key[]> data_;
  std::size_t n_;
};

inline std::uint32_t key_of(float score, std::uint8_t mark) { return (std::bit_cast<std::uint32_t>(score) << 1) | mark; }
inline std::uint64_t key_of(double score, std::uint8_t mark) {
  return (std::bit_cast<std::uint64_t>(score) << 1) | mark;
}
inline double score_of(std::uint32_t key) { return static_cast<double>(std::bit_cast<float>(key >> 1)); }
inline double score_of(std::uint64_t key) { return std::bit_cast<double>(key >> 1); }

Keys<std::uint32_t> sorted_keys(std::span<const float> score, std::span<const std::uint8_t> mark, int threads = 1);
Keys<std::uint64_t> sorted_keys(std::span<const double> score, std::span<const std::uint8_t> mark, int threads = 1);

}  // namespace tare::numeric
