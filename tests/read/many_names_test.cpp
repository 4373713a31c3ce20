// Files with very many names.
#include <gtest/gtest.h>

#include <ctime>

#include "read/files.hpp"
#include "support/data.hpp"
#include "tare/read/jsonl.hpp"
#include "tare/read/safetensors.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Block;
using tare::detail::testing::must;
using tare::detail::testing::tensors;

// The least of three times of this process, whatever else the machine does.
template <class Work>
double least_time(const Work& work) {
  double out = 1e300;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    work();
    out = std::min(out, static_cast<double>(std::clock() - start));
  }
  return out;
}

// 16 times as many names take about 16 times as long; by comparing each with each it were 256 times.
TEST(names, many_of_them_are_no_more_work_each) {
  const auto tensors_of = [](int count) {
    std::string head = "{";
    for (int i = 0; i < count; ++i)
      head += (i ? "," : "") + std::string("\"name_of_an_array_") + std::to_string(i) +
              "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}";
    return tensors(head + "}", "x");
  };
  const auto object_of = [](int count, bool backwards) {
    std::string out = "{";
    for (int i = 0; i < count; ++i)
      out +=
          (i ? "," : "") + std::string("\"name_of_a_member_") + std::to_string(backwards ? count - 1 - i : i) + "\":1";
    return out + "}\n";
  };
  constexpr int few = 2500, many = 40000;
  const auto ratio = [&](const auto& work) { return least_time([&] { work(many); }) / least_time([&] { work(few); }); };
  EXPECT_LT(ratio([&](int n) {
              const Block block(tensors_of(n));
              EXPECT_EQ(must(Tensors::open(block.bytes(), "x.safetensors")).names().size(),
                        static_cast<std::size_t>(n));
            }),
            100);
  EXPECT_LT(ratio([&](int n) {
              const Block block(object_of(n, false) + object_of(n, true));  // the second in another order
              const Jsonl lines = must(Jsonl::open(block.bytes(), "x.jsonl"));
              EXPECT_EQ(must(lines.read(std::vector<CsvGroup>{{{0}}}))[0].rows(), 2U);
            }),
            100);
  EXPECT_LT(ratio([&](int n) {
              std::string inner = object_of(n, false), other = object_of(n, true);
              const Block block("{\"p\":" + inner + "}\n{\"p\":" + other + "}\n");
              EXPECT_EQ(
                  must(must(Jsonl::open(block.bytes(), "x.jsonl")).read(std::vector<CsvGroup>{{{0}}}))[0].shape[1],
                  static_cast<std::size_t>(n));
            }),
            100);
}

}  // namespace
