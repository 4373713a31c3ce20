// Replays the fuzzers' corpus: no file may do harm, and the whole ones are accepted.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "../../fuzz/consume.hpp"
#include "read/files.hpp"
#include "support/folders.hpp"

namespace {

using tare::detail::testing::Block;
using tare::detail::testing::slurp;

// Names of the accepted files.
template <class Parse>
std::set<std::string> replay(const std::string& format, Parse parse) {
  std::set<std::string> accepted;
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(tare::detail::testing::source_dir() + "/fuzz/corpus/" + format)) {
    const Block block(slurp(entry.path().string()));
    SCOPED_TRACE(entry.path().filename().string());
    if (parse(block.bytes())) accepted.insert(entry.path().filename().string());
    ++files;
  }
  EXPECT_GT(files, 10U);
  return accepted;
}

TEST(corpus, npy) {
  const auto ok = replay("npy", tare::detail::fuzz::npy);
  for (const char* name : {"type_f2_be", "type_b1", "type_u8_be", "fortran", "version_2", "version_3", "vector",
                           "unaligned", "text", "text_be", "text_bytes"})
    EXPECT_TRUE(ok.contains(name)) << name;
  for (const char* name : {"pickle", "truncated", "trailing", "empty", "header_2gb", "shape_overflow", "unclosed",
                           "text_width_0", "text_huge"})
    EXPECT_FALSE(ok.contains(name)) << name;
}

TEST(corpus, npz) {
  const auto ok = replay("npz", tare::detail::fuzz::npz);
  for (const char* name : {"stored", "deflated", "zip64", "zip64_directory", "zeros"})
    EXPECT_TRUE(ok.contains(name)) << name;
  for (const char* name : {"truncated", "no_directory", "bad_crc", "claims_a_gigabyte", "claims_too_little",
                           "member_far_away", "encrypted", "twice", "bzip2"})
    EXPECT_FALSE(ok.contains(name)) << name;
}

TEST(corpus, csv) {
  const auto ok = replay("csv", tare::detail::fuzz::csv);
  for (const char* name : {"plain", "crlf", "cr", "bom", "semicolon", "tab", "bar", "words", "quotes",
                           "break_in_quotes", "blank_end", "numbered", "hits"})
    EXPECT_TRUE(ok.contains(name)) << name;
  for (const char* name : {"open_quote", "after_quote", "short_row", "long_row", "blank_line", "empty_cell",
                           "no_header", "same_names", "empty", "breaks", "utf16"})
    EXPECT_FALSE(ok.contains(name)) << name;
}

TEST(corpus, jsonl) {
  const auto ok = replay("jsonl", tare::detail::fuzz::jsonl);
  for (const char* name : {"probs", "hits", "named", "array", "columns", "escapes", "python", "bom", "mixed"})
    EXPECT_TRUE(ok.contains(name)) << name;
  for (const char* name :
       {"null", "lacks", "longer", "twice", "twice_later", "cut", "comma", "list_then_number", "number_then_list",
        "object_then_list", "deep", "empty", "blank", "empty_object", "open_array", "nul"})
    EXPECT_FALSE(ok.contains(name)) << name;
}

TEST(corpus, safetensors) {
  const auto ok = replay("safetensors", tare::detail::fuzz::safetensors);
  for (const char* name :
       {"type_f32", "type_f64", "type_f16", "type_bf16", "type_bool", "type_i64", "type_u8", "metadata", "padded"})
    EXPECT_TRUE(ok.contains(name)) << name;
  for (const char* name : {"cut", "float8", "backwards", "far_away", "shape_overflow", "shape_negative", "no_arrays",
                           "twice", "no_json", "header_2gb", "header_longer", "empty"})
    EXPECT_FALSE(ok.contains(name)) << name;
}

TEST(corpus, dataset) {
  const auto ok = replay("dataset", tare::detail::fuzz::dataset);
  for (const char* name :
       {"one", "two", "order", "words", "quotes", "split", "gaps", "r", "json", "json_array", "packed", "arrays"})
    EXPECT_TRUE(ok.contains(name)) << name;
  for (const char* name : {"question"}) EXPECT_FALSE(ok.contains(name)) << name;
}

TEST(corpus, gzip) {
  const auto ok = replay("gzip", tare::detail::fuzz::gzip);
  for (const char* name : {"plain", "two_members"}) EXPECT_TRUE(ok.contains(name)) << name;
  for (const char* name : {"cut", "bad_sum", "trailing", "not_packed", "empty", "one_byte", "magic_only", "zeros"})
    EXPECT_FALSE(ok.contains(name)) << name;
}

TEST(corpus, llm) {
  const auto ok = replay("llm", tare::detail::fuzz::llm);
  for (const char* name :
       {"harness", "harness_array", "harness_mutual", "harness_contexts", "harness_ragged", "inspect_json",
        "inspect_eval", "inspect_stored", "inspect_parts", "batch_chat", "batch_completion", "batch_responses"})
    EXPECT_TRUE(ok.contains(name)) << name;
  for (const char* name :
       {"harness_text", "harness_cut", "harness_twice", "inspect_zstd", "inspect_no_logprobs", "inspect_cut",
        "inspect_no_samples", "inspect_overlap", "batch_no_logprobs", "deep", "empty", "open_list", "other_table"})
    EXPECT_FALSE(ok.contains(name)) << name;
}

}  // namespace
