#include "tare/state/running.hpp"

#include <gtest/gtest.h>

#include <random>

#include "state/state_rows.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/state/file.hpp"

namespace {

using namespace tare::detail::state;
using tare::Reduction;
using tare::detail::Kind;
using tare::detail::Predictions;
using tare::detail::numeric::CancelScope;
using tare::detail::numeric::Interrupted;
using tare::detail::testing::must;

// Three classes, and a group for each row.
struct Batch {
  std::vector<double> probs;
  std::vector<std::int32_t> label;
  Predictions rows;

  Batch(std::size_t n, std::uint64_t seed, std::vector<std::string> groups = {}) {
    std::mt19937_64 rng(seed);
    tare::detail::Grouping grouping;
    grouping.names = std::move(groups);
    for (std::size_t i = 0; i < n; ++i) {
      const double a = static_cast<double>(rng() >> 11) * 0x1p-54, b = static_cast<double>(rng() >> 11) * 0x1p-54;
      probs.insert(probs.end(), {a, b, 1 - a - b});
      label.push_back(static_cast<std::int32_t>(rng() % 3));
      if (!grouping.names.empty()) grouping.of_row.push_back(static_cast<std::uint32_t>(rng() % grouping.names.size()));
    }
    rows.kind = Kind::probs;
    rows.n = n;
    rows.k = 3;
    rows.matrix = must(tare::detail::multiclass_view(Kind::probs, std::span<const double>(probs), 3, label));
    if (!grouping.names.empty()) rows.groupings.push_back(std::move(grouping));
  }
};

// add() is stopped at a question whether to stop, the first ten and then ever fewer, until it comes through. At which.
template <class Add, class Check>
int stopped_everywhere(const Add& add, const Check& as_before) {
  for (int most = 0;; most += 1 + most / 10) {
    int asked = 0;
    const CancelScope watch([&] { return asked++ >= most; });
    try {
      EXPECT_TRUE(add());
      return most;
    } catch (const Interrupted&) {
    }
    asked = most - (1 << 20);  // the check is not stopped
    as_before(most);
  }
}

TEST(running, a_stopped_add_changes_nothing_and_the_next_counts_once) {
  const Batch first(1000, 1), small(500, 2), large(300'000, 3);
  for (const auto reduction : {Reduction::top_label, Reduction::classwise})
    for (const int threads : {1, 2})
      for (const Batch* batch : {&small, &large})
        for (const bool begun : {false, true}) {
          Running state = must(Running::make({.reduction = reduction, .cells = 1024}));
          Running twice = state;
          ASSERT_TRUE(!begun || (state.add(first.rows) && twice.add(first.rows)));
          ASSERT_TRUE(twice.add(batch->rows));
          const std::string before = must(to_bytes(state));
          const int stopped = stopped_everywhere([&] { return state.add(batch->rows, threads); },
                                                 [&](int most) { ASSERT_EQ(must(to_bytes(state)), before) << most; });
          EXPECT_GT(stopped, 0);
          EXPECT_EQ(state.source().rows, batch->rows.n + (begun ? first.rows.n : 0));
          EXPECT_EQ(must(to_bytes(state)), must(to_bytes(twice)));
        }
}

std::vector<std::string> bytes_of_groups(const ByGroup& states) {
  std::vector<std::string> out;
  for (const auto& [name, state] : states.groups()) {
    out.push_back(name);
    out.push_back(must(to_bytes(state)));
  }
  return out;
}

TEST(running, groups_change_together_or_not_at_all) {
  const Batch first(300, 1, {"a", "b"}), second(400, 2, {"b", "c", "a"});
  ByGroup states({.reduction = Reduction::classwise}), twice = states;
  ASSERT_TRUE(states.add(first.rows) && twice.add(first.rows) && twice.add(second.rows));
  const auto before = bytes_of_groups(states);
  const int stopped = stopped_everywhere([&] { return states.add(second.rows); },
                                         [&](int most) { ASSERT_EQ(bytes_of_groups(states), before) << most; });
  EXPECT_GT(stopped, 3);
  EXPECT_EQ(bytes_of_groups(states), bytes_of_groups(twice));
  EXPECT_EQ(states.groups().size(), 3U);
}

// The second group's weights are too large: the first has not been added to.
TEST(running, an_error_in_one_group_changes_none) {
  const auto rows_of = [](double weight) {
    static const std::vector<double> score{0.25, 0.75};
    static const std::vector<std::uint8_t> hit{0, 1};
    const auto weights = std::make_shared<std::vector<double>>(std::vector<double>{1, weight});
    Predictions out;
    out.kind = Kind::confidences;
    out.n = 2;
    out.confidences = must(tare::detail::binary_view(std::span<const double>(score), hit, *weights));
    out.owners.push_back(weights);
    out.groupings.push_back({.column = "g", .names = {"a", "b"}, .of_row = {0, 1}});
    return out;
  };
  ByGroup states({});
  ASSERT_TRUE(states.add(rows_of(0x1p39)));
  const auto before = bytes_of_groups(states);
  EXPECT_FALSE(states.add(rows_of(0x1p39 + 1)));
  EXPECT_EQ(bytes_of_groups(states), before);
  ASSERT_TRUE(states.add(rows_of(1)));
  EXPECT_EQ(states.groups().at("a").source().rows, 2U);
}

// One rule for the log loss of absurd logits: what measure says of the rows.
TEST(running, has_the_log_loss_of_the_rows_for_logits_of_any_size) {
  const auto both = [](double z) {
    const std::vector<double> logits{z, 0, 1, 1, 2, 3};
    const std::vector<std::int32_t> label{1, 2};
    Predictions rows;
    rows.kind = Kind::logits;
    rows.n = 2;
    rows.k = 3;
    rows.matrix = must(tare::detail::multiclass_view(Kind::logits, std::span<const double>(logits), 3, label));
    Running state = must(Running::make({}));
    EXPECT_TRUE(state.add(rows));
    return std::pair(state.scores().nll(), tare::detail::measure::nll_matrix(*rows.matrix));
  };
  for (const double z : {10.0, 100.0, 1e4, 1e6, 0x1p20 - 1}) {
    const auto [state, rows] = both(z);
    EXPECT_NEAR(must(state).value / must(rows).value, 1, 1e-15) << z;
    EXPECT_NEAR(*must(state).se / *must(rows).se, 1, 1e-12) << z;
  }
  for (const double z : {0x1p20, 1e9, 3.4e38, 1e308}) {
    const auto [state, rows] = both(z);
    ASSERT_FALSE(state || rows) << z;
    EXPECT_EQ(state.error().what, rows.error().what);
    EXPECT_NE(state.error().what.find("1 row gives probability 0"), std::string::npos) << state.error().what;
  }
}

}  // namespace
