#include "tare/fit/run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/scaled.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

// The same two-class rows in both forms.
struct Forms {
  Matrix one, two;
};

Forms forms(Kind kind) {
  Forms out{{.kind = kind, .columns = 1, .values = {}, .label = {}},
            {.kind = kind, .columns = 2, .values = {}, .label = {}}};
  const Matrix z = simulated_logits(500, 2, 2, 4);
  out.one.label = out.two.label = z.label;
  for (std::size_t i = 0; i < z.rows(); ++i) {
    const double odds = z.values[2 * i + 1] - z.values[2 * i], p = 1 / (1 + std::exp(-odds));
    out.one.values.push_back(kind == Kind::logits ? odds : p);
    // vector and matrix scaling also read what two logits have in common: here nothing
    out.two.values.insert(out.two.values.end(),
                          {kind == Kind::logits ? -odds / 2 : 1 - p, kind == Kind::logits ? odds / 2 : p});
  }
  return out;
}

Predictions predictions(const Matrix& data) {
  Predictions out;
  out.matrix = data.view();
  out.n = data.rows();
  out.source = "test";
  return out;
}

std::vector<double> mapped(const Model& model, const Matrix& data) {
  const auto map = must(fit::map_for(model, predictions(data)));
  std::vector<double> out(data.values.size());
  fit::apply_rows(*map, std::span<const double>(data.values), data.columns, 0, out, 1);
  return out;
}

TEST(map_for, takes_two_classes_in_either_form) {
  for (const Kind kind : {Kind::logits, Kind::probs}) {
    const auto [one, two] = forms(kind);
    for (const fit::Calibrator& row : fit::all()) {
      const std::string name(row.name);
      for (const Matrix* fitted_on : {&one, &two}) {
        const Model model = fitted(name, *fitted_on);
        const auto p = mapped(model, one), q = mapped(model, two);
        for (std::size_t i = 0; i < p.size(); ++i) {
          ASSERT_NEAR(p[i], q[2 * i + 1], 1e-12) << name << " " << fitted_on->columns << " row " << i;
          ASSERT_NEAR(q[2 * i] + q[2 * i + 1], 1, 1e-12) << name;
        }
      }
    }
  }
}

TEST(map_for, refuses_another_kind_or_number_of_classes) {
  const Matrix two = simulated_logits(50, 2, 2, 4), three = simulated_logits(50, 3, 2, 4);
  const Model model = fitted("temperature", two);
  EXPECT_FALSE(fit::map_for(model, predictions(three)));
  EXPECT_FALSE(fit::map_for(model, predictions(softmaxed(two))));
  EXPECT_FALSE(fit::map_for(fitted("temperature", three), predictions(two)));
}

}  // namespace
