#include "tare/numeric/random/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/targets.hpp"

namespace {

using tare::detail::numeric::join;
using tare::detail::numeric::random_block;
using tare::detail::numeric::random_blocks;
using tare::detail::numeric::Rng;
using tare::detail::numeric::to_uniform;
using tare::detail::testing::for_targets;
using Words = std::array<std::uint32_t, 4>;

// tests/kat_vectors of Random123 1.14: philox4x32, 10 rounds; counter, key, answer.
TEST(rng, gives_the_known_answers_of_philox) {
  EXPECT_EQ(random_block(0, 0, 0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(random_block(~0ULL, ~0U, ~0U, ~0ULL), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(random_block(join(0xa4093822, 0x299f31d0), 0x13198a2e, 0x03707344, join(0x243f6a88, 0x85a308d3)),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(rng, many_blocks_at_once_are_the_known_ones_in_every_instruction_set) {
  constexpr std::size_t n = tare::detail::numeric::blocks_at_once;
  const std::uint64_t seed = join(0xa4093822, 0x299f31d0);
  for_targets([&](const char* target) {
    for (const std::uint32_t first : {0U, 0x243f6a88U, ~0U - 15})
      for (const std::uint32_t replicate : {0U, 0x03707344U, ~0U}) {
        std::vector<std::uint64_t> low(n + 1, 7), high(n + 1, 7);
        random_blocks(seed, 0x13198a2e, replicate, first, low.data(), high.data());
        for (std::size_t i = 0; i < n; ++i) {
          const auto expected = random_block(seed, 0x13198a2e, replicate, first + i);
          ASSERT_EQ(low[i], join(expected[0], expected[1])) << target << " " << i;
          ASSERT_EQ(high[i], join(expected[2], expected[3])) << target << " " << i;
        }
        ASSERT_TRUE(low[n] == 7 && high[n] == 7) << target;
      }
  });
}

TEST(rng, is_the_sequence_of_its_blocks_however_it_is_read) {
  Rng words(7, 3, 11), pairs(7, 3, 11), mixed(7, 3, 11);
  for (std::uint64_t block = 0; block < 20; ++block) {
    const auto expected = random_block(7, 3, 11, block);
    for (const auto w : expected) EXPECT_EQ(words.u32(), w);
    EXPECT_EQ(pairs.u64(), join(expected[0], expected[1]));
    EXPECT_EQ(pairs.u64(), join(expected[2], expected[3]));
    EXPECT_EQ(mixed.u32(), expected[0]);
    EXPECT_EQ(mixed.u64(), join(expected[1], expected[2]));
    EXPECT_EQ(mixed.u32(), expected[3]);
  }
  Rng later(7, 3, 11, 20);
  EXPECT_EQ(later.u64(), words.u64());
}

TEST(rng, streams_replicates_and_seeds_are_different_sequences) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    for (std::uint32_t stream = 0; stream < 8; ++stream)
      for (std::uint32_t replicate = 0; replicate < 8; ++replicate)
        for (int draw = 0; draw < 4; ++draw) seen.insert(Rng(seed, stream, replicate, static_cast<unsigned>(draw))());
  EXPECT_EQ(seen.size(), 8U * 8 * 8 * 4);
}

TEST(rng, uniform_lies_strictly_between_0_and_1) {
  EXPECT_GT(to_uniform(0), 0);
  EXPECT_LT(to_uniform(~0ULL), 1);
  Rng rng(1, 2, 3);
  double sum = 0, squares = 0;
  constexpr int n = 100'000;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / n, 0.5, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / n));
}

}  // namespace
