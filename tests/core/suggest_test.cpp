#include "tare/core/suggest.hpp"

#include <gtest/gtest.h>

namespace {

using tare::detail::did_you_mean, tare::detail::edit_distance, tare::detail::nearest;
using Words = std::vector<std::string>;

// By hand; "ca" to "abc" is 3 where a swapped pair may not be edited again.
TEST(edit_distance, counts_edits_and_swapped_neighbours) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("lable", "label"), 1U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);
  EXPECT_EQ(edit_distance("abcd", "badc"), 2U);
}

TEST(nearest, is_the_closest_word_whatever_its_case) {
  EXPECT_EQ(nearest("lable", {"id", "label", "table_of"}), Words{"label"});
  EXPECT_EQ(nearest("LABEL", {"id", "Label"}), Words{"Label"});
  EXPECT_EQ(nearest("toplabel", {"top_label", "positive", "classwise"}), Words{"top_label"});
  EXPECT_TRUE(nearest("colour", {"id", "label"}).empty());
  EXPECT_TRUE(nearest("x", {}).empty());
}

TEST(nearest, names_all_that_contain_the_word_unless_they_are_many) {
  EXPECT_EQ(nearest("sweep", {"sweep_ew", "ece_ew", "sweep_em"}), (Words{"sweep_ew", "sweep_em"}));
  Words pixels;
  for (int i = 0; i < 784; ++i) pixels.push_back("pixel_number_" + std::to_string(i));
  EXPECT_TRUE(nearest("pix", pixels).empty());
  EXPECT_EQ(nearest("pixel_numbr_17", pixels), Words{"pixel_number_17"});
}

TEST(nearest, long_words_are_not_guessed) {
  EXPECT_TRUE(nearest(std::string(100'000, 'a'), {std::string(100'000, 'b')}).empty());
  EXPECT_EQ(nearest("abc", {std::string(1'000'000, 'x'), "abd"}), Words{"abd"});
}

TEST(did_you_mean, asks_or_says_otherwise) {
  EXPECT_EQ(did_you_mean("sweep", {"sweep_ew", "sweep_em"}, "no"), "did you mean sweep_ew or sweep_em?");
  EXPECT_EQ(did_you_mean("zzz", {"sweep_ew"}, "no"), "no");
}

}  // namespace
