// tare demo: the main job on a network that ships with the program.
#include <filesystem>

#include "tare/cli/measure.hpp"

namespace tare::detail::cli {
namespace of_demo {

namespace fs = std::filesystem;

constexpr const char* network = "resnet110_cifar10.npz";

const Page page{
    .name = "tare demo",
    .synopsis = {"tare demo [options]"},
    .description =
        {"Measures the test fold of a ResNet-110 trained on CIFAR-10, one of the networks that come with the program: "
         "10,000 images, ten classes, logits. The environment variable TARE_DATA names another folder to find it in."},
    .examples = {{"tare demo --norm 1", "l1 only"}, {"tare demo --reduction classwise", "each class against the rest"}},
};

using Args = MeasureArgs;

Result<int> run(const Args& asked) {
  Args args = asked;
  const auto folder = shipped_folder("data", "TARE_DATA", network).value();
  if (const auto fine = check_ending(args.output.path, args.output.format()); !fine) return fine.error();
  if (!args.output.quiet)
    talk(
        "a ResNet-110 trained on CIFAR-10, its 10,000 test images\n"
        "your own: tare measure FILE, where FILE has predictions and labels (tare help measure); as a page: tare "
        "report FILE\n\n");
  if (args.output.title.empty()) args.output.title = std::string(network) + " (test)";
  args.fold = {.files = {(fs::path(folder) / network).string()}, .split = "test"};
  return measure_fold(args);
}

void declare(CLI::App& app, Args& args) {
  args.add(app);
  args.output.add(app);
}

}  // namespace of_demo

const Command demo_command{"demo", "measure a network that comes with the program", of_demo::page,
                           declared<of_demo::Args, of_demo::declare, of_demo::run>};

}  // namespace tare::detail::cli
