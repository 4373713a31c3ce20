#include "tare/read/npy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/mapped_file.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Block;
using tare::detail::testing::Folder;
using tare::detail::testing::must;
using tare::detail::testing::npy_of;
using tare::detail::testing::npy_text;
using tare::detail::testing::numpy_file;
using tare::detail::testing::raw;
using tare::detail::testing::slurp;

std::vector<double> numbers(const Matrix& m) {
  std::vector<double> out;
  for (std::size_t i = 0; i < m.values.size(); ++i) out.push_back(m.values[i]);
  return out;
}

Error refused(const std::string& content) {
  const Block block(content);
  const auto a = parse_npy(block.bytes(), "x.npy");
  if (a) {
    ADD_FAILURE() << "accepted";
    return {};
  }
  EXPECT_TRUE(sentence(a.error()).starts_with("x.npy: ")) << sentence(a.error());
  EXPECT_FALSE(a.error().remedy.empty());
  return a.error();
}

TEST(npy, every_type_byte_order_and_memory_order_reads_the_same) {
  for (const std::string kind : {"i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"})
    for (const std::string order : {"le", "be"})
      for (const std::string layout : {"c", "f"}) {
        const std::string name = "table_" + order + "_" + kind + "_" + layout + ".npy";
        SCOPED_TRACE(name);
        const Block block(slurp(numpy_file(name)));
        const Array a = must(parse_npy(block.bytes(), name));
        EXPECT_EQ(a.shape, (std::vector<std::size_t>{3, 2}));
        for (const int threads : {1, 3}) {
          const Matrix m = must(to_matrix(a, threads));
          EXPECT_EQ(numbers(m), (std::vector<double>{0, 1, 2, 3, 4, 5}));
          EXPECT_EQ(m.float16, kind == "f2");
          EXPECT_EQ(m.values.is_float32(), kind == "f2" || kind == "f4");
        }
      }
}

TEST(npy, versions_1_to_3) {
  for (const std::string name : {"version_1.npy", "version_2.npy", "version_3.npy"}) {
    const Block block(slurp(numpy_file(name)));
    EXPECT_EQ(numbers(must(to_matrix(must(parse_npy(block.bytes(), name))))), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  }
}

TEST(npy, booleans_are_hits_and_labels) {
  const Block block(slurp(numpy_file("flags_b1.npy")));
  const Array a = must(parse_npy(block.bytes(), "flags"));
  const auto hits = must(to_hits(a));
  EXPECT_EQ(std::vector<int>(hits.values.begin(), hits.values.end()), (std::vector<int>{1, 0, 1}));
  EXPECT_NE(reinterpret_cast<const std::byte*>(hits.values.data()), a.data);
  const auto labels = must(to_labels(a));
  EXPECT_EQ(std::vector<int>(labels.values.begin(), labels.values.end()), (std::vector<int>{1, 0, 1}));
}

// The values make_files.py wrote; 65504 is the largest, 2^-14 the smallest normal, 2^-24 the smallest half.
TEST(npy, halves_become_floats_exactly) {
  const Block block(slurp(numpy_file("halves.npy")));
  const Matrix m = must(to_matrix(must(parse_npy(block.bytes(), "halves"))));
  ASSERT_EQ(m.n, 10U);
  EXPECT_EQ(m.values[0], 0);
  EXPECT_TRUE(std::signbit(m.values[1]) && m.values[1] == 0);
  EXPECT_EQ(m.values[2], 1);
  EXPECT_EQ(m.values[3], 65504);
  EXPECT_EQ(m.values[4], 0x1p-14);
  EXPECT_EQ(m.values[5], 0x1p-24);
  EXPECT_EQ(m.values[6], 0.333251953125);
  EXPECT_EQ(m.values[7], INFINITY);
  EXPECT_EQ(m.values[8], -INFINITY);
  EXPECT_TRUE(std::isnan(m.values[9]));
}

TEST(npy, every_half_equals_its_definition) {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  const Block block(npy_text("<f2", "(65536,)", raw(all)));
  const Matrix m = must(to_matrix(must(parse_npy(block.bytes(), "all"))));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int exponent = (all[i] >> 10) & 31, fraction = all[i] & 1023;
    const double sign = all[i] & 0x8000 ? -1 : 1;
    if (exponent == 31 && fraction) {
      EXPECT_TRUE(std::isnan(m.values[i]));
      continue;
    }
    const double expected = exponent == 31  ? INFINITY
                            : exponent == 0 ? std::ldexp(fraction, -24)
                                            : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(m.values[i], sign * expected) << i;
  }
}

// One number a row may be a place in memory later, and a file may change: only a matrix stays.
TEST(npy, a_mapped_matrix_is_never_copied_and_anything_else_is) {
  const Folder folder;
  for (const std::string& name : {folder.write("f4.npy", npy_of(std::vector<float>{0.25F, 0.5F, 0.75F, 1}, "(2, 2)")),
                                  folder.write("f8.npy", npy_of(std::vector<double>{0.25, 0.5}, "(1, 2)"))}) {
    const auto file = must(MappedFile::open(name));
    const Matrix m = must(to_matrix(must(parse_npy(file->bytes(), name, file))));
    const auto* at = m.values.visit([](auto s) { return reinterpret_cast<const std::byte*>(s.data()); });
    EXPECT_EQ(at, file->bytes().data() + 128);
    EXPECT_EQ(m.owner, file);
  }
  const auto file = must(MappedFile::open(folder.write("y.npy", npy_of(std::vector<std::int32_t>{3, 1}, "(2,)"))));
  const auto labels = must(to_labels(must(parse_npy(file->bytes(), "y.npy", file))));
  EXPECT_NE(reinterpret_cast<const std::byte*>(labels.values.data()), file->bytes().data() + 128);
  const auto hits_file = must(MappedFile::open(folder.write("h.npy", npy_of(std::vector<std::uint8_t>{0, 1}, "(2,)"))));
  const auto hits = must(to_hits(must(parse_npy(hits_file->bytes(), "h.npy", hits_file))));
  EXPECT_NE(reinterpret_cast<const std::byte*>(hits.values.data()), hits_file->bytes().data() + 128);
  const auto column_file = must(MappedFile::open(folder.write("p.npy", npy_of(std::vector<float>{0, 1}, "(2,)"))));
  const Matrix column = must(to_matrix(must(parse_npy(column_file->bytes(), "p.npy", column_file))));
  column.values.visit(
      [&](auto s) { EXPECT_NE(reinterpret_cast<const std::byte*>(s.data()), column_file->bytes().data() + 128); });
}

TEST(npy, numbers_at_odd_addresses_are_copied_to_even_ones) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}\n";
  std::string content("\x93NUMPY\x01\x00", 8);
  content += static_cast<char>(header.size() + 1);
  content += '\0';
  content += " " + header + raw(std::vector<double>{0.25, 0.5});
  for (std::size_t shift = 0; shift < 8; ++shift) {
    const std::string shifted = std::string(shift, 'x') + content;
    const Block block(shifted);
    EXPECT_EQ(numbers(must(to_matrix(must(parse_npy(block.bytes().subspan(shift), "odd"))))),
              (std::vector<double>{0.25, 0.5}));
  }
}

TEST(npy, a_large_fortran_array_is_transposed_right) {
  const std::size_t n = 70000, k = 7;
  std::vector<float> values(n * k);
  for (std::size_t c = 0; c < k; ++c)
    for (std::size_t r = 0; r < n; ++r) values[c * n + r] = static_cast<float>(r * k + c);
  const Block block(npy_text("<f4", "(70000, 7)", raw(values), "True"));
  const Array a = must(parse_npy(block.bytes(), "big"));
  for (const int threads : {1, 2}) {
    const Matrix m = must(to_matrix(a, threads));
    for (std::size_t i = 0; i < n * k; ++i) ASSERT_EQ(m.values[i], static_cast<double>(i));
  }
}

TEST(npy, labels_that_are_no_class_index_are_named) {
  const auto label_error = [](const std::string& descr, const std::string& shape, const std::string& data) {
    const Block block(npy_text(descr, shape, data));
    const auto labels = to_labels(must(parse_npy(block.bytes(), "y.npy")));
    return labels ? std::string("accepted") : sentence(labels.error());
  };
  EXPECT_EQ(label_error("<f8", "(3,)", raw(std::vector<double>{0, 1, 1.5})),
            "y.npy: row 2: label is 1.5, not a class index");
  EXPECT_EQ(label_error("<f4", "(2,)", raw(std::vector<float>{0, NAN})),
            "y.npy: row 1: label is nan, not a class index");
  EXPECT_EQ(label_error("<f8", "(1,)", raw(std::vector<double>{0x1p31})),
            "y.npy: row 0: label is 2147483648, not a class index");
  EXPECT_EQ(label_error("<i8", "(2,)", raw(std::vector<std::int64_t>{0, -3000000000})),
            "y.npy: row 1: label is -3000000000, not a class index");
  EXPECT_EQ(label_error("<u8", "(1,)", raw(std::vector<std::uint64_t>{~0ULL})),
            "y.npy: row 0: label is 18446744073709551615, not a class index");
  EXPECT_EQ(label_error("<f4", "(2,)", raw(std::vector<float>{2, -0.0F})), "accepted");
  EXPECT_EQ(label_error("<i8", "(2, 1)", raw(std::vector<std::int64_t>{2, 1})), "accepted");
  EXPECT_EQ(label_error("<i8", "(1, 2)", raw(std::vector<std::int64_t>{2, 1})),
            "y.npy: has shape (1, 2), not one number per row");
}

TEST(npy, hits_must_be_0_or_1) {
  const Block block(npy_text("<i8", "(3,)", raw(std::vector<std::int64_t>{1, 0, 2})));
  const auto hits = to_hits(must(parse_npy(block.bytes(), "h.npy")));
  ASSERT_FALSE(hits);
  EXPECT_EQ(sentence(hits.error()), "h.npy: row 2 is 2, not 0 or 1");
}

TEST(npy, wrong_dimensions_are_refused) {
  for (const auto& [name, shape] : {std::pair{"scalar.npy", "()"}, {"cube.npy", "(2, 2, 2)"}}) {
    const Block block(slurp(numpy_file(name)));
    const auto m = to_matrix(must(parse_npy(block.bytes(), name)));
    ASSERT_FALSE(m);
    EXPECT_KEPT(sentence(m.error()));
  }
  const Block block(slurp(numpy_file("no_rows.npy")));
  const auto m = to_matrix(must(parse_npy(block.bytes(), "no_rows.npy")));
  ASSERT_FALSE(m);
  EXPECT_EQ(sentence(m.error()), "no_rows.npy: has no rows");
}

TEST(npy, pickles_records_and_complex_numbers_are_refused_with_a_remedy) {
  EXPECT_KEPT(refused(slurp(numpy_file("pickle.npy"))).remedy);
  EXPECT_KEPT(sentence(refused(slurp(numpy_file("records.npy")))));
  EXPECT_KEPT(sentence(refused(npy_text("<c8", "(1,)", "12345678"))));
}

// np.array(["cat", "dog"]), and by hand: UTF-32 of both byte orders with a letter beyond ASCII, bytes filled up with 0.
TEST(npy, texts_are_words) {
  const auto words = [](const std::string& content) {
    const Block block(content);
    const Array a = must(parse_npy(block.bytes(), "x.npy"));
    EXPECT_EQ(a.dtype, DType::word);
    std::vector<std::string> out;
    for (const auto code : must(to_labels(a)).values) out.push_back(a.words->at(static_cast<std::size_t>(code)));
    return out;
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(words(slurp(numpy_file("names.npy"))), (Words{"cat", "dog"}));
  EXPECT_EQ(words(npy_text("|S3", "(4,)", std::string("catno\0catno\0", 12))), (Words{"cat", "no", "cat", "no"}));
  const std::string little("a\0\0\0\xe4\0\0\0\xac\x20\0\0\0\0\0\0", 16);
  const std::string big("\0\0\0a\0\0\0\xe4\0\0\x20\xac\0\0\0\0", 16);
  EXPECT_EQ(words(npy_text("<U2", "(2,)", little)), (Words{"a\xc3\xa4", "\xe2\x82\xac"}));
  EXPECT_EQ(words(npy_text(">U2", "(2,)", big)), (Words{"a\xc3\xa4", "\xe2\x82\xac"}));
  EXPECT_KEPT(sentence(refused(npy_text("<U0", "(1000000000000,)", ""))));
  EXPECT_KEPT(sentence(refused(npy_text("<U3", "(2,)", "123"))));
}

TEST(npy, a_header_of_2_gb_is_refused_before_it_is_read) {
  const std::string content("\x93NUMPY\x02\x00\xff\xff\xff\x7f{'descr'", 20);
  EXPECT_KEPT(sentence(refused(content)));
}

TEST(npy, a_file_that_lies_about_its_size_is_refused) {
  const std::string six = raw(std::vector<float>{0, 1, 2, 3, 4, 5});
  EXPECT_EQ(sentence(refused(npy_text("<f4", "(1000000, 1000)", six))),
            "x.npy: claims shape (1000000, 1000), which needs 4000000000 bytes, but holds 24");
  // 2^32 * 2^32 * 4 wraps to 0 in 64 bits
  EXPECT_KEPT(sentence(refused(npy_text("<f4", "(4294967296, 4294967296)", six))));
  EXPECT_KEPT(sentence(refused(npy_text("<f4", "(7,)", six))));
  EXPECT_KEPT(refused(npy_text("<f4", "(5,)", six)).remedy);
  EXPECT_KEPT(sentence(refused(npy_text("<f4", "(99999999999999999999,)", six))));
  EXPECT_KEPT(sentence(refused(npy_text("<f4", "(-6,)", six))));
}

TEST(npy, every_truncation_is_refused) {
  const std::string whole = slurp(numpy_file("table_le_f4_c.npy"));
  for (std::size_t n = 0; n < whole.size(); ++n) refused(whole.substr(0, n));
}

TEST(npy, headers_np_save_would_not_write_are_refused) {
  const auto header = [](const std::string& dict) {
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(dict.size());
    out += '\0';
    return out + dict + std::string(4, '\0');
  };
  EXPECT_TRUE(parse_npy(Block(header("{\"shape\":(1L,),'descr':'<f4','fortran_order':False}")).bytes(), "python2"));
  for (const std::string dict :
       {"", "{", "{}", "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'extra': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", "{'descr: '<f4'}", "{'descr': '<f4}",
        "{'descr': '?f4', 'fortran_order': False, 'shape': (1,)}"})
    refused(header(dict));
  EXPECT_KEPT(sentence(refused(std::string("\x93NUMPY\x09\x00\x00\x00....", 14))));
  EXPECT_KEPT(refused("PK\x03\x04...............").remedy);
}

// A claim that takes no bytes: the rows it names must not be asked memory for.
TEST(npy, rows_without_numbers_are_refused) {
  for (const char* shape : {"(18446744073709551615, 0)", "(3, 0)", "(2, 0, 5)"}) {
    const Block block(npy_text("<f4", shape, ""));
    const auto r = parse_npy(block.bytes(), "x.npy");
    ASSERT_FALSE(r) << shape;
    EXPECT_KEPT(sentence(r.error()));
  }
}

}  // namespace
