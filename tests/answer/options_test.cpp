// Every option of every entry point: one value below its range and one above is refused, by name.
#include "tare/core/options.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tare/answer/bias.hpp"
#include "tare/answer/compare.hpp"
#include "tare/answer/estimate.hpp"
#include "tare/answer/report.hpp"
#include "tare/answer/survey.hpp"
#include "tare/answer/test.hpp"
#include "tare/fit/run.hpp"

namespace {

using namespace tare::inner;

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

struct Case {
  std::string call, option;
  std::function<std::optional<Error>(bool above)> with;
};

// A value just outside the range: below it, or above it. Unsigned options that start at 0 have nothing below.
template <class T>
T outside(const Option<T>& option, bool above) {
  if (option.open) return above ? option.most : option.least;
  return above ? option.most + 1 : option.least - 1;
}

template <class Options, class T, class Member, class Call>
Case one(const std::string& call, const Option<T>& option, Member Options::*member, const Call& run) {
  return {call, std::string(option.name), [&option, member, run](bool above) {
            Options options;
            options.*member = outside(option, above);
            return error_of(run(options));
          }};
}

std::vector<Case> cases() {
  using answer::BiasOptions, answer::CompareOptions, answer::EstimateOptions, answer::ReportOptions,
      answer::SurveyOptions, answer::TestOptions;
  const auto survey = [](const SurveyOptions& o) { return answer::survey(predictions(), o); };
  const auto estimate = [](const EstimateOptions& o) {
    return answer::estimate(predictions(), measure::all().front(), o);
  };
  const auto test = [](const TestOptions& o) { return answer::test(predictions(), o); };
  const auto compare = [](const CompareOptions& o) { return answer::compare(predictions(), nullptr, o); };
  const auto bias = [](const BiasOptions& o) { return answer::bias(predictions(), o); };
  const auto report = [](const ReportOptions& o) { return answer::report(predictions(), nullptr, o); };
  const auto fit = [](const fit::Options& o) { return fit::run(*fit::find("histogram"), predictions(), o); };
  using namespace options;
  return {
      one("survey", bins, &SurveyOptions::bins, survey),
      one("survey", threads, &SurveyOptions::threads, survey),
      {"survey", "norm", [=](bool above) { return error_of(survey({.norms = {outside(norm, above)}})); }},
      one("estimate", bins, &EstimateOptions::bins, estimate),
      one("estimate", threads, &EstimateOptions::threads, estimate),
      one("test", bins, &TestOptions::bins, test),
      one("test", norm, &TestOptions::norm, test),
      one("test", resamples, &TestOptions::resamples, test),
      one("test", alpha, &TestOptions::alpha, test),
      one("test", power, &TestOptions::power, test),
      one("test", threads, &TestOptions::threads, test),
      one("compare", bins, &CompareOptions::bins, compare),
      one("compare", folds, &CompareOptions::folds, compare),
      one("compare", paired_resamples, &CompareOptions::resamples, compare),
      one("compare", threads, &CompareOptions::threads, compare),
      one("bias", bins, &BiasOptions::bins, bias),
      one("bias", replicates, &BiasOptions::replicates, bias),
      one("bias", threads, &BiasOptions::threads, bias),
      {"bias", "norm", [=](bool above) { return error_of(bias({.norms = {outside(norm, above)}})); }},
      {"bias", "n", [=](bool above) { return error_of(bias({.sizes = {outside(n, above)}})); }},
      one("report", bins, &ReportOptions::bins, report),
      one("report", folds, &ReportOptions::folds, report),
      one("report", report_replicates, &ReportOptions::replicates, report),
      one("report", threads, &ReportOptions::threads, report),
      one("fit", bins, &fit::Options::bins, fit),
      one("fit", lambda, &fit::Options::lambda, fit),
      one("fit", mu, &fit::Options::mu, fit),
      one("fit", max_iterations, &fit::Options::max_iterations, fit),
      one("fit", threads, &fit::Options::threads, fit),
  };
}

TEST(every_option, is_refused_by_name_below_and_above_its_range) {
  for (const Case& c : cases())
    for (const bool above : {false, true}) {
      const auto error = c.with(above);
      ASSERT_TRUE(error) << c.call << " " << c.option << (above ? " above" : " below");
      EXPECT_EQ(error->code, Errc::bad_option) << c.call << " " << c.option;
      EXPECT_EQ(error->place.array, c.option) << c.call << ": " << tare::message(*error);
      EXPECT_FALSE(error->value.empty() || error->what.empty()) << c.call << " " << c.option;
    }
}

TEST(every_option, that_is_a_name_is_refused_with_the_nearest_one) {
  const auto refused = [](const std::optional<Error>& error, const std::string& words) {
    ASSERT_TRUE(error) << words;
    EXPECT_EQ(error->code, Errc::bad_option) << words;
    EXPECT_NE(tare::message(*error).find(words), std::string::npos) << tare::message(*error);
  };
  const Predictions p = predictions();
  refused(error_of(answer::survey(p, {.estimators = {"ece_we"}})), "did you mean ece_ew?");
  refused(error_of(answer::test(p, {.statistics = {"spiegelhaltr"}})), "did you mean spiegelhalter?");
  refused(error_of(answer::bias(p, {.estimators = {"ece_we"}})), "did you mean ece_ew?");
  refused(error_of(answer::compare(p, nullptr, {.methods = {"isotonc"}})), "did you mean isotonic?");
  refused(error_of(answer::compare(p, nullptr, {.criterion = "ece"})), "criterion is 'ece', not brier or nll");
  refused(error_of(answer::report(p, nullptr, {.methods = {"isotonc"}})), "did you mean isotonic?");
  refused(error_of(answer::report(p, nullptr, {.criterion = "ece"})), "criterion is 'ece', not brier or nll");
}

}  // namespace
