// Logs of language models, through the program.
#include "cli/program.hpp"

namespace {

class logs : public tare::detail::testing::Program {};

const std::string no_draws = " --no-interval --quiet";

std::string batch_results() {
  std::string out;
  for (int i = 0; i < 20; ++i)
    out +=
        "{\"custom_id\": \"q" + std::to_string(i) +
        "\", \"response\": {\"status_code\": 200, \"body\": {\"choices\": [{\"logprobs\": {\"content\": [{\"token\": "
        "\"A\", \"logprob\": -0.5, \"top_logprobs\": [{\"token\": \"A\", \"logprob\": -0.5}, {\"token\": \" B\", "
        "\"logprob\": -1.5}]}]}}]}}, \"error\": null}\n";
  return out;
}

std::string right_answers() {
  std::string out = "custom_id,answer\n";
  for (int i = 0; i < 20; ++i) out += "q" + std::to_string(i) + (i % 4 ? ",A\n" : ",B\n");
  return out;
}

TEST_F(logs, batch_results_and_their_key) {
  write("r.jsonl", batch_results());
  write("key.csv", right_answers());
  const auto ran = run("$tare measure r.jsonl --options A,B --answers key.csv --json" + no_draws);
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["input"]["n"], 20);
  EXPECT_EQ(json["input"]["k"], 2);
  EXPECT_EQ(run("gzip r.jsonl && $tare measure r.jsonl.gz --options A,B --answers key.csv" + no_draws).code, 0);
}

// The key is an input, and stays as it is.
TEST_F(logs, the_key_is_not_written_over) {
  write("r.jsonl", batch_results());
  write("key.csv", right_answers());
  for (const char* answers : {"key.csv", "key.csv:answer"})
    EXPECT_FAILS(
        run("$tare measure r.jsonl --options A,B --csv -o key.csv --answers " + std::string(answers) + no_draws));
  EXPECT_EQ(read("key.csv"), right_answers());
}

TEST_F(logs, errors_name_options_as_they_are_typed) {
  write("r.jsonl", batch_results());
  EXPECT_FAILS(run("$tare measure r.jsonl"));
  EXPECT_FAILS(run("$tare measure r.jsonl --options A,B"));
  write("s.jsonl",
        "{\"doc_id\": 0, \"target\": 0, \"filtered_resps\": [[-1, false], [-2, true]], \"filter\": \"a\"}\n"
        "{\"doc_id\": 0, \"target\": 0, \"filtered_resps\": [[-1, false], [-2, true]], \"filter\": \"b\"}\n");
  EXPECT_FAILS(run("$tare measure s.jsonl"));
  write("l.json",
        "{\"version\": 2, \"status\": \"success\", \"eval\": {}, \"samples\": [{\"id\": 1, \"scores\": {\"c\": "
        "{\"value\": 1}}}]}");
  EXPECT_FAILS(run("$tare measure l.json"));
}

}  // namespace
