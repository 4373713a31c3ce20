// The calibrator that is recommended, on the rows asked for.
#include <fmt/format.h>
#include <tare/version.hpp>

#include <memory>
#include <numeric>

#include "tare/analysis/compare.hpp"
#include "tare/core/errors.hpp"
#include "tare/fit/run.hpp"
#include "tare/numeric/order/row_order.hpp"

namespace tare::detail::analysis {
namespace {

Error not_alike() {
  return bad_input("the two folds are not of one kind and number of classes", "fit on the validation rows alone");
}

void append(const Reals& from, std::vector<double>& to) {
  from.visit([&](auto values) { to.insert(to.end(), values.begin(), values.end()); });
}

// Empty where all weights are 1.
std::vector<double> weights_of(std::span<const double> a, std::size_t n_a, std::span<const double> b, std::size_t n_b) {
  if (a.empty() && b.empty()) return {};
  std::vector<double> out(n_a + n_b, 1.0);
  std::copy(a.begin(), a.end(), out.begin());
  std::copy(b.begin(), b.end(), out.begin() + static_cast<std::ptrdiff_t>(n_a));
  return out;
}

// Which rows a calibrator was fitted on, for its record: 128 bits as hexadecimal digits. Rows in another order, or in
// float32 where the numbers are the same, have the same.
std::string data_hash(const Predictions& rows, int threads) {
  std::vector<std::int32_t> hits;
  numeric::RowContent content;
  if (rows.matrix) {
    content = {rows.matrix->values(), rows.matrix->columns(), rows.matrix->label(), rows.matrix->weight()};
  } else if (rows.confidences) {
    hits.assign(rows.confidences->label().begin(), rows.confidences->label().end());
    content = {rows.confidences->score(), 1, hits, rows.confidences->weight()};
  } else {
    return "none";
  }
  std::string out;
  for (const std::uint64_t seed : {1U, 2U}) {  // sums: the order of the rows does not matter
    const auto hashes = numeric::row_hashes(content, seed, threads);
    out += fmt::format("{:016x}", std::accumulate(hashes.begin(), hashes.end(), std::uint64_t{0}));
  }
  return out;
}

}  // namespace

Result<Model> refit(const Comparison& comparison, const Predictions& rows, const fit::Options& options) {
  const fit::Calibrator* row = fit::find(comparison.winner.method);
  auto model = fit::run(row ? *row : fit::identity(), rows, options);
  if (!model) return model.error();
  if (!row) model->fit.note = "the recommendation is to leave the model as it is: " + model->fit.note;
  std::string methods;
  for (const MethodResult& m : comparison.methods) methods += (methods.empty() ? "" : ", ") + m.method;
  model->provenance = {{"chosen_by", std::string(name(comparison.winner.criterion)) + ", " + comparison.winner.how},
                       {"compared", methods},
                       {"data", data_hash(rows, options.threads)},
                       {"folds", std::to_string(comparison.folds)},
                       {"rows", std::to_string(rows.n)},
                       {"seed", std::to_string(comparison.seed)},
                       {"source", rows.source},
                       {"version", TARE_VERSION}};
  return model;
}

Result<Predictions> joined(const Predictions& first, const Predictions& second) {
  Predictions out = first;
  const auto values = std::make_shared<std::vector<double>>();
  out.n = first.n + second.n;
  out.source = first.source == second.source ? first.source : first.source + " and " + second.source;
  out.owners.insert(out.owners.end(), second.owners.begin(), second.owners.end());
  out.owners.push_back(values);
  if (first.matrix && second.matrix) {
    const auto &a = *first.matrix, &b = *second.matrix;
    if (a.kind() != b.kind() || a.columns() != b.columns()) return not_alike();
    append(a.values(), *values);
    append(b.values(), *values);
    const auto label = std::make_shared<std::vector<std::int32_t>>(a.label().begin(), a.label().end());
    label->insert(label->end(), b.label().begin(), b.label().end());
    const auto weight = std::make_shared<std::vector<double>>(weights_of(a.weight(), a.size(), b.weight(), b.size()));
    out.owners.insert(out.owners.end(), {label, weight});
    const auto view = copied_view(a.kind(), std::span<const double>(*values), a.columns(), *label, *weight);
    if (!view) return view.error();
    out.matrix = *view;
    return out;
  }
  if (!first.confidences || !second.confidences) return not_alike();
  const auto &a = *first.confidences, &b = *second.confidences;
  append(a.score(), *values);
  append(b.score(), *values);
  const auto label = std::make_shared<std::vector<std::uint8_t>>(a.label().begin(), a.label().end());
  label->insert(label->end(), b.label().begin(), b.label().end());
  const auto weight = std::make_shared<std::vector<double>>(weights_of(a.weight(), a.size(), b.weight(), b.size()));
  out.owners.insert(out.owners.end(), {label, weight});
  const auto view = copied_view(std::span<const double>(*values), *label, *weight);
  if (!view) return view.error();
  out.confidences = *view;
  return out;
}

}  // namespace tare::detail::analysis
