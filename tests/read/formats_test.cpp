// JSON lines, .safetensors, .gz and bfloat16, each against numbers written by hand.
#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <chrono>

#include "read/files.hpp"
#include "support/data.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/dataset.hpp"
#include "tare/read/gzip.hpp"
#include "tare/read/jsonl.hpp"
#include "tare/read/safetensors.hpp"

namespace {

using namespace tare::inner;
using namespace tare::inner::read;
using tare::inner::testing::Block;
using tare::inner::testing::Folder;
using tare::inner::testing::must;
using Numbers = std::vector<double>;

Numbers matrix_numbers(const Array& a) {
  const Matrix m = must(to_matrix(a));
  Numbers out;
  for (std::size_t i = 0; i < m.values.size(); ++i) out.push_back(m.values[i]);
  return out;
}

std::string tensors(const std::string& head, const std::string& data) {
  std::string out(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<char>(head.size() >> (8 * i));
  return out + head + data;
}

TEST(jsonl, lists_objects_and_numbers) {
  const Block block(
      "{\"label\": \"b\", \"p\": {\"a\": 0.25, \"b\": 0.75}, \"z\": [1, -2.5e1], \"x\": 7}\n\n"
      "{\"z\": [3, 4], \"x\": true, \"p\": {\"b\": 0.5, \"a\": 0.125}, \"more\": [[]], \"label\": \"a\"}");
  const Jsonl lines = must(Jsonl::open(block.bytes(), "x.jsonl"));
  EXPECT_EQ(lines.names(), (std::vector<std::string>{"label", "p", "z", "x"}));
  const auto arrays = must(lines.read(std::vector<CsvGroup>{{{0}, true}, {{1}}, {{2}}, {{3}}}));
  EXPECT_EQ(*arrays[0].words, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(matrix_numbers(arrays[1]), (Numbers{0.25, 0.75, 0.125, 0.5}));
  EXPECT_EQ(arrays[1].classes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(matrix_numbers(arrays[2]), (Numbers{1, -25, 3, 4}));
  EXPECT_EQ(arrays[2].shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(matrix_numbers(arrays[3]), (Numbers{7, 1}));
  EXPECT_EQ(arrays[3].place(1), "line 3, column 'x'");
}

TEST(jsonl, pieces_are_the_whole) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += "{\"probs\": [0." + std::to_string(10 + i) + ", 0." + std::to_string(90 - i) +
            "], \"label\": " + std::to_string(i % 2) + "}\n";
  const std::string path = folder.write("t.jsonl", text);
  for (const std::size_t bytes : {1U, 40U, 333U, 100000U}) {
    Numbers score;
    std::size_t pieces = 0;
    const auto data = Dataset::open({.files = {path}});
    ASSERT_TRUE(data);
    const auto done = data->read_pieces(
        [&](const Predictions& rows) -> Result<void> {
          ++pieces;
          for (std::size_t i = 0; i < rows.n; ++i) score.push_back(rows.matrix->values()[2 * i]);
          return {};
        },
        1, {.bytes = bytes});
    ASSERT_TRUE(done) << sentence(done.error());
    ASSERT_EQ(score.size(), 50U);
    EXPECT_EQ(pieces > 1, bytes < 1000);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(score[static_cast<std::size_t>(i)], (10 + i) / 100.0);
  }
}

TEST(jsonl, rows_without_a_value_are_not_there) {
  const Folder folder;
  const std::string path =
      folder.write("t.jsonl",
                   "{\"probs\": null, \"label\": 1}\n{\"probs\": [0.25, 0.75], \"label\": 1}\n"
                   "{\"label\": 0}\n{\"probs\": [0.5, null], \"label\": 0}\n"
                   "{\"probs\": [0.5, 0.5], \"label\": null}\n{\"probs\": [1, 0], \"label\": 0}\n");
  EXPECT_FALSE(all_rows({.files = {path}}));
  const Predictions p = must(all_rows({.files = {path}, .reading = {.drop_missing = true}}));
  EXPECT_EQ(p.dropped, 4U);
  ASSERT_EQ(p.n, 2U);
  EXPECT_EQ(p.matrix->values()[0], 0.25);
  EXPECT_EQ(p.matrix->values()[2], 1);
}

TEST(jsonl, errors_name_the_line) {
  const Folder folder;
  const auto refused = [&](const std::string& text) {
    const auto got = all_rows({.files = {folder.write("t.jsonl", text)}});
    return got ? std::string("accepted") : sentence(got.error());
  };
  EXPECT_HAS(refused("{\"probs\": [0.5, 0.5], \"label\": 1}\n{\"probs\": [0.5, 1.5], \"label\": 1}\n"), "line 2");
  EXPECT_HAS(refused("{\"p\": 0.5, \"label\": 1}\n{\"p\": 0.5, \"label\": 1} x\n"), "line 2: is not a JSON object");
  EXPECT_HAS(refused("{\"p\": \"half\", \"label\": 1}\n"), "line 1: 'p' is 'half', not a number");
}

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

std::string gzipped(const std::string& text) {
  z_stream z{};
  EXPECT_EQ(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(text.size() + 1000, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

// 300 MiB of zeros in 300 kB.
TEST(gzip, bombs_are_refused) {
  const Block bomb(gzipped(std::string(std::size_t{300} << 20, '\0')));
  const auto got = gunzip(bomb.bytes(), "x.csv.gz");
  ASSERT_FALSE(got);
  EXPECT_HAS(sentence(got.error()), "x.csv.gz: ");
  EXPECT_HAS(sentence(got.error()), "bytes unpack to more than");
  EXPECT_HAS(got.error().remedy, "gunzip");
  const Block half(gzipped(std::string(std::size_t{100} << 20, '\0')));
  EXPECT_EQ(must(gunzip(half.bytes(), "x.csv.gz")).bytes.size(), std::size_t{100} << 20);
}

TEST(gzip, gives_back_what_was_packed) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 10007) + (i % 5 ? "," : "\n");
  for (const std::string& packed : {gzipped(text), gzipped(text.substr(0, 70000)) + gzipped(text.substr(70000))}) {
    const Block block(packed);
    const Unpacked got = must(gunzip(block.bytes(), "x.gz"));
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(got.bytes.data()), got.bytes.size()), text);
    const Block cut(std::string_view(packed).substr(0, packed.size() - 5));
    EXPECT_FALSE(gunzip(cut.bytes(), "x.gz"));
  }
}

// The least of three times, in nanoseconds.
template <class Work>
double least_time(const Work& work) {
  double out = 1e300;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    out = std::min(out, took.count());
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
