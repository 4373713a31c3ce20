// Every number of a reduced row against the CPU library in float64.
#include "tare/gpu/reduce.hpp"

#include <gtest/gtest.h>

#include "gpu/device_data.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::detail::gpu {
namespace {

using namespace testing;

struct Columns {
  std::vector<float> score, rest, nll, brier;
  std::vector<std::uint8_t> hit;
  std::vector<std::int32_t> argmax;
};

Result<Columns> reduced(const Data& data, Kind kind = Kind::logits) {
  const std::size_t n = data.c.n;
  const auto score = poisoned<float>(n), rest = poisoned<float>(n), nll = poisoned<float>(n),
             brier = poisoned<float>(n);
  const auto hit = poisoned<std::uint8_t>(n);
  const auto argmax = poisoned<std::int32_t>(n);
  const auto fine = reduce(data.rows(kind), data.labels(),
                           {score.data(), rest.data(), hit.data(), nll.data(), brier.data(), argmax.data()}, nullptr);
  if (!fine) return fine.error();
  return Columns{score.download(), rest.download(), nll.download(),
                 brier.download(), hit.download(),  argmax.download()};
}

void expect_like_the_cpu(const Data& data) {
  SCOPED_TRACE(name(data.c));
  const auto found = reduced(data);
  ASSERT_TRUE(found) << found.error().what;
  const auto values = data.cpu_values();
  const auto label = data.cpu_labels();
  const auto counted = data.counted();
  const std::size_t n = label.size();
  if (n == 0) return;
  std::vector<double> confidence(n), complement(n), nll(n), square(n);
  std::vector<std::int32_t> top(n);
  numeric::softmax_rows(
      std::span<const double>(values), data.c.k, label,
      {.confidence = confidence.data(), .complement = complement.data(), .nll = nll.data(), .argmax = top.data()});
  const auto view = multiclass_view(Kind::logits, std::span<const double>(values), data.c.k, label);
  ASSERT_TRUE(view) << view.error().what;
  measure::square_losses(*view, 0, square);
  double worst = 0, worst_rest = 0, worst_nll = 0, worst_brier = 0;
  std::size_t wrong = 0;
  for (std::size_t r = 0; r < n; ++r) {
    const std::size_t i = counted[r];
    worst = std::max(worst, ulps(found->score[i], static_cast<float>(confidence[r])));
    const double rest = complement[r] / confidence[r];
    if (rest > 1e-30) worst_rest = std::max(worst_rest, std::abs(static_cast<double>(found->rest[i]) / rest - 1));
    wrong += found->argmax[i] != top[r] || found->hit[i] != (top[r] == label[r]);
    if (std::isinf(nll[r]))
      wrong += !std::isinf(found->nll[i]);
    else
      worst_nll = std::max(worst_nll, std::abs(static_cast<double>(found->nll[i]) - nll[r]) / std::max(1.0, nll[r]));
    worst_brier = std::max(worst_brier, std::abs(static_cast<double>(found->brier[i]) - square[r]));
  }
  EXPECT_LE(worst, 4) << "units in the last place";
  EXPECT_LE(worst_rest, 2e-5);  // an exponent of -100 has its own rounding, of 100 units
  EXPECT_EQ(wrong, 0U);
  EXPECT_LE(worst_nll, 1e-6);
  EXPECT_LE(worst_brier, 1e-6);
  for (std::size_t i = 0; i < data.c.n; ++i) EXPECT_EQ(found->hit[i] == 2, data.label[i] == -100);
}

TEST(gpu_reduce, logits_like_the_cpu) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {2, 3, 10, 100, 128, 129, 1000, 1023, 1024, 1025, 4099})
    for (const Type type : all_types)
      for (const Style look : all_looks) expect_like_the_cpu(Data({.n = 300, .k = k, .type = type, .look = look}));
}

TEST(gpu_reduce, a_vocabulary) {
  TARE_NEEDS_GPU();
  for (const Type type : all_types)
    for (const Style look : all_looks) expect_like_the_cpu(Data({.n = 5, .k = 128256, .type = type, .look = look}));
  expect_like_the_cpu(Data({.n = 2, .k = 1'000'000, .type = Type::bfloat16}));
}

TEST(gpu_reduce, any_number_of_rows) {
  TARE_NEEDS_GPU();
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 1000})
    for (const std::size_t k : {2, 10, 100, 300, 1500})
      for (const bool wide : {true, false}) expect_like_the_cpu(Data({.n = n, .k = k, .wide = wide}));
}

TEST(gpu_reduce, any_alignment_and_stride) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {3, 10, 101, 250, 1001, 1021, 1024, 1030, 4099})
    for (const Type type : all_types)
      for (const std::size_t offset : {0, 1, 2, 3, 5, 7})
        for (const std::size_t padding : {0, 1, 4, 8})
          expect_like_the_cpu(Data({.n = 37, .k = k, .type = type, .offset = offset, .padding = padding}));
}

TEST(gpu_reduce, masked_rows_do_not_count) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {3, 100, 500, 2000}) {
    Data data({.n = 200, .k = k});
    for (std::size_t i = 0; i < data.c.n; i += 3) {
      data.label[i] = -100;
      data.values[i * k] = std::numeric_limits<float>::quiet_NaN();  // nobody looks there
    }
    data.upload();
    expect_like_the_cpu(data);
  }
}

TEST(gpu_reduce, the_same_bits_every_time) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {10, 1000, 5000}) {
    const Data data({.n = short_data() ? 500U : 3000U, .k = k, .type = Type::bfloat16});
    const auto one = reduced(data), two = reduced(data);
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->score, two->score);
    EXPECT_EQ(one->rest, two->rest);
    EXPECT_EQ(one->nll, two->nll);
    EXPECT_EQ(one->brier, two->brier);
  }
}

TEST(gpu_reduce, says_which_row_is_bad) {
  TARE_NEEDS_GPU();
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t k : {3, 100, 700, 3000})
    for (const Type type : all_types)
      for (const float bad : {nan, inf}) {
        Data data({.n = 90, .k = k, .type = type});
        data.values[71 * k + k - 2] = bad;
        data.values[80 * k] = bad;
        data.upload();
        const auto found = reduced(data);
        ASSERT_FALSE(found);
        EXPECT_EQ(found.error().what, "not a finite number");
        EXPECT_EQ(found.error().place.array, "logits");
        EXPECT_EQ(found.error().place.row, 71U);
        EXPECT_EQ(found.error().place.column, k - 2);
      }
  for (const std::size_t k : {3, 700, 3000}) {
    Data data({.n = 90, .k = k});
    std::fill_n(data.values.begin() + static_cast<std::ptrdiff_t>(5 * k), k, -inf);
    data.upload();
    auto found = reduced(data);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().what, "every logit of the row is -inf");
    EXPECT_EQ(found.error().place.row, 5U);
    Data other({.n = 90, .k = k});
    other.label[33] = static_cast<std::int64_t>(k);
    other.upload();
    found = reduced(other);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().place.array, "labels");
    EXPECT_EQ(found.error().place.row, 33U);
    other.label[33] = -7;
    other.upload();
    ASSERT_FALSE(reduced(other));
  }
}

// Rows of probabilities: made by the CPU, rounded to the type.
Data probabilities(const Case& c) {
  Data data(c);
  for (std::size_t i = 0; i < c.n; ++i) {
    float* row = data.values.data() + i * c.k;
    const float top = *std::max_element(row, row + c.k);
    double sum = 0;
    for (std::size_t j = 0; j < c.k; ++j) sum += std::exp(static_cast<double>(row[j] - top));
    for (std::size_t j = 0; j < c.k; ++j)
      row[j] = value_of(bits_of(static_cast<float>(std::exp(static_cast<double>(row[j] - top)) / sum), c.type), c.type);
  }
  data.upload();
  return data;
}

TEST(gpu_reduce, probabilities_like_the_cpu) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {2, 3, 10, 100, 1000, 4099})
    for (const Style look : {Style::random, Style::tied, Style::saturated}) {
      const Data data = probabilities({.n = 300, .k = k, .look = look, .offset = k % 2});
      SCOPED_TRACE(name(data.c));
      const auto found = reduced(data, Kind::probs);
      ASSERT_TRUE(found) << message(found.error());
      for (std::size_t i = 0; i < data.c.n; ++i) {
        const float* row = data.values.data() + i * k;
        const float* top = std::max_element(row, row + k);
        EXPECT_EQ(found->score[i], *top);
        EXPECT_EQ(found->argmax[i], top - row);
        EXPECT_EQ(found->hit[i], top - row == data.label[i]);
        const double p = static_cast<double>(row[data.label[i]]), nll = -std::log(p);
        if (p == 0)
          EXPECT_TRUE(std::isinf(found->nll[i]));
        else
          EXPECT_NEAR(found->nll[i], nll, 1e-6 * std::max(1.0, nll));
      }
    }
}

TEST(gpu_reduce, rows_that_are_no_probabilities) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {3, 300, 2000}) {
    Data data = probabilities({.n = 50, .k = k});
    for (std::size_t j = 0; j < k; ++j) data.values[20 * k + j] *= 0.9F;
    data.upload();
    auto found = reduced(data, Kind::probs);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().place.row, 20U);
    EXPECT_NE(found.error().what.find("sum to"), std::string::npos);
    data.values[10 * k + 1] = -0.5F;
    data.upload();
    found = reduced(data, Kind::probs);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().what, "not in [0, 1]");
    EXPECT_EQ(found.error().place.row, 10U);
    EXPECT_EQ(found.error().place.column, 1U);
  }
}

TEST(gpu_reduce, totals_of_batches) {
  TARE_NEEDS_GPU();
  Data data({.n = 5000, .k = 10});
  for (std::size_t i = 0; i < data.c.n; i += 5) data.label[i] = -100;
  data.upload();
  const std::size_t n = data.c.n;
  const auto nll = poisoned<float>(n), brier = poisoned<float>(n);
  const auto hit = poisoned<std::uint8_t>(n);
  ASSERT_TRUE(
      reduce(data.rows(), data.labels(), {.hit = hit.data(), .nll = nll.data(), .brier = brier.data()}, nullptr));
  Buffer<Totals> totals(1, nullptr);
  totals.zero();
  for (int batch = 0; batch < 2; ++batch)
    add_to_totals(hit.data() + batch * 2500, nll.data() + batch * 2500, brier.data() + batch * 2500, 2500,
                  totals.data(), nullptr);
  const Totals found = totals.download()[0];
  const auto values = data.cpu_values();
  const auto label = data.cpu_labels();
  const auto view = multiclass_view(Kind::logits, std::span<const double>(values), 10, label);
  ASSERT_TRUE(view);
  EXPECT_EQ(found.rows, 4000);
  const auto log_loss = measure::nll_matrix(*view, {}, 1), square_loss = measure::brier_matrix(*view, {}, 1);
  EXPECT_NEAR(found.nll / found.rows, log_loss->value, 1e-7);
  EXPECT_NEAR(found.brier / found.rows, square_loss->value, 1e-7);
  const auto hits = hit.download();
  EXPECT_EQ(found.hits, std::count(hits.begin(), hits.end(), 1));
}

TEST(gpu_reduce, refuses_what_it_cannot_read) {
  TARE_NEEDS_GPU();
  const Data data({.n = 4, .k = 8});
  DeviceRows rows = data.rows();
  rows.stride = 7;
  EXPECT_FALSE(reduce(rows, data.labels(), {}, nullptr));
  rows = data.rows();
  rows.k = 1;
  EXPECT_FALSE(reduce(rows, data.labels(), {}, nullptr));
}

}  // namespace
}  // namespace tare::detail::gpu
