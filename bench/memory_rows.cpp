// Peak resident memory of sorting 1e8 float32 scores, in a process of its own, without its input.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/data.hpp"
#include "bench/table.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::bench {
namespace {

double peak_of_order(std::size_t n) {
  const pid_t child = fork();
  if (child == 0) {
    const auto rows = make_rows<float>(n);
    sink = static_cast<double>(numeric::order(rows->scores(), rows->label).groups());
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return 0;
  return static_cast<double>(usage.ru_maxrss) * 1024 - 5 * static_cast<double>(n);
}

}  // namespace

void add_memory(Table& table) {
  const std::size_t n = table.rows(1e8);
  const double peak = peak_of_order(n);
  table.line(
      "order, float32: peak memory beside the rows", n, "", [peak](const Times&) { return peak * 1e-9; }, "GB",
      Goal::at_most, 2);
}

}  // namespace tare::detail::bench
