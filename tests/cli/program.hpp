// Runs the real program in a folder of its own, through the shell: pipes and redirections are part of the contract.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/folders.hpp"
#include "support/has.hpp"
#include "support/kept.hpp"

namespace tare::detail::testing {

namespace fs = std::filesystem;

struct Ran {
  int code = -1;
  std::string out;
  std::string err;
};

class Program : public ::testing::Test {
 protected:
  Program() {
    std::string name = (fs::temp_directory_path() / "tare-cli-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    const fs::path build = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
    ::setenv("tare", (build / "tare").c_str(), 1);
    ::setenv("data", (tare::detail::testing::source_dir() + "/data").c_str(), 1);
    for (const char* name_of : {"COLUMNS", "NO_COLOR", "TARE_DATA"}) ::unsetenv(name_of);
  }
  ~Program() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] bool exists(const std::string& name) const { return fs::exists(folder_ / name); }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  // `command` is shell, with $tare for the program and $data for the sample networks.
  [[nodiscard]] Ran run(const std::string& command) const {
    const fs::path out = folder_.string() + ".out", err = folder_.string() + ".err";
    const int status = std::system(
        ("cd '" + folder_.string() + "' && { " + command + "\n} >'" + out.string() + "' 2>'" + err.string() + "'")
            .c_str());
    Ran ran{WIFEXITED(status) ? WEXITSTATUS(status) : 128, slurp(out), slurp(err)};
    fs::remove(out);
    fs::remove(err);
    return ran;
  }

  fs::path folder_;

 private:
  static std::string slurp(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

// Could not run: exit code 2, nothing on standard output, error: and hint: on standard error, as it is kept.
#define EXPECT_FAILS(ran)                               \
  do {                                                  \
    const auto& r = ran;                                \
    EXPECT_EQ(r.code, 2) << r.err;                      \
    EXPECT_EQ(r.out, "");                               \
    EXPECT_TRUE(r.err.starts_with("error: ")) << r.err; \
    EXPECT_HAS(r.err, "\nhint: ");                      \
    EXPECT_KEPT(r.err);                                 \
  } while (false)

}  // namespace tare::detail::testing
