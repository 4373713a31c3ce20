// The saved form: what loads, what is refused, and that old files keep loading.
#include <filesystem>
#include <limits>

#include "fit/maps.hpp"
#include "support/folders.hpp"
#include "tare/fit/spec.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

const std::string good = R"({
  "tare": "0.1.0", "format": 1, "method": "platt", "k": 2, "columns": 1, "input": "probs",
  "parameters": {"a": [0.5], "b": [-1.25]},
  "fit": {"status": "converged", "iterations": 6, "gradient": 1e-14, "nll_before": 0.7, "nll_after": 0.6, "note": ""}
})";

std::string with(std::string what, const std::string& by) {
  std::string out = good;
  const auto at = out.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return out.replace(at, what.size(), by);
}

void expect_refused(const std::string& text, const std::string& word) {
  const auto model = fit::from_json(text, "model.json");
  ASSERT_FALSE(model) << text.substr(0, 400);
  EXPECT_NE(sentence(model.error()).find("model.json"), std::string::npos) << sentence(model.error());
  EXPECT_NE((sentence(model.error()) + model.error().remedy).find(word), std::string::npos)
      << sentence(model.error()) << " / " << model.error().remedy;
  EXPECT_FALSE(model.error().remedy.empty());
}

TEST(saved_form, loads_what_it_says) {
  const Model model = must(fit::from_json(good, "model.json"));
  EXPECT_EQ(model.method, "platt");
  EXPECT_EQ(model.k, 2U);
  EXPECT_EQ(model.columns, 1U);
  EXPECT_EQ(model.input, Kind::probs);
  EXPECT_EQ(model.fit.iterations, 6);
  EXPECT_EQ(*model.fit.gradient, 1e-14);
  EXPECT_NEAR(applied(model, {0.5})[0], 1 / (1 + std::exp(1.25)), 1e-15);
}

TEST(saved_form, round_trips_every_double) {
  Model model = must(fit::from_json(good, "model.json"));
  for (const double x : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 123456789.123456789}) {
    model.parameters["a"] = std::vector<double>{x};
    model.fit.nll_after = x;
    const Model again = must(fit::from_json(fit::to_json(model), "memory"));
    EXPECT_EQ(std::get<std::vector<double>>(again.parameters.at("a"))[0], x);
    EXPECT_EQ(*again.fit.nll_after, x);
  }
}

TEST(saved_form, keeps_confidences_and_notes) {
  Model model = must(fit::from_json(good, "model.json"));
  model.input = Kind::confidences;
  model.fit = {.status = FitStatus::unbounded, .note = "a \"quote\", a\nline and \xc3\xbc"};
  const Model again = must(fit::from_json(fit::to_json(model), "memory"));
  EXPECT_EQ(again.input, Kind::confidences);
  EXPECT_EQ(again.fit.status, FitStatus::unbounded);
  EXPECT_EQ(again.fit.note, model.fit.note);
  EXPECT_FALSE(again.fit.gradient);
}

TEST(saved_form, refuses_other_formats) {
  expect_refused(with("\"format\": 1", "\"format\": 3"), "newer tare");
  expect_refused(with("\"format\": 1", "\"format\": 0"), "format");
  expect_refused(with("\"format\": 1", "\"format\": \"1\""), "format");
  expect_refused(with("\"format\": 1", "\"format\": -1"), "format");
  expect_refused(with("\"format\": 1", "\"format\": 1.5"), "format");
}

TEST(saved_form, refuses_missing_fields) {
  for (const char* name : {"format", "method", "k", "columns", "input", "parameters", "fit", "status", "iterations",
                           "gradient", "nll_before", "nll_after", "note"})
    expect_refused(with("\"" + std::string(name) + "\"", "\"other\""), name);
  expect_refused(with("\"a\": [0.5], ", ""), "'a' is missing");
}

TEST(saved_form, refuses_wrong_types_and_sizes) {
  expect_refused(with("\"a\": [0.5]", "\"a\": 0.5"), "'a'");
  expect_refused(with("\"a\": [0.5]", "\"a\": [\"x\"]"), "'a'");
  expect_refused(with("\"a\": [0.5]", "\"a\": [null]"), "null");
  expect_refused(with("\"a\": [0.5]", "\"a\": [0.5, 0.5]"), "2 numbers, not 1");
  expect_refused(with("\"a\": [0.5]", "\"a\": []"), "'a'");
  expect_refused(with("\"a\": [0.5]", "\"a\": [[0.5], 3]"), "'a'");
  expect_refused(with("\"a\": [0.5]", "\"a\": {}"), "'a'");
  expect_refused(with("\"k\": 2", "\"k\": 3"), "'k'");
  expect_refused(with("\"k\": 2", "\"k\": 0"), "'k'");
  expect_refused(with("\"k\": 2", "\"k\": 99999999999999999999"), "'k'");
  expect_refused(with("\"columns\": 1", "\"columns\": 7"), "columns");
  expect_refused(with("\"columns\": 1", "\"columns\": true"), "columns");
  expect_refused(with("\"probs\"", "\"pixels\""), "logits, probs, confidences");
  expect_refused(with("\"converged\"", "\"perfect\""), "status");
  expect_refused(with("\"iterations\": 6", "\"iterations\": \"six\""), "iterations");
  expect_refused(with("\"gradient\": 1e-14", "\"gradient\": \"small\""), "gradient");
  expect_refused(with("\"columns\": 1, \"input\": \"probs\"", "\"columns\": 2, \"input\": \"confidences\""),
                 "confidences");
}

TEST(saved_form, refuses_unknown_methods_and_names_the_known) {
  expect_refused(with("\"platt\"", "\"plat\""), "platt");
  expect_refused(with("\"platt\"", "\"\\u0000\""), "isotonic");
}

TEST(saved_form, refuses_what_is_not_json) {
  expect_refused("", "cut off");
  expect_refused("{}", "format");
  expect_refused("[1, 2]", "object");
  expect_refused("\x93NUMPY", "JSON");
  expect_refused(with("0.5", "NaN"), "JSON");
  expect_refused(with("0.5", "1e999"), "too large");
  expect_refused(good + "x", "JSON");
  expect_refused("\xff\xfe{", "JSON");
}

TEST(saved_form, refuses_every_truncation) {
  for (std::size_t length = 0; length < good.size(); ++length) {
    const auto model = fit::from_json(good.substr(0, length), "model.json");
    EXPECT_FALSE(model) << length;
  }
}

TEST(saved_form, refuses_deep_nesting_without_falling_over) {
  expect_refused(std::string(1'000'000, '['), "nested");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  expect_refused(objects, "nested");
  expect_refused(with("[0.5]", std::string(50, '[') + std::string(50, ']')), "nested");
}

// Any byte changed to any other: an error or a model, never a crash.
TEST(saved_form, survives_every_flipped_byte) {
  const std::string text = fit::to_json(fitted("histogram", binary({{0.2, 0.4, 0.9}, {0, 1, 1}}), {.bins = 3}));
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const char c : {'\0', '"', '}', '[', '9', '-', '\xff', 'e'}) {
      std::string broken = text;
      broken[i] = c;
      const auto model = fit::from_json(broken, "model.json");
      if (model) applied(*model, {0.5});
    }
}

TEST(saved_form, checks_what_a_program_hands_over_too) {
  Model model = must(fit::from_json(good, "model.json"));
  for (const double x : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    model.parameters["a"] = std::vector<double>{x};
    EXPECT_FALSE(fit::find("platt")->load(model));
  }
  Model steps = fitted("bbq", binary(calibrated(100, 1)));
  std::get<std::vector<std::vector<double>>>(steps.parameters.at("edges"))[0].push_back(0);
  EXPECT_FALSE(fit::find("bbq")->load(steps));
  Model iso = fitted("isotonic", binary(calibrated(100, 1)));
  std::get<std::vector<std::vector<double>>>(iso.parameters.at("y"))[0][0] = 1;
  EXPECT_FALSE(fit::find("isotonic")->load(iso));
  iso.parameters["shape"] = "round";
  EXPECT_FALSE(fit::find("isotonic")->load(iso));
}

// Files of format 1, with an input row and the output it had when they were saved: they load for ever.
TEST(saved_form, loads_the_files_of_every_released_format) {
  const std::filesystem::path folder = std::filesystem::path(tare::detail::testing::source_dir()) / "tests/fit/saved";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json" || entry.path().stem().extension() == ".rows") continue;
    const Model model = must(fit::from_json(read_text(entry.path()), entry.path().filename().string()));
    const auto rows =
        nlohmann::json::parse(read_text(entry.path().parent_path() / (entry.path().stem().string() + ".rows.json")));
    const auto out = applied(model, rows["in"].get<std::vector<double>>());
    const auto expected = rows["out"].get<std::vector<double>>();
    ASSERT_EQ(out.size(), expected.size());
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i], 1e-14) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 6);
  for (const fit::Calibrator& row : fit::all())
    EXPECT_TRUE(std::filesystem::exists(folder / (std::string(row.name) + ".json"))) << row.name;
}

}  // namespace
