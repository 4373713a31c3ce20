#include "tare/numeric/narrowed.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace {

using tare::detail::numeric::narrowed;

template <class From>
void expect_exact() {
  for (const std::size_t n : {1U, 255U, 256U, 300'001U}) {
    std::vector<From> from(n);
    for (std::size_t i = 0; i < n; ++i) from[i] = static_cast<From>(i % 100);
    from.back() = std::is_signed_v<From> ? static_cast<From>(-1) : static_cast<From>(127);
    for (const int threads : {1, 3}) {
      std::vector<std::int32_t> out(n);
      ASSERT_EQ(narrowed(std::span<const From>(from), out.data(), threads), n);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], static_cast<std::int32_t>(from[i]));
    }
  }
}

TEST(narrowed, keeps_whole_numbers_of_any_type_in_threads) {
  expect_exact<std::int8_t>();
  expect_exact<std::uint8_t>();
  expect_exact<std::int16_t>();
  expect_exact<std::uint16_t>();
  expect_exact<std::int32_t>();
  expect_exact<std::uint32_t>();
  expect_exact<std::int64_t>();
  expect_exact<std::uint64_t>();
}

template <class From>
void expect_refused(From x) {
  std::vector<From> from(1000, From{1});
  from[700] = from[999] = x;
  std::vector<std::int32_t> out(from.size());
  EXPECT_EQ(narrowed(std::span<const From>(from), out.data(), 1), 700U) << x;
  from[300] = x;
  EXPECT_EQ(narrowed(std::span<const From>(from), out.data(), 1), 300U) << x;
}

TEST(narrowed, finds_the_first_that_does_not_fit) {
  expect_refused<std::int64_t>(std::int64_t{1} << 31);
  expect_refused<std::int64_t>(-(std::int64_t{1} << 31) - 1);
  expect_refused<std::int64_t>(std::int64_t{1} << 32);  // whose low bits are a good 0
  expect_refused<std::int64_t>(std::numeric_limits<std::int64_t>::min());
  expect_refused<std::uint64_t>(std::uint64_t{1} << 63);
  expect_refused<std::uint64_t>(std::uint64_t{1} << 31);
  expect_refused<std::uint32_t>(std::uint32_t{1} << 31);
}

TEST(narrowed, keeps_the_ends_of_32_bits) {
  const std::vector<std::int64_t> from{std::numeric_limits<std::int32_t>::min(),
                                       std::numeric_limits<std::int32_t>::max()};
  std::vector<std::int32_t> out(2);
  EXPECT_EQ(narrowed(std::span<const std::int64_t>(from), out.data(), 1), 2U);
  EXPECT_EQ(out[0], from[0]);
  EXPECT_EQ(out[1], from[1]);
}

}  // namespace
