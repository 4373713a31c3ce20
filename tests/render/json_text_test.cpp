// What is written is read back by a library that knows nothing of it.
#include "tare/render/json/json_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace {

using nlohmann::ordered_json;
using tare::detail::render::Json;

TEST(json_text, numbers_keep_their_bits) {
  for (const double x : {0.0, -0.0, 0.1, 1e-300, 1.0 / 3, 1e22, std::numeric_limits<double>::denorm_min(),
                         std::numeric_limits<double>::max()})
    EXPECT_EQ(ordered_json::parse(Json(x).text()).get<double>(), x);
  EXPECT_EQ(Json(1.0).text(), "1.0");
  EXPECT_EQ(Json(7).text(), "7");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).text(), "18446744073709551615");
  EXPECT_EQ(Json(true).text(), "true");
}

TEST(json_text, what_is_no_number_is_null) {
  EXPECT_EQ(Json().text(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).text(), "null");
  EXPECT_EQ(Json(-std::numeric_limits<double>::infinity()).text(), "null");
  EXPECT_EQ(Json(std::optional<int>()).text(), "null");
  EXPECT_EQ(Json(std::optional<int>(3)).text(), "3");
}

TEST(json_text, words_are_escaped) {
  const std::string words = "a \"b\" \\ \n \x01 é";
  EXPECT_EQ(ordered_json::parse(Json(words).text()).get<std::string>(), words);
  EXPECT_EQ(ordered_json::parse(Json("\xff").text()).get<std::string>(), "\xef\xbf\xbd");  // U+FFFD, not UTF-8 before
}

TEST(json_text, lists_and_objects_keep_their_order) {
  Json list = Json::array();
  EXPECT_EQ(list.text(), "[]");
  list.push_back(1);
  list.push_back("two");
  list.push_back(Json::object());
  EXPECT_EQ(list.text(), "[1,\"two\",{}]");
  Json object{{"z", 1}, {"a", list}, {"in", {{"x", Json()}}}};
  object.set("a \"quoted\" name", std::vector<double>{0.5, 2});
  EXPECT_EQ(object.text(), R"({"z":1,"a":[1,"two",{}],"in":{"x":null},"a \"quoted\" name":[0.5,2.0]})");
  EXPECT_EQ(Json(std::vector<std::string>{}).text(), "[]");
}

TEST(json_text, indented_is_the_same_value) {
  const Json object{{"z", 1}, {"a", std::vector<std::string>{"x"}}};
  EXPECT_EQ(object.indented(), "{\n  \"z\": 1,\n  \"a\": [\n    \"x\"\n  ]\n}\n");
}

}  // namespace
