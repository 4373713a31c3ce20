// Every element type of an array becomes the numbers, labels, hits and weights that it stands for, in either byte
// order and from any place in memory; what it cannot be is refused with its place.
#include "tare/read/convert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"

namespace {

using namespace tare::detail;
using read::Array;
using read::DType;
using tare::detail::testing::lent;
using tare::detail::testing::matrix_numbers;
using tare::detail::testing::must;
using Numbers = std::vector<double>;
using Labels = std::vector<std::int32_t>;

// The bytes of an array, each element turned round, one byte behind the beginning of a block.
template <class T>
std::vector<char> turned_round(const std::vector<T>& values) {
  std::vector<char> out(1 + values.size() * sizeof(T));
  std::memcpy(out.data() + 1, values.data(), values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i)
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(1 + i * sizeof(T)),
                 out.begin() + static_cast<std::ptrdiff_t>(1 + (i + 1) * sizeof(T)));
  return out;
}

template <class T>
void expect_numbers(DType dtype, const std::vector<T>& values, const Numbers& wanted) {
  EXPECT_EQ(matrix_numbers(lent(dtype, values, {values.size()})), wanted);
  const std::vector<char> bytes = turned_round(values);
  Array other = lent(dtype, values, {values.size()});
  other.data = reinterpret_cast<const std::byte*>(bytes.data() + 1);
  other.swapped = true;
  EXPECT_EQ(matrix_numbers(other), wanted);
}

TEST(convert, every_type_is_the_numbers_it_stands_for) {
  expect_numbers(DType::boolean, std::vector<std::uint8_t>{0, 1}, {0, 1});
  expect_numbers(DType::i1, std::vector<std::int8_t>{-128, 127}, {-128, 127});
  expect_numbers(DType::u1, std::vector<std::uint8_t>{0, 255}, {0, 255});
  expect_numbers(DType::i2, std::vector<std::int16_t>{-32768, 258}, {-32768, 258});
  expect_numbers(DType::u2, std::vector<std::uint16_t>{65535, 258}, {65535, 258});
  expect_numbers(DType::i4, std::vector<std::int32_t>{-2147483647, 16909060}, {-2147483647, 16909060});
  expect_numbers(DType::u4, std::vector<std::uint32_t>{4294967295U, 16909060U}, {4294967295.0, 16909060});
  expect_numbers(DType::i8, std::vector<std::int64_t>{-(1LL << 53), 1LL << 40}, {-0x1p53, 0x1p40});
  expect_numbers(DType::u8, std::vector<std::uint64_t>{1ULL << 63, 258}, {0x1p63, 258});
  expect_numbers(DType::f4, std::vector<float>{0.1F, -1e30F}, {0.1F, -1e30F});
  expect_numbers(DType::f8, std::vector<double>{0.1, -1e300}, {0.1, -1e300});
  // IEEE 754: 1, -2, the largest and the smallest number, infinity of half precision
  expect_numbers(DType::f2, std::vector<std::uint16_t>{0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00},
                 {1, -2, 65504, 0x1p-24, std::numeric_limits<double>::infinity()});
  expect_numbers(DType::bf2, std::vector<std::uint16_t>{0x3f80, 0xc000, 0x3e80}, {1, -2, 0.25});
}

TEST(convert, columns_that_run_fastest_are_turned) {
  const std::vector<double> values = {1, 4, 2, 5, 3, 6};  // of two rows 1 2 3, 4 5 6
  Array by_columns = lent(DType::f8, values, {2, 3});
  by_columns.fortran = true;
  EXPECT_EQ(matrix_numbers(by_columns), (Numbers{1, 2, 3, 4, 5, 6}));
}

template <class T>
std::string refused_labels(DType dtype, const std::vector<T>& values) {
  const auto got = read::to_labels(lent(dtype, values, {values.size()}));
  return got ? std::string("accepted") : sentence(got.error());
}

TEST(convert, labels_are_whole_numbers_of_any_type) {
  const auto labels = [](const Array& array) {
    const auto got = must(read::to_labels(array));
    return Labels(got.values.begin(), got.values.end());
  };
  EXPECT_EQ(labels(lent(DType::f4, std::vector<float>{0, 3}, {2})), (Labels{0, 3}));
  EXPECT_EQ(labels(lent(DType::u8, std::vector<std::uint64_t>{0, 2147483647}, {2})), (Labels{0, 2147483647}));
  EXPECT_EQ(labels(lent(DType::boolean, std::vector<std::uint8_t>{1, 0}, {2, 1})), (Labels{1, 0}));
  EXPECT_KEPT(refused_labels(DType::f8, std::vector<double>{1, 0.5}));
  EXPECT_KEPT(refused_labels(DType::f8, std::vector<double>{std::nan("")}));
  EXPECT_KEPT(refused_labels(DType::f8, std::vector<double>{0, 3e9}));
  EXPECT_KEPT(refused_labels(DType::i8, std::vector<std::int64_t>{1LL << 31}));
  EXPECT_KEPT(refused_labels(DType::u8, std::vector<std::uint64_t>{1ULL << 63}));
}

TEST(convert, hits_are_0_and_1_or_words_for_them) {
  const auto hits = [](const Array& array) {
    const auto got = must(read::to_hits(array));
    return std::vector<int>(got.values.begin(), got.values.end());
  };
  EXPECT_EQ(hits(lent(DType::f8, std::vector<double>{0, 1, 1}, {3})), (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(hits(lent(DType::i8, std::vector<std::int64_t>{1, 0}, {2, 1})), (std::vector<int>{1, 0}));
  const std::vector<std::int32_t> codes = {1, 0, 1};
  Array words = lent(DType::word, codes, {3});
  words.words = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"False", "True"});
  EXPECT_EQ(hits(words), (std::vector<int>{1, 0, 1}));
  const std::vector<double> wrong = {0, 1, 0.5};
  const auto refused = read::to_hits(lent(DType::f8, wrong, {3}));
  ASSERT_FALSE(refused);
  EXPECT_KEPT(sentence(refused.error()));
}

TEST(convert, weights_keep_their_numbers) {
  const std::vector<float> values = {0, 0.5F, 3};
  const auto weights = must(read::to_weights(lent(DType::f4, values, {3})));
  EXPECT_EQ(Numbers(weights.values.begin(), weights.values.end()), (Numbers{0, 0.5, 3}));
}

TEST(convert, values_as_texts) {
  const std::vector<double> numbers = {1, 0.1, 1e300, -2.5};
  EXPECT_EQ(must(read::texts_of(lent(DType::f8, numbers, {4}), 3)), (std::vector<std::string>{"1", "0.1", "1e+300"}));
  const std::vector<float> floats = {0.25F};
  EXPECT_EQ(must(read::texts_of(lent(DType::f4, floats, {1}))), (std::vector<std::string>{"0.25"}));
}

TEST(convert, shapes_that_are_no_rows_are_refused) {
  const std::vector<double> values(24);
  const auto refused = [&](std::vector<std::size_t> shape) {
    const auto got = read::to_matrix(lent(DType::f8, values, std::move(shape)));
    return got ? std::string("accepted") : sentence(got.error());
  };
  EXPECT_KEPT(refused({2, 3, 4}));
  EXPECT_KEPT(refused({3, 0}));
  const auto two = read::to_labels(lent(DType::f8, values, {12, 2}));
  ASSERT_FALSE(two);
  EXPECT_KEPT(sentence(two.error()));
}

}  // namespace
