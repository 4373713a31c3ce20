// Temperature and vector scaling against the CPU's fits.
#include <gtest/gtest.h>

#include "gpu/device_data.hpp"
#include "tare/fit/affine/affine.hpp"
#include "tare/fit/temperature.hpp"
#include "tare/gpu/fit.hpp"
#include "tare/gpu/temper.hpp"

namespace tare::detail::gpu {
namespace {

using namespace testing;

double temperature_of(const Model& model) { return std::get<double>(model.parameters.at("temperature")); }

struct CpuRows {
  explicit CpuRows(const Data& data) : values(data.cpu_values()), label(data.cpu_labels()), k(data.c.k) {}
  [[nodiscard]] MulticlassView view() const {
    return *multiclass_view(Kind::logits, std::span<const double>(values), k, label);
  }
  std::vector<double> values;
  std::vector<std::int32_t> label;
  std::size_t k;
};

void expect_the_cpus_temperature(const Data& data, double tolerance = 1e-7) {
  SCOPED_TRACE(name(data.c));
  const CpuRows cpu(data);
  const auto expected = fit::temperature(cpu.view(), {});
  const auto found = fit_temperature(data.rows(), data.labels(), 0, nullptr);
  ASSERT_TRUE(expected) << expected.error().what;
  ASSERT_TRUE(found) << found.error().what;
  EXPECT_NEAR(temperature_of(*found) / temperature_of(*expected), 1, tolerance);
  EXPECT_EQ(found->fit.status, expected->fit.status);
  EXPECT_EQ(found->fit.note, expected->fit.note);
  EXPECT_NEAR(*found->fit.nll_after, *expected->fit.nll_after, 1e-9 * std::max(1.0, *expected->fit.nll_after));
  EXPECT_NEAR(*found->fit.nll_before, *expected->fit.nll_before, 1e-6 * std::max(1.0, *expected->fit.nll_before));
  if (expected->fit.status == FitStatus::converged) {
    EXPECT_LE(*found->fit.gradient, 1e-8);
  }
}

TEST(gpu_temperature, like_the_cpu) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {2, 3, 10, 100, 1000, 4099})
    for (const Type type : all_types)
      expect_the_cpus_temperature(Data({.n = k > 1000 ? 300U : 1500U, .k = k, .type = type, .offset = k % 3}));
  expect_the_cpus_temperature(Data({.n = 12, .k = 128256, .type = Type::bfloat16}));
}

TEST(gpu_temperature, far_from_one) {
  TARE_NEEDS_GPU();
  for (const double scale : {0.01, 0.1, 0.5, 10.0, 60.0, 300.0}) {
    Data data({.n = 1000, .k = 20, .scale = 1.5});
    for (float& z : data.values) z *= static_cast<float>(scale);
    data.upload();
    expect_the_cpus_temperature(data);
  }
}

TEST(gpu_temperature, ties_and_masks) {
  TARE_NEEDS_GPU();
  expect_the_cpus_temperature(Data({.n = 2000, .k = 50, .look = Style::tied}));
  Data masked({.n = 1500, .k = 40, .look = Style::masked});
  for (std::size_t i = 0; i < masked.c.n; ++i) {
    const auto y = static_cast<std::size_t>(masked.label[i]);
    if (std::isinf(masked.values[i * 40 + y]))
      masked.label[i] = -100;  // a label of probability 0 decides the CPU's fit
  }
  masked.upload();
  expect_the_cpus_temperature(masked);
}

TEST(gpu_temperature, without_a_minimum) {
  TARE_NEEDS_GPU();
  Data right({.n = 500, .k = 12});
  Data wrong({.n = 500, .k = 12});
  for (std::size_t i = 0; i < 500; ++i) {
    const float* row = right.values.data() + i * 12;
    right.label[i] = std::max_element(row, row + 12) - row;
    wrong.label[i] = std::min_element(row, row + 12) - row;
  }
  right.upload();
  wrong.upload();
  expect_the_cpus_temperature(right);
  expect_the_cpus_temperature(wrong);
  Data flat({.n = 100, .k = 12, .look = Style::equal});
  expect_the_cpus_temperature(flat);
}

TEST(gpu_temperature, refuses_bad_rows) {
  TARE_NEEDS_GPU();
  Data data({.n = 100, .k = 30});
  data.values[40 * 30 + 7] = std::numeric_limits<float>::quiet_NaN();
  data.upload();
  auto found = fit_temperature(data.rows(), data.labels(), 0, nullptr);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().place.row, 40U);
  EXPECT_EQ(found.error().place.column, 7U);
  Data none({.n = 10, .k = 30});
  std::fill(none.label.begin(), none.label.end(), -100);
  none.upload();
  found = fit_temperature(none.rows(), none.labels(), 0, nullptr);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what, "there are no rows");
  EXPECT_FALSE(fit_temperature(Data({.n = 0, .k = 30}).rows(), none.labels(), 0, nullptr));
}

TEST(gpu_temperature, the_same_bits_every_time) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {10, 1000, 3000}) {
    const Data data({.n = short_data() ? 500U : 4000U, .k = k});
    const auto one = fit_temperature(data.rows(), data.labels(), 0, nullptr);
    const auto two = fit_temperature(data.rows(), data.labels(), 0, nullptr);
    ASSERT_TRUE(one && two);
    EXPECT_EQ(temperature_of(*one), temperature_of(*two));
    EXPECT_EQ(*one->fit.nll_after, *two->fit.nll_after);
  }
}

TEST(gpu_tempered, derivatives_like_the_cpu) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {7, 300, 2000}) {
    const Data data({.n = 400, .k = k});
    Tempered passes(data.rows(), data.labels(), nullptr);
    const auto four = passes.four({0.25, 0.5, 1, 2});
    ASSERT_TRUE(four);
    const CpuRows cpu(data);
    const auto rows = fit::logit_rows(cpu.view());
    const auto survey = numeric::survey(rows);
    const double at[] = {0.25, 0.5, 1, 2};
    for (std::size_t t = 0; t < 4; ++t) {
      const auto expected = numeric::tempered_nll(rows, at[t], survey.range, numeric::RowSums::float64);
      EXPECT_NEAR((*four)[t].loss, expected.loss, 1e-6 * expected.loss);
      EXPECT_NEAR((*four)[t].slope, expected.slope, 2e-6);
      EXPECT_NEAR((*four)[t].curvature, expected.curvature, 2e-6 * std::max(1.0, expected.curvature));
      const auto one = passes.one(at[t]);
      EXPECT_NEAR(one.loss, expected.loss, 1e-12 * std::max(1.0, expected.loss));
      EXPECT_NEAR(one.slope, expected.slope, 1e-11);
      EXPECT_NEAR(one.curvature, expected.curvature, 1e-10);
    }
    EXPECT_NEAR(passes.range(), survey.range, 1e-5);
  }
}

TEST(gpu_vector, like_the_cpu) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {2, 3, 10, 40})
    for (const Type type : all_types) {
      const Data data({.n = 6000, .k = k, .type = type, .offset = 1, .scale = 1.5});
      SCOPED_TRACE(name(data.c));
      const CpuRows cpu(data);
      const auto expected = fit::vector_calibrator.fit(cpu.view(), {});
      const auto found = fit_vector(data.rows(), data.labels(), 0, nullptr);
      ASSERT_TRUE(expected && found);
      EXPECT_EQ(found->fit.status, expected->fit.status) << found->fit.note;
      EXPECT_NEAR(*found->fit.nll_after, *expected->fit.nll_after, 1e-10);
      for (const char* parameter : {"w", "b"}) {
        const auto &a = std::get<std::vector<double>>(found->parameters.at(parameter)),
                   &b = std::get<std::vector<double>>(expected->parameters.at(parameter));
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t c = 0; c < k; ++c) EXPECT_NEAR(a[c], b[c], 1e-6) << parameter << " " << c;
      }
    }
}

TEST(gpu_vector, a_class_that_never_occurs) {
  TARE_NEEDS_GPU();
  Data data({.n = 3000, .k = 5, .scale = 1});
  for (auto& y : data.label) y = y == 3 ? 1 : y;
  data.upload();
  const auto found = fit_vector(data.rows(), data.labels(), 0, nullptr);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fit.status, FitStatus::unbounded);
  EXPECT_NE(found->fit.note.find("class 3 never occurs"), std::string::npos) << found->fit.note;
}

}  // namespace
}  // namespace tare::detail::gpu
