#include "tare/paper/item.hpp"

#include <gtest/gtest.h>

#include "support/xml.hpp"
#include "tare/paper/rule.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::paper;

Item item(const std::string& json) {
  Item out{.name = "t", .group = "g", .title = "T", .file = {}, .study = {}, .quick = {}};
  auto value = parse_json(json, "t.json");
  EXPECT_TRUE(value);
  if (value) out.file = *std::move(value);
  return out;
}

Frame two_models() {
  Frame out;
  out.add({{"model", "a"}, {"n", 100.0}, {"x", 1.25}});
  out.add({{"model", "a"}, {"n", 200.0}, {"x", 2.0}});
  out.add({{"model", "b"}, {"n", 100.0}, {"x", -3.0}});
  return out;
}

TEST(claims, are_decided_by_their_rules) {
  const auto claims = judged(two_models(), item(R"({"claims": [
    {"id": "1", "text": "t", "reproduced": "max(x) > 1", "direction": "max(x) > 0", "found": "{max(x)}"},
    {"id": "2", "text": "t", "reproduced": "max(x) > 3", "direction": "max(x) > 0", "found": "{max(x)}"},
    {"id": "3", "text": "t", "reproduced": "max(x) > 3", "direction": "max(x) > 2.5", "found": "{max(x)}", "why": "because"},
    {"id": "4", "text": "t", "reproduced": "max(x) > 3", "found": "{max(x)}"},
    {"id": "5", "text": "t", "reproduced": "max(y) > 3", "found": ""}]})"));
  ASSERT_EQ(claims.size(), 5U);
  EXPECT_EQ(claims[0].verdict, ClaimVerdict::reproduced);
  EXPECT_EQ(claims[1].verdict, ClaimVerdict::in_direction);
  EXPECT_EQ(claims[2].verdict, ClaimVerdict::not_reproduced);
  EXPECT_EQ(claims[3].verdict, ClaimVerdict::not_reproduced);
  EXPECT_EQ(claims[4].verdict, ClaimVerdict::not_evaluated);
  EXPECT_EQ(claims[2].found, "2.00");
  EXPECT_EQ(claims[2].why, "because");
  EXPECT_NE(claims[4].found.find("found no rows"), std::string::npos);
}

TEST(published, stands_beside_ours_or_alone) {
  const auto frame = with_published(two_models(), item(R"({"published": {"key": ["model"], "rows": [
    {"model": "a", "published": 7}, {"model": "c", "published": 8}]}})"));
  ASSERT_TRUE(frame);
  ASSERT_EQ(frame->size(), 4U);
  EXPECT_EQ(*frame->number(0, "published"), 7);
  EXPECT_EQ(*frame->number(1, "published"), 7);
  EXPECT_EQ(frame->number(2, "published"), nullptr);
  EXPECT_EQ(text_of(frame->at(3, "ours")), "published only");
  EXPECT_EQ(frame->number(3, "x"), nullptr);
}

TEST(tables, show_columns_pivots_and_sentences) {
  const auto all = tables(two_models(), item(R"({"tables": [
    {"title": "one", "where": "model=a", "columns": ["n", "x:1=value"]},
    {"rows": ["model"], "across": "n", "value": "x:2", "beside": "n"},
    {"head": ["what", "value"], "cells": [["largest", "{max(x)|.1f}"]]}]})"));
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3U);
  using Rows = std::vector<std::vector<std::string>>;
  EXPECT_EQ((*all)[0].head, (std::vector<std::string>{"n", "value"}));
  EXPECT_EQ((*all)[0].rows, (Rows{{"100", "1.2"}, {"200", "2.0"}}));
  EXPECT_EQ((*all)[1].head, (std::vector<std::string>{"model", "100", "200"}));
  EXPECT_EQ((*all)[1].rows, (Rows{{"a", "1.25 (100)", "2.00 (200)"}, {"b", "-3.00 (100)", ""}}));
  EXPECT_EQ((*all)[2].rows, (Rows{{"largest", "2.0"}}));
}

TEST(drawings, are_valid_svg_of_every_type) {
  const auto all = drawings(two_models(), item(R"json({"charts": [
    {"type": "lines", "x": "n", "y": "x", "series": "model", "title": "a < b & c", "marks": [{"at": "max(x)", "label": "{max(x)}"}]},
    {"type": "lines", "draw": "points", "x": "n", "y": ["x", "n"], "panel": "model", "log_x": true, "title": "t", "y_low": 0},
    {"type": "lines", "draw": "bars", "x": "n", "y": "x", "where": "model=a", "title": "t"},
    {"type": "heat", "x": "n", "y": "model", "value": "x", "x_title": "n", "y_title": "m", "title": "t"},
    {"type": "bars", "x": "model", "y": "x", "series": "n", "y_title": "x", "title": "t"},
    {"type": "lines", "x": "n", "y": "x", "published_y": "n", "points": [{"x": 100, "y": 2}], "title": "t",
     "bands": [{"from": 100, "to": 150, "vertical": true, "label": "grey"}], "published": "in Table 9"},
    {"type": "dumbbells", "where": "n=100", "label": "model", "ours": "x", "published_column": "n", "title": "t", "x_title": "x"},
    {"type": "dumbbells", "title": "t", "x_title": "x", "rows": [{"label": "largest", "published": 2.5, "ours": "max(x)"},
     {"label": "least", "ours": "min(x)"}]}]})json"));
  ASSERT_TRUE(all) << sentence(all.error());
  ASSERT_EQ(all->size(), 8U);
  for (const Picture& d : *all) EXPECT_EQ(tare::detail::testing::fault_in(d.svg), "") << d.svg;
  EXPECT_EQ((*all)[0].file, "t_1.svg");
  EXPECT_EQ((*all)[5].published, "in Table 9");
  for (const char* words : {">published<", ">grey<"}) EXPECT_NE((*all)[5].svg.find(words), std::string::npos) << words;
  EXPECT_NE((*all)[6].svg.find("a: published 100, recomputed 1.25"), std::string::npos) << (*all)[6].svg;
  EXPECT_NE((*all)[7].svg.find("largest: published 2.5, recomputed 2<"), std::string::npos);
  EXPECT_NE((*all)[7].svg.find("least: recomputed -3<"), std::string::npos);
}

TEST(drawings, say_what_is_wrong_with_a_chart) {
  EXPECT_FALSE(drawings(two_models(), item(R"({"charts": [{"type": "pie", "title": "t"}]})")));
  EXPECT_FALSE(drawings(
      two_models(), item(R"({"charts": [{"type": "lines", "title": "t", "x": "n", "y": "x", "where": "model=z"}]})")));
  EXPECT_FALSE(drawings(two_models(), item(R"({"charts": [{"type": "reliability", "title": "t"}]})")));
  EXPECT_FALSE(drawings(two_models(), item(R"json({"charts": [{"type": "dumbbells", "title": "t", "x_title": "x",
    "rows": [{"label": "l", "ours": "max(nothing)"}]}]})json")));
}

TEST(settings, remember_the_first_problem) {
  const Item i = item(R"({"a": 1, "b": "two", "c": [1, 2], "d": {"from": 0, "to": 1, "count": 3}})");
  const Settings s(i.file, "t");
  EXPECT_EQ(s.number("a"), 1);
  EXPECT_EQ(s.numbers("c"), (std::vector<double>{1, 2}));
  EXPECT_EQ(s.numbers("d"), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(s.problem(), "");
  (void)s.number("b");
  (void)s.text("a");
  EXPECT_NE(s.problem().find("'b' must be a number"), std::string::npos);
}

}  // namespace
