// Completions and manual pages: they name every command and every option that --help prints, and their readers accept
// them.
#include <map>
#include <regex>
#include <set>

#include "cli/program.hpp"

namespace {

using completion = tare::detail::testing::Program;

// What stands at the beginning of the lines of a page.
std::set<std::string> found_in(const std::string& page, const char* pattern) {
  const std::regex wanted(pattern);
  std::set<std::string> out;
  for (auto at = std::sregex_iterator(page.begin(), page.end(), wanted); at != std::sregex_iterator(); ++at)
    out.insert((*at)[1]);
  return out;
}

struct Help {
  std::set<std::string> options;
  std::string page;
};

class every_command : public completion {
 protected:
  every_command() {
    const std::string page = run("$tare --help").out;
    const std::size_t at = page.find("COMMANDS\n");
    for (const std::string& name : found_in(page.substr(at, page.find("\n\n", at) - at), "\n  ([a-z]+) "))
      helps_[name] = {};
    for (auto& [name, help] : helps_) {
      help.page = run("$tare " + name + " --help").out;
      help.options = found_in(help.page, "\n  (?:-[a-zA-Z], )?(--[a-z][-a-z0-9]*)");
    }
  }
  std::map<std::string, Help> helps_;
};

TEST_F(every_command, is_completed_with_every_option) {
  ASSERT_GE(helps_.size(), 17U);
  const std::string bash = run("$tare completion bash").out, zsh = run("$tare completion zsh").out,
                    fish = run("$tare completion fish").out;
  EXPECT_HAS(fish, "or classwise (each class against the rest)'");  // up to a semicolon, not to one in parentheses
  for (const auto& [name, help] : helps_) {
    ASSERT_TRUE(help.options.contains("--help")) << name;
    const std::size_t at = bash.find("\n    " + name + ")\n"), in_zsh = zsh.find("\n    " + name + ")\n");
    ASSERT_NE(at, std::string::npos) << name;
    ASSERT_NE(in_zsh, std::string::npos) << name;
    const std::string of_bash = bash.substr(at, bash.find("\n      ;;", at) - at) + " ";
    const std::string of_zsh = zsh.substr(in_zsh, zsh.find("\n      ;;", in_zsh) - in_zsh);
    for (const std::string& option : help.options) {
      EXPECT_TRUE(std::regex_search(of_bash, std::regex("[ \"]" + option + "[ \"]"))) << name << " " << option;
      EXPECT_TRUE(std::regex_search(of_zsh, std::regex("[)*]" + option + "[=\\[]"))) << name << " " << option;
      EXPECT_TRUE(std::regex_search(
          fish, std::regex("__tare_command " + name + "'( -s [a-zA-Z])? -l " + option.substr(2) + " ")))
          << name << " " << option;
    }
  }
}

TEST_F(every_command, has_a_manual_page_with_the_words_of_its_help) {
  ASSERT_EQ(run("$tare man -o pages").code, 0);
  EXPECT_EQ(run("ls pages | wc -l").out, std::to_string(helps_.size() + 1) + "\n");
  EXPECT_EQ(read("pages/tare.1"), run("$tare man").out);
  for (const auto& [name, help] : helps_) {
    const std::string page = read("pages/tare-" + name + ".1");
    EXPECT_EQ(page, run("$tare man --command " + name).out);
    EXPECT_HAS(read("pages/tare.1"), ".BR tare\\-" + name + " (1)");
    EXPECT_HAS(page, ".SH EXIT STATUS\n");
    for (const std::string& option : help.options) EXPECT_HAS(page, std::regex_replace(option, std::regex("-"), "\\-"));
    for (const std::string& title : found_in("\n" + help.page, "\n([A-Z][A-Z ]+)(?=\n)"))
      EXPECT_HAS(page, ".SH " + title);
  }
  if (run("command -v man").code == 0) {
    const auto shown = run("MANWIDTH=80 man --warnings -l pages/tare-measure.1");
    EXPECT_EQ(shown.code, 0);
    EXPECT_EQ(shown.err, "");
    EXPECT_HAS(shown.out, "tare-measure - ");
  }
}

TEST_F(completion, scripts_are_read_by_their_shells) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    ASSERT_EQ(run(std::string("$tare completion ") + shell + " > script").code, 0);
    if (run(std::string("command -v ") + shell).code != 0) continue;
    const auto ran = run(std::string(shell) + " -n script");
    EXPECT_EQ(ran.code, 0) << shell << ": " << ran.err;
    EXPECT_EQ(ran.err, "");
  }
  EXPECT_EQ(run("$tare completion tcsh").code, 2);
  EXPECT_EQ(run("$tare completion").code, 2);
  EXPECT_KEPT(run("$tare man --command mesure").err);
}

TEST_F(completion, of_bash_knows_commands_options_and_values) {
  const auto completed = [&](const std::string& words) {
    return run("bash -c 'source <($tare completion bash); COMP_WORDS=(" + words +
               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tare; echo ${COMPREPLY[@]}'")
        .out;
  };
  EXPECT_EQ(completed("tare meas"), "measure\n");
  EXPECT_EQ(completed("tare help wat"), "watch\n");
  EXPECT_EQ(completed("tare measure --no-int"), "--no-interval\n");
  EXPECT_EQ(completed("tare measure --norm b"), "both\n");
  EXPECT_EQ(completed("tare measure --norm = b"), "both\n");
  EXPECT_EQ(completed("tare fit temp"), "temperature\n");
  EXPECT_EQ(completed("tare fit platt temp"), "\n");
  EXPECT_EQ(completed("tare compare x.npz --methods platt,temp"), "platt,temperature\n");
  EXPECT_EQ(completed("tare plot reli"), "reliability\n");
  EXPECT_EQ(completed("tare measure --bins 1"), "\n");
}

}  // namespace
