// Probabilities of options from tokens, by hand.
#include "tare/read/llm/tokens.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "support/has.hpp"
#include "support/kept.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read::llm;
using tare::detail::testing::must;

Json json_of(const std::string& text) {
  Json out;
  EXPECT_TRUE(parse(text, out)) << text;
  return out;
}

TEST(tokens, without_what_tokenizers_add) {
  for (const char* token :
       {"A", " A", "\u0120A", "\u2581A", "A\u010a", "(A)", "[A].", "**A**", "\"A\"", "'A':", "`A`", "\tA\n"})
    EXPECT_EQ(bare(token), "A") << token;
  EXPECT_EQ(bare(""), "");
  EXPECT_EQ(bare(" . "), "");
  EXPECT_EQ(bare("A B"), "A B");
}

TEST(tokens, options_by_their_text) {
  const Options options({"Yes", "No", "no way"});
  EXPECT_EQ(options.find("Yes"), 0U);
  EXPECT_EQ(options.find(" yes"), 0U);
  EXPECT_EQ(options.find("NO."), 1U);
  EXPECT_EQ(options.find("no way"), 2U);
  EXPECT_FALSE(options.find("maybe"));
  EXPECT_FALSE(options.find(""));
  const Options capitals({"a", "A"});
  EXPECT_EQ(capitals.find("A"), 1U);
  EXPECT_EQ(capitals.find(" a"), 0U);
  EXPECT_EQ(Options::letters(3).names(), (std::vector<std::string>{"A", "B", "C"}));
}

TEST(tokens, a_place_of_an_answer) {
  const auto place = token_place(json_of(
      R"({"token": "A", "logprob": -0.5, "bytes": [65], "top_logprobs": [{"token": "B", "logprob": -1}, {"token": "\ud83d", "logprob": "-2"}]})"));
  ASSERT_TRUE(place);
  EXPECT_EQ(place->chosen.text, "A");
  ASSERT_EQ(place->top.size(), 3U);  // with the chosen one
  EXPECT_EQ(place->top[1].text, "\xef\xbf\xbd");
  EXPECT_EQ(place->top[1].logprob, -2);
  EXPECT_EQ(place->top[2].text, "A");
  for (const char* wrong :
       {"{}", "7", "{\"token\": \"A\"}", "{\"token\": 7, \"logprob\": -1}", "{\"token\": \"A\", \"logprob\": null}",
        "{\"token\": \"A\", \"logprob\": -1, \"top_logprobs\": [{}]}"})
    EXPECT_FALSE(token_place(json_of(wrong))) << wrong;
}

// exp(-log 2) = 1/2 and exp(-log 4) = 1/4: of two options 2/3 and 1/3.
TEST(tokens, shares_of_options) {
  const TokenPlace place{.chosen = {},
                         .top = {{"A", -std::log(2.0)}, {" A", -std::log(8.0)}, {"B", -std::log(8.0)}, {"x", -9}}};
  const Shares two = must(shares(place, Options({"A", "B"})));
  ASSERT_EQ(two.probs.size(), 2U);
  EXPECT_NEAR(two.probs[0], 0.625 / 0.75, 1e-12);
  EXPECT_NEAR(two.probs[1], 0.125 / 0.75, 1e-12);
  EXPECT_EQ(two.missing, 0U);
  EXPECT_TRUE(must(shares(place, Options({"C", "D"}))).probs.empty());
}

// What the listed tokens leave is shared by the options that are not among them, none more likely than the least.
TEST(tokens, options_that_are_not_listed) {
  const TokenPlace place{.chosen = {}, .top = {{"A", std::log(0.75)}, {"B", std::log(0.125)}}};
  const Shares found = must(shares(place, Options({"A", "B", "C", "D"})));
  EXPECT_EQ(found.missing, 2U);
  EXPECT_NEAR(found.probs[0], 0.75, 1e-12);
  EXPECT_NEAR(found.probs[2], 0.0625, 1e-12);
  const TokenPlace sure{.chosen = {}, .top = {{"A", std::log(0.5)}, {"B", std::log(0.01)}}};
  EXPECT_NEAR(must(shares(sure, Options({"A", "B", "C"}))).probs[2], 0.01 / 0.52, 1e-12);
}

TEST(tokens, logprobs_are_at_most_zero) {
  const TokenPlace place{.chosen = {}, .top = {{"A", 0.5}}};
  const auto got = shares(place, Options({"A", "B"}));
  ASSERT_FALSE(got);
  EXPECT_KEPT(sentence(got.error()));
  EXPECT_KEPT(got.error().remedy);
  EXPECT_FALSE(shares({.chosen = {}, .top = {{"A", NAN}}}, Options({"A", "B"})));
}

RC_GTEST_PROP(tokens, shares_are_probabilities, (const std::vector<unsigned>& logprobs)) {
  TokenPlace place;
  for (std::size_t i = 0; i < logprobs.size(); ++i)
    place.top.push_back({std::string(1, static_cast<char>('A' + i % 6)), -static_cast<double>(logprobs[i] % 900) / 10});
  const Shares found = must(shares(place, Options({"A", "B", "C", "D"})));
  if (found.probs.empty()) return;
  double sum = 0;
  for (const double p : found.probs) {
    RC_ASSERT(p >= 0 && p <= 1);
    sum += p;
  }
  RC_ASSERT(std::abs(sum - 1) < 1e-12);
}

TEST(log_json, members_paths_and_numbers) {
  const Json value = json_of(
      R"({"a": {"b.c": {"d": "95%"}, "b": 1}, "list": [{"x": -1.50}], "bytes": [1, 2], "t": true, "n": null, "z": "-inf"})");
  EXPECT_EQ(value.member("bytes"), nullptr);  // left out
  ASSERT_NE(at_path(value, "a.b.c.d"), nullptr);
  EXPECT_EQ(number_in(*at_path(value, "a.b.c.d")), 0.95);
  EXPECT_EQ(at_path(value, "a.x"), nullptr);
  EXPECT_EQ(word_in(below(&value, {"list", "0", "x"})), "-1.50");  // as it is written
  EXPECT_EQ(number_in(*below(&value, {"list", "0", "x"})), -1.5);
  EXPECT_EQ(word_in(value.member("t")), "true");
  EXPECT_EQ(word_in(value.member("n")), "");
  EXPECT_EQ(number_in(*value.member("z")), -HUGE_VAL);
  EXPECT_FALSE(number_in("12 apples"));
  EXPECT_EQ(number_in(" 12 "), 12);
  EXPECT_FALSE(number_in("%"));
}

TEST(log_json, what_is_not_one_value) {
  for (const char* text :
       {"", " ", "{} {}", "[1,]", "\"a\"b\"", "1 2", "1,2", "tru", "{\"a\": \"\xff\"}", "\"\xff\""}) {
    Json out;
    EXPECT_FALSE(parse(text, out)) << text;
  }
  EXPECT_TRUE(json_of(" 7 ").is(Json::Kind::number));
  EXPECT_TRUE(json_of("null").is(Json::Kind::null));
  Json out;
  EXPECT_FALSE(parse(std::string(100, '[') + std::string(100, ']'), out));
}

}  // namespace
