// .safetensors files, byte by byte.
#include "tare/read/safetensors.hpp"

#include <gtest/gtest.h>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/dataset.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Block;
using tare::detail::testing::Folder;
using tare::detail::testing::matrix_numbers;
using tare::detail::testing::must;
using tare::detail::testing::tensors;
using Numbers = std::vector<double>;

TEST(safetensors, arrays_stay_where_they_are) {
  const std::string data("\0\0\x80\x3e\0\0\0\x3f\0\0\x80\x3f\0\0\0\x40\x01\x00", 18);  // 0.25, 0.5, 1, 2; 1, 0
  const std::string file = tensors(
      "{\"logits\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},"
      "\"labels\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[16,18]}}",
      data);
  const Block block(file);
  const Tensors t = must(Tensors::open(block.bytes(), "x.safetensors"));
  EXPECT_EQ(t.names(), (std::vector<std::string>{"logits", "labels"}));
  const Array logits = must(t.read(0));
  EXPECT_EQ(matrix_numbers(logits), (Numbers{0.25, 0.5, 1, 2}));
  EXPECT_EQ(logits.data, block.bytes().data() + (file.size() - data.size()));
  const Folder folder;
  const Predictions p = must(all_rows({.files = {folder.write("x.safetensors", file)}}));
  EXPECT_EQ(p.n, 2U);
  EXPECT_EQ(p.kind, Kind::logits);
}

// bfloat16 is the upper half of float32: 0x3e80 is 0.25, 0xc0a0 is -5, 0x7f80 infinite, 0x0001 the smallest.
TEST(safetensors, bfloat16) {
  const std::string data("\x80\x3e\xa0\xc0\x80\x7f\x01\x00", 8);
  const Block block(tensors("{\"x\":{\"dtype\":\"BF16\",\"shape\":[4],\"data_offsets\":[0,8]}}", data));
  const Array a = must(must(Tensors::open(block.bytes(), "x.safetensors")).read(0));
  EXPECT_EQ(matrix_numbers(a), (Numbers{0.25, -5, INFINITY, static_cast<double>(std::bit_cast<float>(0x00010000U))}));
}

std::string why_no_tensors(const std::string& head, const std::string& data = "") {
  const Block block(tensors(head, data));
  const auto opened = Tensors::open(block.bytes(), "x.safetensors");
  if (!opened) return sentence(opened.error());
  const auto read = opened->read(0);
  return read ? std::string("accepted") : sentence(read.error());
}

TEST(safetensors, headers_that_are_not_read) {
  const std::string wrong = "x.safetensors: its header is not one that safetensors writes";
  for (const char* head : {"{", "{}x", "{\"a\":1}", "{\"a\":{}}", "{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}",
                           "{\"a\":{\"dtype\":7,\"shape\":[1],\"data_offsets\":[0,4]}}",
                           "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}",
                           "{\"a\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,4]}}",
                           "{\"a\":{\"dtype\":\"F32\",\"shape\":[1e300],\"data_offsets\":[0,4]}}",
                           "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}",
                           "{\"__metadata__\":{\"a\":tru}}", "{\"a\xff\":1}"})
    EXPECT_EQ(why_no_tensors(head), wrong) << head;
  EXPECT_EQ(why_no_tensors("{\"__metadata__\":{\"format\":\"pt\"}}"), "x.safetensors: holds no arrays");
  const std::string one = "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}";
  EXPECT_EQ(why_no_tensors("{" + one + "," + one + "}", "x"), "x.safetensors: holds two arrays named 'a'");
  EXPECT_EQ(why_no_tensors("{" + one + "}  ", "x"), "accepted");  // the format fills the header up with blanks
}

TEST(safetensors, shapes_must_fit_their_bytes) {
  const auto entry = [](const std::string& type, const std::string& shape, const std::string& place) {
    return "{\"a\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":" + place + "}}";
  };
  EXPECT_EQ(why_no_tensors(entry("F32", "[2]", "[0,8]"), "12345678"), "accepted");
  EXPECT_KEPT(why_no_tensors(entry("F32", "[2]", "[0,4]"), "12345678"));
  EXPECT_KEPT(why_no_tensors(entry("F32", "[3]", "[0,12]"), "12345678"));
  EXPECT_KEPT(why_no_tensors(entry("F32", "[2]", "[8,0]"), "12345678"));
  EXPECT_KEPT(why_no_tensors(entry("F32", "[4294967296,4294967296]", "[0,0]"), ""));
  EXPECT_KEPT(why_no_tensors(entry("F32", "[9,0]", "[0,0]"), ""));
  EXPECT_KEPT(why_no_tensors(entry("F8_E4M3", "[1]", "[0,1]"), "x"));
}

TEST(safetensors, files_that_are_cut_short) {
  const std::string whole =
      tensors("{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", std::string("\x05\x07", 2));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const Block block(std::string_view(whole).substr(0, length));
    const auto opened = Tensors::open(block.bytes(), "x.safetensors");
    EXPECT_FALSE(opened && opened->read(0)) << length;
  }
  const Block block(whole);
  EXPECT_EQ(matrix_numbers(must(must(Tensors::open(block.bytes(), "x.safetensors")).read(0))), (Numbers{5, 7}));
}

}  // namespace
