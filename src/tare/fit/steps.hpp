// Step functions on [0, 1]: what histogram, bbq and scaling_binning leave behind. Values between edges,
// intervals (a, b] as everywhere, 0 in the first.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tare/fit/parameters.hpp"

namespace tare::inner::fit {

// Where two neighbouring bins meet: half-way between the last score of one and the first of the next. The
// result e has lower <= e < upper, so that both scores fall on their own side even when they are adjacent doubles.
inline double half_way(double lower, double upper) {
  const double middle = lower + (upper - lower) / 2;
  return middle < upper ? middle : lower;
}

struct Steps {
  std::vector<double> edges = {};  // ascending; one less than values
  std::vector<double> values = {};

  [[nodiscard]] std::size_t index(double score) const {
    return static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), score) - edges.begin());
  }
  double operator()(double score) const { return values[index(score)]; }

  // The next value to the right of `edge`; equal neighbours become one step.
  void append(double edge, double value) {
    if (!values.empty()) {
      if (values.back() == value) return;
      edges.push_back(edge);
    }
    values.push_back(value);
  }
};

// The parameters `edges` and `values`, one list per problem.
inline void save(const std::vector<Steps>& steps, Model& model) {
  Lists edges, values;
  for (const Steps& s : steps) {
    edges.push_back(s.edges);
    values.push_back(s.values);
  }
  model.parameters["edges"] = std::move(edges);
  model.parameters["values"] = std::move(values);
}

inline Result<std::vector<Steps>> load_steps(const Model& model, std::size_t count) {
  const auto edges = lists(model, "edges", count, {0, 1});
  if (!edges) return edges.error();
  const auto values = lists(model, "values", count, {0, 1});
  if (!values) return values.error();
  std::vector<Steps> out;
  for (std::size_t j = 0; j < count; ++j) {
    const auto& e = (*edges)[j];
    const auto& v = (*values)[j];
    if (v.size() != e.size() + 1)
      return bad_parameter("values", "has " + std::to_string(v.size()) + " numbers in list " + std::to_string(j) +
                                         ", not " + std::to_string(e.size() + 1));
    for (std::size_t i = 1; i < e.size(); ++i)
      if (!(e[i - 1] < e[i])) return bad_parameter("edges", "does not rise in list " + std::to_string(j));
    out.push_back({e, v});
  }
  return out;
}

}  // namespace tare::inner::fit
