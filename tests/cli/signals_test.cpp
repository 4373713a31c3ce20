// The program ended from outside: no file is left, and a file that shrinks is an error.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "cli/program.hpp"

namespace {

// The program with a pipe as standard input, which it waits for.
class Waiting {
 public:
  Waiting(const std::string& folder, const std::string& words) : errors_(folder + ".err") {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    child_ = ::fork();
    if (child_ == 0) {
      for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(s, SIG_DFL);
      ::dup2(ends[0], STDIN_FILENO);
      const std::string command =
          "cd '" + folder + "'; ulimit -c 0; exec $tare " + words + " >/dev/null 2>'" + errors_ + "'";
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[0]);
    input_ = ends[1];
  }
  ~Waiting() {
    close();
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    std::filesystem::remove(errors_);
  }
  // More than a pipe holds: when this returns the program reads, and has opened its output before.
  [[nodiscard]] bool feed(const std::string& text) const {
    std::string_view rest = text;
    while (!rest.empty()) {
      const auto n = ::write(input_, rest.data(), rest.size());
      if (n <= 0) return false;
      rest.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  void close() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
  }
  [[nodiscard]] int signalled(int number) const {
    ::kill(child_, number);
    return ended();
  }
  [[nodiscard]] int ended() const {  // as waitpid gives it
    int status = 0;
    return ::waitpid(child_, &status, 0) == child_ ? status : -1;
  }
  [[nodiscard]] std::string errors() const {
    std::ifstream file(errors_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string errors_;
  pid_t child_ = -1;
  int input_ = -1;
};

class signals : public tare::detail::testing::Program {
 protected:
  static std::string rows(int n) {
    std::string out = "p_0,p_1,label\n";
    for (int i = 0; i < n; ++i) out += i % 3 ? "0.75,0.25,0\n" : "0.25,0.75,1\n";
    return out;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : tare::detail::testing::fs::directory_iterator(folder_))
      out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }
};

TEST_F(signals, leave_no_file_in_any_command) {
  write("t.csv", rows(100));
  ASSERT_EQ(run("$tare fit temperature t.csv -o model.json").code, 0);
  write("old.html", "old");
  const auto before = names();
  for (const char* words :
       {"apply model.json - -o x.npy", "fit temperature - -o x.json", "report - -o old.html", "measure - -o x.txt",
        "plot reliability - -o x.svg", "compare - -o x.txt", "test - --json -o x.json", "bbc - -o x.txt"})
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
      if (std::string(words).starts_with("bbc") && number == SIGINT) continue;  // it stops at a good place
      const Waiting program(folder_.string(), words);
      ASSERT_TRUE(program.feed(rows(20'000))) << words << program.errors();
      const int status = program.signalled(number);
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << words << " " << number << " " << status;
      EXPECT_EQ(names(), before) << words << " " << number;
      EXPECT_EQ(read("old.html"), "old");
    }
}

TEST_F(signals, a_program_told_to_ignore_them_goes_on) {
  const auto ran =
      run("trap '' HUP INT; { echo confidence,correct; echo 0.5,1; kill -HUP $$; kill -INT $$; echo 0.5,0; } | $tare "
          "measure - --no-interval");
  EXPECT_EQ(ran.code, 0) << ran.err;
}

// The labels come through the pipe: while the program waits for them the logits, already mapped, become shorter.
TEST_F(signals, a_file_that_shrinks_is_an_error_and_nothing_is_written) {
  std::string dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 2), }";
  dict.append(118 - 1 - dict.size(), ' ');
  write("z.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dict + "\n");
  tare::detail::testing::fs::resize_file(folder_ / "z.npy", 128 + 1'600'000);
  write("out.txt", "old");
  const auto before = names();
  for (const char* words :
       {"measure --logits z.npy --labels - -o out.txt", "fit temperature --logits z.npy --labels - -o m.json",
        "report --logits z.npy --labels - -o r.html"}) {
    tare::detail::testing::fs::resize_file(folder_ / "z.npy", 128 + 1'600'000);
    Waiting program(folder_.string(), words);
    std::string labels = "label\n";
    for (int i = 0; i < 100'000; ++i) labels += "0\n";
    ASSERT_TRUE(program.feed(labels)) << words << program.errors();
    tare::detail::testing::fs::resize_file(folder_ / "z.npy", 4096);
    program.close();
    const int status = program.ended();
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << words << " " << status << program.errors();
    EXPECT_EQ(
        program.errors(),
        "error: z.npy became shorter while it was read\nhint: run it again when no other program changes the file\n");
    EXPECT_EQ(read("out.txt"), "old");
    EXPECT_EQ(names(), before) << words;
  }
}

}  // namespace
