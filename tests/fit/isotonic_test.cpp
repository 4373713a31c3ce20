#include "tare/fit/isotonic.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fit/maps.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

TEST(isotonic, by_hand) {
  // 1, 0 pool to 1/2 on [0.2, 0.4]; then 1 from 0.8 on
  const Matrix data = binary({{0.2, 0.4, 0.8}, {1, 0, 1}});
  const auto linear = applied(fitted("isotonic", data), {0, 0.2, 0.3, 0.4, 0.6, 0.8, 1});
  const std::vector<double> expected{0.5, 0.5, 0.5, 0.5, 0.75, 1, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(linear[i], expected[i]);
  EXPECT_EQ(applied(fitted("isotonic", data, {.step = true}), {0, 0.2, 0.3, 0.4, 0.6, 0.8, 1}),
            (std::vector<double>{0.5, 0.5, 0.5, 0.5, 0.5, 1, 1}));
}

TEST(isotonic, equal_scores_share_one_value) {
  const Matrix data = binary({{0.5, 0.5, 0.5, 0.7}, {1, 0, 0, 1}});
  EXPECT_EQ(applied(fitted("isotonic", data), {0.5, 0.7}), (std::vector<double>{1.0 / 3, 1}));
}

TEST(isotonic, one_class_is_a_constant) {
  EXPECT_EQ(applied(fitted("isotonic", binary({{0.2, 0.9}, {1, 1}})), {0, 0.5, 1}), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(applied(fitted("isotonic", binary({{0.7}, {0}})), {0, 0.7, 1}), (std::vector<double>{0, 0, 0}));
}

TEST(isotonic, matches_the_reference_on_ten_classes) {
  const auto golden = golden_calibrators()["isotonic_ova"];
  const Matrix test = golden_matrix("test");
  const auto q = applied(fitted("isotonic", golden_matrix("fit")), test.values);
  double brier = 0, right = 0;
  for (std::size_t i = 0; i < test.rows(); ++i) {
    const auto row = std::span(q).subspan(i * 10, 10);
    for (std::size_t j = 0; j < 10; ++j)
      brier += std::pow(row[j] - (test.label[i] == static_cast<std::int32_t>(j)), 2) / 1000;
    right += std::max_element(row.begin(), row.end()) - row.begin() == test.label[i];
  }
  EXPECT_NEAR(brier, golden["test"]["brier_sum"].get<double>(), 1e-12);
  EXPECT_EQ(right / 1000, golden["test"]["accuracy"].get<double>());
}

// Many scores at once get the bits of one at a time; float32 too.
TEST(isotonic, maps_many_scores_as_it_maps_one) {
  const Rows rows = calibrated(3000, 7);
  const Matrix data = binary(rows);
  for (const bool step : {false, true}) {
    const std::vector<std::uint8_t> label(data.label.begin(), data.label.end());
    fit::Isotonic curve = fit::isotonic_curve({std::span<const double>(data.values), label, {}, 1}, step);
    curve.prepare_map();
    std::vector<double> score{0, 1, curve.x.front(), curve.x.back(), 1 - 0x1p-53};
    for (int i = 0; i < 5000; ++i) score.push_back(i / 4999.0);
    for (const double x : curve.x) score.insert(score.end(), {x, std::nextafter(x, 0), std::nextafter(x, 1)});
    const std::vector<float> narrow(score.begin(), score.end());
    std::vector<double> out(score.size()), from_narrow(score.size());
    curve.map(std::span<const double>(score), out);
    curve.map(std::span<const float>(narrow), from_narrow);
    for (std::size_t i = 0; i < score.size(); ++i) {
      EXPECT_EQ(out[i], curve(score[i])) << score[i];
      EXPECT_EQ(from_narrow[i], curve(static_cast<double>(narrow[i]))) << narrow[i];
    }
  }
}

// The loss of the blocks is that of the rows: of weight 1 they are the same fit.
TEST(isotonic, reports_the_loss_of_its_own_map) {
  const Rows rows = calibrated(500, 3);
  for (const bool step : {false, true}) {
    Matrix data = binary(rows);
    const Model model = fitted("isotonic", data, {.step = step});
    const auto q = applied(model, data.values);
    double loss = 0;
    for (std::size_t i = 0; i < q.size(); ++i) loss -= std::log(data.label[i] == 1 ? q[i] : 1 - q[i]) / 500;
    ASSERT_TRUE(model.fit.nll_after.has_value());
    EXPECT_NEAR(*model.fit.nll_after, loss, 1e-14);
    data.weight.assign(q.size(), 1.0);
    EXPECT_EQ(fitted("isotonic", data, {.step = step}).fit.nll_after, model.fit.nll_after);
  }
}

RC_GTEST_PROP(isotonic, never_falls_and_stays_in_the_unit_interval, (std::uint64_t seed)) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  Rows rows = calibrated(n, seed);
  for (double& s : rows.score) s = std::round(s * 20) / 20;
  for (const bool step : {false, true}) {
    std::vector<double> x;
    for (int i = 0; i <= 1000; ++i) x.push_back(i / 1000.0);
    const auto q = applied(fitted("isotonic", binary(rows), {.step = step}), x);
    RC_ASSERT(std::is_sorted(q.begin(), q.end()));
    RC_ASSERT(q.front() >= 0 && q.back() <= 1);
  }
}

// Two ways to the same blocks: sorted keys, and groups with weights.
RC_GTEST_PROP(isotonic, weights_of_one_change_nothing, (std::uint64_t seed)) {
  Rows rows = calibrated(*rc::gen::inRange<std::size_t>(1, 200), seed);
  for (double& s : rows.score) s = std::round(s * 64) / 64;
  const std::string plain = fit::to_json(fitted("isotonic", binary(rows)));
  rows.weight.assign(rows.score.size(), 1);
  RC_ASSERT(fit::to_json(fitted("isotonic", binary(rows))) == plain);
}

// No other non-decreasing function of the scores is closer: what pooling promises.
RC_GTEST_PROP(isotonic, beats_every_two_step_function, (std::uint64_t seed)) {
  const Rows rows = calibrated(40, seed);
  const auto q = applied(fitted("isotonic", binary(rows)), rows.score);
  const auto loss = [&](const auto& value) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.score.size(); ++i) sum += std::pow(value(i) - rows.label[i], 2);
    return sum;
  };
  const double ours = loss([&](std::size_t i) { return q[i]; });
  for (int low = 0; low <= 4; ++low)
    for (int high = low; high <= 4; ++high)
      for (double cut = 0; cut <= 1; cut += 0.1)
        RC_ASSERT(ours <= loss([&](std::size_t i) { return (rows.score[i] <= cut ? low : high) / 4.0; }) + 1e-12);
}

}  // namespace
