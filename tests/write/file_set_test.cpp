#include "tare/write/file_set.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using tare::detail::write::FileSet;

class file_set : public ::testing::Test {
 protected:
  file_set() {
    std::string name = (fs::temp_directory_path() / "tare-set-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~file_set() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& name, const std::string& words) const { std::ofstream(folder_ / name) << words; }
  [[nodiscard]] std::vector<std::string> names(const std::string& of = "") const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_ / of)) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }
  fs::path folder_;
};

TEST_F(file_set, appears_when_it_is_finished) {
  write("b", "old");
  fs::permissions(folder_ / "b", fs::perms::owner_read | fs::perms::owner_write);
  {
    auto set = FileSet::open(folder_.string()).value();
    ASSERT_TRUE(set.add("a", "1") && set.add("b", "2"));
    EXPECT_EQ(text("b"), "old");
    EXPECT_FALSE(fs::exists(folder_ / "a"));
    ASSERT_TRUE(set.finish());
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(text("a") + text("b"), "12");
  EXPECT_EQ(fs::status(folder_ / "b").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(file_set, leaves_nothing_where_it_is_not_finished) {
  {
    auto set = FileSet::open((folder_ / "new" / "deep").string()).value();
    ASSERT_TRUE(set.add("a", "1"));
  }
  EXPECT_TRUE(names().empty());
  write("file", "x");
  EXPECT_FALSE(FileSet::open((folder_ / "file").string()));
  EXPECT_FALSE(FileSet::open((folder_ / "file" / "below").string()));
}

// The second file cannot be put in place, since the first is there: what the first replaced comes back.
TEST_F(file_set, brings_back_what_it_has_replaced) {
  write("a", "old");
  {
    auto set = FileSet::open(folder_.string()).value();
    ASSERT_TRUE(set.add("a", "1") && set.add("b", "2") && set.add("b", "3"));
    EXPECT_FALSE(set.finish());
  }
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
  EXPECT_EQ(text("a"), "old");
}

TEST_F(file_set, leaves_nothing_where_a_signal_ends_it) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto set = FileSet::open((folder_ / "new").string());
    for (int i = 0; i < 40; ++i) static_cast<void>(set->add(std::to_string(i), "bytes"));
    tare::detail::write::remove_unfinished();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_TRUE(names().empty());
}

}  // namespace
