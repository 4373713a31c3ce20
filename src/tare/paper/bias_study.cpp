// Bias by construction over a grid of truths, sizes, estimators and bins. Roelofs et al. 2022, equation 7. In percent.
#include <fmt/format.h>

#include "tare/paper/truths.hpp"

namespace tare::detail::paper {
namespace {

Cell percent(const std::optional<double>& x) { return x ? Cell(100 * *x) : Cell(); }
constexpr std::uint32_t first_stream = 0x70617065;  // "pape"

}  // namespace

Result<Frame> bias_study(const Settings& settings, const Context& context) {
  const auto all = truths(settings, "truths");
  const auto named = tasks(settings);
  simulate::SimOptions options{.sizes = sizes(settings),
                               .replicates = {.count = settings.count("replicates", 1000), .seed = context.seed},
                               .threads = context.threads,
                               .cancel = context.cancel};
  if (!settings.problem().empty()) return settings.error();
  const auto list = plain(named);
  Frame out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // one stream for each truth, so that errors of simulation are independent
    options.replicates.stream = first_stream + static_cast<std::uint32_t>(i);
    options.true_error = all[i].error;
    if (context.progress)
      options.progress = [&](std::string_view, std::size_t done, std::size_t total) {
        context.progress("", i * total + done, all.size() * total);
      };
    if (!context.scratch.empty()) options.checkpoint = fmt::format("{}.{}", context.scratch, i);
    const auto table = simulate::study(all[i].truth, list, options);
    if (!table) return table.error();
    if (!table->complete) return interrupted();
    for (std::size_t r = 0; r < table->rows.size(); ++r) {
      const SimRow& row = table->rows[r];
      const NamedTask& task = named[r % named.size()];
      out.add(joined(joined(all[i].labels, task.labels), {{"n", static_cast<double>(row.n)},
                                                          {"tce", percent(all[i].error.of(task.task.options.norm))},
                                                          {"mean", percent(row.mean)},
                                                          {"bias", percent(row.bias)},
                                                          {"se", percent(row.se)},
                                                          {"sd", percent(row.sd)},
                                                          {"rmse", percent(row.rmse)},
                                                          {"mean_bins", row.mean_bins ? Cell(*row.mean_bins) : Cell()},
                                                          {"replicates", static_cast<double>(row.replicates)},
                                                          {"undefined", static_cast<double>(row.undefined)}}));
    }
  }
  return out;
}

}  // namespace tare::detail::paper
