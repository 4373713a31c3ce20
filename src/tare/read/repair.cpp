// Repairs of numbers, row by row.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "tare/numeric/contains.hpp"
#include "tare/read/assemble.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

template <class T>
std::shared_ptr<std::vector<T>> copy_of(std::span<const T> values) {
  return std::make_shared<std::vector<T>>(values.begin(), values.end());
}

template <class T>
Matrix with(const Matrix& m, std::shared_ptr<std::vector<T>> values) {
  Matrix out = m;
  out.values = std::span<const T>(*values);
  out.owner = std::move(values);
  return out;
}

// -inf becomes masked_logit. Anything else that is not finite is left for the view to refuse, and so is -inf beside
// logits of its row that are not far above what would stand for it.
template <class T>
Result<Matrix> masked(const Matrix& m, std::span<const T> values, const Array& from) {
  constexpr T low = -std::numeric_limits<T>::infinity();
  if (!numeric::any_is(values, [](T z) { return z == low; })) return m;
  const auto out = copy_of(values);
  for (std::size_t i = 0; i < m.n; ++i) {
    const auto row = std::span<T>(*out).subspan(i * m.k, m.k);
    if (m.k > 1 && std::all_of(row.begin(), row.end(), [](T z) { return z == low; }))
      return bad_input(from.place_of(i, {}, ""), "every logit of the row is -inf",
                       "-inf is a class of probability 0; at least one class needs a number");
    if (std::any_of(row.begin(), row.end(), [](T z) { return z != low && z < static_cast<T>(masked_logit / 2); }))
      continue;
    std::replace(row.begin(), row.end(), low, static_cast<T>(masked_logit));
  }
  return with(m, out);
}

// How many decimals these numbers were rounded to, as far as they show it: 2 for 0.25 and 0.5. At least one, and 0 for
// none. `exact`: how exactly the type holds a number.
int decimals_of(std::span<const double> row, double exact) {
  constexpr int most = 7;
  double power = 10;
  for (int d = 1; d <= most; ++d, power *= 10)
    if (std::all_of(row.begin(), row.end(),
                    [&](double p) { return std::abs(p * power - std::round(p * power)) <= p * power * exact + 1e-9; }))
      return d;
  return 0;
}

// How far the sum of a row may be from 1, if each number was rounded to the decimals it shows, or to eight bits.
double rounding(std::span<const double> row, const Array& from) {
  if (from.dtype == DType::bf2) return 0x1p-8;
  const bool coarse = from.dtype == DType::f4 || from.dtype == DType::f2;
  const int decimals = decimals_of(row, coarse ? 0x1p-23 : 0x1p-50);
  return decimals == 0 ? 0 : 0.5 * static_cast<double>(row.size()) * std::pow(10.0, -decimals) * (1 + 1e-9) + 1e-9;
}

void divide(std::span<double> row, double sum, ReadLog& log) {
  for (double& p : row) p = std::min(p / sum, 1.0);
  log.furthest = std::max(log.furthest, std::abs(sum - 1));
  ++log.rescaled;
}

std::shared_ptr<std::vector<double>> doubles_of(const Matrix& m) {
  return m.values.visit(
      [](auto values) { return std::make_shared<std::vector<double>>(values.begin(), values.end()); });
}

// Every row by its sum, as was asked. Rows with anything that is no share are left for the view to refuse.
Matrix divided(const Matrix& m, ReadLog& log) {
  const auto out = doubles_of(m);
  log.asked = true;
  for (std::size_t i = 0; i < m.n; ++i) {
    const auto row = std::span<double>(*out).subspan(i * m.k, m.k);
    const double sum = row_sum(std::span<const double>(row));
    const bool shares = std::all_of(row.begin(), row.end(), [](double p) { return p >= 0; });
    if (shares && sum > 0 && std::isfinite(sum) && sum != 1) divide(row, sum, log);
  }
  return with(m, out);
}

}  // namespace

Result<Matrix> repaired(Matrix m, const Array& from, Kind kind, const Reading& reading, ReadLog& log) {
  if (kind == Kind::logits) return m.values.visit([&](auto values) { return masked(m, values, from); });
  if (reading.percent) {
    const auto out = doubles_of(m);
    for (double& p : *out) p /= 100;
    m = with(m, out);
  }
  return reading.renormalize && kind == Kind::probs && m.k > 1 ? divided(m, log) : m;
}

Matrix unrounded(const Matrix& m, const Array& from, double tolerance, ReadLog& log) {
  constexpr double outside = 1e-5;
  const auto out = doubles_of(m);
  for (std::size_t i = 0; i < m.n; ++i) {
    const auto row = std::span<double>(*out).subspan(i * m.k, m.k);
    if (!std::all_of(row.begin(), row.end(), [](double p) { return p >= -outside && p <= 1 + outside; })) continue;
    for (double& p : row) {
      log.clamped += p < 0 || p > 1;
      p = std::clamp(p, 0.0, 1.0);
    }
    if (m.k == 1) continue;
    const double sum = row_sum(std::span<const double>(row)), off = std::abs(sum - 1);
    if (off > tolerance && off <= rounding(row, from)) divide(row, sum, log);
  }
  return with(m, out);
}

namespace {

Error positive_logarithm(const Array& from, std::size_t row, std::optional<std::size_t> column, double value) {
  return bad_value(from.place_of(row, column, "log-probability"), shown(value), "above 0",
                   "the logarithm of a probability is at most 0; scores before the softmax are `logits`");
}

constexpr double most_above = 1e-5;

}  // namespace

Result<Array> exponentials(const Array& from) {
  const auto m = to_matrix(from);
  if (!m) return m.error();
  const auto out = doubles_of(*m);
  for (std::size_t i = 0; i < out->size(); ++i) {
    double& x = (*out)[i];
    if (x > most_above) return positive_logarithm(from, i / m->k, std::nullopt, x);
    x = std::exp(std::min(x, 0.0));
  }
  Array to = from;
  to.dtype = DType::f8;
  to.swapped = to.fortran = false;
  to.data = reinterpret_cast<const std::byte*>(out->data());
  to.owner = out;
  return to;
}

Result<void> check_log_probs(const Array& from, ReadLog& log) {
  const auto m = to_matrix(from);
  if (!m) return m.error();
  for (std::size_t i = 0; i < m->n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < m->k; ++j) {
      const double x = m->values[i * m->k + j];
      if (x > most_above) return positive_logarithm(from, i, j, x);
      sum += std::exp(x);
    }
    if (sum > 0) log.largest_log_sum = std::max(log.largest_log_sum, std::abs(sum - 1));
  }
  return {};
}

Matrix one_class(const Matrix& m, Kind kind, std::size_t column) {
  const auto out = std::make_shared<std::vector<double>>(m.n);
  for (std::size_t i = 0; i < m.n; ++i) {
    const double x = m.values[i * m.k + column];
    if (kind != Kind::logits) {
      (*out)[i] = x;
      continue;
    }
    double top = masked_logit, sum = 0;
    for (std::size_t j = 0; j < m.k; ++j)
      if (j != column) top = std::max(top, m.values[i * m.k + j]);
    for (std::size_t j = 0; j < m.k; ++j)
      if (j != column) sum += std::exp(m.values[i * m.k + j] - top);
    (*out)[i] = x == masked_logit ? masked_logit : x - (top + std::log(sum));
  }
  Matrix one = with(m, out);
  one.k = 1;
  return one;
}

}  // namespace tare::detail::read
