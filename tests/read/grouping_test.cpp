// Groups of rows by a column.
#include "tare/read/assemble.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "support/has.hpp"
#include "support/kept.hpp"
#include "tare/read/word_column.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::must;
using Strings = std::vector<std::string>;
using Codes = std::vector<std::uint32_t>;

Array words_array(const Strings& cells) {
  WordColumn column;
  for (const std::string& cell : cells) cell.empty() ? column.add_missing() : column.add(cell);
  return std::move(column).put_into({.shape = {cells.size()}, .name = "x.csv", .columns = {"team"}});
}

Array numbers_array(const std::vector<double>& values) {
  const auto kept = std::make_shared<std::vector<double>>(values);
  return {.shape = {values.size()},
          .data = reinterpret_cast<const std::byte*>(kept->data()),
          .owner = kept,
          .name = "x.npz:age"};
}

TEST(grouping, one_group_for_each_word) {
  const Grouping g = must(grouping(words_array({"b", "a", "", "b"}), 4, 0));
  EXPECT_EQ(g.column, "team");
  ASSERT_EQ(g.names.size(), 3U);
  EXPECT_EQ((Strings{g.names[0], g.names[1]}), (Strings{"a", "b"}));
  EXPECT_EQ(g.of_row, (Codes{1, 0, 2, 1}));
}

TEST(grouping, numbers_by_their_value) {
  const Grouping g = must(grouping(numbers_array({10, 2, NAN, 10}), 4, 0));
  ASSERT_EQ(g.names.size(), 3U);
  EXPECT_EQ((Strings{g.names[0], g.names[1]}), (Strings{"2", "10"}));
  EXPECT_EQ(g.of_row, (Codes{1, 0, 2, 1}));
}

TEST(grouping, ranges_of_numbers) {
  const Grouping g = must(grouping(numbers_array({1, 2, 3, 4, 5, 6}), 6, 2));
  EXPECT_EQ(g.names, (Strings{"1 to 3", "4 to 6"}));
  EXPECT_EQ(g.of_row, (Codes{0, 0, 0, 1, 1, 1}));
}

TEST(grouping, too_many_different_numbers) {
  std::vector<double> values;
  for (int i = 0; i < 5000; ++i) values.push_back(i + 0.5);
  const auto got = grouping(numbers_array(values), values.size(), 0);
  ASSERT_FALSE(got);
  EXPECT_EQ(sentence(got.error()), "x.npz:age: 'x.npz:age' holds 5000 different numbers");
  EXPECT_KEPT(got.error().remedy);
  EXPECT_EQ(must(grouping(numbers_array(values), values.size(), 5)).names.size(), 5U);
}

TEST(grouping, one_value_for_each_row) {
  const auto got = grouping(words_array({"a", "b"}), 3, 0);
  ASSERT_FALSE(got);
  EXPECT_KEPT(sentence(got.error()));
}

}  // namespace
