#include "tare/analysis/groups.hpp"

#include "support/golden.hpp"
#include "tare/analysis/compare.hpp"
#include "tare/analysis/survey.hpp"
#include "watch/watch_rows.hpp"

namespace {

using namespace tare::detail;
using tare::detail::testing::golden_csv;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::watch_rows;

// Groups one after the other.
struct Drawn {
  Rows rows;
  Grouping grouping{.column = "group"};
  void add(const Rows& more) {
    rows.score.insert(rows.score.end(), more.score.begin(), more.score.end());
    rows.label.insert(rows.label.end(), more.label.begin(), more.label.end());
    grouping.of_row.insert(grouping.of_row.end(), more.score.size(), static_cast<std::uint32_t>(grouping.names.size()));
    grouping.names.push_back(std::to_string(grouping.names.size()));
  }
  [[nodiscard]] GroupReport report(analysis::GroupOptions options = {}) const {
    return must(analysis::groups(rows.view(), std::vector{grouping}, options));
  }
};

const GroupLine& line_of(const GroupReport& report, const std::string& name) {
  for (const GroupLine& line : report.lines)
    if (line.name == name) return line;
  throw std::out_of_range(name);
}

// The NumPy reference: tests/golden/groups_reference.py.
TEST(groups, are_what_the_reference_says) {
  const auto lines = golden_csv("groups.csv");
  for (std::size_t at = 0; at < lines.size();) {
    const auto& set = lines[at++];
    ASSERT_EQ(set[0], "set");
    const std::string& kind = set[1];
    const double lift = std::stod(set[2]), overall = std::stod(set[4]);
    const std::size_t count = std::stoul(set[3]);
    Drawn drawn;
    for (std::size_t g = 0; g < count; ++g)
      drawn.add(
          watch_rows(kind, std::stoul(lines[at + g][2]), std::stoull(lines[at + g][1]), 0, g % 2 == 1 ? lift : 0));
    const GroupReport report = drawn.report({.resamples = 19'999});
    EXPECT_NEAR(report.p_value, overall, 4 * std::sqrt(2 * overall * (1 - overall) / 19'999) + 1e-4) << kind;
    for (std::size_t g = 0; g < count; ++g, ++at) {
      const auto& want = lines[at];
      const GroupLine& line = line_of(report, std::to_string(g));
      EXPECT_NEAR(std::exp(line.log_p), std::stod(want[3]), 1e-11);
      EXPECT_NEAR(line.holm, std::stod(want[4]), 1e-10);
      EXPECT_NEAR(line.bh, std::stod(want[5]), 1e-10);
      EXPECT_NEAR(line.gap.value, std::stod(want[6]), 1e-6);  // which counts 2^-20 for 0
      EXPECT_NEAR(line.shrunken_gap, std::stod(want[7]), 2e-4) << kind << " " << g;
    }
  }
}

TEST(groups, intervals_hold_zero_exactly_where_the_p_value_is_not_below_alpha) {
  Drawn drawn;
  for (std::uint64_t g = 0; g < 60; ++g) drawn.add(watch_rows("uniform", 5 + 40 * g, g, 0, g % 3 == 0 ? 0.06 : 0));
  std::size_t outside = 0;
  for (const GroupLine& line : drawn.report().lines) {
    const bool holds = *line.gap.low <= 0 && *line.gap.high >= 0;
    EXPECT_EQ(holds, line.log_p_gap >= std::log(0.05)) << line.name;
    EXPECT_LE(*line.gap.low, line.gap.value + 1e-12);
    EXPECT_GE(*line.gap.high, line.gap.value - 1e-12);
    EXPECT_TRUE(!line.error || *line.error->low == 0 || line.log_p < std::log(0.05)) << line.name;
    outside += holds ? 0 : 1;
  }
  EXPECT_GT(outside, 10U);
  EXPECT_LT(outside, 40U);
}

// One group too high and too low at once: its mean gap is 0, and still it is found.
TEST(groups, finds_errors_that_cancel_inside_a_group) {
  Drawn drawn;
  drawn.add(watch_rows("uniform", 3000, 1));
  Rows bent = watch_rows("uniform", 3000, 2);
  tare::detail::testing::SplitMix rng(3);
  for (std::size_t i = 0; i < bent.score.size(); ++i) bent.label[i] = rng.uniform() < 0.25 + 0.5 * bent.score[i];
  drawn.add(bent);
  const GroupReport report = drawn.report();
  EXPECT_EQ(report.lines.front().name, "1");
  EXPECT_TRUE(report.found(report.lines.front()));
  EXPECT_GT(std::exp(report.lines.front().log_p_gap), 0.01);
  EXPECT_FALSE(report.found(report.lines.back()));
  EXPECT_EQ(report.shapes, 2U);
}

TEST(groups, do_not_depend_on_the_order_of_rows_or_on_threads) {
  Drawn drawn;
  for (std::uint64_t g = 0; g < 12; ++g)
    drawn.add(watch_rows("tied20", 30 + 50 * g, g, 0, 0.02 * static_cast<double>(g % 4)));
  Drawn turned = drawn;
  std::reverse(turned.rows.score.begin(), turned.rows.score.end());
  std::reverse(turned.rows.label.begin(), turned.rows.label.end());
  std::reverse(turned.grouping.of_row.begin(), turned.grouping.of_row.end());
  const GroupReport a = drawn.report(), b = turned.report({.threads = 3});
  EXPECT_EQ(a.p_value, b.p_value);
  for (std::size_t i = 0; i < a.lines.size(); ++i) {
    EXPECT_EQ(a.lines[i].name, b.lines[i].name);
    EXPECT_EQ(a.lines[i].log_p, b.lines[i].log_p);
    EXPECT_EQ(a.lines[i].shrunken_gap, b.lines[i].shrunken_gap);
    EXPECT_EQ(a.lines[i].gap.low, b.lines[i].gap.low);
  }
}

TEST(groups, weight_two_is_the_row_twice_and_a_fraction_is_refused) {
  Drawn once;
  for (std::uint64_t g = 0; g < 4; ++g) once.add(watch_rows("uniform", 60, g));
  Drawn twice = once;
  for (const auto& part : {&once}) {
    twice.rows.score.insert(twice.rows.score.end(), part->rows.score.begin(), part->rows.score.end());
    twice.rows.label.insert(twice.rows.label.end(), part->rows.label.begin(), part->rows.label.end());
    twice.grouping.of_row.insert(twice.grouping.of_row.end(), part->grouping.of_row.begin(),
                                 part->grouping.of_row.end());
  }
  once.rows.weight.assign(once.rows.score.size(), 2);
  const GroupReport a = once.report(), b = twice.report();
  for (std::size_t i = 0; i < a.lines.size(); ++i) {
    EXPECT_EQ(a.lines[i].rows, b.lines[i].rows);
    EXPECT_NEAR(a.lines[i].log_p, b.lines[i].log_p, 1e-10);
  }
  once.rows.weight[3] = 0.5;
  EXPECT_NE(analysis::groups(once.rows.view(), std::vector{once.grouping}, {}).error().what.find("whole weights"),
            std::string::npos);
}

// Sizes of a power law, scores near 1, every group calibrated but a ninth: of those named at most a few are innocent.
// A normal z names up to 17% innocent ones there.
TEST(groups, false_discoveries_are_few_among_small_groups_of_sure_scores) {
  std::size_t named = 0, innocent = 0;
  for (std::uint64_t round = 0; round < 6; ++round) {
    Drawn drawn;
    for (std::uint64_t g = 0; g < 200; ++g) {
      const auto n = static_cast<std::size_t>(5 * std::pow(1000.0, static_cast<double>(g % 20) / 19) / 4) + 3;
      Rows rows = watch_rows("high", n, 977 * round + g, 0, g % 9 == 0 ? -0.1 : 0);
      drawn.add(rows);
    }
    const GroupReport report = drawn.report({.resamples = 19});
    for (const GroupLine& line : report.lines) {
      if (!report.found(line)) continue;
      ++named;
      innocent += std::stoul(line.name) % 9 == 0 ? 0 : 1;
    }
  }
  EXPECT_GT(named, 20U);
  EXPECT_LE(innocent, named / 10);
}

TEST(groups, of_compare_are_those_of_the_rows_whatever_order_it_works_in) {
  Drawn drawn;
  for (std::uint64_t g = 0; g < 5; ++g) drawn.add(watch_rows("uniform", 300, g, 0, g == 2 ? 0.15 : 0));
  Predictions predictions;
  predictions.kind = Kind::confidences;
  predictions.n = drawn.rows.score.size();
  predictions.confidences = drawn.rows.view();
  predictions.groupings = {drawn.grouping};
  const auto compared = must(analysis::compare(predictions, nullptr, {.methods = {"temperature"}}));
  const auto surveyed = must(analysis::survey(predictions, {.estimators = {"ece_ew"}}));
  for (const auto& method : compared.methods) {
    if (method.method != "uncalibrated") continue;
    ASSERT_TRUE(method.groups && surveyed.groups);
    EXPECT_EQ(method.groups->lines.front().name, "2");
    EXPECT_EQ(method.groups->lines.front().log_p, surveyed.groups->lines.front().log_p);
  }
}

}  // namespace
