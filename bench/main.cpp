// tare_bench [--quick] [--benchmark_filter=REGEX]
// Prints one table: each time, its ratio to a limit measured in the same run, and its target. Exits with 1 where one is
// missed; the last line says which.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "bench/table.hpp"

int main(int argc, char** argv) {
  bool quick = false;
  std::vector<char*> args;
  for (int i = 0; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--quick")
      quick = true;
    else
      args.push_back(argv[i]);
  }
  int count = static_cast<int>(args.size());
  benchmark::Initialize(&count, args.data());
  if (benchmark::ReportUnrecognizedArguments(count, args.data())) return 2;

  tare::detail::bench::Table table(quick);
  tare::detail::bench::add_memory(table);  // first, while this process is small
  tare::detail::bench::add_fit_memory(table);
  tare::detail::bench::add_bandwidth(table);
  tare::detail::bench::add_numeric(table);
  tare::detail::bench::add_estimators(table);
  tare::detail::bench::add_fits(table);
  tare::detail::bench::add_binary_fits(table);
  tare::detail::bench::add_maps(table);
  tare::detail::bench::add_simulation(table);
  tare::detail::bench::add_state(table);
  tare::detail::bench::add_program(table);
  table.run();
  table.print();
  const std::string missed = table.missed();
  if (!missed.empty()) fmt::print("{}\n", missed);
  return missed.empty() ? 0 : 1;
}
