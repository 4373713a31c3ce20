// Files of EleutherAI's lm-evaluation-harness. The schemas are those of its versions 0.4.0 to 0.5.0; numbers by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/dataset.hpp"
#include "tare/read/source.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Folder;
using tare::detail::testing::must;

struct Question {
  int id = 0;
  std::vector<std::string> loglik = {};
  std::string target = {};
  std::vector<std::string> options = {"A", "B", "C", "D"};  // behind a blank in the arguments
  std::string doc = "\"question\": \"q\"";
  std::string more = ", \"acc\": 1.0";
  std::string filter = "none";
};

// As versions since 0.4.3 write it: every leaf of resps a text, arguments an object.
std::string sample(const Question& q) {
  std::string resps, arguments;
  for (std::size_t i = 0; i < q.loglik.size(); ++i) {
    const std::string number = std::to_string(i), comma = i ? ", " : "";
    resps += comma + "[\"" + q.loglik[i] + "\", \"False\"]";
    arguments += comma + "\"gen_args_" + number + "\": {\"arg_0\": \"Question " + std::to_string(q.id) +
                 "\\nAnswer:\", \"arg_1\": \" " + q.options[i] + "\"}";
  }
  return "{\"doc_id\": " + std::to_string(q.id) + ", \"doc\": {" + q.doc + "}, \"target\": \"" + q.target +
         "\", \"arguments\": {" + arguments + "}, \"resps\": [[" + resps + "]], \"filtered_resps\": [" + resps +
         "], \"filter\": \"" + q.filter + "\", \"metrics\": [\"acc\"], \"doc_hash\": \"h" + std::to_string(q.id) +
         "\"" + q.more + "}\n";
}

std::string refused(const Folder& folder, const std::string& text, const Reading& reading = {}) {
  const auto got =
      all_rows({.files = {folder.write("samples_t_2024-05-13T10-20-30.123456.jsonl", text)}, .reading = reading});
  return got ? std::string("accepted") : sentence(got.error()) + " | " + advice(got.error());
}

Predictions accepted(const Folder& folder, const std::string& text, const Reading& reading = {},
                     const std::vector<std::string>& groups = {}) {
  return must(all_rows({.files = {folder.write("samples_t_2024-05-13T10-20-30.123456.jsonl", text)},
                        .groups = groups,
                        .reading = reading}));
}

TEST(harness, log_likelihoods_are_logits) {
  const Folder folder;
  const std::string text =
      sample({.id = 0, .loglik = {"-1.5", "-0.25", "-3.0", "-4.0"}, .target = "1", .doc = "\"subject\": \"anatomy\""}) +
      sample({.id = 1,
              .loglik = {"-2", "-3e0", "-1", "-inf"},
              .target = "0",
              .doc = "\"subject\": \"virology\"",
              .more = ", \"acc\": 0.0"});
  const std::string path = folder.write("samples_mmlu_anatomy_2024-05-13T10-20-30.123456.jsonl", text);
  const Predictions p = must(all_rows({.files = {path}, .groups = {"task", "subject", "filter", "doc_id"}}));
  EXPECT_EQ(p.kind, Kind::logits);
  ASSERT_EQ(p.n, 2U);
  ASSERT_EQ(p.k, 4U);
  EXPECT_EQ(p.matrix->values()[1], -0.25);
  EXPECT_EQ(p.matrix->values()[4], -2);
  EXPECT_EQ(p.matrix->label()[0], 1);
  EXPECT_EQ(p.matrix->label()[1], 0);
  ASSERT_EQ(p.groupings.size(), 4U);
  EXPECT_EQ(p.groupings[0].names, std::vector<std::string>{"mmlu_anatomy"});
  EXPECT_EQ(p.groupings[1].names, (std::vector<std::string>{"anatomy", "virology"}));
  EXPECT_EQ(p.groupings[2].names, std::vector<std::string>{"none"});
  EXPECT_TRUE(p.notes.empty()) << p.notes[0];
}

TEST(harness, older_versions_write_an_array_of_numbers) {
  const Folder folder;
  const std::string text =
      "[\n  {\"doc_id\": 0, \"doc\": {\"sol1\": \"up\", \"sol2\": \"down\"}, \"target\": 1,\n"
      "   \"arguments\": [[\"ctx\", \" up\"], [\"ctx\", \" down\"]],\n"
      "   \"resps\": [[[-1.5, false]], [[-0.5, true]]], \"filtered_resps\": [[-1.5, false], [-0.5, true]], \"acc\": "
      "1},\n"
      "  {\"doc_id\": 1, \"doc\": {}, \"target\": 0, \"arguments\": [[\"c\", \" up\"], [\"c\", \" down\"]],\n"
      "   \"resps\": [], \"filtered_resps\": [[-1, 0.0], [-2, 0.0]], \"acc\": 1.0}\n]\n";
  const Predictions p =
      must(all_rows({.files = {folder.write("pretrained__model_piqa.jsonl", text)}, .groups = {"task"}}));
  ASSERT_EQ(p.n, 2U);
  EXPECT_EQ(p.matrix->values()[1], -0.5);
  EXPECT_EQ(p.matrix->label()[0], 1);
  EXPECT_EQ(p.groupings[0].names, std::vector<std::string>{"pretrained__model_piqa"});
}

TEST(harness, options_that_a_row_does_not_have_are_impossible) {
  const Folder folder;
  const Predictions p = accepted(folder, sample({.id = 0, .loglik = {"-1", "-2"}, .target = "0"}) +
                                             sample({.id = 1, .loglik = {"-3", "-2", "-1"}, .target = "2"}));
  ASSERT_EQ(p.k, 3U);
  EXPECT_LT(p.matrix->values()[2], -1e6);  // stands for -inf
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_KEPT(p.notes[0]);
}

TEST(harness, targets_are_numbers_texts_or_letters) {
  const Folder folder;
  const std::vector<std::string> texts = {"red", "green", "blue", "10"};
  const auto label = [&](Question q) {
    q.loglik = {"-1", "-2", "-3", "-4"};
    q.more = "";
    return accepted(folder, sample(q)).matrix->label()[0];
  };
  EXPECT_EQ(label({.target = "2", .options = texts}), 2);
  EXPECT_EQ(label({.target = "blue", .options = texts}), 2);
  EXPECT_EQ(label({.target = " green", .options = texts}), 1);
  EXPECT_EQ(label({.target = "10", .options = texts}), 3);
  EXPECT_EQ(label({.target = "[1]", .options = texts}), 1);
  EXPECT_EQ(label({.target = "C"}), 2);
  EXPECT_EQ(label({.target = "heart", .doc = "\"choices\": [\"lung\", \"heart\", \"eye\", \"ear\"]"}), 1);
  EXPECT_EQ(label({.target = "heart", .doc = "\"choices\": {\"text\": [\"lung\", \"heart\", \"eye\", \"ear\"]}"}), 1);
  EXPECT_EQ(label({.target = "D", .options = texts}), 3);
  EXPECT_KEPT(refused(folder, sample({.loglik = {"-1", "-2"}, .target = "7"})));
  EXPECT_KEPT(refused(folder, sample({.loglik = {"-1", "-2"}, .target = "[0, 1]"})));
}

// "1" is the place of one option and the text of another: acc says which was meant.
TEST(harness, options_that_are_numbers_are_told_by_acc) {
  const Folder folder;
  const std::vector<std::string> numbers = {"1", "2", "3"};
  const Question place{.loglik = {"-3", "-1", "-2"}, .target = "1", .options = numbers, .more = ", \"acc\": 1.0"};
  EXPECT_EQ(accepted(folder, sample(place)).matrix->label()[0], 1);
  Question text = place;
  text.more = ", \"acc\": 0.0";
  EXPECT_EQ(accepted(folder, sample(text)).matrix->label()[0], 0);
  Question untold = place;
  untold.more = "";
  const Predictions p = accepted(folder, sample(untold));
  EXPECT_EQ(p.matrix->label()[0], 1);
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_KEPT(p.notes[0]);
  Question other = text;
  other.id = 1;
  Question first = place;
  EXPECT_KEPT(refused(folder, sample(first) + sample(other)));
}

TEST(harness, length_normalized_divides_by_letters_as_acc_norm_does) {
  const Folder folder;
  const Reading norm{.length_normalized = true};
  // "Stra\u00dfe" has six letters, in seven bytes; the blank before an option is the delimiter
  const Predictions p = accepted(folder,
                                 sample({.loglik = {"-6", "-8"},
                                         .target = "0",
                                         .options = {"Stra\u00dfe", "Hose"},
                                         .more = ", \"acc\": 1.0, \"acc_norm\": 1.0"}),
                                 norm);
  EXPECT_EQ(p.matrix->values()[0], -1);
  EXPECT_EQ(p.matrix->values()[1], -2);
  EXPECT_TRUE(p.notes.empty());
  // options that begin with a blank themselves: the document tells
  const Predictions q = accepted(folder,
                                 sample({.loglik = {"-6", "-8"},
                                         .target = "0",
                                         .options = {" ab", " abc"},
                                         .doc = "\"endings\": [\" ab\", \" abc\"]"}),
                                 norm);
  EXPECT_EQ(q.matrix->values()[0], -2);
  EXPECT_EQ(q.matrix->values()[1], -2);
  EXPECT_KEPT(refused(
      folder, sample({.loglik = {"-6", "-8"}, .target = "0", .options = {"", "a"}, .doc = "\"x\": [\"\", \"a\"]"}),
      norm));
}

TEST(harness, what_the_harness_counted_is_compared) {
  const Folder folder;
  const Predictions p = accepted(folder, sample({.loglik = {"-1", "-2"}, .target = "1", .more = ", \"acc\": 1.0"}));
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_KEPT(p.notes[0]);
}

TEST(harness, of_mutual_information_the_first_half_counts) {
  const Folder folder;
  const std::string text =
      "{\"doc_id\": 3, \"doc\": {}, \"target\": \"1\", \"arguments\": {\"gen_args_0\": {\"arg_0\": \"c\", \"arg_1\": "
      "\" a\"}, "
      "\"gen_args_1\": {\"arg_0\": \"c\", \"arg_1\": \" b\"}, \"gen_args_2\": {\"arg_0\": \"\", \"arg_1\": \" a\"}, "
      "\"gen_args_3\": {\"arg_0\": \"\", \"arg_1\": \" b\"}}, \"filtered_resps\": [[\"-1\", \"False\"], [\"-2\", "
      "\"False\"], "
      "[\"-9\", \"False\"], [\"-8\", \"False\"]], \"filter\": \"none\"";
  for (const char* end : {"}\n", ", \"acc\": 0.0, \"acc_mutual_info\": 1.0}\n"}) {
    const Predictions p = accepted(folder, text + end);
    ASSERT_EQ(p.k, 2U);
    EXPECT_EQ(p.matrix->values()[1], -2);
    ASSERT_EQ(p.notes.size(), 1U);
    EXPECT_KEPT(p.notes[0]);
  }
}

// winogrande: the options are in the context, and the target is what follows both.
TEST(harness, of_two_contexts_acc_tells_which_is_right) {
  const Folder folder;
  const auto line = [](int id, const std::string& more) {
    return "{\"doc_id\": " + std::to_string(id) +
           ", \"doc\": {}, \"target\": \"was late.\", \"arguments\": {\"gen_args_0\": {\"arg_0\": \"Ann\", "
           "\"arg_1\": \" was late.\"}, \"gen_args_1\": {\"arg_0\": \"Bea\", \"arg_1\": \" was late.\"}}, "
           "\"filtered_resps\": [[\"-1\", \"False\"], [\"-2\", \"False\"]]" +
           more + "}\n";
  };
  const Predictions p = accepted(folder, line(0, ", \"acc\": 1.0") + line(1, ", \"acc\": 0.0"));
  EXPECT_EQ(p.matrix->label()[0], 0);
  EXPECT_EQ(p.matrix->label()[1], 1);
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_KEPT(p.notes[0]);
  EXPECT_KEPT(refused(folder, line(0, "")));
}

TEST(harness, refuses_what_has_no_probabilities) {
  const Folder folder;
  const auto with = [](const std::string& resps) {
    return "{\"doc_id\": 0, \"doc\": {}, \"target\": \"0\", \"arguments\": {}, \"filtered_resps\": " + resps + "}\n";
  };
  EXPECT_KEPT(refused(folder, with("[\"The answer is 42\"]")));
  EXPECT_KEPT(refused(folder, with("[[\"42\", \"43\"]]")));
  EXPECT_KEPT(refused(folder, with("[[\"-1.5\", \"True\"]]")));
  EXPECT_KEPT(refused(folder, with("[]")));
  EXPECT_KEPT(refused(folder, with("[[\"nan\", \"True\"], [\"-1\", \"False\"]]")));
  EXPECT_KEPT(refused(folder, sample({.loglik = {"NaN", "-1"}, .target = "0"})));
  EXPECT_KEPT(refused(folder, sample({.loglik = {"-1", "-2"}, .target = "0", .more = ", \"acc\": 0.43"})));
  EXPECT_KEPT(refused(folder, sample({.loglik = {"-1", "-2"}, .target = "0"}) + "{\"doc_id\": 1, \"filt"));
}

TEST(harness, a_document_counts_once) {
  const Folder folder;
  Question q{.loglik = {"-1", "-2"}, .target = "0", .filter = "strict"};
  Question r = q;
  r.filter = "flexible";
  EXPECT_KEPT(refused(folder, sample(q) + sample(q)));
  const std::string both = sample(q) + sample(r);
  EXPECT_KEPT(refused(folder, both));
  EXPECT_EQ(accepted(folder, both, {.filter = "strict"}).n, 1U);
  EXPECT_KEPT(refused(folder, both, {.filter = "loose"}));
}

// Many short rows and one long one: 30,000 rows times 30,000 options are not in the file.
TEST(harness, memory_is_that_of_the_file) {
  const Folder folder;
  std::string text;
  for (int i = 1; i < 20000; ++i)
    text += "{\"doc_id\":" + std::to_string(i) + ",\"target\":0,\"filtered_resps\":[[-1,false],[-2,false]]}\n";
  text += "{\"doc_id\":0,\"target\":0,\"filtered_resps\":[[-1,false]";
  for (int i = 0; i < 20000; ++i) text += ",[-2,false]";
  EXPECT_KEPT(refused(folder, text + "]}\n"));
}

TEST(harness, arguments_in_another_order) {
  const Folder folder;
  const Predictions p =
      accepted(folder,
               "{\"doc_id\": 0, \"target\": \"bb\", \"filtered_resps\": [[-1, false], [-4, false]], \"arguments\": "
               "{\"gen_args_1\": {\"arg_0\": \"c\", \"arg_1\": \" bb\"}, \"gen_args_0\": {\"arg_0\": \"c\", "
               "\"arg_1\": \" a\"}}}\n",
               {.length_normalized = true});
  EXPECT_EQ(p.matrix->label()[0], 1);
  EXPECT_EQ(p.matrix->values()[1], -2);
}

TEST(harness, other_tables_stay_tables) {
  const Folder folder;
  const std::string path = folder.write("t.jsonl", "{\"doc_id\": 1, \"probs\": [0.5, 0.5], \"label\": 1}\n");
  EXPECT_TRUE(must(Source::open(path)).is_table());
}

}  // namespace
