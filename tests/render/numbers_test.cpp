#include "tare/render/text/layout.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tare/render/csv/csv.hpp"
#include "tare/render/html/html.hpp"
#include "tare/render/svg/svg.hpp"

namespace {

using namespace tare::detail::render;
constexpr double infinity = std::numeric_limits<double>::infinity(),
                 undefined = std::numeric_limits<double>::quiet_NaN();

TEST(numbers, what_is_not_finite_is_a_word) {
  for (const auto& shown :
       {grouped(infinity), general(infinity, 4), visible(infinity, 2), percent(infinity), signed_percent(infinity),
        signed_number(infinity, 2), signed_number(infinity, 2, true), fixed(infinity, 4)})
    EXPECT_EQ(shown, "infinite");
  for (const auto& shown : {grouped(undefined), general(undefined, 4), visible(undefined, 2), percent(undefined),
                            signed_percent(undefined), signed_number(undefined, 2), fixed(-undefined, 4)})
    EXPECT_EQ(shown, "undefined");
  EXPECT_EQ(fixed(-infinity, 2), "minus infinite");
}

TEST(numbers, what_is_very_large_is_short) {
  EXPECT_EQ(fixed(1e308, 4), "1e+308");
  EXPECT_EQ(visible(-2.5e200, 4), "-2.5e+200");
  EXPECT_EQ(grouped(1e15), "1e+15");
  EXPECT_EQ(grouped(999'999'999'999'999), "999,999,999,999,999");
  EXPECT_EQ(signed_number(3e20, 2), "+3e+20");
  EXPECT_EQ(percent(1e14), "1e+16");
  EXPECT_EQ(fixed(123456.75, 2), "123456.75");
}

TEST(numbers, of_tables_and_pages_are_left_out_where_they_are_not_finite) {
  EXPECT_EQ(csv_number(infinity), "");
  EXPECT_EQ(csv_number(undefined), "");
  EXPECT_EQ(csv_number(-0.25), "-0.25");
  HtmlTable table("t", "t", {{"a"}, {"b", true}});
  table.add({"x", {"infinite", infinity}});
  EXPECT_EQ(table.str().find("data-v"), std::string::npos);
}

TEST(numbers, coordinates_of_pictures_stay_numbers) {
  Svg svg(10, 10, "t", "d");
  svg.line(undefined, infinity, -infinity, 1, {});
  EXPECT_EQ(svg.str().find("nan"), std::string::npos);
  EXPECT_EQ(svg.str().find("inf"), std::string::npos);
}

// By OWASP's advice on CSV: what begins like a formula is made text, and numbers stay numbers.
TEST(csv_line, holds_no_formulas) {
  EXPECT_EQ(csv_line({"=cmd|' /C calc'!A0", "+1+1", "-x", "@SUM(A1)", "plain"}),
            "'=cmd|' /C calc'!A0,'+1+1,'-x,'@SUM(A1),plain\n");
  EXPECT_EQ(csv_line({"=1,2"}), "\"'=1,2\"\n");
  EXPECT_EQ(csv_line({"-0.5", "+3", "-1e-07", "-", "+-1"}), "-0.5,+3,-1e-07,'-,'+-1\n");
  EXPECT_EQ(csv_line({"\t=1", "\r=1"}), "\\x09=1,\\x0d=1\n");
  EXPECT_EQ(csv_line({"＝1"}), "'＝1\n");
}

TEST(csv_line, moves_no_cursor_and_hides_no_letter) {
  EXPECT_EQ(csv_line({"a\x1b[2Jb", "\u202etxt", "a\u200bb", "two\nlines", "say \"x\""}),
            "a\\x1b[2Jb,\\u202etxt,a\\u200bb,two\\x0alines,\"say \"\"x\"\"\"\n");
}

TEST(xml, shows_what_cannot_be_seen) {
  EXPECT_EQ(xml("a\u202eb\u061cc\u200bd"), "a\\u202eb\\u061cc\\u200bd");
  EXPECT_EQ(xml("👩‍🔬"), "👩‍🔬");
  EXPECT_EQ(xml("\U000e0041"), "\\U000e0041");
}

}  // namespace
