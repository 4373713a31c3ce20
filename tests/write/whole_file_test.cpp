#include "tare/write/whole_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

namespace {

namespace fs = std::filesystem;
using tare::detail::write::remove_unfinished, tare::detail::write::Unfinished, tare::detail::write::WholeFile,
    tare::detail::write::write_file;

class whole_file : public ::testing::Test {
 protected:
  whole_file() {
    std::string name = (fs::temp_directory_path() / "tare-write-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~whole_file() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
  [[nodiscard]] long files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }
  fs::path folder_;
};

TEST_F(whole_file, is_there_after_finish_and_not_before) {
  {
    auto file = WholeFile::open(at("x"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append("one "));
    ASSERT_TRUE(file->append("two"));
    EXPECT_FALSE(fs::exists(at("x")));
    ASSERT_TRUE(file->finish());
  }
  EXPECT_EQ(read("x"), "one two");
  {
    auto file = WholeFile::open(at("y"));
    ASSERT_TRUE(file && file->append("lost"));
  }
  EXPECT_EQ(files(), 1);
}

TEST_F(whole_file, replaces_an_old_one_only_at_the_end_and_keeps_its_mode) {
  put("x", "old");
  ASSERT_EQ(::chmod(at("x").c_str(), 0604), 0);
  auto file = WholeFile::open(at("x"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append("new"));
  EXPECT_EQ(read("x"), "old");
  ASSERT_TRUE(file->finish());
  EXPECT_EQ(read("x"), "new");
  EXPECT_EQ(fs::status(at("x")).permissions(), fs::perms{0604});
  EXPECT_EQ(files(), 1);
}

TEST_F(whole_file, new_files_follow_the_umask) {
  const mode_t old = ::umask(026);
  const auto written = write_file(at("x"), "text");
  ::umask(old);
  ASSERT_TRUE(written);
  EXPECT_EQ(fs::status(at("x")).permissions(), fs::perms{0640});
}

TEST_F(whole_file, links_stay_links_also_where_they_lead_nowhere_yet) {
  fs::create_directory(at("there"));
  fs::create_symlink("there/real", at("link"));
  fs::create_symlink("link", at("link_to_link"));
  for (const char* text : {"made", "made again"}) {
    ASSERT_TRUE(write_file(at("link_to_link"), text));
    EXPECT_TRUE(fs::is_symlink(at("link")) && fs::is_symlink(at("link_to_link")));
    EXPECT_EQ(read("there/real"), text);
  }
}

TEST_F(whole_file, what_cannot_be_written_is_an_error_at_once) {
  EXPECT_FALSE(WholeFile::open(at("no/such/folder/x")));
  EXPECT_FALSE(WholeFile::open(folder_.string()));
  fs::create_symlink("loop", at("loop"));
  EXPECT_FALSE(WholeFile::open(at("loop")));
  EXPECT_FALSE(WholeFile::open(at(std::string(300, 'x'))) && write_file(at(std::string(300, 'x')), "text"));
  put("protected", "old");
  ASSERT_EQ(::chmod(at("protected").c_str(), 0444), 0);
  if (::geteuid() != 0) {
    EXPECT_FALSE(WholeFile::open(at("protected")));
  }
  EXPECT_EQ(read("protected"), "old");
}

TEST_F(whole_file, a_name_of_the_greatest_length_works) {
  ASSERT_TRUE(write_file(at(std::string(255, 'x')), "text"));
  ASSERT_TRUE(write_file(at(std::string(255, 'x')), "text"));
}

TEST_F(whole_file, a_pipe_is_written_and_one_without_a_reader_is_an_error) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const auto lonely = WholeFile::open(at("pipe"));
  ASSERT_FALSE(lonely);
  EXPECT_NE(lonely.error().what.find("nobody reads"), std::string::npos);
  std::string got;
  std::jthread reader([&] { got = read("pipe"); });
  ASSERT_TRUE(write_file(at("pipe"), "through"));
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(whole_file, our_own_open_files_are_written_where_they_are) {
  std::FILE* const log = std::fopen(at("log").c_str(), "w");
  std::fputs("before ", log);
  std::fflush(log);
  ASSERT_TRUE(write_file("/dev/fd/" + std::to_string(::fileno(log)), "after"));
  std::fclose(log);
  EXPECT_EQ(read("log"), "before after");
}

// The system calls of a write, stopped before one of them: what is on the disk if the power fails there?
class Stopped {
 public:
  explicit Stopped(const std::function<void()>& work) : child_(::fork()) {
    if (child_ != 0) {
      ::waitpid(child_, &status_, 0);
      ::ptrace(PTRACE_SETOPTIONS, child_, nullptr, PTRACE_O_TRACESYSGOOD);
      return;
    }
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    work();
    ::_exit(0);
  }
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;
  ~Stopped() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, &status_, 0);
  }
  // To the next call that begins; its number, -1 at the end.
  long next() {
    while (true) {
      if (::ptrace(PTRACE_SYSCALL, child_, nullptr, nullptr) != 0 || ::waitpid(child_, &status_, 0) != child_ ||
          WIFEXITED(status_) || WIFSIGNALED(status_))
        return -1;
      __ptrace_syscall_info info{};
      if (::ptrace(PTRACE_GET_SYSCALL_INFO, child_, sizeof info, &info) > 0 && info.op == PTRACE_SYSCALL_INFO_ENTRY)
        return static_cast<long>(info.entry.nr);
    }
  }
  bool until_rename() {
    for (long call = next(); call >= 0; call = next())
      if (renames(call)) return true;
    return false;
  }
  static bool renames(long call) {
#ifdef SYS_rename
    if (call == SYS_rename) return true;
#endif
#ifdef SYS_renameat
    if (call == SYS_renameat) return true;
#endif
    return call == SYS_renameat2;
  }

 private:
  pid_t child_;
  int status_ = 0;
};

TEST_F(whole_file, data_reach_the_disk_before_the_name_and_the_name_before_the_end) {
  put("x", "old");
  Stopped child([&] { (void)write_file(at("x"), "new"); });
  std::string order;
  for (long call = child.next(); call >= 0; call = child.next())
    order += call == SYS_fsync ? "s" : Stopped::renames(call) ? "r" : "";
  if (order.empty()) GTEST_SKIP() << "nobody may be traced here";
  EXPECT_EQ(order, "srs");
  EXPECT_EQ(read("x"), "new");
}

TEST_F(whole_file, what_kill_leaves_is_removed_by_the_next_write_and_what_is_in_use_is_not) {
  put("x", "old");
  put(".tare-me", "not ours");
  put(".tare-1-x", "not ours");
  {
    Stopped child([&] { (void)write_file(at("x"), "new"); });
    if (!child.until_rename()) GTEST_SKIP() << "nobody may be traced here";
    ASSERT_EQ(files(), 4) << "x, two that are not ours, and the one that waits for its name";
    const pid_t other = ::fork();  // a process of its own: each looks once into a folder
    if (other == 0) ::_exit(write_file(at("y"), "y") ? 0 : 1);
    int status = 0;
    ASSERT_EQ(::waitpid(other, &status, 0), other);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(files(), 5) << "its writer lives";
  }  // kill -9
  EXPECT_EQ(read("x"), "old");
  EXPECT_EQ(files(), 5);
  ASSERT_TRUE(write_file(at("x"), "newer"));
  EXPECT_EQ(read("x"), "newer");
  EXPECT_EQ(files(), 4);
  EXPECT_TRUE(fs::exists(at(".tare-me")) && fs::exists(at(".tare-1-x")));
}

TEST_F(whole_file, a_pipe_that_does_not_wait_is_waited_for) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  std::size_t got = 0;
  std::jthread reader([&] {
    std::array<char, 1000> piece{};
    for (ssize_t n = 0; (n = ::read(ends[0], piece.data(), piece.size())) > 0;) got += static_cast<std::size_t>(n);
  });
  EXPECT_TRUE(tare::detail::write::write_all(ends[1], std::string(3'000'000, 'x')));
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  EXPECT_EQ(got, 3'000'000U);
}

// In a child, because nothing can be noted any more afterwards.
TEST_F(whole_file, remove_unfinished_removes_what_is_noted_and_nothing_else) {
  put("mine", "");
  put("other", "");
  put("done", "");
  fs::create_directory(at("folder"));
  put("folder/inside", "");
  const pid_t child = ::fork();
  if (child == 0) {
    const Unfinished mine(at("mine")), folder(at("folder")), inside(at("folder/inside")), missing(at("missing"));
    { const Unfinished done(at("done")); }
    remove_unfinished();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(fs::exists(at("mine")) || fs::exists(at("folder")));
  EXPECT_TRUE(fs::exists(at("other")) && fs::exists(at("done")));
}

}  // namespace
