#include "tare/read/assemble.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "tare/numeric/lent_checks.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/grouping.hpp"
#include "tare/read/labels.hpp"
#include "tare/read/repair.hpp"
#include "tare/read/suspect.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

// The checks of core speak of values, labels, hits and weights; here we know the file, and for text the line and the
// column's name.
Error located(Error e, const Parts& parts, Role main, Role truth) {
  const Role role = e.place.array == "values" ? main : e.place.array == "weights" ? Role::weights : truth;
  const Array& a = *parts[role];
  if (!e.place.row) {
    e.place = e.place.array.empty() ? file_place(parts[main]->name) : file_place(a.name);
    return e;
  }
  const std::string_view noun = role == Role::logits        ? "logit"
                                : role == Role::probs       ? "probability"
                                : role == Role::confidences ? "score"
                                : role == Role::weights     ? "weight"
                                                            : "label";
  e.place = a.place_of(*e.place.row, e.place.column, e.value.empty() ? "" : std::string(noun));
  return e;
}

Result<bool> same_length(const Array& main, const std::optional<Array>& other) {
  if (!other || other->rows() == main.rows()) return true;
  const auto rows = [](const Array& a) { return foreign(a.name) + " has " + std::to_string(a.rows()) + " rows"; };
  return Error{.code = Errc::bad_input,
               .what = rows(*other) + ", but " + rows(main),
               .remedy = "every array must have one entry per prediction"};
}

Result<Column<double>> weights_of(const Parts& parts, int threads) {
  if (!parts[Role::weights]) return Column<double>{};
  return to_weights(*parts[Role::weights], threads);
}

// Which column the reading calls positive.
Result<std::size_t> positive_column(const std::string& positive, const std::vector<std::string>& names, std::size_t k) {
  for (std::size_t j = 0; j < k; ++j)
    if (names.empty() ? positive == std::to_string(j) : positive == names[j]) return j;
  return Error{.code = Errc::bad_option,
               .what = names.empty() ? "but the columns have no names" : "but the columns are for " + listed(names),
               .place = {.array = "positive"},
               .value = in_quotes(positive),
               .remedy = "name the class whose probability is meant; `class_names` A,B,C names the columns"};
}

Result<std::vector<std::string>> names_of(const Parts& parts, std::size_t k) {
  if (parts.reading.class_names.empty()) return parts.class_names;
  auto names = given_class_names(parts.reading.class_names);
  if (!names || names->size() == k || k == 1) return names;
  return Error{.code = Errc::bad_option,
               .what = std::to_string(names->size()) + " names for " + std::to_string(k) + " classes",
               .place = {.array = "class_names"},
               .remedy = "one name for each column, in their order"};
}

struct Problem {
  Matrix m;
  std::vector<std::string> names = {};
  std::vector<std::string> notes = {};
};

// The numbers as they are to be judged.
Result<Problem> problem_of(const Parts& parts, const Array& main, Kind kind, double tolerance, int threads) {
  auto m = to_matrix(main, threads);
  if (!m) return m.error();
  Problem out;
  auto better = repaired(*std::move(m), main, kind, parts.reading, tolerance, out.notes);
  if (!better) return better.error();
  out.m = *std::move(better);
  auto names = names_of(parts, out.m.k);
  if (!names) return names.error();
  out.names = *std::move(names);
  if (out.m.k == 1 && out.names == std::vector<std::string>{"0"})
    return Error{.code = Errc::bad_input,
                 .what = "column " + read::quoted(main.columns.at(0)) + " stands alone but is about class 0",
                 .place = file_place(main.name),
                 .remedy = "a single column holds the probability or the log-odds of class 1"};
  if (out.m.k > 1 && !parts.reading.positive.empty()) {
    const auto column = positive_column(parts.reading.positive, out.names, out.m.k);
    if (!column) return column.error();
    out.m = one_class(out.m, kind, *column);
  }
  if (out.m.k == 1) out.names.clear();
  return out;
}

Error percent_of_logits() {
  return {.code = Errc::bad_option,
          .what = "logits are not percentages",
          .remedy = "leave out `percent`, or pass probabilities with `probs`"};
}

Result<Predictions> assemble_matrix(const Parts& parts, Kind kind, int threads) {
  const Array& main = *parts[kind == Kind::logits ? Role::logits : Role::probs];
  if (kind == Kind::logits && parts.reading.percent) return percent_of_logits();
  for (const Role r : {Role::labels, Role::weights})
    if (const auto fine = same_length(main, parts[r]); !fine) return fine.error();
  const double tolerance = main.dtype == DType::f2 ? row_sum_tolerance_float16 : row_sum_tolerance;
  auto problem = problem_of(parts, main, kind, tolerance, threads);
  if (!problem) return problem.error();
  const Matrix& m = problem->m;
  const auto labels = class_indices(parts, problem->names, m.k, threads, problem->notes);
  if (!labels) return labels.error();
  const auto weights = weights_of(parts, threads);
  if (!weights) return weights.error();

  const ChecksLent checks(numeric::workers(threads));
  const auto view = multiclass_view(kind, m.values, m.k, labels->values, weights->values, tolerance);
  if (!view) {
    Error error = view.error();
    explain(error, m, kind, labels->values);
    return located(error, parts, kind == Kind::logits ? Role::logits : Role::probs, Role::labels);
  }
  if (parts.labelled)
    for (std::string& sentence : suspicions(*view)) problem->notes.push_back(std::move(sentence));
  if (counts_from_zero(problem->names)) problem->names.clear();
  return Predictions{.kind = kind,
                     .n = m.n,
                     .k = view->classes(),
                     .matrix = *view,
                     .confidences = std::nullopt,
                     .source = parts.source,
                     .class_names = std::move(problem->names),
                     .owners = {m.owner, labels->owner, weights->owner},
                     .notes = std::move(problem->notes),
                     .dropped = parts.dropped};
}

Result<Predictions> assemble_confidences(const Parts& parts, int threads) {
  const Array& main = *parts[Role::confidences];
  auto given = to_matrix(main, threads);
  if (!given) return given.error();
  std::vector<std::string> notes;
  const auto m = repaired(*std::move(given), main, Kind::confidences, parts.reading, 0, notes);
  if (!m) return m.error();
  if (m->k != 1)
    return Error{.code = Errc::bad_input,
                 .what = "has shape " + main.shape_text() + ", not one confidence per row",
                 .place = file_place(main.name),
                 .remedy = "pass a matrix of probabilities with `probs`"};
  for (const Role r : {Role::correct, Role::predictions, Role::labels, Role::weights})
    if (const auto fine = same_length(main, parts[r]); !fine) return fine.error();
  const auto& correct = parts[Role::correct];
  const Array& truth = correct ? *correct : *parts[Role::labels];
  const auto hits = correct ? to_hits(*correct, threads) : equal_labels(*parts[Role::predictions], truth, threads);
  if (!hits) return hits.error();
  const auto weights = weights_of(parts, threads);
  if (!weights) return weights.error();

  const ChecksLent checks(numeric::workers(threads));
  const auto view = binary_view(m->values, hits->values, weights->values);
  if (!view) {
    Error error = view.error();
    explain(error, *m, Kind::confidences, {});
    return located(error, parts, Role::confidences, correct ? Role::correct : Role::labels);
  }
  return Predictions{.kind = Kind::confidences,
                     .n = m->n,
                     .k = 0,
                     .matrix = std::nullopt,
                     .confidences = *view,
                     .source = parts.source,
                     .class_names = {},
                     .owners = {m->owner, hits->owner, weights->owner},
                     .notes = std::move(notes),
                     .dropped = parts.dropped};
}

}  // namespace

Result<Predictions> assemble(const Parts& parts, int threads) {
  auto out = parts[Role::logits]  ? assemble_matrix(parts, Kind::logits, threads)
             : parts[Role::probs] ? assemble_matrix(parts, Kind::probs, threads)
                                  : assemble_confidences(parts, threads);
  if (!out) return out;
  for (const Array& column : parts.groups) {
    auto made = grouping(column, out->n, parts.group_bins);
    if (!made) return made.error();
    out->groupings.push_back(*std::move(made));
  }
  return out;
}

}  // namespace tare::inner::read
