#include "tare/paper/run.hpp"

#include <gtest/gtest.h>

#include "support/has.hpp"
#include "support/xml.hpp"

namespace {

using namespace tare::detail::paper;
using tare::detail::testing::fault_in;

TEST(page, escapes_and_counts) {
  Exhibit e{.name = "fig1", .group = "guo", .title = "A < B", .data = "fig1.csv"};
  e.pictures = {{"fig1.svg", "a \"b\"", "not < printed", "<svg><title>t</title></svg>"}};
  e.tables = {{"t | u", {"x", "y"}, {{"<script>", "1"}}}};
  e.claims = {{.id = "c", .text = "it | is", .rule = "1 < 2", .found = "so", .verdict = ClaimVerdict::in_direction}};
  const Page page{.quick = true, .seed = 7, .exhibits = {e}};
  const std::string text = html(page);
  const std::size_t script = text.find("<script>");
  EXPECT_EQ(fault_in(text.substr(text.find("<html"), script - text.find("<html")) + "</body></html>"), "");
  EXPECT_HAS(text, "&lt;script&gt;");
  EXPECT_HAS(text, "1 claim of the two papers: 0 reproduced, 1 reproduced in direction, 0 not reproduced.");
  EXPECT_HAS(text, "Published values: not &lt; printed.");
  EXPECT_HAS(text, "<svg><title>t</title></svg>");
  EXPECT_HAS(claims_markdown(page), "| fig1 | it \\| is | reproduced in direction | so |");
  EXPECT_HAS(markdown(e), "| x | y |\n|---|---:|\n| <script> | 1 |\n");
}

TEST(page, counts_claims_of_the_papers_and_our_own_apart) {
  const auto one = [](const char* name, const char* group, ClaimVerdict verdict) {
    Exhibit e{.name = name, .group = group, .title = name, .data = "x.csv"};
    e.claims = {{.id = name, .text = name, .place = "here", .rule = "1", .found = "so", .verdict = verdict}};
    return e;
  };
  const Page page{.exhibits = {one("a", "guo", ClaimVerdict::reproduced),
                               one("b", "roelofs", ClaimVerdict::not_reproduced),
                               one("c", "beyond", ClaimVerdict::reproduced)}};
  for (const std::string& text : {html(page), claims_markdown(page)}) {
    EXPECT_HAS(text, "2 claims of the two papers: 1 reproduced, 0 reproduced in direction, 1 not reproduced.");
    EXPECT_HAS(text,
               "1 claim of this project about its own estimators: 1 reproduced, 0 reproduced in direction, 0 not");
  }
  const std::string markdown = claims_markdown(page);
  EXPECT_LT(markdown.find("| b | b (here) |"), markdown.find("## What this project says"));
  EXPECT_GT(markdown.find("| c | c |"), markdown.find("## What this project says"));
}

}  // namespace
