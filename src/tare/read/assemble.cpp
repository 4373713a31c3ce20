#include "tare/read/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "tare/core/predictions.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/label_words.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

// One row in every so many is looked at, of many classes fewer.
std::size_t step_of(std::size_t rows, std::size_t k) {
  constexpr std::size_t most_rows = 20000, least_rows = 1000, most_numbers = std::size_t{1} << 21;
  return std::max<std::size_t>(1, rows / std::clamp(most_numbers / k, least_rows, most_rows));
}

// The predicted class, the first of the largest, and its probability.
template <class T>
std::pair<std::size_t, double> predicted(std::span<const T> row, Kind kind) {
  if (row.size() == 1) {
    const auto x = static_cast<double>(row[0]);
    const double p = kind == Kind::logits ? 1 / (1 + std::exp(-x)) : x;
    return p > 0.5 ? std::pair<std::size_t, double>{1, p} : std::pair<std::size_t, double>{0, 1 - p};
  }
  const auto top = std::max_element(row.begin(), row.end());
  double confidence = static_cast<double>(*top);
  if (kind == Kind::logits) {
    double sum = 0;
    for (const T z : row) sum += std::exp(static_cast<double>(z) - static_cast<double>(*top));
    confidence = 1 / sum;
  }
  return {static_cast<std::size_t>(top - row.begin()), confidence};
}

// Calls body(row, its index) for every so many rows of k numbers, as long as it says so.
template <class Body>
bool for_some_rows(const Reals& values, std::size_t k, std::size_t step, const Body& body) {
  return values.visit([&](auto all) {
    for (std::size_t i = 0; i < all.size() / k; i += step)
      if (!body(all.subspan(i * k, k), i)) return false;
    return true;
  });
}

template <class T>
bool sums_to_one(std::span<const T> row) {
  return std::all_of(row.begin(), row.end(), [](auto x) { return x >= 0 && x <= 1; }) &&
         (row.size() == 1 || std::abs(row_sum(row) - 1) <= row_sum_tolerance_float16);
}

bool are_percentages(const Matrix& m) {
  const std::size_t step = step_of(m.n, m.k);
  double largest = 0;
  const bool all = for_some_rows(m.values, m.k, step, [&](auto row, std::size_t) {
    for (const auto x : row) {
      if (!(x >= 0 && x <= 100)) return false;
      largest = std::max(largest, static_cast<double>(x));
    }
    return row.size() == 1 || std::abs(row_sum(row) - 100) <= 2;
  });
  return all && (m.k > 1 || largest > 20);
}

// All at most 0, and some below: what stands for a probability as its logarithm.
bool are_logarithms(const Matrix& m) {
  bool below = false;
  return for_some_rows(m.values, m.k, step_of(m.n, m.k),
                       [&](auto row, std::size_t) {
                         double sum = 0;
                         for (const auto x : row) {
                           if (!(x <= 0)) return false;
                           below = below || x < -1;
                           sum += std::exp(static_cast<double>(x));
                         }
                         return row.size() == 1 || std::abs(sum - 1) < 0.02;
                       }) &&
         below;
}

// Looks at some of these labelled rows, and remembers what notes_of says about them.
void look_at(const MulticlassView& view, ReadLog& log) {
  const std::size_t k = view.columns();
  log.classes = view.classes();
  log.single = k == 1;
  log.logits = view.kind() == Kind::logits;
  log.predicted_count.resize(std::max(log.predicted_count.size(), log.classes));
  log.label_count.resize(std::max(log.label_count.size(), log.classes));
  for_some_rows(view.values(), k, step_of(view.size(), k), [&](auto row, std::size_t i) {
    const auto label = std::min(static_cast<std::size_t>(view.label()[i]), log.classes - 1);
    const auto [top, confidence] = predicted(row, view.kind());
    ++log.looked_at;
    log.right += top == label;
    log.confidence += confidence;
    ++log.predicted_count[top];
    ++log.label_count[label];
    if (log.logits && log.all_sum_to_one) log.all_sum_to_one = sums_to_one(row);
    return true;
  });
}

void look_at(const BinaryView& view, ReadLog& log) {
  log.hits_only = true;
  for_some_rows(view.score(), 1, step_of(view.size(), 1), [&](auto row, std::size_t i) {
    ++log.looked_at;
    log.right += view.label()[i] == 1;
    log.confidence += static_cast<double>(row[0]);
    return true;
  });
}

// A better remedy where the numbers explain the error: percentages, labels counted from 1, sums that are not 1.
void explain(Error& error, const Matrix& m, Kind kind, std::span<const std::int32_t> labels) {
  if (error.place.array == "values" && kind != Kind::logits && error.value.empty() && error.place.row)
    error.remedy += "; rows that only want rescaling: `renormalize`";
  if (error.place.array == "values" && kind != Kind::logits && !error.value.empty() && are_percentages(m))
    error.remedy = "these look like percentages: divide them by 100 with `percent`";
  if (error.place.array == "values" && kind != Kind::logits && !error.value.empty() && are_logarithms(m))
    error.remedy = "these look like logarithms of probabilities: declare them as `log_probs`";
  if (error.place.array != "labels" || labels.empty()) return;
  const auto [low, high] = std::minmax_element(labels.begin(), labels.end());
  if (*low >= 1 && *high == static_cast<std::int32_t>(m.k == 1 ? 2 : m.k))
    error.remedy = "labels that count from 1 are read with `first_label` 1";
}

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
  return bad_input(rows(*other) + ", but " + rows(main), "every array must have one entry per prediction");
}

Result<Column<double>> weights_of(const Parts& parts, int threads) {
  if (!parts[Role::weights]) return Column<double>{};
  return to_weights(*parts[Role::weights], threads);
}

// Which column the reading calls positive.
Result<std::size_t> positive_column(const std::string& positive, const std::vector<std::string>& names, std::size_t k) {
  for (std::size_t j = 0; j < k; ++j)
    if (names.empty() ? positive == std::to_string(j) : positive == names[j]) return j;
  return bad_option("positive", in_quotes(positive),
                    names.empty() ? "but the columns have no names" : "but the columns are for " + listed(names),
                    "name the class whose probability is meant; `class_names` A,B,C names the columns");
}

Result<std::vector<std::string>> names_of(const Parts& parts, std::size_t k) {
  const Reading& reading = parts.reading;
  if (reading.class_names.empty() && reading.names.empty()) return parts.class_names;
  auto names = reading.names.empty() ? given_class_names(reading.class_names) : reading.names;
  if (!names || names->size() == k || k == 1) return names;
  return Error{.code = Errc::bad_option,
               .what = std::to_string(names->size()) + " names for " + std::to_string(k) + " classes",
               .place = {.array = "class_names"},
               .remedy = "one name for each column, in their order"};
}

struct Problem {
  Matrix m;
  std::vector<std::string> names = {};
};

// The numbers as they are to be judged.
Result<Problem> problem_of(const Parts& parts, const Array& main, Kind kind, int threads, ReadLog& log) {
  auto m = to_matrix(main, threads);
  if (!m) return m.error();
  Problem out;
  auto better = repaired(*std::move(m), main, kind, parts.reading, log);
  if (!better) return better.error();
  out.m = *std::move(better);
  auto names = names_of(parts, out.m.k);
  if (!names) return names.error();
  out.names = *std::move(names);
  if (out.m.k == 1 && out.names == std::vector<std::string>{"0"})
    return bad_file(main.name, "column " + read::quoted(main.columns.at(0)) + " stands alone but is about class 0",
                    "a single column holds the probability or the log-odds of class 1");
  if (out.m.k > 1 && !parts.reading.positive.empty()) {
    const auto column = positive_column(parts.reading.positive, out.names, out.m.k);
    if (!column) return column.error();
    out.m = one_class(out.m, kind, *column);
  }
  if (out.m.k == 1) out.names.clear();
  return out;
}

Error percent_of_logits() {
  return bad_option("logits are not percentages", "leave out `percent`, or pass probabilities with `probs`");
}

// Probabilities that were refused may be rounded: once more, repaired.
bool may_be_rounded(const Error& error, Kind kind) { return kind != Kind::logits && error.place.array == "values"; }

Result<Predictions> assemble_matrix(const Parts& parts, Kind kind, int threads, ReadLog& log) {
  const Array& main = *parts[kind == Kind::logits ? Role::logits : Role::probs];
  if (kind == Kind::logits && parts.reading.percent) return percent_of_logits();
  for (const Role r : {Role::labels, Role::weights})
    if (const auto fine = same_length(main, parts[r]); !fine) return fine.error();
  const double tolerance = main.dtype == DType::f2 ? row_sum_tolerance_float16 : row_sum_tolerance;
  auto problem = problem_of(parts, main, kind, threads, log);
  if (!problem) return problem.error();
  Matrix& m = problem->m;
  const auto labels = class_indices(parts, problem->names, m, threads, log);
  if (!labels) return labels.error();
  const auto weights = weights_of(parts, threads);
  if (!weights) return weights.error();

  const ScopedValidationWorkers checks(numeric::workers(threads));
  // The bounds differ a little, so that whether a row is repaired does not depend on the order in which its sum is
  // taken.
  const auto checked = [&](double most) {
    return multiclass_view(kind, m.values, m.k, labels->values, weights->values, most);
  };
  auto view = checked(tolerance - 1e-6);
  if (!view && may_be_rounded(view.error(), kind)) {
    m = unrounded(m, main, tolerance, log);
    view = checked(tolerance + 1e-9);
  }
  if (!view) {
    Error error = view.error();
    explain(error, m, kind, labels->values);
    return located(error, parts, kind == Kind::logits ? Role::logits : Role::probs, Role::labels);
  }
  if (parts.labelled) look_at(*view, log);
  if (counts_from_zero(problem->names)) problem->names.clear();
  return Predictions{.kind = kind,
                     .n = m.n,
                     .k = view->classes(),
                     .matrix = *view,
                     .confidences = std::nullopt,
                     .source = parts.source,
                     .class_names = std::move(problem->names),
                     .owners = {m.owner, labels->owner, weights->owner}};
}

Result<Predictions> assemble_confidences(const Parts& parts, int threads, ReadLog& log) {
  const Array& main = *parts[Role::confidences];
  auto given = to_matrix(main, threads);
  if (!given) return given.error();
  auto m = repaired(*std::move(given), main, Kind::confidences, parts.reading, log);
  if (!m) return m.error();
  if (m->k != 1)
    return bad_file(main.name, "has shape " + main.shape_text() + ", not one confidence per row",
                    "pass a matrix of probabilities with `probs`");
  for (const Role r : {Role::correct, Role::predictions, Role::labels, Role::weights})
    if (const auto fine = same_length(main, parts[r]); !fine) return fine.error();
  const auto& correct = parts[Role::correct];
  const Array& truth = correct ? *correct : *parts[Role::labels];
  const auto hits = correct ? to_hits(*correct, threads) : equal_labels(*parts[Role::predictions], truth, threads, log);
  if (!hits) return hits.error();
  const auto weights = weights_of(parts, threads);
  if (!weights) return weights.error();

  const ScopedValidationWorkers checks(numeric::workers(threads));
  auto view = binary_view(m->values, hits->values, weights->values);
  if (!view && may_be_rounded(view.error(), Kind::confidences)) {
    *m = unrounded(*m, main, 0, log);
    view = binary_view(m->values, hits->values, weights->values);
  }
  if (!view) {
    Error error = view.error();
    explain(error, *m, Kind::confidences, {});
    return located(error, parts, Role::confidences, correct ? Role::correct : Role::labels);
  }
  if (parts.labelled) look_at(*view, log);
  return Predictions{.kind = Kind::confidences,
                     .n = m->n,
                     .k = 0,
                     .matrix = std::nullopt,
                     .confidences = *view,
                     .source = parts.source,
                     .class_names = {},
                     .owners = {m->owner, hits->owner, weights->owner}};
}

// Log-probabilities as what they are: logits, or their exponentials.
Result<Parts> without_logarithms(const Parts& parts, ReadLog& log) {
  Parts out = parts;
  const Array& from = *parts[Role::log_probs];
  out[Role::log_probs].reset();
  if (parts.reading.percent) return percent_of_logits();
  if (from.shape.size() == 2 && from.shape[1] > 1) {
    if (const auto fine = check_log_probs(from, log); !fine) return fine.error();
    out[Role::logits] = from;
    return out;
  }
  auto plain = exponentials(from);
  if (!plain) return plain.error();
  const bool confidences = parts[Role::correct] || parts[Role::predictions];
  out[confidences ? Role::confidences : Role::probs] = *std::move(plain);
  return out;
}

Result<Predictions> assemble_any(const Parts& parts, int threads, ReadLog& log) {
  if (parts[Role::log_probs]) {
    const auto plain = without_logarithms(parts, log);
    return plain ? assemble_any(*plain, threads, log) : plain.error();
  }
  return parts[Role::logits]  ? assemble_matrix(parts, Kind::logits, threads, log)
         : parts[Role::probs] ? assemble_matrix(parts, Kind::probs, threads, log)
                              : assemble_confidences(parts, threads, log);
}

}  // namespace

Result<Predictions> assemble(const Parts& parts, int threads, ReadLog* log) {
  ReadLog own;
  ReadLog& to = log ? *log : own;
  auto out = assemble_any(parts, threads, to);
  if (!out) return out;
  to.rows += out->n;
  for (const Array& column : parts.groups) {
    auto made = grouping(column, out->n, parts.group_bins);
    if (!made) return made.error();
    out->groupings.push_back(*std::move(made));
  }
  if (log) return out;
  if (const auto fine = check_end(own); !fine) return fine.error();
  out->notes = notes_of(own);
  return out;
}

}  // namespace tare::detail::read
