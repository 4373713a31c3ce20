// Every source file of the room has a test of its name, or is named here with the test that covers it.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "support/folders.hpp"

namespace {

namespace fs = std::filesystem;

TEST(read_room, every_file_has_a_test) {
  const std::map<std::string, std::string> elsewhere = {{"concatenate", "dataset"},
                                                        {"convert", "npy"},
                                                        {"csv_rows", "csv"},
                                                        {"dataset_parts", "dataset"},
                                                        {"files", "dataset"},
                                                        {"jsonl_rows", "jsonl"},
                                                        {"labels", "assemble"},
                                                        {"mapped_file", "npy"},
                                                        {"missing", "jsonl"},
                                                        {"pick", "dataset"},
                                                        {"pick_member", "dataset"},
                                                        {"questions", "dataset"},
                                                        {"read_log", "assemble"},
                                                        {"repair", "assemble"},
                                                        {"sniff", "dataset"},
                                                        {"source", "dataset"},
                                                        {"split_column", "other_formats"},
                                                        {"word_column", "other_formats"},
                                                        {"zip", "npz"},
                                                        {"answers", "batch"},
                                                        {"harness_line", "harness"},
                                                        {"inspect_sample", "inspect"},
                                                        {"llm", "harness"}};
  const std::string root = tare::detail::testing::source_dir();
  const auto has_test = [&](const std::string& name) { return fs::exists(root + "/tests/read/" + name + "_test.cpp"); };
  for (const auto& entry : fs::recursive_directory_iterator(root + "/src/tare/read")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string name = entry.path().stem().string();
    const auto other = elsewhere.find(name);
    EXPECT_TRUE(has_test(name) || (other != elsewhere.end() && has_test(other->second))) << entry.path();
    EXPECT_FALSE(has_test(name) && other != elsewhere.end()) << name << " has a test of its own";
  }
}

}  // namespace
