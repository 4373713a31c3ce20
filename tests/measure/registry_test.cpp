// What must hold for every row of the table, present and future.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "support/data.hpp"
#include "tare/measure/spec.hpp"

namespace {

using tare::detail::Estimate;
using tare::detail::Result;
using tare::detail::measure::all;
using tare::detail::measure::Estimator;
using tare::detail::measure::find;
using tare::detail::measure::Norms;
using tare::detail::measure::Options;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

std::vector<Options> options_of(const Estimator& row) {
  switch (row.norms) {
    case Norms::none:
    case Norms::two:
      return {{.norm = 2}};
    case Norms::one:
      return {{.norm = 1}};
    case Norms::both:
      return {{.norm = 1}, {.norm = 2}};
  }
  return {};
}

// Small samples with many ties, scores of exactly 0 and 1, and odd weights.
Rows draw(bool weighted) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  const auto levels = *rc::gen::element(2, 7, 1000);
  Rows r;
  for (std::size_t i = 0; i < n; ++i) {
    r.score.push_back(*rc::gen::inRange(0, levels + 1) / static_cast<double>(levels));
    r.label.push_back(*rc::gen::arbitrary<bool>());
    if (weighted) r.weight.push_back(*rc::gen::inRange(0, 4));
  }
  if (weighted) r.weight[0] = 1;
  return r;
}

std::size_t total_weight(const Rows& r) {
  if (r.weight.empty()) return r.score.size();
  return static_cast<std::size_t>(std::accumulate(r.weight.begin(), r.weight.end(), 0.0));
}

// Equal to the bit, or undefined both.
void expect_same(const Estimator& row, const Options& o, const Rows& a, const Rows& b) {
  const auto x = row.run(a.view(), o), y = row.run(b.view(), o);
  RC_ASSERT(x.has_value() == y.has_value());
  if (!x) return;
  RC_ASSERT(x->value == y->value);
  RC_ASSERT(x->squared == y->squared);
  RC_ASSERT(x->se == y->se);
  RC_ASSERT(x->bins == y->bins);
  RC_ASSERT(x->per_bin.size() == y->per_bin.size());
  for (std::size_t i = 0; i < x->per_bin.size(); ++i) RC_ASSERT(x->per_bin[i].mean_score == y->per_bin[i].mean_score);
  for (std::size_t i = 0; i < x->parts.size(); ++i) RC_ASSERT(x->parts[i].value == y->parts[i].value);
}

TEST(every_estimator, has_a_unique_name_a_meaning_and_an_origin) {
  std::set<std::string_view> names;
  for (const Estimator& row : all()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.title.empty()) << row.name;
    EXPECT_FALSE(row.summary.empty()) << row.name;
    EXPECT_FALSE(row.citation.empty()) << row.name;
    EXPECT_NE(row.run, nullptr) << row.name;
    EXPECT_EQ(find(row.name)->name, row.name);
  }
  EXPECT_EQ(find("no_such"), nullptr);
}

TEST(every_estimator, of_the_fixed_vocabulary_is_there) {
  for (const char* name :
       {"ece_ew", "ece_em", "debias_ew", "debias_em", "sweep_ew", "sweep_em", "lb_ew", "lb_em", "kde", "smece", "ks",
        "mce_ew", "mce_em", "nll", "brier", "corp", "accuracy", "confidence", "rank_poly"})
    EXPECT_NE(find(name), nullptr) << name;
}

RC_GTEST_PROP(every_estimator, does_not_see_the_order_of_rows, ()) {
  const Rows r = draw(*rc::gen::arbitrary<bool>());
  std::vector<std::size_t> order(r.score.size());
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937_64 rng(*rc::gen::arbitrary<std::uint64_t>());
  std::shuffle(order.begin(), order.end(), rng);
  Rows p;
  for (const std::size_t i : order) {
    p.score.push_back(r.score[i]);
    p.label.push_back(r.label[i]);
    if (!r.weight.empty()) p.weight.push_back(r.weight[i]);
  }
  for (const Estimator& row : all())
    for (const Options& o : options_of(row)) expect_same(row, o, r, p);
}

RC_GTEST_PROP(every_estimator, has_the_same_value_without_its_details, ()) {
  const Rows r = draw(*rc::gen::arbitrary<bool>());
  for (const Estimator& row : all())
    for (const Options& o : options_of(row)) {
      Options brief = o;
      brief.details = false;
      const auto whole = row.run(r.view(), o), value = row.run(r.view(), brief);
      ASSERT_EQ(whole.has_value(), value.has_value()) << row.name;
      if (!whole) continue;
      EXPECT_EQ(whole->value, value->value) << row.name;
      EXPECT_EQ(whole->bins, value->bins) << row.name;
    }
}

RC_GTEST_PROP(every_estimator, takes_weight_two_as_the_row_twice, ()) {
  const Rows r = draw(true);
  Rows repeated;
  for (std::size_t i = 0; i < r.score.size(); ++i)
    for (int w = 0; w < r.weight[i]; ++w) {
      repeated.score.push_back(r.score[i]);
      repeated.label.push_back(r.label[i]);
    }
  for (const Estimator& row : all())
    for (const Options& o : options_of(row)) expect_same(row, o, r, repeated);
}

RC_GTEST_PROP(every_estimator, is_a_number_or_says_why_not, ()) {
  const Rows r = draw(*rc::gen::arbitrary<bool>());
  for (const Estimator& row : all())
    for (const Options& o : options_of(row)) {
      const auto e = row.run(r.view(), o);
      if (e) {
        RC_ASSERT(std::isfinite(e->value));
        // rank_poly corrects its root for noise, and the noise of two rows can be as large as the error
        const double most = row.name == "rank_poly" ? 4 : 1 + 1e-9;
        if (row.is_error && !(e->value >= 0 && e->value <= most))
          RC_FAIL(std::string(row.name) + " is " + std::to_string(e->value) + ", norm " + std::to_string(o.norm));
      } else {
        RC_ASSERT(!tare::detail::sentence(e.error()).empty());
      }
    }
}

RC_GTEST_PROP(binned_errors, stand_in_their_known_relations, ()) {
  const Rows r = draw(*rc::gen::arbitrary<bool>());
  const int b = *rc::gen::inRange(1, 40);
  const auto value = [&](const char* name, int norm) {
    return must(find(name)->run(r.view(), {.bins = b, .norm = norm})).value;
  };
  const double gap =
      std::abs(must(find("confidence")->run(r.view(), {})).value - must(find("accuracy")->run(r.view(), {})).value);
  constexpr double eps = 1e-12;
  for (const char* suffix : {"_ew", "_em"}) {
    const std::string s = suffix;
    const auto named = [&](const char* family) { return family + s; };
    for (const int norm : {1, 2}) {
      RC_ASSERT(value(named("lb").c_str(), norm) >= value(named("ece").c_str(), norm) - eps);
      RC_ASSERT(value(named("ece").c_str(), norm) >= gap - eps);
      RC_ASSERT(value(named("mce").c_str(), norm) >= value(named("ece").c_str(), norm) - eps);
    }
    RC_ASSERT(value(named("ece").c_str(), 1) <= value(named("ece").c_str(), 2) + eps);
    const auto debiased = find(named("debias"))->run(r.view(), {.bins = b});
    if (debiased)
      RC_ASSERT(debiased->value <= value(named("ece").c_str(), 2) + eps);
    else  // one row in every bin
      RC_ASSERT(must(find(named("ece"))->run(r.view(), {.bins = b})).per_bin.size() == total_weight(r));
  }
  RC_ASSERT(must(find("ks")->run(r.view(), {})).value >= gap - eps);
}

// Perfect calibration is the truth here: what is left is the measuring, and it must fade.
TEST(every_estimator, falls_towards_zero_on_calibrated_data_as_n_grows) {
  for (const Estimator& row : all()) {
    if (!row.is_error) continue;
    for (const Options& o : options_of(row)) {
      const auto mean = [&](std::size_t n, int m) {
        double sum = 0;
        for (int seed = 0; seed < m; ++seed)
          sum += must(row.run(tare::detail::testing::calibrated(n, static_cast<std::uint64_t>(seed)).view(), o)).value;
        return sum / m;
      };
      // lb never falls below the spread of the scores inside a bin, 1/15/sqrt(12) = 0.019; corp is already tiny
      const bool inside = row.name.starts_with("lb");
      const double small = mean(200, 60), large = mean(20000, 12);
      EXPECT_LT(large, inside ? 0.025 : std::max(small / 3, 0.001)) << row.name << " norm " << o.norm;
    }
  }
}

// What the entries promise to those who go by them.
TEST(every_estimator, keeps_what_its_entry_says) {
  const Rows rows = tare::detail::testing::calibrated(400, 5);
  for (const Estimator& e : all()) {
    EXPECT_FALSE(e.interval.words.empty()) << e.name;
    EXPECT_TRUE(e.from_bins == nullptr || e.binning) << e.name;
    EXPECT_TRUE(e.panel.label.empty() || (e.binning && !e.panel.bins.empty())) << e.name;
    EXPECT_TRUE(!e.roles.quoted || has_norm(e, *e.roles.quoted)) << e.name;
    const Estimate estimate = must(e.run(rows.view(), {.norm = tare::detail::usual_norm(e)}));
    using tare::detail::IntervalMethod;
    EXPECT_EQ(estimate.interval.has_value(), e.interval.method == IntervalMethod::own || e.name == "rank_poly")
        << e.name;
    EXPECT_EQ(estimate.spread.has_value(), e.interval.method == IntervalMethod::inverted_square) << e.name;
    EXPECT_TRUE(estimate.se.has_value() || e.interval.method != IntervalMethod::normal) << e.name;
    EXPECT_EQ(estimate.squared.has_value(), estimate.spread.has_value()) << e.name;
    EXPECT_TRUE(!estimate.spread || estimate.spread->squared == *estimate.squared) << e.name;
    EXPECT_TRUE(!e.binning || (!estimate.per_bin.empty() && estimate.bins)) << e.name;
  }
}

TEST(roles, are_each_taken) {
  using tare::detail::Roles;
  std::set<int> columns;
  for (const Estimator& e : all())
    EXPECT_TRUE(e.roles.compared == 0 || columns.insert(e.roles.compared).second) << e.name;
  EXPECT_FALSE(columns.empty());
  for (const auto role : {&Roles::headline, &Roles::mean_gap, &Roles::mean_score, &Roles::mean_label, &Roles::monotone})
    EXPECT_EQ(std::count_if(all().begin(), all().end(), [&](const Estimator& e) { return e.roles.*role; }), 1);
  EXPECT_EQ(tare::detail::measure::with_role(&Roles::reference).name, "ece_ew");
  EXPECT_EQ(tare::detail::measure::with_role(&Roles::headline).name, "rank_poly");
}

}  // namespace
