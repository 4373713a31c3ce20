// JSON by simdjson and what is done by hand around it, against strtod and nlohmann's library.
#include "tare/read/json.hpp"
#include "support/kept.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "read/files.hpp"
#include "support/kept.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Block;
using Strings = std::vector<std::string>;

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

// The whole text as one value.
bool accepted(const std::string& text) {
  const Block block(text);
  const std::string_view all = text_of(block.bytes());
  JsonReader reader;
  return !all.empty() && reader.check(all.data(), all.data() + all.size());
}

TEST(json, numbers_as_json_and_python_write_them) {
  const auto number = [](const char* token) {
    double out = -77;
    return json_number(token, out) ? out : -88;
  };
  EXPECT_EQ(number("0"), 0);
  EXPECT_EQ(bits(number("-0.0")), bits(-0.0));
  EXPECT_EQ(number("12"), 12);
  EXPECT_EQ(number("-2.5e1"), -25);
  EXPECT_EQ(number("1E+3"), 1000);
  EXPECT_EQ(number("9007199254740993"), 9007199254740992.0);  // halfway, to even
  EXPECT_EQ(number("18446744073709551616"), 0x1p64);
  EXPECT_EQ(number("4.9e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(number("1e-999"), 0);
  EXPECT_EQ(number("Infinity"), HUGE_VAL);
  EXPECT_EQ(number("-Infinity"), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(number("NaN")));
}

TEST(json, what_is_no_number) {
  for (const char* token : {"", "-", "+1", ".5", "1e999", "-1e999", "1.5x", "0x10", "1 2", "nan", "inf", "Inf",
                            "-NaN x", "true", "null", "\"1\"", "[", "{", "1,5"}) {
    double out = 0;
    EXPECT_FALSE(json_number(token, out)) << token;
  }
}

// Every double, written with enough digits, is read with the same bits; so are decimals as they come.
RC_GTEST_PROP(json, numbers_have_the_bits_of_strtod, (std::uint64_t pattern, std::uint32_t digits, int exponent)) {
  const auto value = std::bit_cast<double>(pattern);
  if (std::isfinite(value)) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    double out = 0;
    RC_ASSERT(json_number(text, out));
    RC_ASSERT(bits(out) == pattern);
  }
  const std::string text =
      "0." + std::to_string(digits) + std::to_string(pattern) + "e" + std::to_string(exponent % 290);
  double out = 0;
  RC_ASSERT(json_number(text, out));
  RC_ASSERT(bits(out) == bits(std::strtod(text.c_str(), nullptr)));
}

TEST(json, escapes_become_utf8) {
  const auto text = [](const char* token) {
    std::string out = "before";
    return json_text(token, out) ? out : std::string("refused");
  };
  EXPECT_EQ(text("\"\""), "");
  EXPECT_EQ(text("\"plain\""), "plain");
  EXPECT_EQ(text(R"("\" \\ \/ \b \f \n \r \t")"), "\" \\ / \b \f \n \r \t");
  EXPECT_EQ(text(R"("\u0041\u00e9\u20ac")"), "A\xc3\xa9\xe2\x82\xac");
  EXPECT_EQ(text(R"("\ud83d\ude00")"), "\xf0\x9f\x98\x80");  // U+1F600
  EXPECT_EQ(text("\"\xf0\x9f\x98\x80\""), "\xf0\x9f\x98\x80");
  // Half a pair, as Python writes a token that ends inside a letter: U+FFFD.
  EXPECT_EQ(text(R"("\ud83d")"), "\xef\xbf\xbd");
  EXPECT_EQ(text(R"("\ude00x")"), "\xef\xbf\xbdx");
  EXPECT_EQ(text(R"("\ud83dA")"),
            "\xef\xbf\xbd"
            "A");
  for (const char* wrong : {"", "\"", "x", "\"a", R"("\x41")", R"("\u12")", R"("\u12g4")", R"("\ud83d\u12")", R"("\")"})
    EXPECT_EQ(text(wrong), "refused") << wrong;
}

// Another library writes the text, here it is read: as it is, and in ASCII alone.
RC_GTEST_PROP(json, texts_of_another_library, (const std::vector<std::uint32_t>& letters)) {
  std::string text;
  for (const std::uint32_t number : letters) {
    const auto letter = number % 0x110000;
    if (letter >= 0xD800 && letter < 0xE000) continue;
    const char32_t one = letter;
    if (one < 0x80) {
      text += static_cast<char>(one);
    } else if (one < 0x800) {
      text += {static_cast<char>(0xC0 | one >> 6), static_cast<char>(0x80 | (one & 0x3F))};
    } else if (one < 0x10000) {
      text += {static_cast<char>(0xE0 | one >> 12), static_cast<char>(0x80 | (one >> 6 & 0x3F)),
               static_cast<char>(0x80 | (one & 0x3F))};
    } else {
      text += {static_cast<char>(0xF0 | one >> 18), static_cast<char>(0x80 | (one >> 12 & 0x3F)),
               static_cast<char>(0x80 | (one >> 6 & 0x3F)), static_cast<char>(0x80 | (one & 0x3F))};
    }
  }
  for (const bool ascii : {false, true}) {
    std::string out;
    RC_ASSERT(json_text(nlohmann::json(text).dump(-1, ' ', ascii), out));
    RC_ASSERT(out == text);
    // As the name of a member, too.
    const Block block("{" + nlohmann::json(text).dump(-1, ' ', ascii) + ":1}");
    const std::string_view all = text_of(block.bytes());
    JsonReader reader;
    RC_ASSERT(reader.open(all.data(), all.data() + all.size()));
    RC_ASSERT(each_member(reader.document(), [&](std::string_view name, JsonValue&) { return name == text; }));
  }
}

// A value of up to three levels. Numbers have one digit: how others are written is a matter of other tests.
nlohmann::json some_value(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 7 : 5);
  if (kind == 0) return nullptr;
  if (kind == 1) return *rc::gen::arbitrary<bool>();
  if (kind == 2) return *rc::gen::inRange(0, 10);
  if (kind < 5) return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab{}[],:\"\\ \n")));
  auto out = kind == 5 ? nlohmann::json::array() : nlohmann::json::object();
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    if (kind == 5)
      out.push_back(some_value(depth - 1));
    else
      out[*rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc{,\"\\")))] = some_value(depth - 1);
  }
  return out;
}

RC_GTEST_PROP(json, a_value_ends_where_it_ends, ()) {
  const std::string text = some_value(3).dump(*rc::gen::element(-1, 0, 2));
  for (const char* rest : {"", " ", ",1", "}", "]", "\n{\"a\":\"}\"}"}) {
    const Block block(text + rest);
    const std::string_view all = text_of(block.bytes());
    RC_ASSERT(value_end(all.data(), all.data() + all.size()) == all.data() + text.size());
  }
  RC_ASSERT(accepted(text));
}

// What is JSON and what is not: the same as another library says, after any small damage to its structure.
RC_GTEST_PROP(json, damage_is_seen_as_by_another_library, ()) {
  std::string text = some_value(3).dump(*rc::gen::element(-1, 1));
  const int times = *rc::gen::inRange(1, 4);
  for (int i = 0; i < times && !text.empty(); ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const char letter = *rc::gen::elementOf(std::string("{}[],:\"\\ \n"));
    const int what = *rc::gen::inRange(0, 3);
    if (what == 0)
      text.erase(at, 1);
    else if (what == 1)
      text.insert(at, 1, letter);
    else
      text[at] = letter;
  }
  while (!text.empty() && std::string_view(" \n").find(text.back()) != std::string_view::npos) text.pop_back();
  while (!text.empty() && std::string_view(" \n").find(text.front()) != std::string_view::npos) text.erase(0, 1);
  // Two digits beside each other may begin with a zero, which is read here and not there.
  for (std::size_t i = 1; i < text.size(); ++i)
    if (text[i - 1] == '0' && std::isdigit(static_cast<unsigned char>(text[i]))) return;
  RC_ASSERT(accepted(text) == nlohmann::json::accept(text));
}

TEST(json, of_so_many_levels) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_TRUE(accepted(nested(65)));
  EXPECT_FALSE(accepted(nested(66)));
  EXPECT_FALSE(accepted(nested(1000000)));
  std::string objects;
  for (int i = 0; i < 64; ++i) objects += "{\"a\":";
  EXPECT_TRUE(accepted(objects + "1" + std::string(64, '}')));
  EXPECT_FALSE(accepted("{\"a\":" + objects + "{}" + std::string(65, '}')));
}

TEST(json, what_python_writes_besides) {
  for (const char* text : {"NaN", "[NaN, Infinity, -Infinity]", "{\"a\": NaN}"}) EXPECT_TRUE(accepted(text)) << text;
  for (const char* text :
       {"[nan]", "[Inf]", "[True]", "[None]", "[1 2]", "[1,]", "{\"a\":1,}", "{\"a\"}",       "{a:1}",    "{'a':1}",
        "[",     "{",     "]",      "[}",     "{]",    "[1}",  "\"a\"b",     "[\"a\" \"b\"]", "[\"\n\"]", "[\"\\q\"]"})
    EXPECT_FALSE(accepted(text)) << text;
}

TEST(json, must_be_utf8) {
  for (const char* text : {"[\"\xe9\"]", "[\"\xc3\"]", "[\"\xff\"]", "[\"\xed\xa0\x80\"]", "[\"\xf4\x90\x80\x80\"]"}) {
    const std::string_view all = text;
    JsonReader reader;
    EXPECT_FALSE(reader.open(all.data(), all.data() + all.size())) << text;
    EXPECT_FALSE(reader.is_utf8());
  }
}

struct Seen {
  Strings keys;
  std::vector<std::size_t> lines;
  std::string fault;
};

// The first name of each object, and its line.
Seen objects_of(const std::string& text, std::size_t bytes = 1U << 30) {
  const Block block(text);
  JsonObjects objects(text_of(block.bytes()), "x.jsonl", "write it again");
  Seen out;
  while (true) {
    const auto done = objects.read(bytes, [&](JsonReader& reader, std::size_t line) -> Result<void> {
      std::string first;
      const bool read = each_member(reader.document(), [&](std::string_view name, JsonValue& value) {
        if (first.empty()) first = name;
        return check_json(value);
      });
      if (!read) return objects.wrong("is damaged");
      out.keys.push_back(first);
      out.lines.push_back(line);
      return {};
    });
    if (!done) out.fault = sentence(done.error());
    if (!done || !objects.more()) return out;
  }
}

TEST(json_objects, each_with_its_line) {
  for (const std::size_t bytes : {1U, 20U, 1000U}) {
    const Seen seen = objects_of(
        "\n{\"a\": 1}\r\n\n  {\"b\": {\"x\": [\n1,\n{}]}}  \n{\"c\": \"}\"}{\"d\": 4} {\"e\": 5}\n\n", bytes);
    EXPECT_EQ(seen.fault, "");
    EXPECT_EQ(seen.keys, (Strings{"a", "b", "c", "d", "e"}));
    EXPECT_EQ(seen.lines, (std::vector<std::size_t>{2, 4, 7, 7, 7}));
  }
}

TEST(json_objects, of_an_array) {
  for (const std::size_t bytes : {1U, 1000U}) {
    const Seen seen = objects_of("\xef\xbb\xbf [{\"a\": [{}, {}]},\n {\"b\": 2}\n , {\"c\": 3}]\n", bytes);
    EXPECT_EQ(seen.fault, "");
    EXPECT_EQ(seen.keys, (Strings{"a", "b", "c"}));
    EXPECT_EQ(seen.lines, (std::vector<std::size_t>{1, 2, 3}));
  }
  EXPECT_EQ(objects_of("[]").keys.size(), 0U);
}

TEST(json_objects, faults_name_the_line) {
  const auto fault = [](const std::string& text) { return objects_of(text).fault; };
  EXPECT_EQ(fault("{\"a\": 1}\nhello\n"), "x.jsonl: line 2: is not a JSON object");
  EXPECT_EQ(fault("{\"a\": 1}\n[1]\n"), "x.jsonl: line 2: is not a JSON object");
  EXPECT_EQ(fault("{\"a\": 1}\n{\"a\": 2}}\n"), "x.jsonl: line 2: is not a JSON object");
  EXPECT_EQ(fault("{\"a\": 1}\n]\n"), "x.jsonl: line 2: is not a JSON object");
  EXPECT_EQ(fault("{\"a\": 1}\n{\"a\": tru}\n{\"a\": 1}\n"), "x.jsonl: line 2: is damaged");
  EXPECT_EQ(fault("{\"a\": 1}\n{\"a\": \"\xe9\"}\n"), "x.jsonl: line 2: holds letters that are not UTF-8");
  EXPECT_EQ(fault("[{\"a\": 1}\n"), "x.jsonl: line 2: ends before its array does");
  EXPECT_EQ(fault("[{\"a\": 1} {\"a\": 1}]"), "x.jsonl: line 1: ends before its array does");
  EXPECT_EQ(fault("[{\"a\": 1}]\n\n7"), "x.jsonl: line 3: something follows the objects");
  for (const char* cut : {"{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\": 1", "{\"a\": [1", "{\"a\": \"\\"})
    EXPECT_KEPT(fault("{\"a\": 1}\n" + std::string(cut)));
}

// An object that is spread over lines: the fault is in the line where it is.
TEST(json_objects, faults_inside_an_object_name_their_own_line) {
  EXPECT_EQ(objects_of("{\n \"a\": 1,\n \"b\": 01x,\n \"c\": 2\n}\n").fault.substr(0, 15), "x.jsonl: line 3");
}

// Another object of the line is damaged, not this one.
TEST(json_objects, faults_belong_to_their_object) {
  for (const char* damaged : {"{:x\": 1}", "{\"x\": \"\xe9\"}", "{\"x\": \"}"}) {
    const Seen seen = objects_of("{\"a\": 1} {\"b\": 2} " + std::string(damaged) + " {\"c\": 3}\n");
    EXPECT_EQ(seen.keys, (Strings{"a", "b"})) << damaged;
    EXPECT_HAS(seen.fault, "x.jsonl: line 1: ");
  }
}

// A million objects in one line take no longer than in a million lines: no rest of a line is looked through again.
TEST(json_objects, many_in_one_line) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "{\"a\": 1} ";
  EXPECT_EQ(objects_of(text).keys.size(), 200000U);
}

TEST(json, members_of_a_long_object) {
  const std::string text = " {\"a\\n\": [1, {\"x\": \"}\"}], \"b\":true ,\"c\" : \"\\\"}\"} rest";
  Strings names, values;
  const char* const end = text.data() + text.size();
  const auto take = [&](const std::string& name, const char* begin) {
    const char* const stop = value_end(begin, end);
    names.push_back(name);
    values.emplace_back(begin, stop);
    return stop;
  };
  const char* const after = each_long_member(text.data(), end, take);
  ASSERT_NE(after, nullptr);
  EXPECT_EQ(std::string(after), " rest");
  EXPECT_EQ(names, (Strings{"a\n", "b", "c"}));
  EXPECT_EQ(values, (Strings{"[1, {\"x\": \"}\"}]", "true", "\"\\\"}\""}));
  for (const std::string wrong :
       {"", "[]", "{", "{\"a\"}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{\"a\":}", "{1:2}", "{\"a\": [1"})
    EXPECT_EQ(each_long_member(
                  wrong.data(), wrong.data() + wrong.size(),
                  [&](const std::string&, const char* begin) { return value_end(begin, wrong.data() + wrong.size()); }),
              nullptr)
        << wrong;
}

}  // namespace
