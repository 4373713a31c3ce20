// The NLL of softmax(W x + b) and its gradient, written down once more, plainly and in long double: what the
// optimisers are checked against.
#pragma once

#include "fit/maps.hpp"

namespace tare::detail::testing {

struct Affine {
  std::vector<double> w;  // k x k, row by row
  std::vector<double> b;
};

struct PlainNll {
  long double value = 0;
  std::vector<long double> w, b;  // gradient
};

inline PlainNll plain_nll(const Matrix& x, const Affine& map) {
  const std::size_t k = x.columns;
  PlainNll out{0, std::vector<long double>(k * k), std::vector<long double>(k)};
  long double total = 0;
  for (std::size_t i = 0; i < x.rows(); ++i) total += x.weight.empty() ? 1 : x.weight[i];
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const long double share = (x.weight.empty() ? 1 : x.weight[i]) / total;
    const double* row = x.values.data() + i * k;
    std::vector<long double> u(k);
    for (std::size_t c = 0; c < k; ++c) {
      u[c] = map.b[c];
      for (std::size_t j = 0; j < k; ++j) u[c] += static_cast<long double>(map.w[c * k + j]) * row[j];
    }
    const long double top = *std::max_element(u.begin(), u.end());
    long double sum = 0;
    for (const auto v : u) sum += std::exp(v - top);
    const auto y = static_cast<std::size_t>(x.label[i]);
    out.value += share * (top + std::log(sum) - u[y]);
    for (std::size_t c = 0; c < k; ++c) {
      const long double r = share * (std::exp(u[c] - top) / sum - (c == y ? 1 : 0));
      out.b[c] += r;
      for (std::size_t j = 0; j < k; ++j) out.w[c * k + j] += r * row[j];
    }
  }
  return out;
}

// d NLL / d v of softmax(v z).
inline double plain_slope(const Matrix& z, double v) {
  const std::size_t k = z.columns;
  long double slope = 0, total = 0;
  for (std::size_t i = 0; i < z.rows(); ++i) {
    const double* row = z.values.data() + i * k;
    const long double top = *std::max_element(row, row + k), w = z.weight.empty() ? 1 : z.weight[i];
    long double s0 = 0, s1 = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const long double a = row[j] - top, e = std::exp(v * a);
      s0 += e;
      s1 += a * e;
    }
    slope += w * (s1 / s0 - (row[static_cast<std::size_t>(z.label[i])] - top));
    total += w;
  }
  return static_cast<double>(slope / total);
}

inline std::size_t argmax(std::span<const double> row) {
  return static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

// No NaN, rows that sum to 1 within 1e-12.
inline void expect_probabilities(const std::vector<double>& p, std::size_t columns) {
  for (std::size_t i = 0; i < p.size(); i += columns) {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      ASSERT_GE(p[i + j], 0) << "row " << i / columns;
      ASSERT_LE(p[i + j], 1) << "row " << i / columns;
      sum += p[i + j];
    }
    if (columns > 1) {
      ASSERT_NEAR(sum, 1, 1e-12) << "row " << i / columns;
    }
  }
}

inline void expect_same_top_label(const Matrix& in, const std::vector<double>& out) {
  for (std::size_t i = 0; i < out.size(); i += in.columns) {
    if (in.columns == 1) {
      ASSERT_EQ(in.values[i] > (in.kind == Kind::probs ? 0.5 : 0), out[i] > 0.5) << i;
      continue;
    }
    ASSERT_EQ(argmax(std::span(in.values).subspan(i, in.columns)), argmax(std::span(out).subspan(i, in.columns))) << i;
  }
}

inline double temperature_of(const Model& model) { return std::get<double>(model.parameters.at("temperature")); }
inline std::vector<double> list_of(const Model& model, const std::string& name) {
  return std::get<std::vector<double>>(model.parameters.at(name));
}

inline Model reloaded(const Model& model) { return must(fit::from_json(fit::to_json(model), "saved.json")); }

}  // namespace tare::detail::testing
