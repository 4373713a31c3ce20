// How values from files are shown, and what counts as missing.
#include "tare/read/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace tare::detail::read;

TEST(text, long_values_are_cut_between_letters) {
  EXPECT_EQ(shortened("short"), "short");
  EXPECT_EQ(shortened(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(shortened(std::string(61, 'x')), std::string(60, 'x') + "...");
  // The 60th byte is inside a letter of two bytes: the letter is left out.
  EXPECT_EQ(shortened(std::string(59, 'x') + "\xc3\xa9 and more"), std::string(59, 'x') + "...");
  EXPECT_EQ(in_quotes("a"), "'a'");
}

TEST(text, nothing_moves_the_cursor) {
  for (const char c : {'\x1b', '\r', '\n', '\b', '\x7f', '\0'}) {
    const std::string shown_text = shortened(std::string("a") + c + "b");
    EXPECT_EQ(shown_text.find(c), std::string::npos) << int{c};
  }
}

// The shortest text that reads back as the same number.
RC_GTEST_PROP(text, numbers_read_back, (std::uint64_t pattern)) {
  const auto value = std::bit_cast<double>(pattern);
  if (std::isfinite(value)) RC_ASSERT(std::strtod(shown(value).c_str(), nullptr) == value);
}

TEST(text, numbers_are_short) {
  EXPECT_EQ(shown(0.1), "0.1");
  EXPECT_EQ(shown(3.0), "3");
  EXPECT_EQ(percent(0.125), "12.5%");
  EXPECT_EQ(percent(1), "100%");
}

TEST(text, letters_by_number) {
  const auto letter = [](std::uint32_t c) {
    std::string out;
    put_utf8(c, out);
    return out;
  };
  EXPECT_EQ(letter('A'), "A");
  EXPECT_EQ(letter(0x7F), "\x7f");
  EXPECT_EQ(letter(0x80), "\xc2\x80");
  EXPECT_EQ(letter(0x7FF), "\xdf\xbf");
  EXPECT_EQ(letter(0x800), "\xe0\xa0\x80");
  EXPECT_EQ(letter(0xFFFF), "\xef\xbf\xbf");
  EXPECT_EQ(letter(0x10000), "\xf0\x90\x80\x80");
  EXPECT_EQ(letter(0x10FFFF), "\xf4\x8f\xbf\xbf");
  for (const std::uint32_t none : {0xD800U, 0xDFFFU, 0x110000U, 0xFFFFFFFFU}) EXPECT_EQ(letter(none), "\xef\xbf\xbd");
}

TEST(text, what_is_missing) {
  for (const char* cell : {"", "NA", "N/A", "NaN", "nan", "null", "NULL", "<NA>"})
    EXPECT_TRUE(is_missing(cell)) << cell;
  for (const char* cell : {" ", "na", "None", "0", "-", "missing"}) EXPECT_FALSE(is_missing(cell)) << cell;
}

TEST(text, lists_are_cut_after_a_dozen) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a", "b"}), "a, b");
  std::vector<std::string> many(13, "x");
  EXPECT_EQ(listed(many), "x, x, x, x, x, x, x, x, x, x, x, x, ... (13 in all)");
}

TEST(text, places) {
  EXPECT_EQ(tare::detail::sentence({.what = "is wrong", .place = line_place("x.csv", 7)}), "x.csv: line 7: is wrong");
  EXPECT_EQ(tare::detail::sentence({.what = "is wrong", .place = file_place("x.csv")}), "x.csv: is wrong");
}

}  // namespace
