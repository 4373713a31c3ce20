// Every option of every entry point: one value below its range and one above is refused, by name.
#include "tare/core/call_options.hpp"

#include <gtest/gtest.h>

#include <tare/tare.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tare/analysis/bias.hpp"
#include "tare/analysis/compare.hpp"
#include "tare/analysis/estimate_rows.hpp"
#include "tare/analysis/report.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/analysis/test.hpp"
#include "tare/fit/run.hpp"

namespace {

using namespace tare::detail;

const std::vector<double> scores = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
const std::vector<std::int32_t> labels = {0, 0, 1, 0, 1, 0, 1, 1, 1, 1};

Predictions predictions() {
  Predictions out;
  out.kind = Kind::probs;
  out.n = labels.size();
  out.k = 2;
  out.matrix = *multiclass_view(Kind::probs, std::span<const double>(scores), 1, labels);
  return out;
}

template <class T>
std::optional<Error> error_of(const Result<T>& result) {
  return result ? std::nullopt : std::optional(result.error());
}

// A value just outside the range: below it, or above it. Nothing is below an unsigned 0.
template <class T>
std::optional<T> outside(const Option<T>& option, bool above) {
  if (option.open) return above ? option.most : option.least;
  if (option.most == std::numeric_limits<T>::max() && above) return std::nullopt;
  if (option.least == 0 && std::is_unsigned_v<T> && !above) return std::nullopt;
  return above ? option.most + 1 : option.least - 1;
}

// Sets the option of an entry to a value that is out of its range. False: it is no number, or all are within.
bool set_outside(const OptionEntry& entry, bool above) {
  const auto set = [&](const auto* range) {
    using T = std::remove_cvref_t<decltype(range->least)>;
    const std::optional<T> value = outside(*range, above);
    if (!value) return false;
    if (auto* const* to = std::get_if<T*>(&entry.value)) **to = *value;
    if constexpr (std::is_same_v<T, int>) {
      if (auto* const* to = std::get_if<std::vector<int>*>(&entry.value)) **to = {*value};
    } else {
      if (auto* const* to = std::get_if<std::optional<T>*>(&entry.value)) **to = *value;
    }
    if constexpr (std::is_same_v<T, std::size_t>)
      if (auto* const* to = std::get_if<std::vector<std::size_t>*>(&entry.value)) **to = {*value};
    return true;
  };
  return std::visit(
      [&](const auto& range) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(range)>, std::monostate>)
          return false;
        else
          return set(range);
      },
      entry.range);
}

// Every number of the table, below its range and above it: refused by the call, by name.
template <class Options, class Table, class Call>
void is_refused_outside(const Table& table, const Call& call) {
  Options usual;
  EXPECT_TRUE(check(table, usual));  // defaults are within their ranges
  std::size_t refused = 0;
  for (std::size_t i = 0;; ++i)
    for (const bool above : {false, true}) {
      Options options;
      const OptionTable entries = table(options);
      if (entries.begin() + static_cast<std::ptrdiff_t>(i) == entries.end()) {
        EXPECT_GT(refused, 4U);
        return;
      }
      const OptionEntry& entry = entries.begin()[static_cast<std::ptrdiff_t>(i)];
      if (!set_outside(entry, above)) continue;
      const auto error = error_of(call(options));
      ASSERT_TRUE(error) << entry.name << (above ? " above" : " below");
      EXPECT_EQ(error->code, Errc::bad_option) << entry.name;
      EXPECT_EQ(error->place.array, entry.name) << tare::message(*error);
      EXPECT_FALSE(error->value.empty() || error->what.empty() || error->remedy.empty()) << entry.name;
      ++refused;
    }
}

TEST(every_option, is_refused_by_name_below_and_above_its_range) {
  is_refused_outside<analysis::SurveyOptions>(
      measure_options, [](const analysis::SurveyOptions& o) { return analysis::survey(predictions(), o); });
  is_refused_outside<analysis::TestOptions>(
      test_options, [](const analysis::TestOptions& o) { return analysis::test(predictions(), o); });
  is_refused_outside<analysis::CompareOptions>(
      compare_options, [](const analysis::CompareOptions& o) { return analysis::compare(predictions(), nullptr, o); });
  is_refused_outside<analysis::BiasOptions>(
      bias_options, [](const analysis::BiasOptions& o) { return analysis::bias(predictions(), o); });
  is_refused_outside<analysis::ReportOptions>(
      report_options, [](const analysis::ReportOptions& o) { return analysis::report(predictions(), nullptr, o); });
  is_refused_outside<fit::Options>(
      fit_options, [](const fit::Options& o) { return fit::run(*fit::find("histogram"), predictions(), o); });
  for (const int bins : {0, options::bins.most + 1})
    EXPECT_FALSE(analysis::estimate(predictions(), measure::all().front(), {.bins = bins}));
}

// The structs of the public interface have the same options and the same defaults, but for what a Run says.
template <class Public, class Inner, class Table>
void are_the_same(const Table& table) {
  Public of_door;
  Inner of_room;
  const OptionTable shown = table(of_door), kept = table(of_room);
  for (const OptionEntry& entry : shown) {
    const OptionEntry* same = kept.find(entry.name);
    ASSERT_NE(same, nullptr) << entry.name;
    EXPECT_EQ(entry.usual(), same->usual()) << entry.name;
    EXPECT_EQ(entry.on(), same->on()) << entry.name;
    ASSERT_TRUE(set_outside(entry, true) || std::holds_alternative<std::monostate>(entry.range)) << entry.name;
  }
  copy(shown, kept);
  for (const OptionEntry& entry : shown) EXPECT_EQ(entry.usual(), kept.find(entry.name)->usual()) << entry.name;
}

TEST(every_option, of_the_front_door_is_one_of_the_library) {
  are_the_same<tare::MeasureOptions, analysis::SurveyOptions>(measure_options);
  are_the_same<tare::TestOptions, analysis::TestOptions>(test_options);
  are_the_same<tare::BiasOptions, analysis::BiasOptions>(bias_options);
  are_the_same<tare::CompareOptions, analysis::CompareOptions>(compare_options);
  are_the_same<tare::ReportOptions, analysis::ReportOptions>(report_options);
  are_the_same<tare::FitOptions, fit::Options>(fit_options);
}

TEST(every_option, that_is_a_name_is_refused_with_the_nearest_one) {
  const auto refused = [](const std::optional<Error>& error, const std::string& words) {
    ASSERT_TRUE(error) << words;
    EXPECT_EQ(error->code, Errc::bad_option) << words;
    EXPECT_NE(tare::message(*error).find(words), std::string::npos) << tare::message(*error);
  };
  const Predictions p = predictions();
  refused(error_of(analysis::survey(p, {.estimators = {"ece_we"}})), "did you mean ece_ew?");
  refused(error_of(analysis::test(p, {.statistics = {"spiegelhaltr"}})), "did you mean spiegelhalter?");
  refused(error_of(analysis::bias(p, {.estimators = {"ece_we"}})), "did you mean ece_ew?");
  refused(error_of(analysis::compare(p, nullptr, {.methods = {"isotonc"}})), "did you mean isotonic?");
  refused(error_of(analysis::compare(p, nullptr, {.criterion = "ece"})), "criterion is 'ece', not brier or nll");
  refused(error_of(analysis::report(p, nullptr, {.methods = {"isotonc"}})), "did you mean isotonic?");
  refused(error_of(analysis::report(p, nullptr, {.criterion = "ece"})), "criterion is 'ece', not brier or nll");
}

}  // namespace
