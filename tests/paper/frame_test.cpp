#include "tare/paper/frame.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tare::detail::paper;

Frame people() {
  Frame out;
  out.add({{"name", "a"}, {"n", 200.0}, {"x", 0.00001}});
  out.add({{"name", "b"}, {"n", 400.0}});
  out.add({{"name", "c, \"quoted\""}, {"n", 800.0}, {"x", -1.5}});
  return out;
}

std::vector<std::size_t> rows(const std::string& text) {
  const auto where = Where::parse(text);
  EXPECT_TRUE(where) << text;
  return where->rows(people());
}

using Rows = std::vector<std::size_t>;

TEST(frame, comes_back_from_csv) {
  const std::string csv = people().to_csv();
  EXPECT_EQ(csv, "name,n,x\na,200,1e-05\nb,400,\n\"c, \"\"quoted\"\"\",800,-1.5\n");
  const auto back = Frame::from_csv(csv, "t.csv");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->to_csv(), csv);
  EXPECT_EQ(back->number(1, "x"), nullptr);
  EXPECT_EQ(*back->number(0, "x"), 0.00001);
}

TEST(frame, a_short_row_is_an_error) { EXPECT_FALSE(Frame::from_csv("a,b\n1\n", "t.csv")); }

TEST(where, chooses_by_text_number_and_order) {
  EXPECT_EQ(rows(""), (Rows{0, 1, 2}));
  EXPECT_EQ(rows("name=a|b"), (Rows{0, 1}));
  EXPECT_EQ(rows("name!=a"), (Rows{1, 2}));
  EXPECT_EQ(rows("n>200, n<=800"), (Rows{1, 2}));
  EXPECT_EQ(rows("x=0.00001"), (Rows{0}));  // written 1e-05 by other programs
  EXPECT_EQ(rows("x<0"), (Rows{2}));        // an empty cell is in no order
  EXPECT_EQ(rows("missing=1"), Rows{});
}

TEST(where, rejects_what_is_no_condition) {
  for (const char* text : {"name", "=a", "n<a lot", "n<>3"}) EXPECT_FALSE(Where::parse(text)) << text;
}

}  // namespace
