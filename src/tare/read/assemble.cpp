#include "tare/read/assemble.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tare/read/convert.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

using Labels = Column<std::int32_t>;

template <class T>
Column<T> owned(std::vector<T> values) {
  auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  return {*kept, kept};
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
  return Error{.code = Errc::bad_input,
               .what = rows(*other) + ", but " + rows(main),
               .remedy = "every array must have one entry per prediction"};
}

// The class names as whole numbers, if they all are.
std::optional<std::vector<std::int64_t>> as_numbers(const std::vector<std::string>& names) {
  std::vector<std::int64_t> out;
  for (const std::string& s : names) {
    std::int64_t v = 0;
    const auto r = std::from_chars(s.data(), s.data() + s.size(), v);
    if (r.ec != std::errc{} || r.ptr != s.data() + s.size()) return std::nullopt;
    out.push_back(v);
  }
  return out;
}

bool counts_from_zero(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] != std::to_string(i)) return false;
  return true;
}

Error unknown_class(const Array& labels, std::size_t row, const std::string& value,
                    const std::vector<std::string>& names) {
  return {.code = Errc::bad_input,
          .what = "but the columns are for " + listed(names),
          .place = labels.place_of(row, {}, "label"),
          .value = value,
          .remedy = "labels must be the names of the columns after their common beginning"};
}

Result<Labels> words_to_labels(const Array& a, const std::vector<std::string>& names, int threads) {
  const auto code = to_labels(a, threads);
  if (!code) return code.error();
  if (names.empty())
    return Error{.code = Errc::bad_input,
                 .what = "not a class index",
                 .place = a.place_of(0, {}, "label"),
                 .value = in_quotes((*a.words)[0]),
                 .remedy = "labels are whole numbers counted from 0, or the names of columns p_NAME in a table"};
  std::vector<std::int32_t> meaning;
  for (const std::string& word : *a.words) {
    const auto at = std::find(names.begin(), names.end(), word);
    meaning.push_back(at == names.end() ? -1 : static_cast<std::int32_t>(at - names.begin()));
  }
  std::vector<std::int32_t> out(code->values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto w = static_cast<std::size_t>(code->values[i]);
    if (meaning[w] < 0) return unknown_class(a, i, in_quotes((*a.words)[w]), names);
    out[i] = meaning[w];
  }
  return owned(std::move(out));
}

// Class indices. Where the columns are named p_1, p_2, p_3, a label 3 means the third of them: a
// label is the name of its column, if the names are numbers at all.
Result<Labels> class_indices(const Array& a, const std::vector<std::string>& names, std::size_t k, int threads) {
  if (a.dtype == DType::word && k == 1) {  // true and false
    const auto hits = to_hits(a, threads);
    if (!hits) return hits.error();
    return owned(std::vector<std::int32_t>(hits->values.begin(), hits->values.end()));
  }
  if (a.dtype == DType::word) return words_to_labels(a, names, threads);
  const auto numbers = as_numbers(names);
  auto labels = to_labels(a, threads);
  if (!labels || !numbers || counts_from_zero(names)) return labels;
  std::unordered_map<std::int64_t, std::int32_t> index;
  for (std::size_t c = 0; c < numbers->size(); ++c) index.emplace((*numbers)[c], static_cast<std::int32_t>(c));
  std::vector<std::int32_t> out(labels->values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto at = index.find(labels->values[i]);
    if (at == index.end()) return unknown_class(a, i, std::to_string(labels->values[i]), names);
    out[i] = at->second;
  }
  return owned(std::move(out));
}

// Hit = the predicted class is the label.
Result<Column<std::uint8_t>> equal_labels(const Array& predictions, const Array& labels, int threads) {
  const bool words = labels.dtype == DType::word;
  if (words != (predictions.dtype == DType::word)) {
    const Array& strange = words ? labels : predictions;
    return Error{
        .code = Errc::bad_input,
        .what = quoted((*strange.words)[0]) + " is a word, but " +
                (words ? foreign(predictions.name) + " holds predictions" : foreign(labels.name) + " holds labels") +
                " in numbers",
        .place = strange.place_of(0, {}, ""),
        .remedy = "predictions and labels must both be class indices or both be names"};
  }
  const auto p = to_labels(predictions, threads), y = to_labels(labels, threads);
  if (!p) return p.error();
  if (!y) return y.error();
  std::vector<std::int32_t> meaning;  // the label's code of each word among the predictions
  if (words)
    for (const std::string& word : *predictions.words) {
      const auto at = std::find(labels.words->begin(), labels.words->end(), word);
      meaning.push_back(at == labels.words->end() ? -1 : static_cast<std::int32_t>(at - labels.words->begin()));
    }
  std::vector<std::uint8_t> hit(y->values.size());
  for (std::size_t i = 0; i < hit.size(); ++i)
    hit[i] = (words ? meaning[static_cast<std::size_t>(p->values[i])] : p->values[i]) == y->values[i];
  return owned(std::move(hit));
}

Result<Column<double>> weights_of(const Parts& parts, int threads) {
  if (!parts[Role::weights]) return Column<double>{};
  return to_weights(*parts[Role::weights], threads);
}

Result<Predictions> assemble_matrix(const Parts& parts, Kind kind, int threads) {
  const Array& main = *parts[kind == Kind::logits ? Role::logits : Role::probs];
  const Array& truth = *parts[Role::labels];
  const auto m = to_matrix(main, threads);
  if (!m) return m.error();
  for (const Role r : {Role::labels, Role::weights})
    if (const auto fine = same_length(main, parts[r]); !fine) return fine.error();
  std::vector<std::string> names = parts.class_names;
  if (m->k == 1 && names == std::vector<std::string>{"0"})
    return Error{.code = Errc::bad_input,
                 .what = "column " + quoted(main.columns.at(0)) + " stands alone but is about class 0",
                 .place = file_place(main.name),
                 .remedy = "a single column holds the probability or the log-odds of class 1"};
  if (m->k == 1) names.clear();
  const auto labels = class_indices(truth, names, m->k, threads);
  if (!labels) return labels.error();
  const auto weights = weights_of(parts, threads);
  if (!weights) return weights.error();

  const double tolerance = m->float16 ? row_sum_tolerance_float16 : row_sum_tolerance;
  const auto view = multiclass_view(kind, m->values, m->k, labels->values, weights->values, tolerance);
  if (!view) return located(view.error(), parts, kind == Kind::logits ? Role::logits : Role::probs, Role::labels);
  if (counts_from_zero(names)) names.clear();
  return Predictions{.kind = kind,
                     .n = m->n,
                     .k = view->classes(),
                     .matrix = *view,
                     .confidences = std::nullopt,
                     .source = parts.source,
                     .class_names = std::move(names),
                     .owners = {m->owner, labels->owner, weights->owner}};
}

Result<Predictions> assemble_confidences(const Parts& parts, int threads) {
  const Array& main = *parts[Role::confidences];
  const auto m = to_matrix(main, threads);
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

  const auto view = binary_view(m->values, hits->values, weights->values);
  if (!view) return located(view.error(), parts, Role::confidences, correct ? Role::correct : Role::labels);
  return Predictions{.kind = Kind::confidences,
                     .n = m->n,
                     .k = 0,
                     .matrix = std::nullopt,
                     .confidences = *view,
                     .source = parts.source,
                     .class_names = {},
                     .owners = {m->owner, hits->owner, weights->owner}};
}

}  // namespace

Result<Predictions> assemble(const Parts& parts, int threads) {
  if (parts[Role::logits]) return assemble_matrix(parts, Kind::logits, threads);
  if (parts[Role::probs]) return assemble_matrix(parts, Kind::probs, threads);
  assert(parts[Role::confidences]);
  return assemble_confidences(parts, threads);
}

}  // namespace tare::inner::read
