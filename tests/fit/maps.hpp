// Small predictions of any number of classes, fitted and applied in one line.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "support/folders.hpp"
#include "support/golden.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::testing {

struct Matrix {
  Kind kind = Kind::probs;
  std::size_t columns = 1;
  std::vector<double> values;
  std::vector<std::int32_t> label;
  std::vector<double> weight = {};

  [[nodiscard]] MulticlassView view() const {
    return must(multiclass_view(kind, std::span<const double>(values), columns, label, weight));
  }
  [[nodiscard]] std::size_t rows() const { return label.size(); }
};

inline Matrix binary(const Rows& rows) {
  Matrix out{.values = rows.score, .label = {}, .weight = rows.weight};
  for (const auto y : rows.label) out.label.push_back(y);
  return out;
}

// Gaussian logits whose softmax is too sure of itself by the factor `heat`; labels from the true softmax.
inline Matrix simulated_logits(std::size_t n, std::size_t k, double heat, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal(0, 2);
  std::uniform_real_distribution<double> uniform;
  Matrix out{.kind = Kind::logits, .columns = k, .values = {}, .label = {}};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> p;
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const double z = normal(rng);
      out.values.push_back(z * heat);
      sum += p.emplace_back(std::exp(z));
    }
    double u = uniform(rng) * sum;
    std::size_t y = 0;
    while (y + 1 < k && u > p[y]) u -= p[y++];
    out.label.push_back(static_cast<std::int32_t>(y));
  }
  return out;
}

inline Matrix softmaxed(const Matrix& logits) {
  Matrix out = logits;
  out.kind = Kind::probs;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < out.columns; ++j) {
      double& p = out.values[i * out.columns + j];
      p = std::exp(p);
      sum += p;
    }
    for (std::size_t j = 0; j < out.columns; ++j) out.values[i * out.columns + j] /= sum;
  }
  return out;
}

// A parameter that is one number.
inline double only(const Model& model, const std::string& name) {
  return std::get<std::vector<double>>(model.parameters.at(name)).at(0);
}

inline Model fitted(const std::string& method, const Matrix& data, const fit::Options& options = {}) {
  const fit::Calibrator* row = fit::find(method);
  EXPECT_NE(row, nullptr) << method;
  return must(row->fit(data.view(), options));
}

inline std::vector<double> applied(const Model& model, const std::vector<double>& values) {
  std::vector<double> out(values.size());
  must(fit::find(model.method)->load(model))->apply(std::span<const double>(values), out);
  return out;
}

inline std::string read_text(const std::string& path) {
  std::string out;
  if (FILE* file = std::fopen(path.c_str(), "rb")) {
    char buffer[65536];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file)) out.append(buffer, got);
    std::fclose(file);
  }
  return out;
}

inline nlohmann::json golden_calibrators() {
  return nlohmann::json::parse(read_text(tare::detail::testing::source_dir() + "/tests/golden/calib/calibrators.json"));
}

// The numbers of a version 1 .npy file of type <f8 or <i8.
template <class T>
std::vector<T> golden_npy(const std::string& name) {
  const std::string bytes = read_text(tare::detail::testing::source_dir() + "/tests/golden/calib/" + name);
  EXPECT_GT(bytes.size(), 128U) << name;
  const std::size_t start = 10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
  std::vector<T> out((bytes.size() - start) / sizeof(T));
  std::memcpy(out.data(), bytes.data() + start, out.size() * sizeof(T));
  return out;
}

inline Matrix golden_matrix(const std::string& which) {
  Matrix out{.kind = Kind::logits, .columns = 10, .values = golden_npy<double>(which + "_logits.npy"), .label = {}};
  for (const auto y : golden_npy<std::int64_t>(which + "_labels.npy"))
    out.label.push_back(static_cast<std::int32_t>(y));
  return out;
}

}  // namespace tare::detail::testing
