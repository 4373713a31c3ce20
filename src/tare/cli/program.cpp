#include "tare/cli/program.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>
#include <tare/version.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <vector>

#include "tare/cli/output.hpp"
#include "tare/cli/run.hpp"
#include "tare/cli/two_folds.hpp"
#include "tare/core/clean.hpp"
#include "tare/core/suggest.hpp"
#include "tare/platform/platform.hpp"
#include "tare/read/mapped_file.hpp"

namespace tare::detail::cli {
namespace {

// What the program does when it is ended from outside. The library installs nothing.
// While it lives:
// - Ctrl-C, SIGTERM, SIGHUP and SIGQUIT remove files that are not whole yet and then end the program as they always do.
//   A command that would rather stop at a good place takes one of them over for a while (SignalGuard).
// - A mapped file that is cut short by another program is an error with its name and exit code 2, not a crash.
// - A closed pipe and a file size limit are errors of write(), not signals.
// Afterwards everything is as it was: the program may run inside Python.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  static constexpr std::array numbers = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGBUS, SIGPIPE, SIGXFSZ};

 private:
  std::array<struct sigaction, numbers.size()> old_ = {};
};

// Everything below runs in a handler: no memory, no locks, only calls that are safe there.
void say(const char* words) { [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words, std::strlen(words)); }

void end_by(int number) {
  write::remove_unfinished();
  ::signal(number, SIG_DFL);
  ::raise(number);  // delivered when this returns
}

void lost_bytes(int number, siginfo_t* info, void*) {
  const char* file = read::mapped_file_at(info->si_addr);
  if (!file) {  // not about a file of ours: the fault comes again, and ends the program
    ::signal(number, SIG_DFL);
    return;
  }
  write::remove_unfinished();
  say("error: ");
  say(file);
  say(" became shorter while it was read\nhint: run it again when no other program changes the file\n");
  ::_exit(2);
}

Signals::Signals() {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ::sigaction(numbers[i], nullptr, &old_[i]);
    struct sigaction now {};
    ::sigemptyset(&now.sa_mask);
    if (numbers[i] == SIGBUS) {
      now.sa_sigaction = lost_bytes;
      now.sa_flags = SA_SIGINFO;
    } else if (numbers[i] == SIGPIPE || numbers[i] == SIGXFSZ) {
      now.sa_handler = SIG_IGN;
    } else {
      if (old_[i].sa_handler == SIG_IGN) continue;  // nohup, and jobs in the background
      now.sa_handler = end_by;
      for (const int other : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&now.sa_mask, other);
    }
    ::sigaction(numbers[i], &now, nullptr);
  }
}

Signals::~Signals() {
  for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &old_[i], nullptr);
}

constexpr int could_not_run = 2;

const Command* const commands[] = {&measure_command, &test_command,    &bbc_command,        &plot_command,
                                   &fit_command,     &apply_command,   &export_command,     &show_command,
                                   &check_command,   &compare_command, &report_command,     &partial_command,
                                   &merge_command,   &sql_command,     &watch_command,      &paper_command,
                                   &list_command,    &demo_command,    &completion_command, &man_command};

std::string typed;
std::map<std::string, std::string> flags;  // what is typed for an option of any command

const Page program_page{
    .name = "tare",
    .synopsis = {"tare COMMAND [options]", "tare help [COMMAND]", "tare version"},
    .description = {"A classifier says 90% and is right 80% of the time. tare measures that gap by every estimator in "
                    "use, tells you how much of the result is estimation noise and bias, and draws and repairs it.",
                    "The answer goes to standard output, everything else to standard error."},
    .examples = {{"tare demo", "measure a network that comes with the program"},
                 {"tare measure predictions.npz", "an archive with arrays named logits and labels"},
                 {"tare measure --probs p.npy --labels y.npy --json", "for another program"}},
};

// CLI11 names what it could not parse; the words around it are ours.
Error explain(const CLI::ParseError& failure, const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const CLI::App& at = chosen.empty() ? app : *chosen.front();
  const std::string help =
      "`" + (chosen.empty() ? std::string("tare") : "tare " + at.get_name()) + " --help` lists the options";
  const auto extras = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&failure) && !extras.empty()) {
    const std::string& word = extras.front();
    if (!word.starts_with("-")) return bad_option(fmt::format("unexpected argument '{}'", foreign(word)), help);
    std::vector<std::string> known;
    for (const CLI::Option* option : at.get_options())
      if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
    return bad_option("unknown option " + foreign(word), did_you_mean(word.substr(0, word.find('=')), known, help));
  }
  std::string message = failure.what();
  for (CLI::Option* option : chosen.empty() ? std::vector<CLI::Option*>() : chosen.front()->get_options()) {
    if (!message.starts_with(option->get_name() + ": ") || option->results().empty()) continue;
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&failure))  // a list that is too long: its first words are fine
      return bad_option(fmt::format("unexpected argument '{}'", foreign(option->results().back())), help);
    const std::string guess = did_you_mean(option->results().back(), choices(*option), help);
    return bad_option(foreign(message), guess);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&failure))
    message = message.substr(0, message.find(':')) + " needs a value";
  if (message.starts_with("Could not convert: ")) message = "not a number: " + message.substr(19);
  return bad_option(foreign(message), help);
}

int fail(const Error& error) {
  talk("error: " + clean(sentence(error, flag)) + "\n" +
       (error.remedy.empty() ? "" : "hint: " + clean(advice(error, flag)) + "\n"));
  return could_not_run;
}

int dispatch(int argc, char** argv) {
  CLI::App app("how far a classifier's confidences are from the truth", "tare");
  app.formatter(std::make_shared<ManPage>(program_page));
  app.set_help_flag("-h,--help", "this page");
  app.set_version_flag("-V,--version", "tare " TARE_VERSION, "the version");
  std::map<std::string, std::function<Result<int>()>> actions;
  std::vector<std::string> names;
  for (const Command* command : commands) {
    CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->summary));
    sub->formatter(std::make_shared<ManPage>(command->page));
    sub->set_help_flag("-h,--help", "this page");
    actions[sub->get_name()] = command->declare(*sub);
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& name : option->get_lnames()) flags.try_emplace(name, "--" + name);
    names.emplace_back(command->name);
  }

  if (argc < 2) return print(app.help()) ? 0 : could_not_run;
  // `tare help`, `tare help measure`, `tare version`: words for the flags
  std::vector<char*> words(argv, argv + argc);
  std::string first = argv[1], help_flag = "--help", version_flag = "--version";
  if (first == "help") {
    if (argc > 2) words[1] = argv[2];
    words[argc > 2 ? 2 : 1] = help_flag.data();
    words.resize(argc > 2 ? 3 : 2);
  }
  if (first == "version") words = {argv[0], version_flag.data()};
  std::string partial = "partial";
  if (std::string_view(words[1]) == "state") words[1] = partial.data();  // another name for it
  first = words[1];
  if (!first.starts_with("-") && !actions.contains(first))
    return fail(bad_option("unknown command '" + foreign(first) + "'",
                           did_you_mean(first, names, "`tare --help` lists the commands")));
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::CallForHelp&) {
    return print(app.help()) ? 0 : could_not_run;
  } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + "\n") ? 0 : could_not_run;
  } catch (const CLI::ParseError& failure) {
    return fail(explain(failure, app));
  }
  if (app.get_subcommands().empty()) return fail(bad_option("no command", "try `tare demo`, or `tare --help`"));
  const Result<int> code = actions.at(app.get_subcommands().front()->get_name())();
  return code ? *code : fail(code.error());
}

}  // namespace

std::string command_line() { return typed; }

std::string flag(std::string_view option) {
  std::string name(option);
  std::replace(name.begin(), name.end(), '_', '-');
  const auto at = flags.find(name);
  return at == flags.end() ? "" : at->second;
}

void know_flag(const std::string& option, const std::string& flag) {
  std::string name = option;
  std::replace(name.begin(), name.end(), '_', '-');
  flags[name] = flag;
}

int run(int argc, char** argv) {
  typed = "tare";
  for (int i = 1; i < argc; ++i) typed += " " + quoted(argv[i]);
  const Signals signals;  // `tare … | head` is a success: print() sees the closed pipe
  hold_standard_streams();
  const auto no_memory = [] {
    return fail(failure(Errc::out_of_memory, "not enough memory for this work",
                        "a mapped .npy file needs the least, and fewer --threads need less"));
  };
  try {
    return dispatch(argc, argv);
  } catch (const Failure& failed) {  // a value that a command cannot do without
    return fail(failed.error());
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::length_error&) {  // more than any memory holds
    return no_memory();
  } catch (const std::exception& surprise) {
    return fail(failure(Errc::internal, foreign(surprise.what()), "this is a bug of tare"));
  } catch (...) {
    return fail(failure(Errc::internal, "something unknown went wrong", "this is a bug of tare"));
  }
}

Result<std::string> shipped_folder(const std::string& name, const char* variable, const std::string& holds) {
  std::vector<std::filesystem::path> folders;
  if (const char* wished = std::getenv(variable); wished && *wished) {
    folders = {wished};
  } else {
    folders = {std::filesystem::path(platform::own_file()).parent_path() / TARE_SHARE_FROM_BIN / name};
    if (const std::filesystem::path source = TARE_SOURCE; !source.empty()) folders.push_back(source / name);
  }
  std::string tried;
  for (const std::filesystem::path& folder : folders) {
    if (std::filesystem::exists(folder / holds)) return folder.lexically_normal().string();
    tried += (tried.empty() ? "" : " or ") + folder.lexically_normal().string();
  }
  return failure(
      Errc::io, holds + " is not in " + foreign(tried),
      std::string("set ") + variable + " to the folder that holds it; for Python `pip install 'tare[data]'` brings it");
}

}  // namespace tare::detail::cli
