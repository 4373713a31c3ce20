#include "tare/render/json/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <tare/version.hpp>
#include "render/surveys.hpp"

namespace {

using nlohmann::json;
using tare::detail::testing::overconfident;

TEST(json, has_every_key_of_the_contract) {
  const json j = json::parse(tare::detail::render::json(overconfident()));
  EXPECT_EQ(j.at("tare"), TARE_VERSION);
  EXPECT_EQ(j.at("command"), "measure");
  EXPECT_EQ(j.at("input").at("n"), 10000);
  EXPECT_EQ(j.at("input").at("k"), 10);
  EXPECT_EQ(j.at("input").at("kind"), "logits");
  EXPECT_EQ(j.at("input").at("reduction"), "top_label");
  ASSERT_EQ(j.at("estimates").size(), overconfident().measured.size());
  for (const auto& e : j.at("estimates"))
    for (const char* key : {"name", "norm", "bins", "value", "estimand", "low", "high", "interval", "floor",
                            "floor_high", "reason", "class", "squared", "parts", "per_bin"})
      EXPECT_TRUE(e.contains(key)) << e.at("name") << " lacks " << key;
}

TEST(json, keeps_every_digit) {
  auto s = overconfident();
  const double third = 1.0 / 3.0, tiny = 4.9406564584124654e-324;
  s.measured[0].estimate->value = third;
  s.measured[1].estimate->value = tiny;
  const json j = json::parse(tare::detail::render::json(s));
  EXPECT_EQ(j["estimates"][0]["value"].get<double>(), third);
  EXPECT_EQ(j["estimates"][1]["value"].get<double>(), tiny);
}

TEST(json, has_the_bins_parts_and_squared_sum) {
  const json j = json::parse(tare::detail::render::json(overconfident()));
  const auto& ece = j["estimates"][0];
  EXPECT_EQ(ece["bins"], 15);
  EXPECT_EQ(ece["estimand"], "tce");
  EXPECT_EQ(ece["per_bin"][0], json::parse(R"({"lower": 0.4, "upper": 0.5, "count": 200.0, "mean_score": 0.46,
                                               "mean_label": 0.21})"));
  EXPECT_EQ(j["estimates"][2]["squared"], 0.00410881);
  EXPECT_EQ(j["estimates"][6]["parts"]["uncertainty"], 0.1334);
}

TEST(json, says_null_and_why) {
  const json j = json::parse(tare::detail::render::json(overconfident()));
  const auto& kde = j["estimates"][3];
  EXPECT_TRUE(kde["value"].is_null());
  EXPECT_EQ(kde["reason"], "kde needs at least two different scores");
  EXPECT_TRUE(j["estimates"][0]["reason"].is_null());
  EXPECT_TRUE(j["estimates"][0]["low"].is_null());
  EXPECT_EQ(j["estimates"][0]["interval_reason"], "a resampled ECE doubles its bias");
  EXPECT_TRUE(j["estimates"][4]["norm"].is_null());
  EXPECT_TRUE(j["estimates"][0]["class"].is_null());
}

TEST(json, names_classes) {
  const json j = json::parse(tare::detail::render::json(tare::detail::testing::per_class()));
  EXPECT_EQ(j["estimates"].back()["class"], 2);
  EXPECT_EQ(j["estimates"].back()["class_name"], "eel");
}

TEST(json, is_valid_whatever_the_file_is_called) {
  auto s = overconfident();
  s.input.source = "a \"quoted\"\n\xff name";
  EXPECT_TRUE(json::accept(tare::detail::render::json(s)));
}

}  // namespace
