// tare demo: the main job on a network that ships with the program.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* network = "resnet110_cifar10.npz";

const Page page{
    .name = "tare demo",
    .synopsis = {"tare demo [options]"},
    .description =
        {"Measures the test fold of a ResNet-110 trained on CIFAR-10, one of the networks that come with the "
         "program: 10,000 images, ten classes, logits. The environment variable TARE_DATA names another folder "
         "to find it in."},
    .examples = {{"tare demo --norm 1", "l1 only"}, {"tare demo --reduction classwise", "each class against the rest"}},
};

// TARE_DATA; beside the installed program; the source tree it was built from.
Result<std::string> find_network() {
  std::vector<fs::path> folders;
  if (const char* wished = std::getenv("TARE_DATA"); wished && *wished) {
    folders = {wished};
  } else {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    folders = {program.parent_path() / TARE_SHARE_FROM_BIN, TARE_SOURCE_DATA};
  }
  std::string tried;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / network)) return (folder / network).lexically_normal().string();
    tried += (tried.empty() ? "" : " or ") + folder.lexically_normal().string();
  }
  return Error{Errc::io, std::string(network) + " is not in " + tried, "set TARE_DATA to the folder that holds it"};
}

struct Args {
  MeasureArgs measure;
  OutputArgs output;
};

Result<int> demo(const Args& args) {
  const auto file = find_network();
  if (!file) return file.error();
  const std::string near = fs::proximate(*file).string();
  if (!args.output.quiet)
    talk("a ResNet-110 trained on CIFAR-10, its 10,000 test images; the same as: tare measure " + near + "\n\n");
  return measure_fold({.file = near, .split = "test"}, args.measure, args.output);
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto args = std::make_shared<Args>();
  app.formatter(std::make_shared<ManPage>(page));
  args->measure.add(app);
  args->output.add(app);
  return [args] { return demo(*args); };
}

}  // namespace

const Command demo_command{"demo", "measure a network that comes with the program", declare};

}  // namespace tare::cli
