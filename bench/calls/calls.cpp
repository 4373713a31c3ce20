// The calls that bench/python_call.py times beside those from Python: each as a C++ program would write it, on the same
// arrays. They say 0 where something went wrong.
#include <cstddef>
#include <cstdint>
#include <span>
#include <tare/tare.hpp>

namespace {

auto rows(const double* values, const std::int64_t* labels, std::size_t n, std::size_t columns) {
  return tare::from_probs(std::span(values, n * columns), columns, std::span(labels, n));
}

}  // namespace

extern "C" int call_estimate(const char* estimator, int norm, const double* values, const std::int64_t* labels,
                             std::size_t n, double* out) {
  const auto p = rows(values, labels, n, 1);
  if (!p) return 0;
  const auto e = tare::estimate(*p, {.estimator = estimator, .norm = norm});
  if (e) *out = e->value;
  return e ? 1 : 0;
}

extern "C" int call_fit(const char* method, const double* values, const std::int64_t* labels, std::size_t n,
                        std::size_t columns, double* out) {
  const auto p = rows(values, labels, n, columns);
  if (!p) return 0;
  const auto model = tare::fit(method, *p);
  if (!model) return 0;
  const auto after = model->apply(*p);
  if (!after) return 0;
  *out = static_cast<const double*>(after->values().data())[0];
  return 1;
}

extern "C" int call_measure(const double* values, const std::int64_t* labels, std::size_t n, double* out) {
  const auto p = rows(values, labels, n, 1);
  if (!p) return 0;
  const auto m = tare::measure(*p, {.estimators = {"debias_em"}});
  if (m) *out = m->at("debias_em").value.value_or(0);
  return m ? 1 : 0;
}
