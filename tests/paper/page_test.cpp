#include "tare/paper/page.hpp"

#include <gtest/gtest.h>

#include "support/has.hpp"
#include "support/xml.hpp"

namespace {

using namespace tare::inner::paper;
using tare::inner::testing::fault_in;

TEST(page, escapes_and_counts) {
  Exhibit e{.name = "fig1", .group = "guo", .title = "A < B", .data = "fig1.csv"};
  e.pictures = {{"fig1.svg", "a \"b\""}};
  e.tables = {{"t | u", {"x", "y"}, {{"<script>", "1"}}}};
  e.claims = {{.id = "c", .text = "it | is", .rule = "1 < 2", .found = "so", .verdict = ClaimVerdict::in_direction}};
  const Page page{.quick = true, .seed = 7, .exhibits = {e}};
  const std::string text = html(page);
  EXPECT_EQ(fault_in(text.substr(text.find("<html"))), "");
  EXPECT_HAS(text, "&lt;script&gt;");
  EXPECT_HAS(text, "0 claims reproduced, 1 reproduced in direction, 0 not reproduced");
  EXPECT_HAS(claims_markdown(page), "| fig1 | it \\| is | reproduced in direction | so |");
  EXPECT_HAS(markdown(e), "| x | y |\n|---|---:|\n| <script> | 1 |\n");
}

}  // namespace
