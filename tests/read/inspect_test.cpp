// Logs of Inspect, made by hand in the schema of the real ones of ../shared/data/llm, with logprobs.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "read/files.hpp"
#include "read/zip_maker.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"
#include "tare/read/dataset.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Folder;
using tare::detail::testing::must;
using tare::detail::testing::zip_of;
using tare::detail::testing::ZipEntry;

const std::string header =
    "{\"version\": 2, \"status\": \"success\", \"eval\": {\"task\": \"evals/mmlu\", \"model\": \"openai/gpt-4o\"}, "
    "\"plan\": {}}";

struct Taken {
  std::string id = "1";
  std::string value = "\"C\"";
  std::string answer = "B";
  std::string top =
      "[{\"token\": \" B\", \"logprob\": -0.5, \"bytes\": [32, 66]}, {\"token\": \" A\", \"logprob\": -1.5}]";
  std::string metadata = "{\"subject\": \"physics\"}";
  std::string more_scores = {};
  std::string rest = {};
  std::string choices = "[\"one\", \"two\"]";
};

// {"token", "logprob"} by itself is a model without top_logprobs.
std::string taken(const Taken& t) {
  const std::string place =
      "{\"token\": \" B\", \"logprob\": -0.5" + (t.top.empty() ? "" : ", \"top_logprobs\": " + t.top) + "}";
  return "{\"id\": " + t.id + ", \"epoch\": 1, \"input\": \"q\", \"choices\": " + t.choices +
         ", \"target\": \"B\", \"messages\": [{\"content\": \"B\"}], "
         "\"output\": {\"model\": \"gpt\", \"choices\": [{\"message\": {\"content\": \"ANSWER: B\"}, \"logprobs\": "
         "{\"content\": ["
         "{\"token\": \"ANSWER\", \"logprob\": -0.1, \"top_logprobs\": []}, {\"token\": \":\", \"logprob\": 0.0}, " +
         place + "]}}]}, \"scores\": {\"choice\": {\"value\": " + t.value + ", \"answer\": \"" + t.answer +
         "\", \"explanation\": \"e\", \"metadata\": {\"confidence\": 80, \"stated\": \"95%\"}}" + t.more_scores +
         "}, \"metadata\": " + t.metadata + ", \"store\": {\"sure\": 0.25}, \"events\": [{\"deep\": [[[]]]}]" + t.rest +
         "}";
}

std::string log_of(const std::vector<std::string>& samples, std::uint16_t method = 8) {
  std::vector<ZipEntry> entries = {{"_journal/start.json", header, method}};
  for (std::size_t i = 0; i < samples.size(); ++i)
    entries.push_back({"samples/" + std::to_string(i + 1) + "_epoch_1.json", samples[i], method});
  entries.push_back({"summaries.json", "[]", method});
  entries.push_back({"header.json", header, method});
  return zip_of(entries);
}

Result<Predictions> read_log(const Folder& folder, const std::string& log, const Reading& reading = {},
                             const std::vector<std::string>& groups = {}) {
  return all_rows({.files = {folder.write("log.eval", log)}, .groups = groups, .reading = reading});
}

std::string fault(const Result<Predictions>& got) {
  return got ? "accepted" : sentence(got.error()) + " | " + advice(got.error());
}

// Of e^-0.5 and e^-1.5, the share of the first: 1 / (1 + e^-1).
const double share = 1 / (1 + std::exp(-1.0));

TEST(inspect, the_answer_among_the_options) {
  const Folder folder;
  for (const auto method : {std::uint16_t{0}, std::uint16_t{8}}) {
    const auto p = must(read_log(
        folder,
        log_of(
            {taken({}), taken({.id = "\"b\"", .value = "\"I\"", .metadata = "{\"subject\": \"law\", \"level\": 3}"})},
            method),
        {}, {"task", "model", "subject", "metadata.level", "id"}));
    EXPECT_EQ(p.kind, Kind::confidences);
    ASSERT_EQ(p.n, 2U);
    EXPECT_NEAR(p.confidences->score()[0], share, 1e-15);
    EXPECT_EQ(p.confidences->label()[0], 1);
    EXPECT_EQ(p.confidences->label()[1], 0);
    EXPECT_EQ(p.groupings[0].names, std::vector<std::string>{"evals/mmlu"});
    EXPECT_EQ(p.groupings[1].names, std::vector<std::string>{"openai/gpt-4o"});
    EXPECT_EQ(p.groupings[2].names, (std::vector<std::string>{"law", "physics"}));
    EXPECT_EQ(p.groupings[3].names, (std::vector<std::string>{"3", "(missing)"}));
    EXPECT_TRUE(p.notes.empty()) << p.notes[0];
  }
}

TEST(inspect, the_same_log_in_json) {
  const Folder folder;
  const std::string log =
      "{\"version\": 2, \"status\": \"success\", \"eval\": {\"task\": \"t\"}, \"plan\": {}, \"samples\": [\n" +
      taken({}) + ",\n" + taken({.id = "2"}) + "], \"reductions\": []}\n";
  const auto p = must(all_rows({.files = {folder.write("log.json", log)}, .groups = {"task"}}));
  ASSERT_EQ(p.n, 2U);
  EXPECT_NEAR(p.confidences->score()[1], share, 1e-15);
  EXPECT_KEPT(fault(all_rows({.files = {folder.write("log.json", log.substr(0, log.size() - 20))}})));
}

TEST(inspect, a_named_number_instead) {
  const Folder folder;
  const auto first = [&](const std::string& path, bool percent = false) {
    return must(read_log(folder, log_of({taken({})}), {.percent = percent, .confidence_from = path}))
        .confidences->score()[0];
  };
  EXPECT_EQ(first("scores.choice.metadata.confidence", true), 0.8);
  EXPECT_EQ(first("scores.choice.metadata.stated"), 0.95);
  EXPECT_EQ(first("store.sure"), 0.25);
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({})}), {.confidence_from = "metadata.sure"})));
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({})}), {.confidence_from = "metadata.subject"})));
  // a name with a dot in it
  const std::string dotted = ", \"my.scorer\": {\"value\": 1, \"metadata\": {\"p\": 0.5}}";
  EXPECT_EQ(must(read_log(folder, log_of({taken({.more_scores = dotted})}),
                          {.scorer = "my.scorer", .confidence_from = "scores.my.scorer.metadata.p"}))
                .confidences->score()[0],
            0.5);
}

TEST(inspect, scores_that_are_hits_and_misses) {
  const Folder folder;
  const auto hit = [&](const std::string& value) {
    return must(read_log(folder, log_of({taken({.value = value}), taken({.id = "2"})}))).confidences->label()[0];
  };
  for (const char* value : {"\"C\"", "1", "1.0", "true", "\"yes\"", "\"1\"", "\"True\""})
    EXPECT_EQ(hit(value), 1) << value;
  for (const char* value : {"\"I\"", "\"N\"", "0", "false", "\"no\"", "\"0.0\""}) EXPECT_EQ(hit(value), 0) << value;
  const std::string partial = log_of({taken({.id = "7", .value = "\"P\""}), taken({.id = "2"})});
  EXPECT_KEPT(fault(read_log(folder, partial)));
  EXPECT_EQ(must(read_log(folder, partial, {.drop_missing = true})).dropped, 1U);
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({.value = "0.3"})}))));
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({.value = "NaN"})}))));
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({.value = "{\"a\": 1}"})}))));
  const auto none = must(read_log(folder, log_of({taken({.value = "\"N\""}), taken({.id = "2"})})));
  ASSERT_EQ(none.notes.size(), 1U);
  EXPECT_HAS(none.notes[0], "1 of 2 samples gave no answer (N), which counts as a miss");
}

TEST(inspect, which_of_several_scores) {
  const Folder folder;
  const std::string log = log_of({taken({.more_scores = ", \"strict\": {\"value\": \"I\", \"answer\": \"B\"}"})});
  EXPECT_KEPT(fault(read_log(folder, log)));
  EXPECT_EQ(must(read_log(folder, log, {.scorer = "strict"})).confidences->label()[0], 0);
  EXPECT_KEPT(fault(read_log(folder, log, {.scorer = "x"})));
}

TEST(inspect, tokens_that_do_not_tell) {
  const Folder folder;
  const auto alone = must(read_log(folder, log_of({taken({.top = ""})})));
  EXPECT_NEAR(alone.confidences->score()[0], std::exp(-0.5), 1e-15);
  EXPECT_HAS(alone.notes.at(0), "the probability of the answer's token alone");
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({.answer = "A, B"})}))));
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({.answer = "A"})}))));
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({.choices = "null"})}))));
  EXPECT_NEAR(
      must(read_log(folder, log_of({taken({.choices = "null"})}), {.options = {"A", "B"}})).confidences->score()[0],
      share, 1e-15);
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({.rest = ", \"error\": {\"message\": \"out of time\"}"})}))));
  EXPECT_KEPT(fault(read_log(folder, log_of({taken({}), taken({})}))));
}

// What a model was shown in another order: the letters of the score are not those of the tokens.
TEST(inspect, choices_that_were_shuffled) {
  const Folder folder;
  std::string sample = taken({.answer = "A"});
  const std::string plain = "\"explanation\": \"e\"";
  sample.replace(sample.find(plain), plain.size(),
                 "\"explanation\": \"Choices were shuffled before generating a response\"");
  EXPECT_NEAR(must(read_log(folder, log_of({sample}))).confidences->score()[0], share, 1e-15);
}

TEST(inspect, samples_in_parts) {
  const Folder folder;
  const std::string log = zip_of({{"samples/a/1_epoch_1/sample.json", taken({.metadata = "{}"})},
                                  {"samples/a/1_epoch_1/metadata.json", "{\"subject\": \"law\"}"},
                                  {"samples/a/1_epoch_1/events/0.json", "[1]"},
                                  {"header.json", header}});
  const auto got = read_log(folder, log, {}, {"subject"});
  ASSERT_TRUE(got) << fault(got);
  EXPECT_EQ(got->groupings[0].names, std::vector<std::string>{"law"});
}

TEST(inspect, archives_that_are_none) {
  const Folder folder;
  const std::string log = log_of({taken({})});
  EXPECT_KEPT(fault(read_log(folder, "p,label\n")));
  EXPECT_KEPT(fault(read_log(folder, log.substr(0, log.size() - 30))));
  EXPECT_KEPT(fault(read_log(folder, zip_of({{"a.npy", "x"}}))));
  EXPECT_KEPT(fault(read_log(folder, zip_of({{"header.json", header}}))));
  EXPECT_KEPT(fault(read_log(folder, zip_of({{"header.json", header}, {"samples/1_epoch_1.json", taken({}), 93}}))));
  EXPECT_KEPT(fault(read_log(folder, zip_of({{"header.json", header}, {"samples/1_epoch_1.json", "{\"id\": 1"}}))));
  std::string broken = log_of({taken({})}, 0);
  broken[broken.find("physics")] = 'P';
  EXPECT_KEPT(fault(read_log(folder, broken)));
}

// The same packed bytes as the content of many members: 1 MB that would unpack to gigabytes.
TEST(inspect, bombs_are_refused_before_they_are_unpacked) {
  const Folder folder;
  const std::string zeros(std::size_t{40} << 20, ' ');
  std::vector<ZipEntry> entries = {{"header.json", header}};
  for (int i = 0; i < 8; ++i) entries.push_back({"samples/" + std::to_string(i) + "_epoch_1.json", zeros});
  EXPECT_KEPT(fault(read_log(folder, zip_of(entries))));
}

// Found by the fuzzer: a word that is not there is no index.
TEST(inspect, words_that_some_samples_lack) {
  const Folder folder;
  const std::string path =
      folder.write("log.eval", log_of({taken({}), taken({.id = "2", .metadata = "{\"level\": \"1\"}"})}));
  EXPECT_KEPT(fault(all_rows({.files = {path}, .correct = "metadata.level"})));
  EXPECT_KEPT(fault(all_rows({.files = {path}, .predictions = "subject", .labels = "id"})));
  EXPECT_TRUE(all_rows({.files = {path}, .groups = {"subject"}}));
}

TEST(inspect, real_logs_without_logprobs_say_so) {
  const std::filesystem::path real =
      std::filesystem::path(tare::detail::testing::source_dir()) / ".." / "shared" / "data" / "llm";
  if (!std::filesystem::exists(real)) GTEST_SKIP() << "no logs are here";
  for (const char* name : {"mmlu-no-summary-choices.eval", "mmlu-summary-choices.eval"}) {
    const std::string said = fault(all_rows({.files = {(real / name).string()}}));
    EXPECT_HAS(said, std::string(name) + ": sample 1: holds no logprobs");
    EXPECT_HAS(said, "`inspect eval TASK --logprobs --top-logprobs 20`");
  }
}

}  // namespace
