// tare demo: the main job on a network that ships with the program.
#include <filesystem>

#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/measure.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/cli/shipped.hpp"

namespace tare::detail::cli {
namespace of_demo {

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

Result<int> demo(MeasureArgs args) {
  const auto folder = shipped_folder("data", "TARE_DATA", network);
  if (!folder) return folder.error();
  if (const auto fine = check_ending(args.output.path, args.output.format()); !fine) return fine.error();
  if (!args.output.quiet)
    talk(
        "a ResNet-110 trained on CIFAR-10, its 10,000 test images\n"
        "your own: tare measure FILE, where FILE has predictions and labels (tare help measure); as a page: tare "
        "report FILE\n\n");
  if (args.output.title.empty()) args.output.title = std::string(network) + " (test)";
  args.fold = {.files = {(fs::path(*folder) / network).string()}, .split = "test"};
  return measure_fold(args);
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto args = std::make_shared<MeasureArgs>();
  app.formatter(std::make_shared<ManPage>(page));
  args->add(app);
  args->output.add(app);
  return [args] { return demo(*args); };
}

}  // namespace of_demo

const Command demo_command{"demo", "measure a network that comes with the program", of_demo::declare};

}  // namespace tare::detail::cli
