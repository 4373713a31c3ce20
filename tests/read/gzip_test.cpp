// Files packed by zlib itself.
#include "tare/read/zip.hpp"

#include <gtest/gtest.h>

#include "read/files.hpp"
#include "read/zip_maker.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Block;
using tare::detail::testing::gzipped;
using tare::detail::testing::must;

// 300 MiB of zeros in 300 kB.
TEST(gzip, bombs_are_refused) {
  const Block bomb(gzipped(std::string(std::size_t{300} << 20, '\0')));
  const auto got = gunzip(bomb.bytes(), "x.csv.gz");
  ASSERT_FALSE(got);
  EXPECT_KEPT(sentence(got.error()));
  EXPECT_KEPT(got.error().remedy);
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

}  // namespace
