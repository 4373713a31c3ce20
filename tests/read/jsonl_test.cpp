// JSON lines, against numbers written by hand or made by chance.
#include "tare/read/jsonl.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/dataset.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Block;
using tare::detail::testing::Folder;
using tare::detail::testing::matrix_numbers;
using tare::detail::testing::must;
using Strings = std::vector<std::string>;
using Numbers = std::vector<double>;

TEST(jsonl, lists_objects_and_numbers) {
  const Block block(
      "{\"label\": \"b\", \"p\": {\"a\": 0.25, \"b\": 0.75}, \"z\": [1, -2.5e1], \"x\": 7}\n\n"
      "{\"z\": [3, 4], \"x\": true, \"p\": {\"b\": 0.5, \"a\": 0.125}, \"more\": [[]], \"label\": \"a\"}");
  const Jsonl lines = must(Jsonl::open(block.bytes(), "x.jsonl"));
  EXPECT_EQ(lines.names(), (std::vector<std::string>{"label", "p", "z", "x"}));
  const auto arrays = must(lines.read(std::vector<CsvGroup>{{{0}, true}, {{1}}, {{2}}, {{3}}}));
  EXPECT_EQ(*arrays[0].words, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(matrix_numbers(arrays[1]), (Numbers{0.25, 0.75, 0.125, 0.5}));
  EXPECT_EQ(arrays[1].classes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(matrix_numbers(arrays[2]), (Numbers{1, -25, 3, 4}));
  EXPECT_EQ(arrays[2].shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(matrix_numbers(arrays[3]), (Numbers{7, 1}));
  EXPECT_EQ(arrays[3].place(1), "line 3, column 'x'");
}

TEST(jsonl, pieces_are_the_whole) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += "{\"probs\": [0." + std::to_string(10 + i) + ", 0." + std::to_string(90 - i) +
            "], \"label\": " + std::to_string(i % 2) + "}\n";
  const std::string path = folder.write("t.jsonl", text);
  for (const std::size_t bytes : {1U, 40U, 333U, 100000U}) {
    Numbers score;
    std::size_t pieces = 0;
    const auto data = Dataset::open({.files = {path}});
    ASSERT_TRUE(data);
    const auto done = data->read_pieces(
        [&](const Predictions& rows) -> Result<void> {
          ++pieces;
          for (std::size_t i = 0; i < rows.n; ++i) score.push_back(rows.matrix->values()[2 * i]);
          return {};
        },
        1, {.bytes = bytes});
    ASSERT_TRUE(done) << sentence(done.error());
    ASSERT_EQ(score.size(), 50U);
    EXPECT_EQ(pieces > 1, bytes < 1000);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(score[static_cast<std::size_t>(i)], (10 + i) / 100.0);
  }
}

TEST(jsonl, rows_without_a_value_are_not_there) {
  const Folder folder;
  const std::string path =
      folder.write("t.jsonl",
                   "{\"probs\": null, \"label\": 1}\n{\"probs\": [0.25, 0.75], \"label\": 1}\n"
                   "{\"label\": 0}\n{\"probs\": [0.5, null], \"label\": 0}\n"
                   "{\"probs\": [0.5, 0.5], \"label\": null}\n{\"probs\": [1, 0], \"label\": 0}\n");
  EXPECT_FALSE(all_rows({.files = {path}}));
  const Predictions p = must(all_rows({.files = {path}, .reading = {.drop_missing = true}}));
  EXPECT_EQ(p.dropped, 4U);
  ASSERT_EQ(p.n, 2U);
  EXPECT_EQ(p.matrix->values()[0], 0.25);
  EXPECT_EQ(p.matrix->values()[2], 1);
}

TEST(jsonl, errors_name_the_line) {
  const Folder folder;
  const auto refused = [&](const std::string& text) {
    const auto got = all_rows({.files = {folder.write("t.jsonl", text)}});
    return got ? std::string("accepted") : sentence(got.error());
  };
  EXPECT_KEPT(refused("{\"probs\": [0.5, 0.5], \"label\": 1}\n{\"probs\": [0.5, 1.5], \"label\": 1}\n"));
  EXPECT_KEPT(refused("{\"p\": 0.5, \"label\": 1}\n{\"p\": 0.5, \"label\": 1} x\n"));
  EXPECT_KEPT(refused("{\"p\": \"half\", \"label\": 1}\n"));
}

Error refused_by(const std::string& text, const std::vector<CsvGroup>& groups, const CellRules& rules = {}) {
  const Block block(text);
  const auto lines = Jsonl::open(block.bytes(), "x.jsonl");
  if (!lines) return lines.error();
  const auto got = lines->read(groups, rules);
  EXPECT_FALSE(got) << text;
  return got ? Error{} : got.error();
}

std::vector<Array> all_of(const Block& block, const std::vector<CsvGroup>& groups, const CellRules& rules = {}) {
  return must(must(Jsonl::open(block.bytes(), "x.jsonl")).read(groups, rules));
}

Strings words_of_column(const Array& a) {
  Strings out;
  const auto* codes = reinterpret_cast<const std::int32_t*>(a.data);
  for (std::size_t i = 0; i < a.rows(); ++i)
    out.push_back(codes[i] < 0 ? "-" : (*a.words)[static_cast<std::size_t>(codes[i])]);
  return out;
}

TEST(jsonl, what_is_refused_has_line_and_remedy) {
  const std::string first = "{\"p\": [0.5, 0.5], \"y\": 1}\n";
  const std::vector<CsvGroup> both = {{{0}}, {{1}}};
  const auto expect_kept = [&](const std::string& second) {
    const Error e = refused_by(first + second, both);
    EXPECT_KEPT(sentence(e) + " | " + e.remedy);
  };
  expect_kept("{\"p\": [0.5, 0.5]}");
  expect_kept("{\"p\": [0.5, 0.5], \"y\": null}");
  expect_kept("{\"p\": [0.5, 0.5], \"y\": 1, \"y\": 1}");
  expect_kept("{\"p\": [0.5, \"x\"], \"y\": 1}");
  expect_kept("{\"p\": [0.5, 1e999], \"y\": 1}");
  expect_kept("{\"p\": [0.5, [1]], \"y\": 1}");
  expect_kept("{\"p\": [0.5], \"y\": 1}");
  expect_kept("{\"p\": [], \"y\": 1}");
  expect_kept("{\"p\": 0.5, \"y\": 1}");
  expect_kept("{\"p\": {\"a\": 1, \"b\": 0}, \"y\": 1}");
  expect_kept("{\"p\": [0.5, 0.5], \"y\": \"maybe\"}");
  expect_kept("{\"p\": [0.5, 0.5], \"y\": maybe}");
  expect_kept("{\"p\": [0.5, 0.5], \"y\": 1, \"z\": tru}");
  expect_kept("{\"p\": [0.5, 0.5], \"y\": 1, \"z\": [\"\\q\"]}");
  expect_kept("{\"p\": [0.5, 0.5], \"y\": 1,}");
  expect_kept("{\"p\": [0.5, 0.5] \"y\": 1}");
  expect_kept("0.5");
  expect_kept("{\"p\": [0.5, 0.5], \"y\": \"\xe9\"}");
}

TEST(jsonl, classes_by_name) {
  const std::string first = "{\"p\": {\"dog\": 0.5, \"cat\": 0.5}}\n";
  const auto refused = [&](const std::string& second) { return sentence(refused_by(first + second, {{{0}}})); };
  EXPECT_EQ(refused("{\"p\": {\"dog\": 0.5, \"cow\": 0.5}}"),
            "x.jsonl: line 2: class 'cow' is not in the lines before");
  EXPECT_EQ(refused("{\"p\": {\"dog\": 0.5, \"dog\": 0.5}}"), "x.jsonl: line 2: class 'dog' is there twice");
  EXPECT_EQ(refused("{\"p\": {\"dog\": 0.5}}"), "x.jsonl: line 2: 'p' has 1 numbers, and before it had 2 with names");
  EXPECT_EQ(refused("{\"p\": [0.5, 0.5]}"), "x.jsonl: line 2: 'p' has 2 numbers, and before it had 2 with names");
  EXPECT_EQ(refused("{\"p\": {\"dog\": 0.5, \"cat\": \"x\"}}"), "x.jsonl: line 2: 'p' is not an object of numbers");
  // Names that are numbers stand in their order, before texts.
  const Block numbered("{\"p\": {\"10\": 4, \"b\": 5, \"2\": 3, \"a\": 7}}\n");
  const Array a = all_of(numbered, {{{0}}})[0];
  EXPECT_EQ(a.classes, (Strings{"2", "10", "a", "b"}));
  EXPECT_EQ(matrix_numbers(a), (Numbers{3, 4, 7, 5}));
}

TEST(jsonl, files_that_are_not_read) {
  const auto refused = [](const std::string& text) {
    const Block block(text);
    const auto got = Jsonl::open(block.bytes(), "x.jsonl");
    return got ? std::string("accepted") : sentence(got.error());
  };
  for (const char* empty : {"", " \n", "\xef\xbb\xbf\n", "[", "[ "})
    EXPECT_EQ(refused(empty), "x.jsonl: the file is empty") << empty;
  for (const char* wrong :
       {"7", "[7]", "{}", "[]", "{\"a\": 1, \"a\": 2}", "{\"a\": tru}", "{\"a\": 1", "\"{}\"", "{\"a\" 1}"})
    EXPECT_EQ(refused(wrong), "x.jsonl: does not begin with a JSON object") << wrong;
  EXPECT_EQ(refused("{\"a\": \"\xff\"}"), "x.jsonl: line 1: holds letters that are not UTF-8");
}

TEST(jsonl, numbers_that_json_does_not_know) {
  const Block block(
      "{\"x\": NaN}\n{\"x\": Infinity}\n{\"x\": -Infinity}\n{\"x\": 1e-999}\n{\"x\": 18446744073709551616}\n");
  const Numbers v = matrix_numbers(all_of(block, {{{0}}})[0]);
  EXPECT_TRUE(std::isnan(v[0]));
  EXPECT_EQ(v[1], HUGE_VAL);
  EXPECT_EQ(v[2], -HUGE_VAL);
  EXPECT_EQ(v[3], 0);
  EXPECT_EQ(v[4], 0x1p64);
}

// Numbers in quotes are numbers; with a percent sign they are hundredths, unless all are.
TEST(jsonl, numbers_in_quotes) {
  const Block block("{\"x\": \"0.25\"}\n{\"x\": \"25%\"}\n{\"x\": 0.25}\n");
  EXPECT_EQ(matrix_numbers(all_of(block, {{{0}}})[0]), (Numbers{0.25, 0.25, 0.25}));
  const Block percent("{\"x\": \"25%\"}\n{\"x\": 25}\n");
  EXPECT_EQ(matrix_numbers(all_of(percent, {{{0}}}, {.percent = true})[0]), (Numbers{25, 25}));
}

// Labels keep the text of a number: 1.0 and 1 are two words.
TEST(jsonl, words_are_as_they_are_written) {
  const Block block(
      "{\"y\": 1.0}\n{\"y\": 1}\n{\"y\": \"1\"}\n{\"y\": true}\n{\"y\": \"\\u00e9\"}\n{\"y\": \"\\ud83d\"}\n{\"y\": "
      "1e2  }\n");
  EXPECT_EQ(words_of_column(all_of(block, {{{0}, true}})[0]),
            (Strings{"1.0", "1", "1", "true", "\xc3\xa9", "\xef\xbf\xbd", "1e2"}));
}

TEST(jsonl, missing_values_are_marked) {
  const Block block("{\"x\": 1, \"g\": \"a\"}\n{\"g\": null}\n{\"x\": \"NA\", \"g\": \"\"}\n{\"x\": 4}\n");
  const auto arrays = all_of(block, {{{0}}, {{1}, true}}, {.missing = true});
  const Numbers x = matrix_numbers(arrays[0]);
  EXPECT_EQ(x[0], 1);
  EXPECT_TRUE(std::isnan(x[1]) && std::isnan(x[2]));
  EXPECT_EQ(x[3], 4);
  EXPECT_EQ(words_of_column(arrays[1]), (Strings{"a", "-", "-", "-"}));
}

// The first lines may lack the list: its width is that of the first that has one.
TEST(jsonl, lists_that_begin_later) {
  const Block block("{\"p\": null, \"y\": 1}\n{\"y\": 1}\n{\"p\": [0.25, 0.5, 0.25], \"y\": 0}\n");
  const Array p = all_of(block, {{{0}}}, {.missing = true})[0];
  EXPECT_EQ(p.shape, (std::vector<std::size_t>{3, 3}));
  const Numbers v = matrix_numbers(p);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(std::isnan(v[i]));
  EXPECT_EQ(Numbers(v.begin() + 6, v.end()), (Numbers{0.25, 0.5, 0.25}));
}

TEST(jsonl, deep_values_that_are_not_read) {
  const auto text = [](std::size_t levels) {
    return "{\"x\": 1, \"deep\": " + std::string(levels, '[') + std::string(levels, ']') + "}\n";
  };
  const Block fine(text(60));
  EXPECT_EQ(matrix_numbers(all_of(fine, {{{0}}})[0]), (Numbers{1}));
  EXPECT_KEPT(sentence(refused_by("{\"x\": 1}\n" + text(100), {{{0}}})));
  EXPECT_KEPT(sentence(refused_by("{\"x\": 1}\n" + text(1000000), {{{0}}})));
}

TEST(jsonl, an_object_longer_than_any_usual_one) {
  std::string list = "0.5";
  for (int i = 1; i < 100000; ++i) list += ", " + std::to_string(i);
  const Block block("{\"x\": [1, 2], \"y\": 1}\n{\"x\": [3, 4], \"long\": [" + list +
                    "], \"y\": 2}\n{\"y\": 3, \"x\": [5, 6]}\n");
  const auto arrays = all_of(block, {{{0}}, {{1}}});
  EXPECT_EQ(matrix_numbers(arrays[0]), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(matrix_numbers(arrays[1]), (Numbers{1, 2, 3}));
}

// Numbers by chance, written with 17 digits in lines of several forms, are read with the same bits; and so they are
// from pieces of any size.
RC_GTEST_PROP(jsonl, any_form_gives_the_same_bits, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 12), k = *rc::gen::inRange<std::size_t>(1, 5);
  const bool array = *rc::gen::arbitrary<bool>(), named = *rc::gen::arbitrary<bool>();
  Numbers p, y;
  std::string text = array ? "[\n" : "";
  for (std::size_t i = 0; i < rows; ++i) {
    const char* const space = *rc::gen::element("", " ", "\n ", "\t");
    const auto number = [](double x) {
      char out[40];
      std::snprintf(out, sizeof out, "%.17g", x);
      return std::string(out);
    };
    std::string list;
    for (std::size_t j = 0; j < k; ++j) {
      double x = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
      if (!std::isfinite(x)) x = 0.5;
      p.push_back(x);
      list += (j ? "," : "") + (named ? "\"c" + std::to_string(j) + "\":" : std::string()) + space + number(x) + space;
    }
    list = (named ? "{" : "[") + list + (named ? "}" : "]");
    y.push_back(*rc::gen::inRange(0, 9));
    const std::string label = std::string("\"y\"") + space + ":" + number(y.back()), noise = "\"n\":\"}{][\\\"\"";
    const std::string probs = "\"p\":" + std::string(space) + list;
    const bool first = i == 0 || *rc::gen::arbitrary<bool>();
    text += "{" + (first ? probs + "," + label : label + "," + noise + space + "," + probs) + "}";
    if (i + 1 < rows) text += array ? "," : *rc::gen::element("\n", " ", "\r\n");
  }
  if (array) text += "]";
  const Block block(text);
  const Jsonl lines = must(Jsonl::open(block.bytes(), "x.jsonl"));
  const std::vector<CsvGroup> groups = {{{0}}, {{1}}};
  Numbers got_p, got_y;
  const auto bytes = *rc::gen::element<std::size_t>(1, 50, 100000);
  for (auto at = lines.begin(); !lines.is_end(at);) {
    const auto piece = must(lines.read(groups, {}, at, bytes));
    for (const double x : matrix_numbers(piece[0])) got_p.push_back(x);
    for (const double x : matrix_numbers(piece[1])) got_y.push_back(x);
  }
  RC_ASSERT(got_y == y);
  RC_ASSERT(got_p.size() == p.size());
  for (std::size_t i = 0; i < p.size(); ++i)
    RC_ASSERT(std::bit_cast<std::uint64_t>(got_p[i]) == std::bit_cast<std::uint64_t>(p[i]));
}

// Whatever is cut off or changed: an answer or an error, and the same from pieces of one object each.
RC_GTEST_PROP(jsonl, damaged_files_are_answered, ()) {
  std::string text =
      "{\"p\": [0.5, 0.25], \"y\": \"a\"}\n{\"y\": \"b\", \"p\": [1, 0], \"z\": {\"q\": [null, true]}}\n{\"p\": [0, "
      "1], \"y\": \"\\u0041\"}\n";
  const int times = *rc::gen::inRange(0, 3);
  for (int i = 0; i < times; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(30, text.size());
    text[at] = *rc::gen::elementOf(std::string("{}[],:\"\\ \n0a\xff"));
  }
  text.resize(*rc::gen::inRange<std::size_t>(30, text.size() + 1));
  const Block block(text);
  const auto lines = Jsonl::open(block.bytes(), "x.jsonl");
  RC_ASSERT(lines.has_value());  // the first line is whole
  const std::vector<CsvGroup> groups = {{{0}}, {{1}, true}};
  const auto whole = lines->read(groups);
  std::size_t rows = 0;
  bool fine = true;
  for (auto at = lines->begin(); fine && !lines->is_end(at);) {
    const auto piece = lines->read(groups, {}, at, 1);
    fine = piece.has_value();
    if (fine) rows += (*piece)[0].rows();
  }
  RC_ASSERT(fine == whole.has_value());
  if (whole) RC_ASSERT(rows == (*whole)[0].rows());
}

TEST(jsonl, beginnings) {
  const auto head = [](const std::string& text, bool all) {
    const Block block(text);
    const auto got = Jsonl::check_head(block.bytes(), all, "x.jsonl");
    return !got ? std::string("refused") : *got ? "fine" : "wait";
  };
  EXPECT_EQ(head("{", false), "wait");
  EXPECT_EQ(head("{\"a\"", false), "fine");
  EXPECT_EQ(head("\xef\xbb\xbf [", false), "fine");
  EXPECT_EQ(head("\n\n\n", false), "wait");
  EXPECT_EQ(head("\n\n\n", true), "refused");
  EXPECT_EQ(head("a,b", false), "refused");
  EXPECT_EQ(head(std::string((1U << 20) + 1, '\n'), false), "refused");
}

}  // namespace
