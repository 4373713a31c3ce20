#include "tare/read/concatenate.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "tare/read/convert.hpp"
#include "tare/read/grouping.hpp"
#include "tare/read/text.hpp"
#include "tare/read/word_column.hpp"

namespace tare::detail::read {
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
  return {.code = Errc::bad_input,
          .what = "is of " + about(other) + ", but " + foreign(first.source) + " is of " + about(first),
          .place = file_place(other.source),
          .remedy = "files of one data set hold the same classes"};
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
      std::int32_t own = 0;
      std::memcpy(&own, a.data + i * sizeof own, sizeof own);
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
