// Fits of the logit maps: temperature against one softmax pass over the same logits, the others in seconds,
// Dirichlet calibration of 1,000 classes in bytes.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/data.hpp"
#include "bench/table.hpp"
#include "tare/fit/spec.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::detail::bench {
namespace {

// Labels drawn from the softmax of logits that are then made twice as large: the best temperature is about 2.
struct Logits {
  std::size_t k;
  numeric::LargeArray<float> z;
  std::vector<std::int32_t> label;
  [[nodiscard]] MulticlassView view() const {
    return *multiclass_view(Kind::logits, std::span<const float>(z), k, label);
  }
};

std::shared_ptr<const Logits> make_logits(std::size_t n, std::size_t k) {
  auto out = std::make_shared<Logits>(Logits{k, numeric::LargeArray<float>(n * k), std::vector<std::int32_t>(n)});
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal(0, 1.5);
  std::vector<double> noise(1 << 16), sums(k);  // a table: drawing 5e7 normals would take longer than all fits
  for (double& x : noise) x = normal(rng);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = rng() % noise.size(), favourite = rng() % k;
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const double u = noise[(from + 7 * j) % noise.size()] + (j == favourite ? 6 : 0);
      out->z[i * k + j] = static_cast<float>(2 * u);
      sums[j] = sum += std::exp(u);
    }
    const double at = static_cast<double>(rng() >> 11) * 0x1p-53 * sum;
    out->label[i] = static_cast<std::int32_t>(std::lower_bound(sums.begin(), sums.end() - 1, at) - sums.begin());
  }
  return out;
}

void time_fit(Table& table, const std::string& name, const char* method, std::size_t n, std::size_t k,
              const fit::Options& options, int repetitions) {
  table.time(
      name,
      [=] {
        const auto data = make_logits(n, k);
        return [=] { sink = *(*fit::find(method)->fit(data->view(), options)).fit.nll_after; };
      },
      Clock::cpu, repetitions);
}

void add_temperature(Table& table) {
  const std::size_t n = table.rows(50000), k = 1000;
  table.time(
      "fit/one pass",
      [=] {
        const auto data = make_logits(n, k);
        auto confidence = std::make_shared<std::vector<double>>(n);
        auto top = std::make_shared<std::vector<std::int32_t>>(n);
        return [=] {
          numeric::softmax_rows(std::span<const float>(data->z), k, data->label,
                                {.confidence = confidence->data(), .argmax = top->data()});
          sink = (*confidence)[0];
        };
      },
      Clock::cpu, 20);
  time_fit(table, "fit/temperature", "temperature", n, k, {}, 7);
  // A pass waits for memory and the fit computes: the faster the memory of the moment, the more passes a fit is (7.0
  // to 8.7 seen).
  table.line(
      "fit temperature, K = 1000, float32, in softmax + top-label passes", n, "fit/temperature",
      [](const Times& t) { return t("fit/temperature") / t("fit/one pass"); }, "times", Goal::at_most, 9);
}

void add_seconds(Table& table, const char* what, const std::string& name, const char* method, std::size_t n,
                 std::size_t k, const fit::Options& options, double target) {
  time_fit(table, name, method, n, k, options, 2);
  table.line(
      what, n, name, [name](const Times& t) { return t(name); }, "s", Goal::at_most, target);
}

// A few steps show the memory of all: what a fit holds does not grow with its steps.
double peak_of_dirichlet(std::size_t n, std::size_t k) {
  const pid_t child = fork();
  if (child == 0) {
    const auto data = make_logits(n, k);
    const bool fitted = fit::find("dirichlet")->fit(data->view(), {.max_iterations = 1}).has_value();
    _exit(fitted ? 0 : 1);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) return INFINITY;
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace

void add_fit_memory(Table& table) {
  const std::size_t n = table.rows(25000), k = table.quick() ? 100 : 1000;
  const double peak = peak_of_dirichlet(n, k);
  table.line(
      "fit dirichlet, K = 1000: peak memory, input included", n, "", [peak](const Times&) { return peak * 1e-9; }, "GB",
      Goal::at_most, 4);
}

void add_fits(Table& table) {
  add_temperature(table);
  const std::size_t n = table.rows(5000), k = table.quick() ? 10 : 100;
  add_seconds(table, "fit vector, K = 100", "fit/vector", "vector", n, k, {}, 1);
  add_seconds(table, "fit matrix with ODIR, K = 100", "fit/matrix", "matrix", n, k, {.lambda = 990}, 30);
  add_seconds(table, "fit dirichlet, K = 100", "fit/dirichlet", "dirichlet", n, k, {}, 30);
}

}  // namespace tare::detail::bench
