#include "tare/core/result.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tare::detail;

std::string flag(std::string_view option) {
  for (const char* known : {"max_iterations", "labels", "bins", "split", "resamples"})
    if (option == known) return "--" + std::string(option);
  return "";
}

TEST(message, names_place_and_value) {
  const Error e{.code = Errc::bad_input,
                .what = "not in [0, 1]",
                .place = {.array = "values", .row = 17},
                .value = "3.2",
                .remedy = "logits are given to from_logits"};
  EXPECT_EQ(tare::message(e), "value at row 17 is 3.2, not in [0, 1]; logits are given to from_logits");
  Error column = e;
  column.place.column = 2;
  EXPECT_EQ(sentence(column), "value at row 17, column 2 is 3.2, not in [0, 1]");
}

TEST(message, names_an_option_and_its_value) {
  const Error e{.code = Errc::bad_option,
                .what = "not in 1 .. 1,000,000",
                .place = {.array = "resamples"},
                .value = "0",
                .remedy = "999 is the default"};
  EXPECT_EQ(tare::message(e), "resamples is 0, not in 1 .. 1,000,000; 999 is the default");
  EXPECT_EQ(sentence(e, flag), "--resamples is 0, not in 1 .. 1,000,000");
}

TEST(message, has_a_place_without_a_value_or_neither) {
  EXPECT_EQ(tare::message({.what = "all weights are 0", .place = {.array = "weights"}}), "weights: all weights are 0");
  EXPECT_EQ(tare::message({.what = "they sum to 2", .place = {.array = "values", .row = 3}}),
            "values at row 3: they sum to 2");
  EXPECT_EQ(tare::message({.what = "there are no rows"}), "there are no rows");
  EXPECT_EQ(tare::message({.what = "there are no rows", .remedy = "add one"}), "there are no rows; add one");
}

TEST(message, says_a_place_as_its_file_does) {
  const Place cell{.array = "a.csv", .row = 1, .column = 0, .spelled = "a.csv: line 3, column 'p_0': probability"};
  EXPECT_EQ(sentence({.what = "not in [0, 1]", .place = cell, .value = "1.2"}),
            "a.csv: line 3, column 'p_0': probability is 1.2, not in [0, 1]");
}

TEST(spelling, is_for_options_in_backquotes) {
  const Error e{.what = "`max_iterations` is too small for `labels`",
                .remedy = "`tare list --json` and `nothing` stay; pass `bins`"};
  EXPECT_EQ(sentence(e), "`max_iterations` is too small for `labels`");
  EXPECT_EQ(sentence(e, flag), "--max_iterations is too small for --labels");
  EXPECT_EQ(advice(e, flag), "`tare list --json` and `nothing` stay; pass --bins");
}

TEST(spelling, leaves_text_of_others_alone) {
  const std::string name = "my `bins`.csv";
  const Error e{.what = "no '" + foreign(name) + "'", .remedy = foreign("``") + " and `bins` and " + foreign("`")};
  EXPECT_EQ(sentence(e, flag), "no 'my `bins`.csv'");
  EXPECT_EQ(sentence(e), "no 'my `bins`.csv'");
  EXPECT_EQ(advice(e, flag), "`` and --bins and `");
  EXPECT_EQ(advice(e), "`` and `bins` and `");
  // of a file it is the name, also where it is that of an option; a value is never looked into
  const Error file{.what = "is empty", .place = {.array = "bins", .spelled = "bins"}};
  EXPECT_EQ(sentence(file, flag), "bins: is empty");
  EXPECT_EQ(sentence({.what = "not a test", .place = {.array = "split"}, .value = "'`bins`'"}, flag),
            "--split is '`bins`', not a test");
  EXPECT_EQ(sentence({.what = "one ` alone"}, flag), "one ` alone");
}

}  // namespace
