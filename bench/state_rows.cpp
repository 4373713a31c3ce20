// The running state of 2^16 cells, one thread: rows into a settled state and into an empty one, a merge; and, with
// two threads, all noise floors of states of very many rows.
#include <algorithm>
#include <string>
#include <vector>

#include "bench/data.hpp"
#include "bench/table.hpp"
#include "tare/analysis/estimate_rows.hpp"
#include "tare/infer/resample/null.hpp"
#include "tare/state/state.hpp"

namespace tare::detail::bench {
namespace {

using state::State;

template <class T>
State filled(const Rows<T>& rows) {
  State out = *State::make();
  (void)out.add(rows.view());
  return out;
}

template <class T>
void add_adding(Table& table, const std::string& what, Shape shape) {
  const std::size_t n = table.rows(1e7);
  const std::string warm = "state/warm/" + what, cold = "state/cold/" + what;
  const auto per_row = [n](const std::string& name) {
    return [=](const Times& t) { return t(name) / static_cast<double>(n) * 1e9; };
  };
  table.time(
      warm,
      [=] {
        auto rows = make_rows<T>(n, shape);
        auto total = std::make_shared<State>(filled(*rows));
        return [rows, total, view = rows->view()] { sink = total->add(view); };
      },
      Clock::cpu, 10);
  table.line("a settled state takes " + what, n, warm, per_row(warm), "ns per row", Goal::at_most, 15);
  table.time(
      cold,
      [=] {
        auto rows = make_rows<T>(n, shape);
        return [rows, view = rows->view()] {
          State total = *State::make();
          sink = total.add(view);
        };
      },
      Clock::cpu, 10);
  table.line("an empty state takes " + what, n, cold, per_row(cold), "ns per row", Goal::at_most, 40);
}

void add_merge(Table& table) {
  const std::size_t n = table.rows(1e7);
  table.time(
      "state/merge",
      [=] {
        const auto rows = make_rows<double>(n);
        auto one = std::make_shared<State>(filled(*rows)), other = std::make_shared<State>(*one);
        return [=] { sink = one->merge(*other); };
      },
      Clock::cpu, 10);
  table.line(
      "two states merge", n, "state/merge", [](const Times& t) { return t("state/merge") * 1e3; }, "ms", Goal::at_most,
      10);
}

// Calibrated rows in 2^16 groups, as many as a state has cells.
numeric::Ordered grouped(double n) {
  constexpr std::size_t groups = 1 << 16;
  std::mt19937_64 rng(1);
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  for (std::size_t g = 0; g < groups; ++g) {
    score.push_back((static_cast<double>(g) + 0.5) / groups);
    mass.push_back(std::max<std::uint64_t>(static_cast<std::uint64_t>(n / groups), 1));
    hits.push_back(std::binomial_distribution<std::uint64_t>(mass.back(), score.back())(rng));
  }
  return {score, mass, hits};
}

void add_floors(Table& table, double n) {
  const auto rows = static_cast<std::size_t>(table.quick() ? n / 1e4 : n);
  const std::string name = "state/floors/" + std::to_string(rows);
  table.time(
      name,
      [=] {
        auto data = std::make_shared<numeric::Ordered>(grouped(static_cast<double>(rows)));
        auto lines = std::make_shared<std::vector<infer::ResampledChoice>>(*analysis::make_choices({}));
        return [=] {
          const auto cells = infer::floor_cells(*data, 15);
          sink = infer::null_values(cells, *lines, 1, 0, 2).front().front().value;
        };
      },
      Clock::wall, 5);
  table.line(
      "all noise floors of a state, two threads", rows, name, [=](const Times& t) { return t(name); }, "s",
      Goal::at_most, 1.5);
}

}  // namespace

void add_state(Table& table) {
  add_adding<double>(table, "float64, uniform", Shape::uniform);
  add_adding<float>(table, "float32, piled up at 1", Shape::piled);
  add_merge(table);
  for (const double n : {1e7, 1e9, 1e11}) add_floors(table, n);
}

}  // namespace tare::detail::bench
