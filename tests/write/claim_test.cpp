#include "tare/write/claim.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tare/write/whole_file.hpp"

namespace {

namespace fs = std::filesystem;
using tare::detail::Result;
using tare::detail::write::Claim;

class claim : public ::testing::Test {
 protected:
  claim() {
    std::string name = (fs::temp_directory_path() / "tare-claim-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = (folder_ / "file").string();
  }
  ~claim() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  fs::path folder_;
  std::string path_;
};

TEST_F(claim, threads_that_read_and_replace_lose_nothing) {
  std::ofstream(path_) << "";
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i)
    writers.emplace_back([&] {
      const auto mine = Claim::of(path_);
      ASSERT_TRUE(mine);
      const std::string before = text();
      EXPECT_TRUE(mine->replace([&] { return tare::detail::write::write_file(path_, before + "x"); }));
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(text(), "xxxxxxxx");
}

TEST_F(claim, refuses_what_has_changed) {
  const auto put = [&] { return tare::detail::write::write_file(path_, "mine"); };
  auto absent = Claim::of(path_).value();
  std::ofstream(path_) << "another's";
  EXPECT_FALSE(absent.replace(put));
  auto there = Claim::of(path_).value();
  std::ofstream(path_) << "longer than before";
  EXPECT_FALSE(there.replace(put));
  EXPECT_EQ(text(), "longer than before");
}

TEST_F(claim, does_not_wait_for_ever) {
  std::ofstream(path_) << "x";
  const auto mine = Claim::of(path_);
  const auto other = Claim::of(path_, std::chrono::milliseconds(50));
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().what.find("another program"), std::string::npos);
}

}  // namespace
