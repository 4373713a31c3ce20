#include "tare/paper/rule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace tare::detail::paper {
namespace {

double mean(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double sum_of_squares(std::span<const double> x, double about) {
  double out = 0;
  for (const double v : x) out += (v - about) * (v - about);
  return out;
}

double sd(std::span<const double> x) {
  return x.size() < 2 ? 0 : std::sqrt(sum_of_squares(x, mean(x)) / static_cast<double>(x.size() - 1));
}

std::vector<double> absolute(std::vector<double> x) {
  for (double& v : x) v = std::abs(v);
  return x;
}

std::vector<double> ranks(std::span<const double> x) {
  std::vector<double> out;
  for (const double v : x) {
    double below = 0, equal = 0;
    for (const double w : x) {
      below += w < v ? 1 : 0;
      equal += w == v ? 1 : 0;
    }
    out.push_back(below + (equal + 1) / 2);
  }
  return out;
}

// [column][row], of the rows that have numbers in all columns.
std::vector<std::vector<double>> numbers(const Frame& frame, const std::vector<std::string_view>& columns,
                                         const std::vector<std::size_t>& rows) {
  std::vector<std::vector<double>> out(columns.size());
  for (const std::size_t r : rows) {
    const bool all = std::ranges::all_of(columns, [&](std::string_view c) { return frame.number(r, c) != nullptr; });
    if (!all) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) out[c].push_back(*frame.number(r, columns[c]));
  }
  return out;
}

double of_one_column(const std::string& f, const std::vector<double>& x, std::string& problem) {
  if (f == "mean") return mean(x);
  if (f == "sum") return std::accumulate(x.begin(), x.end(), 0.0);
  if (f == "min") return *std::ranges::min_element(x);
  if (f == "max") return *std::ranges::max_element(x);
  if (f == "sd") return sd(x);
  if (f == "mean_abs") return mean(absolute(x));
  if (f == "max_abs") return std::ranges::max(absolute(x));
  if (f == "rms") return std::sqrt(sum_of_squares(x, 0) / static_cast<double>(x.size()));
  if (f == "se_mean") return std::sqrt(sum_of_squares(x, 0)) / static_cast<double>(x.size());
  if (f == "value") {
    if (x.size() != 1) problem = "value() found " + std::to_string(x.size()) + " rows";
    return x.front();
  }
  problem = "there is no function '" + f + "'";
  return 0;
}

double read_off(std::vector<double> x, std::vector<double> y, double v) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  if (v <= x[order.front()]) return y[order.front()];
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::size_t a = order[i - 1], b = order[i];
    if (v <= x[b]) return y[a] + (y[b] - y[a]) * (x[b] > x[a] ? (v - x[a]) / (x[b] - x[a]) : 0);
  }
  return y[order.back()];
}

double variance_ratio(const Frame& frame, std::string_view column, std::string_view group,
                      const std::vector<std::size_t>& rows, std::string& problem) {
  std::vector<double> means, inside;
  for (const Cell& value : values_of(frame, group, rows)) {
    std::vector<double> x;
    for (const std::size_t r : rows)
      if (frame.at(r, group) == value && frame.number(r, column)) x.push_back(*frame.number(r, column));
    if (x.size() < 2) continue;
    means.push_back(mean(x));
    inside.push_back(sd(x) * sd(x));
  }
  if (means.size() < 2) problem = "variance_ratio(" + std::string(column) + ") found no two groups with two rows";
  if (means.size() < 2) return 0;
  return sd(means) * sd(means) / std::max(mean(inside), 1e-300);
}

// Differences of absolute values, first rows minus second rows.
double paired(const std::string& f, const std::vector<double>& a, const std::vector<double>& b, std::string& problem) {
  if (a.size() != b.size() || a.size() < 2) {
    problem = f + " needs as many rows on both sides, and there are " + std::to_string(a.size()) + " and " +
              std::to_string(b.size());
    return 0;
  }
  std::vector<double> d(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) d[i] = std::abs(a[i]) - std::abs(b[i]);
  if (f == "sign_share")
    return static_cast<double>(std::ranges::count_if(d, [](double x) { return x > 0; })) /
           static_cast<double>(d.size());
  return mean(d) / (sd(d) / std::sqrt(static_cast<double>(d.size())));
}

// How many columns and choices of rows a function takes; others take one of each.
struct Shape {
  std::string_view name;
  std::size_t columns, rows;
};
constexpr std::array shapes{Shape{"at_min", 2, 1},         Shape{"at_min_abs", 2, 1}, Shape{"at_max", 2, 1},
                            Shape{"spearman", 2, 1},       Shape{"mean_gap", 2, 1},   Shape{"max_gap", 2, 1},
                            Shape{"variance_ratio", 2, 1}, Shape{"read_off", 3, 1},   Shape{"paired_t", 1, 2},
                            Shape{"sign_share", 1, 2}};

}  // namespace

double spearman(std::span<const double> x, std::span<const double> y) {
  const auto a = ranks(x), b = ranks(y);
  const double ma = mean(a), mb = mean(b);
  double together = 0;
  for (std::size_t i = 0; i < a.size(); ++i) together += (a[i] - ma) * (b[i] - mb);
  const double apart = std::sqrt(sum_of_squares(a, ma) * sum_of_squares(b, mb));
  return apart > 0 ? together / apart : 0;
}

double aggregate(const Frame& frame, const std::string& f, const std::vector<std::string_view>& columns,
                 const std::vector<std::vector<std::size_t>>& rows, std::string& problem) {
  const auto shape = std::ranges::find(shapes, f, &Shape::name);
  const bool plain = shape == shapes.end();
  if (columns.size() != (plain ? 1 : shape->columns) || rows.size() != (plain ? 1 : shape->rows)) {
    problem = f + " has the wrong number of columns or conditions";
    return 0;
  }
  if (f == "count") return static_cast<double>(numbers(frame, columns, rows[0])[0].size());
  if (f == "variance_ratio") return variance_ratio(frame, columns[0], columns[1], rows[0], problem);
  if (rows.size() == 2)
    return paired(f, numbers(frame, columns, rows[0])[0], numbers(frame, columns, rows[1])[0], problem);
  const bool reads = f == "read_off";
  const auto x = numbers(frame, reads ? std::vector(columns.begin(), columns.begin() + 2) : columns, rows[0]);
  if (x[0].empty()) {
    problem = f + "(" + std::string(columns[0]) + ") found no rows";
    return 0;
  }
  if (plain) return of_one_column(f, x[0], problem);
  if (f == "spearman") return spearman(x[0], x[1]);
  if (f.ends_with("_gap")) {
    std::vector<double> gap(x[0].size());
    for (std::size_t i = 0; i < gap.size(); ++i) gap[i] = std::abs(x[0][i] - x[1][i]);
    return f == "mean_gap" ? mean(gap) : std::ranges::max(gap);
  }
  if (reads) return read_off(x[0], x[1], std::strtod(std::string(columns[2]).c_str(), nullptr));
  std::size_t best = 0;
  for (std::size_t i = 1; i < x[1].size(); ++i) {
    const bool better = f == "at_max"   ? x[1][i] > x[1][best]
                        : f == "at_min" ? x[1][i] < x[1][best]
                                        : std::abs(x[1][i]) < std::abs(x[1][best]);
    if (better) best = i;
  }
  return x[0][best];
}

}  // namespace tare::detail::paper
