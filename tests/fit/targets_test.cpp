// The fits, once per instruction set that this machine has: docs/methods/bits.md says how far they may differ.
#include <gtest/gtest.h>

#include <cmath>

#include "fit/numbers.hpp"
#include "fit/scaled.hpp"
#include "support/targets.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

struct Seen {
  std::string target;
  std::vector<double> numbers, applied;
};

TEST(every_instruction_set, gives_the_same_fits_to_rounding) {
  const Matrix three = simulated_logits(600, 3, 2, 5);
  Matrix one{.kind = Kind::probs, .columns = 1, .values = {}, .label = {}};
  const Matrix two = simulated_logits(600, 2, 2, 6);
  one.label = two.label;
  for (std::size_t i = 0; i < 600; ++i)
    one.values.push_back(1 / (1 + std::exp(two.values[2 * i] - two.values[2 * i + 1])));
  for (const Matrix& data : {one, three, softmaxed(three)})
    for (const fit::Calibrator& row : fit::all()) {
      const std::string name(row.name);
      std::vector<Seen> seen;
      for_targets([&](const char* target) {
        const Model model = fitted(name, data);
        seen.push_back({target, numbers(model), applied(model, data.values)});
      });
      double worst = 0, worst_output = 0;
      for (const Seen& s : seen) {
        ASSERT_EQ(s.numbers.size(), seen[0].numbers.size()) << name << " " << s.target;
        for (std::size_t i = 0; i < s.numbers.size(); ++i)
          worst = std::max(worst, std::abs(s.numbers[i] - seen[0].numbers[i]) / (1 + std::abs(seen[0].numbers[i])));
        for (std::size_t i = 0; i < s.applied.size(); ++i)
          worst_output = std::max(worst_output, std::abs(s.applied[i] - seen[0].applied[i]));
      }
      EXPECT_LE(worst, 1e-9) << name << " " << data.columns;
      EXPECT_LE(worst_output, 1e-9) << name << " " << data.columns;
    }
}

// A model that was fitted somewhere gives the same bits everywhere: nothing in a map depends on the instruction set.
TEST(every_instruction_set, applies_a_model_with_the_same_bits) {
  const Matrix three = simulated_logits(300, 3, 2, 5);
  for (const Matrix& data : {three, softmaxed(three)})
    for (const fit::Calibrator& row : fit::all()) {
      const Model model = fitted(std::string(row.name), data);
      std::vector<std::vector<double>> seen;
      for_targets([&](const char*) { seen.push_back(applied(model, data.values)); });
      for (const auto& out : seen) EXPECT_EQ(out, seen[0]) << row.name;
    }
}

}  // namespace
