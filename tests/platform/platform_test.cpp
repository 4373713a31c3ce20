#include "tare/platform/platform.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>

#include "support/folders.hpp"

namespace {

namespace fs = std::filesystem;
namespace platform = tare::detail::platform;

TEST(platform, knows_its_own_file_or_says_nothing) {
  const std::string own = platform::own_file();
  EXPECT_TRUE(own.empty() || fs::path(own).filename() == "platform_tests") << own;
}

TEST(platform, memory_is_counted_in_bytes) {
  EXPECT_GT(platform::physical_memory(), std::size_t{1} << 26);
  EXPECT_GT(platform::available_memory(), 0U);
  EXPECT_LE(platform::available_memory(), platform::physical_memory());
}

TEST(platform, descriptor_folders_end_with_a_slash) {
  ASSERT_FALSE(platform::descriptor_folders().empty());
  for (const auto folder : platform::descriptor_folders()) EXPECT_TRUE(folder.ends_with('/')) << folder;
}

// Either a file without a name can be written and then named, or the system says that it has none.
TEST(platform, unnamed_files_get_a_name) {
  const fs::path folder = fs::temp_directory_path() / ("tare-platform-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const int file = platform::open_unnamed(folder.string());
  if (file >= 0) {
    EXPECT_TRUE(fs::is_empty(folder));
    ASSERT_EQ(::write(file, "rows", 4), 4);
    if (platform::give_name(file, (folder / "named").string())) {
      std::string text;
      std::ifstream(folder / "named") >> text;
      EXPECT_EQ(text, "rows");
      EXPECT_FALSE(platform::give_name(file, (folder / "named").string()));  // it replaces nothing
      EXPECT_EQ(errno, EEXIST);
    }
    ::close(file);
  } else {
    EXPECT_NE(errno, 0);
  }
  fs::remove_all(folder);
}

TEST(platform, hands_on_its_environment) {
  ::setenv("TARE_PLATFORM_TEST", "here", 1);
  bool found = false;
  for (char** at = platform::environment(); *at; ++at) found |= std::strcmp(*at, "TARE_PLATFORM_TEST=here") == 0;
  EXPECT_TRUE(found);
}

// A build for another system meets calls of Linux in one file, and conditions on the system in the other.
TEST(platform, calls_of_linux_are_in_one_file) {
  const std::regex linux_only(
      "/proc/|/sys/"
      "|O_TMPFILE|MADV_|madvise|mremap|memfd_create|_SC_PHYS_PAGES|__linux__|__gnu_linux__|__APPLE__|__MACH__|"
      "<sys/(prctl|sendfile|epoll|inotify|sysinfo|random|auxv|syscall|vfs)|<malloc\\.h>|<linux/|<link\\.h>|renameat2|"
      "sched_setaffinity|sched_getaffinity|pthread_setaffinity|malloc_trim|program_invocation|\\bpipe2\\b|"
      "\\benviron\\b");
  const fs::path source = fs::path(tare::detail::testing::source_dir()) / "src" / "tare";
  std::size_t lines = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string room = *fs::relative(entry.path(), source).begin();
    if (!entry.is_regular_file() || room == "platform" || room == "gpu") continue;
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number, ++lines)
      EXPECT_FALSE(std::regex_search(line, linux_only)) << entry.path() << ":" << number << ": " << line;
  }
  EXPECT_GT(lines, 10'000U);
}

}  // namespace
