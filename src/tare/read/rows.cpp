// Which rows are kept, and those of several files one after the other.
#include <cmath>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "tare/read/assemble.hpp"
#include "tare/read/text.hpp"
#include "tare/read/word_column.hpp"

namespace tare::detail::read {
namespace {

bool may_miss(const Array& a) {
  return a.dtype == DType::word || a.dtype == DType::f2 || a.dtype == DType::bf2 || a.dtype == DType::f4 ||
         a.dtype == DType::f8;
}

// Element (r, c) lies at this place.
std::size_t place(const Array& a, std::size_t columns, std::size_t r, std::size_t c) {
  return a.fortran ? c * a.rows() + r : r * columns + c;
}

Result<bool> mark(const Array& a, std::vector<char>& missing) {
  if (!may_miss(a)) return true;
  if (a.dtype == DType::word) {
    const auto codes = to_labels(a);
    if (!codes) return codes.error();
    for (std::size_t r = 0; r < missing.size(); ++r) missing[r] |= codes->values[r] < 0;
    return true;
  }
  const auto m = to_matrix(a);
  if (!m) return m.error();
  m->values.visit([&](auto values) {
    for (std::size_t i = 0; i < values.size(); ++i) missing[i / m->k] |= std::isnan(values[i]);
  });
  return true;
}

// Only the words that its rows have, so that those of other rows are neither labels nor groups.
void keep_own_words(Array& a) {
  WordColumn own;
  std::vector<std::int32_t> code_of(a.words->size(), -1);
  for (std::size_t i = 0; i < a.items(); ++i) {
    std::int32_t code = a.code(i);
    if (code >= 0) {
      std::int32_t& place = code_of[static_cast<std::size_t>(code)];
      if (place < 0) place = own.code((*a.words)[static_cast<std::size_t>(code)]);
      code = place;
    }
    own.add_code(code);
  }
  a = std::move(own).put_into(std::move(a));
}

void keep_rows_of(Array& a, const std::vector<std::size_t>& rows) {
  if (a.rows() == 0) return;
  const std::size_t size = size_of(a.dtype), columns = a.items() / a.rows();
  const auto bytes = std::make_shared<std::vector<std::byte>>(rows.size() * columns * size);
  const auto kept = std::make_shared<Lines>();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    kept->add(i, a.kept ? a.kept->of(rows[i]) : rows[i]);
    for (std::size_t c = 0; c < columns; ++c)
      std::memcpy(bytes->data() + (i * columns + c) * size, a.data + place(a, columns, rows[i], c) * size, size);
  }
  a.shape[0] = rows.size();
  a.fortran = false;
  a.data = bytes->data();
  a.owner = bytes;
  a.kept = kept;
  if (a.dtype == DType::word) keep_own_words(a);
}

}  // namespace

Error no_row_left(const std::string& source) {
  return bad_file(source, "every row has a missing value", "at least one prediction is needed");
}

void keep_rows(Parts& parts, const std::vector<std::size_t>& rows) {
  for (auto& a : parts.arrays)
    if (a) keep_rows_of(*a, rows);
  for (Array& group : parts.groups) keep_rows_of(group, rows);
}

Result<std::size_t> drop_missing(Parts& parts) {
  std::vector<char> missing;
  for (const auto& a : parts.arrays) {
    if (!a) continue;
    if (a->shape.empty() || (!missing.empty() && a->rows() != missing.size()))
      return std::size_t{0};  // an error, later
    missing.resize(a->rows(), 0);
  }
  for (const Array& group : parts.groups)
    if (group.rows() != missing.size()) return std::size_t{0};  // an error, later
  for (const auto& a : parts.arrays)
    if (a)
      if (const auto done = mark(*a, missing); !done) return done.error();
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < missing.size(); ++r)
    if (!missing[r]) rows.push_back(r);
  if (rows.size() < missing.size()) keep_rows(parts, rows);
  return missing.size() - rows.size();
}

namespace {

const Reals& row_values(const Predictions& p) { return p.matrix ? p.matrix->values() : p.confidences->score(); }
std::span<const double> row_weights(const Predictions& p) {
  return p.matrix ? p.matrix->weight() : p.confidences->weight();
}

bool is_float(const Reals& values) {
  return values.visit([](auto all) { return std::is_same_v<std::remove_cvref_t<decltype(all[0])>, float>; });
}

template <class T, class Part>
std::shared_ptr<std::vector<T>> collected(const std::vector<Predictions>& parts, const Part& part) {
  auto out = std::make_shared<std::vector<T>>();
  for (const Predictions& p : parts)
    for (const auto x : part(p)) out->push_back(static_cast<T>(x));
  return out;
}

template <class T>
std::shared_ptr<std::vector<T>> joined_values(const std::vector<Predictions>& parts) {
  auto out = std::make_shared<std::vector<T>>();
  for (const Predictions& p : parts)
    row_values(p).visit([&](auto all) { out->insert(out->end(), all.begin(), all.end()); });
  return out;
}

Error other_kind(const Predictions& first, const Predictions& other) {
  const auto about = [](const Predictions& p) {
    if (p.confidences) return std::string("confidences");
    return std::to_string(p.k) + " classes" + (p.class_names.empty() ? "" : " (" + listed(p.class_names) + ")");
  };
  return bad_file(other.source, "is of " + about(other) + ", but " + foreign(first.source) + " is of " + about(first),
                  "files of one data set hold the same classes");
}

template <class T>
Result<Predictions> joined_as(std::vector<Predictions>& parts) {
  Predictions out = parts.front();
  const auto values = joined_values<T>(parts);
  const auto weights = collected<double>(parts, row_weights);
  out.owners = {values, weights};
  out.n = 0;
  for (const Predictions& p : parts) out.n += p.n;
  const std::span<const T> numbers(*values);
  if (out.matrix) {
    const auto labels = collected<std::int32_t>(parts, [](const Predictions& p) { return p.matrix->label(); });
    out.owners.push_back(labels);
    const auto view =
        multiclass_view(out.kind, numbers, out.matrix->columns(), *labels, *weights, row_sum_tolerance_float16);
    if (!view) return view.error();
    out.matrix = *view;
    return out;
  }
  const auto hits = collected<std::uint8_t>(parts, [](const Predictions& p) { return p.confidences->label(); });
  out.owners.push_back(hits);
  const auto view = binary_view(numbers, *hits, *weights);
  if (!view) return view.error();
  out.confidences = *view;
  return out;
}

// A column of all parts as texts.
Array joined_column(const std::vector<std::vector<Array>>& columns, std::size_t which) {
  WordColumn all;
  for (const auto& part : columns) {
    const Array& a = part[which];
    if (a.dtype != DType::word) {
      if (const auto m = to_matrix(a))
        for (std::size_t i = 0; i < m->n; ++i) all.add(shown(m->values[i]));
      continue;
    }
    std::vector<std::int32_t> meaning;
    for (const std::string& word : *a.words) meaning.push_back(all.code(word));
    for (std::size_t i = 0; i < a.rows(); ++i) {
      const std::int32_t own = a.code(i);
      all.add_code(own < 0 ? -1 : meaning[static_cast<std::size_t>(own)]);
    }
  }
  Array out = columns.front()[which];
  out.shape = {all.size()};
  return std::move(all).put_into(std::move(out));
}

}  // namespace

Result<Predictions> concatenated(std::vector<Predictions> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  const Predictions& first = parts.front();
  bool floats = true;
  for (const Predictions& p : parts) {
    if (p.kind != first.kind || p.k != first.k ||
        (p.matrix && first.matrix && p.matrix->columns() != first.matrix->columns()) ||
        p.class_names != first.class_names)
      return other_kind(first, p);
    floats = floats && is_float(row_values(p));
  }
  return floats ? joined_as<float>(parts) : joined_as<double>(parts);
}

Result<void> add_groups(Predictions& all, const std::vector<std::vector<Array>>& columns, int bins) {
  for (std::size_t g = 0; g < columns.front().size(); ++g) {
    auto made = grouping(joined_column(columns, g), all.n, bins);
    if (!made) return made.error();
    all.groupings.push_back(*std::move(made));
  }
  return {};
}

}  // namespace tare::detail::read
