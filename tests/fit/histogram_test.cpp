#include "tare/fit/histogram.hpp"

#include "fit/maps.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;
using fit::Options;
using numeric::Binning;

TEST(histogram, by_hand) {
  // bins (0, 1/2] and (1/2, 1]: one hit of three, two of two
  const Matrix data = binary({{0.1, 0.2, 0.5, 0.6, 0.9}, {0, 1, 0, 1, 1}});
  const Model model = fitted("histogram", data, {.bins = 2});
  EXPECT_EQ(applied(model, {0, 0.3, 0.5, 0.500001, 1}), (std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3, 1, 1}));
}

TEST(histogram, empty_bins_predict_their_centre) {
  const Model model = fitted("histogram", binary({{0.05, 0.95}, {1, 0}}), {.bins = 5});
  EXPECT_EQ(applied(model, {0.1, 0.3, 0.5, 0.7, 0.9}), (std::vector<double>{1, 0.3, 0.5, 0.7, 0}));
}

TEST(histogram, equal_mass_edges_lie_half_way) {
  const Matrix data = binary({{0.1, 0.2, 0.6, 0.8}, {0, 1, 1, 1}});
  const Model model = fitted("histogram", data, {.bins = 2, .binning = Binning::mass});
  EXPECT_EQ(applied(model, {0, 0.4, 0.4000001, 1}), (std::vector<double>{0.5, 0.5, 1, 1}));
}

// netcal fits with bins [a, b) and applies with (a, b], so that 0.1 gets the value of the bin below.
TEST(histogram, a_score_on_an_edge_meets_its_own_bin) {
  const Matrix data = binary({{0.05, 0.1, 0.1, 0.1, 0.15}, {0, 1, 1, 1, 0}});
  const Model model = fitted("histogram", data, {.bins = 10});
  EXPECT_EQ(applied(model, {0.05, 0.1, 0.15}), (std::vector<double>{0.75, 0.75, 0}));
}

// Neighbouring doubles in neighbouring bins: half-way between them there is no number.
TEST(histogram, adjacent_doubles_stay_apart) {
  for (double low : {0.5, 1 - 0x1p-52, 0x1p-1074, 0.3}) {
    const double high = std::nextafter(low, 2);
    for (int swap = 0; swap < 2; ++swap) {
      const Matrix data = binary({{low, high}, {std::uint8_t(swap), std::uint8_t(1 - swap)}});
      const Model model = fitted("histogram", data, {.bins = 2, .binning = Binning::mass});
      EXPECT_EQ(applied(model, {low, high}), (std::vector<double>{double(swap), double(1 - swap)})) << low;
    }
  }
}

TEST(histogram, matches_the_reference_on_two_classes) {
  const auto golden = golden_calibrators()["binary"]["d08_n100_uniform_c2"];
  const Matrix data = binary(golden_rows("d08_n100_uniform_c2"));
  const auto width = std::get<fit::Lists>(fitted("histogram", data).parameters.at("values"));
  EXPECT_EQ(width.at(0), golden["hist15_equal_width_open_left"].get<std::vector<double>>());
  const auto mass = std::get<fit::Lists>(fitted("histogram", data, {.binning = Binning::mass}).parameters.at("values"));
  EXPECT_EQ(mass.at(0), golden["hist15_equal_mass_stable"]["theta"].get<std::vector<double>>());
}

TEST(histogram, matches_the_reference_on_ten_classes) {
  const auto golden = golden_calibrators()["hist15_ova"];
  const Model model = fitted("histogram", golden_matrix("fit"));
  EXPECT_EQ(std::get<fit::Lists>(model.parameters.at("values")), golden["theta"].get<fit::Lists>());
  const Matrix test = golden_matrix("test");
  const auto q = applied(model, test.values);
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

TEST(histogram, refuses_no_bins) {
  for (const int bins : {0, -3, 2'000'000}) {
    const auto model = fit::histogram_calibrator.fit(binary({{0.5}, {1}}).view(), {.bins = bins});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, Errc::bad_option);
  }
}

}  // namespace
