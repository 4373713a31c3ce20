// Batch results of OpenAI's interface and of vLLM, made by hand in their schemas.
#include <gtest/gtest.h>

#include <cmath>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"
#include "tare/read/dataset.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Folder;
using tare::detail::testing::must;

using Tops = std::vector<std::pair<std::string, double>>;

// {"id": ..., "custom_id": ..., "response": {"status_code": 200, "request_id": ..., "body": {...}}, "error": null}
std::string reply(const std::string& id, const std::string& body) {
  return "{\"id\": \"batch_req_1\", \"custom_id\": \"" + id +
         "\", \"response\": {\"status_code\": 200, \"request_id\": \"r\", \"body\": " + body + "}, \"error\": null}\n";
}

std::string place(const Tops& tops) {
  std::string top;
  for (const auto& [token, p] : tops)
    top += (top.empty() ? "" : ", ") + std::string("{\"token\": \"") + token +
           "\", \"bytes\": null, \"logprob\": " + std::to_string(std::log(p)) + "}";
  return "{\"token\": \"" + tops.at(0).first + "\", \"logprob\": " + std::to_string(std::log(tops[0].second)) +
         ", \"bytes\": [65], \"top_logprobs\": [" + top + "]}";
}

std::string chat(const std::string& id, const Tops& tops) {
  return reply(id,
               "{\"model\": \"gpt\", \"choices\": [{\"index\": 0, \"message\": {\"content\": \"x\"}, \"logprobs\": "
               "{\"content\": [" +
                   place(tops) + "]}}]}");
}

const std::vector<std::string> letters = {"A", "B", "C", "D"};

struct Desk {
  Folder folder;
  std::string key = "custom_id,answer\nq1,B\n";

  Result<Predictions> read(const std::string& text, Reading reading = {.options = letters}) const {
    if (reading.answers.empty() && !key.empty()) reading.answers = folder.write("key.csv", key);
    return all_rows({.files = {folder.write("results.jsonl", text)}, .groups = {}, .reading = reading});
  }
  [[nodiscard]] std::string fault(const std::string& text, const Reading& reading = {.options = letters}) const {
    const auto got = read(text, reading);
    return got ? "accepted" : sentence(got.error()) + " | " + advice(got.error());
  }
};

TEST(batch, tokens_that_mean_an_option_are_added_up) {
  const Desk desk;
  const auto p = must(desk.read(
      chat("q1", {{" B", 0.4}, {"B", 0.1}, {"b", 0.1}, {"A", 0.2}, {"\u0120C", 0.05}, {"(D)", 0.05}, {"The", 0.1}})));
  EXPECT_EQ(p.kind, Kind::probs);
  EXPECT_EQ(p.class_names, letters);
  EXPECT_EQ(p.matrix->label()[0], 1);
  const double expected[] = {0.2 / 0.9, 0.6 / 0.9, 0.05 / 0.9, 0.05 / 0.9};
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(p.matrix->values()[j], expected[j], 1e-6);
  EXPECT_TRUE(p.notes.empty()) << p.notes[0];
}

TEST(batch, missing_options_share_the_rest) {
  const Desk desk;
  // 0.06 is left for C and D, 0.03 each
  const auto p = must(desk.read(chat("q1", {{"B", 0.6}, {"A", 0.3}, {"The", 0.04}})));
  const double expected[] = {0.3 / 0.96, 0.6 / 0.96, 0.03 / 0.96, 0.03 / 0.96};
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(p.matrix->values()[j], expected[j], 1e-6);
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_KEPT(p.notes[0]);
  // 0.3 is left, but what is not listed is no more likely than the last of the list
  const auto q = must(desk.read(chat("q1", {{"B", 0.6}, {"A", 0.1}})));
  EXPECT_NEAR(q.matrix->values()[2], 0.1 / 0.9, 1e-6);
}

TEST(batch, the_older_interface_and_that_of_responses) {
  const Desk desk;
  const auto p = must(desk.read(
      reply("q1",
            "{\"choices\": [{\"text\": \" B\", \"logprobs\": {\"tokens\": [\" B\"], \"token_logprobs\": [-0.69], "
            "\"top_logprobs\": [{\" B\": -0.6931471805599453, \" A\": -1.3862943611198906, \" C\": "
            "-2.0794415416798357, \" D\": -2.0794415416798357}]}}]}")));
  const double expected[] = {0.25, 0.5, 0.125, 0.125};
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(p.matrix->values()[j], expected[j], 1e-12);
  const auto q = must(desk.read(reply("q1",
                                      "{\"model\": \"m\", \"output\": [{\"type\": \"reasoning\"}, {\"type\": "
                                      "\"message\", \"content\": [{\"text\": \"A\", \"logprobs\": [" +
                                          place({{"A", 0.5}, {"B", 0.25}, {"C", 0.125}, {"D", 0.125}}) + "]}]}]}")));
  EXPECT_NEAR(q.matrix->values()[0], 0.5, 1e-6);
}

TEST(batch, blanks_before_the_answer_are_passed_over) {
  const Desk desk;
  const auto p =
      must(desk.read(reply("q1", "{\"choices\": [{\"logprobs\": {\"content\": [" + place({{"\\n", 0.9}, {"A", 0.1}}) +
                                     ", " + place({{"B", 0.5}, {"A", 0.5}}) + "]}}]}"),
                     {.options = {"A", "B"}}));
  EXPECT_NEAR(p.matrix->values()[1], 0.5, 1e-6);
}

TEST(batch, answers_are_joined_by_their_ids) {
  Desk desk;
  const std::string two = chat("q1", {{"B", 0.6}, {"A", 0.4}}) + chat("q2", {{"A", 0.7}, {"B", 0.3}});
  const Reading ab{.options = {"A", "B"}};
  desk.key = "custom_id,answer\nq2,A\nq1,B\n";
  EXPECT_EQ(must(desk.read(two, ab)).matrix->label()[1], 0);
  desk.key = "custom_id,answer\nq2,0\nq1,1\n";  // by their numbers
  EXPECT_EQ(must(desk.read(two, ab)).matrix->label()[0], 1);
  desk.key = "question,note,label\nq2,x,A\nq1,y,B\n";
  EXPECT_KEPT(desk.fault(two, ab));
  EXPECT_EQ(must(desk.read(two, {.options = {"A", "B"}, .id = "question"})).n, 2U);
  desk.key = "id,a,b\nq2,A,B\nq1,B,B\n";
  EXPECT_KEPT(desk.fault(two, ab));
  EXPECT_EQ(must(desk.read(two, {.options = {"A", "B"}, .answers = desk.folder.write("k.csv", desk.key) + ":b"}))
                .matrix->label()[1],
            1);
  EXPECT_EQ(must(desk.read(two, {.options = {"A", "B"},
                                 .answers = desk.folder.write(
                                     "k.jsonl",
                                     "{\"id\": \"q1\", \"answer\": \"B\"}\n{\"id\": \"q2\", \"answer\": \"A\"}\n")}))
                .n,
            2U);
}

TEST(batch, ids_that_are_numbers) {
  Desk desk;
  desk.key = "custom_id,answer\n7,B\n8,A\n";
  EXPECT_EQ(must(desk.read(chat("007", {{"B", 0.6}, {"A", 0.4}}) + chat("8", {{"B", 0.6}, {"A", 0.4}}),
                           {.options = {"A", "B"}}))
                .matrix->label()[0],
            1);
}

TEST(batch, ids_that_are_not_in_both) {
  Desk desk;
  const std::string one = chat("q1", {{"B", 0.6}, {"A", 0.4}}), two = one + chat("q2", {{"A", 0.7}, {"B", 0.3}});
  const Reading ab{.options = {"A", "B"}}, dropping{.drop_missing = true, .options = {"A", "B"}};
  EXPECT_KEPT(desk.fault(two, ab));
  EXPECT_EQ(must(desk.read(two, dropping)).dropped, 1U);
  desk.key = "custom_id,answer\nq1,B\nq7,A\nq9,A\n";
  EXPECT_KEPT(desk.fault(one, ab));
  EXPECT_HAS(must(desk.read(one, dropping)).notes.at(0), "2 right answers belong to no line");
  desk.key = "custom_id,answer\nq1,B\nq1,A\n";
  EXPECT_KEPT(desk.fault(one, ab));
  desk.key = "custom_id,answer\nq1,\n";
  EXPECT_KEPT(desk.fault(one, ab));
  desk.key = "custom_id,answer\nq1,A\n";
  EXPECT_KEPT(desk.fault(one + one, ab));
}

TEST(batch, requests_that_failed) {
  Desk desk;
  desk.key = "custom_id,answer\nq1,B\nq2,A\nq3,A\n";
  const std::string good = chat("q1", {{"B", 0.6}, {"A", 0.4}});
  const std::string bad =
      "{\"custom_id\": \"q2\", \"response\": null, \"error\": {\"code\": \"expired\", \"message\": \"too late\"}}\n"
      "{\"custom_id\": \"q3\", \"response\": {\"status_code\": 429, \"body\": {\"error\": {\"message\": \"slow "
      "down\"}}}, \"error\": null}\n";
  EXPECT_KEPT(desk.fault(good + bad, {.options = {"A", "B"}}));
  EXPECT_KEPT(desk.fault(bad.substr(bad.find('\n') + 1) + good, {.options = {"A", "B"}}));
  const auto p = must(desk.read(good + bad, {.drop_missing = true, .options = {"A", "B"}}));
  EXPECT_EQ(p.n, 1U);
  EXPECT_EQ(p.dropped, 2U);
}

TEST(batch, what_is_missing_is_named) {
  Desk desk;
  const std::string good = chat("q1", {{"B", 0.6}, {"A", 0.4}});
  EXPECT_KEPT(desk.fault(good, {}));
  EXPECT_KEPT(desk.fault(good, {.options = {"A", "B", "A"}}));
  EXPECT_KEPT(desk.fault(good, {.options = {"yes", "no"}}));
  EXPECT_KEPT(desk.fault(reply("q1", "{\"choices\": [{\"logprobs\": null}]}")));
  EXPECT_KEPT(desk.fault(reply("q1",
                               "{\"choices\": [{\"logprobs\": {\"content\": [{\"token\": \"A\", \"logprob\": -1, "
                               "\"top_logprobs\": []}]}}]}")));
  EXPECT_KEPT(desk.fault(reply("q1",
                               "{\"choices\": [{\"logprobs\": {\"content\": [{\"token\": \"A\", \"logprob\": 0.5, "
                               "\"top_logprobs\": [{\"token\": \"A\", \"logprob\": 0.5}]}]}}]}")));
  EXPECT_KEPT(desk.fault(good + "{\"custom_id\": \"q2\", \"resp"));
  desk.key = "";
  EXPECT_KEPT(desk.fault(good, {.options = {"A", "B"}}));
  EXPECT_EQ(
      must(must(Dataset::open({.files = {desk.folder.write("results.jsonl", good)}, .reading = {.options = {"A", "B"}}},
                              LabelRule::unwanted))
               .read())
          .n,
      1U);
}

}  // namespace
