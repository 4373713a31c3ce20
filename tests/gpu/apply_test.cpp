// Probabilities against those of the CPU's maps.
#include "tare/gpu/apply.hpp"

#include <gtest/gtest.h>

#include "gpu/device_data.hpp"
#include "tare/fit/affine/affine.hpp"
#include "tare/fit/rows/map.hpp"
#include "tare/fit/temperature.hpp"

namespace tare::detail::gpu {
namespace {

using namespace testing;

Model temperature_model(std::size_t k, double t) {
  Model out{.method = "temperature", .k = k, .columns = k, .input = Kind::logits};
  out.parameters["temperature"] = t;
  return out;
}
Model vector_model(std::size_t k) {
  Model out{.method = "vector", .k = k, .columns = k, .input = Kind::logits};
  std::vector<double> w(k), b(k);
  for (std::size_t c = 0; c < k; ++c) {
    w[c] = 0.5 + 0.3 * std::sin(static_cast<double>(c));
    b[c] = std::cos(static_cast<double>(c));
  }
  out.parameters["w"] = w;
  out.parameters["b"] = b;
  return out;
}

std::vector<double> on_cpu(const Model& model, const Data& data) {
  const auto map = (model.method == "vector" ? fit::vector_calibrator : fit::temperature_calibrator).load(model);
  const auto values = data.cpu_values();
  std::vector<double> out(values.size());
  if (values.empty()) return out;
  (*map)->apply(std::span<const double>(values), out);
  fit::exclude_masked(std::span<const double>(values), data.c.k, out);
  return out;
}

// n rows of k numbers, `stride` apart.
std::vector<float> on_host(const Buffer<std::uint8_t>& memory, std::size_t n, std::size_t k, std::size_t stride,
                           Type type) {
  const auto bytes = memory.download();
  std::vector<float> out;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      std::uint32_t bits = 0;
      std::copy_n(bytes.data() + (i * stride + j) * size_of(type), size_of(type),
                  reinterpret_cast<std::uint8_t*>(&bits));
      out.push_back(value_of(bits, type));
    }
  return out;
}

void expect_like_the_cpu(const Model& model, const Data& data, const std::vector<float>& found, Type type) {
  SCOPED_TRACE(name(data.c) + ", to type " + std::to_string(static_cast<int>(type)) + ", " + model.method);
  const auto expected = on_cpu(model, data);
  ASSERT_EQ(found.size(), expected.size());
  const double digits = type == Type::float32 ? 3e-5 : type == Type::float16 ? 1e-3 : 8e-3;
  const double least = type == Type::float16 ? 1e-7 : 1e-30;
  std::size_t wrong = 0, moved = 0;
  for (std::size_t i = 0; i < data.c.n; ++i) {
    const float* row = found.data() + i * data.c.k;
    const double* cpu = expected.data() + i * data.c.k;
    for (std::size_t j = 0; j < data.c.k; ++j)
      wrong += !(std::abs(static_cast<double>(row[j]) - cpu[j]) <= digits * cpu[j] + least);
    const float* z = data.values.data() + i * data.c.k;
    if (model.method == "temperature")
      moved += std::max_element(row, row + data.c.k) - row != std::max_element(z, z + data.c.k) - z;
  }
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(moved, 0U);
}

TEST(gpu_apply, like_the_cpu) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {2, 3, 10, 100, 128, 1000, 1021, 4099})
    for (const Type from : all_types)
      for (const Type to : all_types)
        for (const Style look : {Style::random, Style::tied, Style::masked}) {
          const Data data({.n = 65, .k = k, .type = from, .look = look, .offset = k % 5, .padding = k % 3});
          for (const Model& model : {temperature_model(k, 1.7), vector_model(k)}) {
            const std::size_t stride = k + 3;
            const auto memory = poisoned<std::uint8_t>(data.c.n * stride * size_of(to));
            const auto done = apply(model, data.rows(), {memory.data(), stride, to}, nullptr);
            ASSERT_TRUE(done) << done.error().what;
            expect_like_the_cpu(model, data, on_host(memory, data.c.n, k, stride, to), to);
          }
        }
}

TEST(gpu_apply, in_place) {
  TARE_NEEDS_GPU();
  for (const std::size_t k : {3, 100, 1000, 3001, 128256}) {
    const Data data({.n = 40, .k = k});
    Buffer<std::uint8_t> memory(data.c.n * k * 4, nullptr);
    std::vector<std::uint8_t> bytes(memory.size());
    std::memcpy(bytes.data(), data.values.data(), bytes.size());
    memory.upload(bytes);
    DeviceRows rows = data.rows();
    rows.data = memory.data();
    rows.stride = k;
    const auto done = apply(temperature_model(k, 0.8), rows, {memory.data(), k, Type::float32}, nullptr);
    ASSERT_TRUE(done) << done.error().what;
    expect_like_the_cpu(temperature_model(k, 0.8), data, on_host(memory, data.c.n, k, k, Type::float32), Type::float32);
    EXPECT_FALSE(apply(temperature_model(k, 1), rows, {memory.data() + 4, k, Type::float32}, nullptr));
  }
}

// Neighbours of the largest logit, which round to its probability.
TEST(gpu_apply, a_temperature_keeps_the_top_label) {
  TARE_NEEDS_GPU();
  for (const Type to : all_types)
    for (const std::size_t k : {4, 300, 2000}) {
      Data data({.n = 20, .k = k, .look = Style::equal});
      for (std::size_t i = 0; i < data.c.n; ++i) {
        float& top = data.values[i * k + (7 * i + 3) % k];
        top = std::nextafter(top, INFINITY);
      }
      data.upload();
      const auto memory = poisoned<std::uint8_t>(data.c.n * k * size_of(to));
      ASSERT_TRUE(apply(temperature_model(k, 100), data.rows(), {memory.data(), k, to}, nullptr));
      const auto found = on_host(memory, data.c.n, k, k, to);
      for (std::size_t i = 0; i < data.c.n; ++i) {
        const float* row = found.data() + i * k;
        EXPECT_EQ(std::max_element(row, row + k) - row, static_cast<std::ptrdiff_t>((7 * i + 3) % k));
      }
    }
}

TEST(gpu_apply, says_what_is_wrong) {
  TARE_NEEDS_GPU();
  Data data({.n = 70, .k = 12});
  data.values[50 * 12 + 3] = std::numeric_limits<float>::quiet_NaN();
  data.upload();
  const auto memory = poisoned<float>(70 * 12);
  const auto found = apply(temperature_model(12, 2), data.rows(), {memory.data(), 12, Type::float32}, nullptr);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().place.row, 50U);
  EXPECT_EQ(found.error().place.column, 3U);
  EXPECT_FALSE(apply(temperature_model(11, 2), data.rows(), {memory.data(), 12, Type::float32}, nullptr));
  Model other{.method = "isotonic", .k = 12, .columns = 12};
  EXPECT_FALSE(apply(other, data.rows(), {memory.data(), 12, Type::float32}, nullptr));
}

}  // namespace
}  // namespace tare::detail::gpu
