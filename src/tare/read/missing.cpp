#include "tare/read/missing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tare/read/convert.hpp"
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
    std::int32_t code = 0;
    std::memcpy(&code, a.data + i * sizeof code, sizeof code);
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
  return {.code = Errc::bad_input,
          .what = "every row has a missing value",
          .place = file_place(source),
          .remedy = "at least one prediction is needed"};
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

}  // namespace tare::detail::read
