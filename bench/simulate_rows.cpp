// Simulation: samples of known truth and six estimators on them, the grids of Figures 1 and 4 of Roelofs et al. 2022,
// and the plain NumPy way beside it.
#include <string>

#include "bench/data.hpp"
#include "bench/peer.hpp"
#include "bench/table.hpp"
#include "tare/simulate/engine.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::bench {
namespace {

using measure::Choice;

std::vector<Choice> tasks(std::initializer_list<const char*> names) {
  std::vector<Choice> out;
  for (const char* name : names) out.push_back({measure::find(name), {}});
  return out;
}

std::vector<Choice> six() { return tasks({"ece_ew", "ece_em", "debias_ew", "debias_em", "sweep_ew", "sweep_em"}); }

// Drawing and six estimators; the tables of the ten distributions are there already.
void time_samples(Table& table, const std::string& name, std::size_t n, std::size_t replicates) {
  table.time(name, [=] {
    std::vector<simulate::Sampler> samplers;
    for (const auto& row : simulate::models()) samplers.push_back(*simulate::Sampler::of(*simulate::model(row.name)));
    return [=] {
      for (const auto& s : samplers)
        sink = (*simulate::run(s, six(), {.sizes = {n}, .replicates = {.count = replicates}})).tallies.back().mean();
    };
  });
}

void add_samples(Table& table) {
  const std::size_t rows = table.rows(1'024'000);  // of each of the ten models
  for (const std::size_t n : {200U, 1600U, 12'800U, 102'400U}) {
    const std::string name = "simulate/" + std::to_string(n);
    const std::size_t replicates = std::max<std::size_t>(rows / n, 1);
    time_samples(table, name, n, replicates);
    const double all = 10.0 * static_cast<double>(replicates * n);
    table.line(
        "simulate: a sample and six estimators", n, name, [=](const Times& t) { return t(name) / all * 1e9; },
        "ns per row", n >= 1600 ? Goal::at_most : Goal::none, 12);
  }
  const std::size_t twice = 2 * std::max<std::size_t>(rows / 1600, 1);
  time_samples(table, "simulate/twice", 1600, twice);
  table.line(
      "simulate: twice as many replicates", 1600, "simulate/twice",
      [](const Times& t) { return t.has("simulate/1600") ? t("simulate/twice") / t("simulate/1600") : 0; }, "times",
      Goal::at_most, 2.2);
}

void add_figures(Table& table) {
  const std::size_t replicates = table.rows(1000);
  table.time(
      "simulate/figure 4",
      [=] {
        return [=] {
          for (const auto& row : simulate::models()) {
            const auto found = simulate::study(
                *simulate::model(row.name), six(),
                {.sizes = {200, 400, 800, 1600, 3200, 6400, 12800}, .replicates = {.count = replicates}});
            sink = *found->rows.back().mean;
          }
        };
      },
      Clock::cpu, 2);
  table.line(
      "Figure 4: 10 models x 7 sizes x 1000 x 6", replicates, "simulate/figure 4",
      [](const Times& t) { return t("simulate/figure 4"); }, "s", Goal::at_most, 4);

  const std::size_t many = table.rows(1e6);
  table.time(
      "simulate/figure 1",
      [=] {
        return [=] {
          const auto found = simulate::study(*simulate::model("resnet110_c10", true), tasks({"ece_ew"}),
                                             {.sizes = {200}, .replicates = {.count = many}});
          sink = *found->rows.back().mean;
        };
      },
      Clock::cpu, 2);
  table.line(
      "Figure 1: 1e6 samples of 200, ece_ew", many, "simulate/figure 1",
      [](const Times& t) { return t("simulate/figure 1"); }, "s", Goal::at_most, 4);
}

}  // namespace

void add_simulation(Table& table) {
  add_samples(table);
  add_figures(table);
  const std::size_t replicates = std::max<std::size_t>(table.rows(1'024'000) / 1600, 1);
  if (const auto peer = peer_seconds("simulate_numpy.py", table.quick() ? "1600 2" : "1600 200"))
    table.line(
        "simulate: plain NumPy takes", 1600, "simulate/1600",
        [=](const Times& t) { return *peer * 10 * static_cast<double>(replicates) / t("simulate/1600"); },
        "times as long", Goal::none, 0);
}

}  // namespace tare::detail::bench
