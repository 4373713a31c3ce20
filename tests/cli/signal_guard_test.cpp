#include "tare/cli/program.hpp"

#include <gtest/gtest.h>

namespace {

volatile std::sig_atomic_t outer = 0, inner = 0;

TEST(signal_guard, brings_the_old_handler_back) {
  const auto before = std::signal(SIGUSR1, [](int) { outer = outer + 1; });
  {
    const tare::detail::cli::SignalGuard guard(SIGUSR1, [](int) { inner = inner + 1; });
    std::raise(SIGUSR1);
    std::raise(SIGUSR1);
  }
  EXPECT_EQ(inner, 2);
  EXPECT_EQ(outer, 0);
  std::raise(SIGUSR1);
  EXPECT_EQ(outer, 1);
  std::signal(SIGUSR1, before);
}

}  // namespace
