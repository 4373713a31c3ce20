#include "tare/read/repair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "tare/numeric/contains.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
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
// logits that are not far above what would stand for it.
template <class T>
Result<Matrix> masked(const Matrix& m, std::span<const T> values, const Array& from) {
  constexpr T low = -std::numeric_limits<T>::infinity();
  if (!numeric::any_is(values, [](T z) { return z == low; })) return m;
  if (std::any_of(values.begin(), values.end(), [](T z) { return z != low && z < static_cast<T>(masked_logit / 2); }))
    return m;
  const auto out = copy_of(values);
  for (std::size_t i = 0; i < m.n; ++i) {
    const auto row = std::span<T>(*out).subspan(i * m.k, m.k);
    if (m.k > 1 && std::all_of(row.begin(), row.end(), [](T z) { return z == low; }))
      return Error{.code = Errc::bad_input,
                   .what = "every logit of the row is -inf",
                   .place = from.place_of(i, {}, ""),
                   .remedy = "-inf is a class of probability 0; at least one class needs a number"};
    std::replace(row.begin(), row.end(), low, static_cast<T>(masked_logit));
  }
  return with(m, out);
}

// How far the sums of rows may be from 1, if each number was rounded to the decimals it shows, or to eight bits.
double rounding(const Array& from, std::size_t k) {
  if (from.dtype == DType::bf2) return 0x1p-8;
  if (from.decimals < 0) return 0;
  return 0.5 * static_cast<double>(k) * std::pow(10.0, -from.decimals) * (1 + 1e-9);
}

// Rows divided by their sums, where one of them is further from 1 than `tolerance`, and none further than `most`.
template <class T>
Matrix renormalised(const Matrix& m, std::span<const T> values, double tolerance, double most, bool asked,
                    std::vector<std::string>& notes) {
  double furthest = 0;
  for (std::size_t i = 0; i < m.n; ++i) {
    const auto row = values.subspan(i * m.k, m.k);
    for (const T p : row)
      if (!(p >= 0 && p <= (asked ? std::numeric_limits<T>::max() : T{1}))) return m;  // for the view to refuse
    const double sum = row_sum(row);
    if (!(sum > 0)) return m;
    furthest = std::max(furthest, std::abs(sum - 1));
  }
  if (furthest <= tolerance || furthest > most) return m;
  const auto out = std::make_shared<std::vector<double>>(values.begin(), values.end());
  for (std::size_t i = 0; i < m.n; ++i) {
    const auto row = std::span<double>(*out).subspan(i * m.k, m.k);
    const double sum = row_sum(std::span<const double>(row));
    for (double& p : row) p = std::min(p / sum, 1.0);
  }
  notes.push_back("rows of probabilities sum to 1 only up to " + shown(std::round(furthest * 1e6) / 1e6) +
                  (asked ? "" : ", which rounding explains") + "; each was divided by its sum");
  return with(m, out);
}

}  // namespace

Result<Matrix> repaired(Matrix m, const Array& from, Kind kind, const Reading& reading, double tolerance,
                        std::vector<std::string>& notes) {
  if (kind == Kind::logits) return m.values.visit([&](auto values) { return masked(m, values, from); });
  double rounded = rounding(from, m.k);
  if (reading.percent) {
    m = m.values.visit([&](auto values) {
      const auto out = std::make_shared<std::vector<double>>(values.begin(), values.end());
      for (double& p : *out) p /= 100;
      return with(m, out);
    });
    rounded /= 100;
  }
  if (kind == Kind::confidences || m.k == 1) return m;
  const double most = reading.renormalize ? std::numeric_limits<double>::infinity() : rounded;
  if (most <= tolerance) return m;
  return m.values.visit(
      [&](auto values) { return renormalised(m, values, tolerance, most, reading.renormalize, notes); });
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

}  // namespace tare::inner::read
