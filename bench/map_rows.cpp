// Maps of one column, float64, one thread: 8 bytes in and 8 bytes out per row, against a copy of as much.
#include <cmath>
#include <random>
#include <string>

#include "bench/data.hpp"
#include "bench/table.hpp"
#include "tare/core/model.hpp"
#include "tare/fit/run.hpp"

namespace tare::detail::bench {
namespace {

using Parameters = std::map<std::string, Parameter>;

Parameters isotonic_parameters() {
  std::vector<std::vector<double>> x(1), y(1);
  for (int i = 0; i < 50; ++i) {
    x[0].push_back(0.001 + 0.019 * i);
    y[0].push_back(0.01 + 0.015 * i);
  }
  return {{"shape", "linear"}, {"x", x}, {"y", y}};
}

void add_map(Table& table, const std::string& method, const Parameters& parameters, bool logits, double target) {
  const std::size_t n = table.rows(1e7);
  const std::string what = method + (logits ? " of logits" : " of probabilities"), name = "map/" + what;
  const double copied = copied_numbers(table);
  const Model model{method, 2, 1, logits ? Kind::logits : Kind::probs, parameters};
  table.time(name, [=] {
    struct Data {
      std::unique_ptr<fit::Map> map;
      numeric::LargeArray<double> in, out;
    };
    auto d = std::make_shared<Data>();
    d->map = *fit::find(model.method)->load(model);
    d->in.resize(n);
    d->out.resize(n);
    std::mt19937_64 rng(1);
    for (double& x : d->in) {
      const double p = static_cast<double>((rng() >> 12) | 1) * 0x1p-52;
      x = logits ? std::log(p / (1 - p)) : p;
    }
    return [d] {
      fit::apply_rows(*d->map, std::span<const double>(d->in), 1, 0, d->out, 1);
      sink = d->out[0];
    };
  });
  table.line(
      "apply " + what, n, name, [=](const Times& t) { return t(copying) / copied / t(name) * static_cast<double>(n); },
      "of a copy", Goal::at_least, target);
}

}  // namespace

// 0.3 of a copy is the aim. With more than one logarithm or exponential the processor is the limit and not the memory:
// an exponential is 34 operations on vectors, a logarithm 33, a division as much as four. On a Zen 4 at 3.6 GHz, where
// 1.6 operations on vectors of eight begin in a cycle, that is 0.9 ns for sigma(z), 1.0 ns for the log-odds of a
// probability, 2.5 ns for beta; 0.3 of a copy are 1.7 ns there.
void add_maps(Table& table) {
  const Parameters temperature{{"temperature", 1.7}};
  const Parameters platt{{"a", std::vector{0.7}}, {"b", std::vector{0.1}}};
  const Parameters beta{{"a", std::vector{0.7}}, {"b", std::vector{0.8}}, {"c", std::vector{0.1}}};
  add_map(table, "temperature", temperature, true, 0.3);
  add_map(table, "platt", platt, true, 0.3);
  add_map(table, "isotonic", isotonic_parameters(), true, 0.18);
  add_map(table, "beta", beta, true, 0.17);
  add_map(table, "temperature", temperature, false, 0.22);
  add_map(table, "platt", platt, false, 0.2);
  add_map(table, "isotonic", isotonic_parameters(), false, 0.3);
  add_map(table, "beta", beta, false, 0.11);
}

}  // namespace tare::detail::bench
