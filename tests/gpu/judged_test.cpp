// DeviceRows as the host judges them, in ascending order, against the CPU's reduction and its sort.
#include "tare/gpu/judged.hpp"

#include <gtest/gtest.h>

#include "gpu/device_data.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::gpu {
namespace {

using namespace testing;

Result<JudgedRows> judged(const Data& data, Kind kind, Judged by, bool ascending) {
  const std::size_t n = data.c.n;
  const auto score = poisoned<float>(n);
  const auto hit = poisoned<std::uint8_t>(n);
  const auto argmax = poisoned<std::int32_t>(n);
  const Reduced found{.score = kind == Kind::probs ? score.data() : nullptr,
                      .rest = kind == Kind::probs ? nullptr : score.data(),
                      .hit = hit.data(),
                      .argmax = argmax.data()};
  if (const auto fine = reduce(data.rows(kind), data.labels(), found, nullptr); !fine) return fine.error();
  return judged_rows(data.rows(kind), found, by, ascending, nullptr);
}

// To 4 units of float32; what is near 0, or is left near 1, as well as exponents are known there (reduce_test.cpp).
void expect_near(double a, double b) {
  EXPECT_LE(std::abs(a - b), 4 * 0x1p-23 * std::max(b, 1 - b));
  EXPECT_LE(std::abs(a - b), 2e-5 * std::min(b, 1 - b) + 0x1p-52);
}

void expect_the_cpus_rows(const Data& data, Kind kind) {
  const auto values = data.cpu_values();
  const auto label = data.cpu_labels();
  Predictions given;
  const auto view =
      multiclass_view(kind, std::span<const double>(values), data.c.k, label, {}, row_sum_tolerance_float16);
  ASSERT_TRUE(view) << view.error().what;
  given.matrix = *view;
  for (const Judged by : {Judged::top_label, Judged::second}) {
    if (by == Judged::second && data.c.k != 2) continue;
    SCOPED_TRACE(name(data.c) + (by == Judged::second ? ", second" : ", top label"));
    const auto expected = by == Judged::second ? positive(given) : top_label(given);
    const auto plain = judged(data, kind, by, false), sorted = judged(data, kind, by, true);
    ASSERT_TRUE(expected && plain && sorted);
    ASSERT_EQ(plain->score.size(), label.size());
    const BinaryView cpu = expected->view();
    std::vector<double> score;
    cpu.score().visit([&](auto s) { score.assign(s.begin(), s.end()); });
    for (std::size_t i = 0; i < label.size(); ++i) {
      expect_near(plain->score[i], score[i]);
      EXPECT_EQ(plain->hit[i], cpu.label()[i]) << i;
    }
    EXPECT_TRUE(std::is_sorted(sorted->score.begin(), sorted->score.end()));
    const auto a = numeric::order(std::span<const double>(plain->score), plain->hit);
    const auto b = numeric::order(std::span<const double>(sorted->score), sorted->hit);
    ASSERT_EQ(a.groups(), b.groups());
    for (std::size_t g = 0; g < a.groups(); ++g) {
      ASSERT_EQ(a.score(g), b.score(g));
      ASSERT_EQ(a.mass(g), b.mass(g));
      ASSERT_EQ(a.hits(g), b.hits(g));
    }
  }
}

TEST(gpu_judged, logits_like_the_cpu) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {2, 3, 10, 1000})
    for (const Style look : all_looks) {
      Data data({.n = 3001, .k = k, .look = look, .offset = 1, .padding = 3});
      for (std::size_t i = 0; i < data.c.n; i += 9) data.label[i] = -100;
      data.upload();
      expect_the_cpus_rows(data, Kind::logits);
    }
  expect_the_cpus_rows(Data({.n = 50, .k = 5000, .type = Type::bfloat16}), Kind::logits);
}

TEST(gpu_judged, probabilities_like_the_cpu) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {2, 10})
    for (const Type type : all_types) {
      Data data({.n = 2000, .k = k, .type = type, .offset = 1, .padding = 1});
      for (std::size_t i = 0; i < data.c.n; ++i) {
        float* row = data.values.data() + i * k;
        double sum = 0;
        for (std::size_t j = 0; j < k; ++j) sum += std::exp(static_cast<double>(row[j]));
        for (std::size_t j = 0; j < k; ++j)
          row[j] = value_of(bits_of(static_cast<float>(std::exp(static_cast<double>(row[j])) / sum), type), type);
        if (i % 11 == 0) data.label[i] = -100;
      }
      data.upload();
      expect_the_cpus_rows(data, Kind::probs);
    }
}

TEST(gpu_judged, no_rows) {
  TARE_NEEDS_GPU();
  Data none({.n = 20, .k = 3});
  std::fill(none.label.begin(), none.label.end(), -100);
  none.upload();
  const Data empty({.n = 0, .k = 3});
  for (const Data* data : {static_cast<const Data*>(&none), &empty}) {
    const auto found = judged(*data, Kind::logits, Judged::top_label, true);
    ASSERT_TRUE(found) << found.error().what;
    EXPECT_TRUE(found->score.empty());
  }
}

}  // namespace
}  // namespace tare::detail::gpu
