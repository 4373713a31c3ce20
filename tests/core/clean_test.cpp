#include "tare/core/clean.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace {

using tare::detail::clean, tare::detail::clean_json, tare::detail::clean_lines;

TEST(clean, letters_of_every_script_stay) {
  for (const char* text : {"", "plain", "naïve café", "Ωμέγα", "日本語.npz", "عربي", "👩‍🔬 emoji",
                           "می‌خواهم", "back\\slash"}) {
    EXPECT_EQ(clean(text), text);
    EXPECT_EQ(clean_lines(text, false), text);
    EXPECT_EQ(clean_json(text), text);
  }
}

TEST(clean, what_moves_the_cursor_is_written_out) {
  EXPECT_EQ(clean("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(clean("bell\a, back\b, return\r, line\n, tab\t, del\x7f"),
            "bell\\x07, back\\x08, return\\x0d, line\\x0a, tab\\x09, del\\x7f");
  EXPECT_EQ(clean(std::string_view("nul\0!", 5)), "nul\\x00!");
  EXPECT_EQ(clean("\xc2\x9b"
                  "31m"),
            "\\u009b31m")
      << "the one-byte CSI, as UTF-8";
  EXPECT_EQ(clean("\xe2\x80\xae"
                  "txt.exe"),
            "\\u202etxt.exe")
      << "right to left";
  EXPECT_EQ(clean("\xe2\x80\xa8"), "\\u2028");
}

// Two names that differ only by these would look the same.
TEST(clean, what_cannot_be_seen_is_written_out) {
  EXPECT_EQ(clean("a\u061cb\u200bc\u2060d\ufeffe\u180ef\u00adg"), "a\\u061cb\\u200bc\\u2060d\\ufeffe\\u180ef\\u00adg");
  EXPECT_EQ(clean("x\U000e0041y"), "x\\U000e0041y");
  EXPECT_EQ(clean("ad\u200dmin\u200c"), "ad\\u200dmin\\u200c") << "a joiner where nothing joins";
  EXPECT_EQ(clean("é\u200d\u200dé"), "é\\u200d\\u200dé");
  for (char32_t c : {0x200B, 0x200E, 0x202A, 0x202E, 0x2066, 0x2069, 0x3164, 0xE0001})
    EXPECT_TRUE(tare::detail::is_hidden(c)) << std::hex << static_cast<unsigned>(c);
  for (char32_t c : {0x20, 0x41, 0xA0, 0xE9, 0x2014, 0x2026, 0x3042, 0xFE0F, 0x1F600})
    EXPECT_FALSE(tare::detail::is_hidden(c)) << std::hex << static_cast<unsigned>(c);
}

// Overlong, surrogates, beyond the last code point, cut short, lone continuation.
TEST(clean, bytes_that_are_not_utf8_are_written_out) {
  EXPECT_EQ(clean("\x9b"), "\\x9b");
  EXPECT_EQ(clean("\xc0\x80"), "\\xc0\\x80");
  EXPECT_EQ(clean("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf");
  EXPECT_EQ(clean("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(clean("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(clean("a\xe6\x97"), "a\\xe6\\x97");
  EXPECT_EQ(clean("\xff!"), "\\xff!");
}

TEST(clean, twice_is_as_good_as_once) {
  for (const char* text : {"a\x1b[2Jb", "\xff\n", "\xc2\x9b"}) EXPECT_EQ(clean(clean(text)), clean(text));
}

TEST(clean, lines_and_colours_where_they_are_ours) {
  EXPECT_EQ(clean_lines("a\nb", false), "a\nb");
  EXPECT_EQ(clean_lines("\x1b[1mbold\x1b[0m\x1b[2J\x1b[31;4m", true), "\x1b[1mbold\x1b[0m\\x1b[2J\x1b[31;4m");
  EXPECT_EQ(clean_lines("\x1b[1mbold", false), "\\x1b[1mbold");
  EXPECT_EQ(clean_lines("\x1b[1", true), "\\x1b[1");
}

TEST(clean, json_means_the_same) {
  const nlohmann::json value = {{"name", "\x7f \xc2\x9b \xe2\x80\xae \xc3\xa9 \U000e0041 \u200b \n"}};
  const std::string text = clean_json(value.dump(2));
  EXPECT_EQ(nlohmann::json::parse(text), value);
  for (const char* raw : {"\x7f", "\xc2\x9b", "\xe2\x80\xae", "\U000e0041", "\u200b"})
    EXPECT_EQ(text.find(raw), std::string::npos);
}

}  // namespace
