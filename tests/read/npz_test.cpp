#include "tare/read/npy.hpp"

#include <gtest/gtest.h>

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
using tare::detail::testing::must;
using tare::detail::testing::numpy_file;
using tare::detail::testing::raw;
using tare::detail::testing::slurp;

// The first error in the archive: of its directory, or of one of its arrays.
std::string failure(const std::string& content) {
  const Block block(content);
  const auto z = Npz::open(block.bytes(), "x.npz");
  if (!z) {
    EXPECT_FALSE(z.error().remedy.empty());
    return sentence(z.error());
  }
  for (std::size_t i = 0; i < z->names().size(); ++i)
    if (const auto a = z->read(i); !a) {
      EXPECT_FALSE(a.error().remedy.empty());
      return sentence(a.error());
    }
  return "";
}

std::string patched(std::string content, std::size_t at, const std::string& bytes) {
  return content.replace(at, bytes.size(), bytes);
}

constexpr const char* directory_entry = "PK\x01\x02";

TEST(npz, stored_deflated_and_zip64_read_the_same) {
  for (const std::string name :
       {"archive_stored.npz", "archive_deflated.npz", "archive_zip64.npz", "archive_zip64_directory.npz"}) {
    SCOPED_TRACE(name);
    const Block block(slurp(numpy_file(name)));
    const Npz z = must(Npz::open(block.bytes(), name));
    ASSERT_EQ(z.names(), (std::vector<std::string>{"test_logits", "test_labels"}));
    const Array logits = must(z.read(0));
    EXPECT_EQ(logits.name, name + ":test_logits");
    const Matrix m = must(to_matrix(logits));
    ASSERT_EQ(m.values.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(m.values[i], static_cast<double>(i));
    const auto y = must(to_labels(must(z.read(1))));
    EXPECT_EQ(std::vector<int>(y.values.begin(), y.values.end()), (std::vector<int>{0, 1, 1}));
  }
}

TEST(npz, stored_members_stay_mapped) {
  const auto file = must(MappedFile::open(numpy_file("archive_stored.npz")));
  const Npz z = must(Npz::open(file->bytes(), "z", file));
  const Array a = must(z.read(0));
  EXPECT_TRUE(a.data > file->bytes().data() && a.data < file->bytes().data() + file->bytes().size());
  EXPECT_EQ(a.owner, file);
}

TEST(npz, a_comment_and_other_files_do_no_harm) {
  const Block block(slurp(numpy_file("archive_comment.npz")));
  EXPECT_EQ(must(Npz::open(block.bytes(), "z")).names(), std::vector<std::string>{"logits"});
}

TEST(npz, every_truncation_is_refused) {
  for (const char* name : {"archive_deflated.npz", "archive_zip64_directory.npz"}) {
    const std::string whole = slurp(numpy_file(name));
    ASSERT_EQ(failure(whole), "");
    for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_NE(failure(whole.substr(0, n)), "") << n;
  }
}

TEST(npz, a_damaged_byte_in_the_data_is_found_by_the_checksum) {
  std::string content = slurp(numpy_file("archive_stored.npz"));
  const std::size_t at = content.find(raw(std::vector<float>{4, 5}));
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(failure(patched(content, at, "\x01")), "x.npz:test_logits: its checksum does not match");
}

TEST(npz, sizes_that_lie_are_refused_without_giving_them_memory) {
  const std::string content = slurp(numpy_file("archive_deflated.npz"));
  const std::size_t entry = content.find(directory_entry);
  // the unpacked size, bytes 24 to 27: 2^31 - 1; 64 KB, which deflate could reach but the array does not need
  EXPECT_KEPT(failure(patched(content, entry + 24, "\xff\xff\xff\x7f")));
  EXPECT_KEPT(failure(patched(content, entry + 24, std::string("\0\0\1\0", 4))));
  EXPECT_NE(failure(patched(content, entry + 24, std::string("\x10\0\0\0", 4))), "");
  // the packed size, and the place of the member
  EXPECT_KEPT(failure(patched(content, entry + 20, "\xff\xff\xff\x7f")));
  EXPECT_KEPT(failure(patched(content, entry + 42, "\xff\xff\xff\x7f")));
}

TEST(npz, a_directory_that_lies_is_refused) {
  const std::string content = slurp(numpy_file("archive_deflated.npz"));
  const std::size_t end = content.rfind("PK\x05\x06");
  EXPECT_KEPT(failure(patched(content, end + 10, std::string("\x07\0", 2))));
  EXPECT_KEPT(failure(patched(content, end + 12, "\xff\xff\xff\x7f")));
  EXPECT_KEPT(failure(patched(content, end + 16, "\xff\xff\xff\x7f")));
  const std::string zip64 = slurp(numpy_file("archive_zip64_directory.npz"));
  EXPECT_KEPT(failure(patched(zip64, zip64.rfind("PK\x06\x07") + 8, "\xff\xff\xff\xff\xff\xff\xff\xff")));
}

TEST(npz, encrypted_and_unknown_methods_are_refused) {
  const std::string content = slurp(numpy_file("archive_deflated.npz"));
  EXPECT_KEPT(failure(patched(content, content.find(directory_entry) + 8, "\x01")));
  EXPECT_KEPT(failure(slurp(numpy_file("archive_bzip2.npz"))));
}

TEST(npz, two_members_of_one_name_are_refused) {
  std::string content = slurp(numpy_file("archive_stored.npz"));
  for (std::size_t at = content.find("test_labels.npy"); at != std::string::npos; at = content.find("test_labels.npy"))
    content.replace(at, 15, "test_logits.npy");
  EXPECT_KEPT(failure(content));
}

TEST(npz, what_is_no_archive_is_refused) {
  EXPECT_KEPT(failure(""));
  EXPECT_KEPT(failure(slurp(numpy_file("version_1.npy"))));
  EXPECT_KEPT(failure(std::string("PK\x05\x06") + std::string(18, '\0')));
}

TEST(npz, every_single_damaged_byte_is_survived) {
  const std::string whole = slurp(numpy_file("archive_zip64_directory.npz"));
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string content = whole;
      content[i] = static_cast<char>(content[i] ^ flip);
      static_cast<void>(failure(content));
    }
}

}  // namespace
