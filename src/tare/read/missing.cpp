#include "tare/read/missing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tare/read/convert.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

bool may_miss(const Array& a) {
  return a.dtype == DType::word || a.dtype == DType::f2 || a.dtype == DType::bf2 || a.dtype == DType::f4 ||
         a.dtype == DType::f8;
}

// Element (r, c) lies at this place.
std::size_t place(const Array& a, std::size_t columns, std::size_t r, std::size_t c) {
  return a.fortran ? c * a.rows() + r : r * columns + c;
}

Result<void> mark(const Array& a, std::vector<char>& missing) {
  if (!may_miss(a)) return {};
  if (a.dtype == DType::word) {
    const auto codes = to_labels(a);
    if (!codes) return codes.error();
    for (std::size_t r = 0; r < missing.size(); ++r) missing[r] |= codes->values[r] < 0;
    return {};
  }
  const auto m = to_matrix(a);
  if (!m) return m.error();
  m->values.visit([&](auto values) {
    for (std::size_t i = 0; i < values.size(); ++i) missing[i / m->k] |= std::isnan(values[i]);
  });
  return {};
}

void keep_rows(Array& a, const std::vector<std::size_t>& rows) {
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
}

}  // namespace

Result<void> drop_missing(Parts& parts) {
  std::vector<char> missing;
  for (const auto& a : parts.arrays) {
    if (!a) continue;
    if (a->shape.empty() || (!missing.empty() && a->rows() != missing.size())) return {};  // an error, later
    missing.resize(a->rows(), 0);
  }
  for (const auto& a : parts.arrays)
    if (a)
      if (const auto done = mark(*a, missing); !done) return done;
  parts.dropped = static_cast<std::size_t>(std::count(missing.begin(), missing.end(), 1));
  if (parts.dropped == 0) return {};
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < missing.size(); ++r)
    if (!missing[r]) rows.push_back(r);
  if (rows.empty())
    return Error{.code = Errc::bad_input,
                 .what = "every row has a missing value",
                 .remedy = "at least one prediction is needed"};
  for (auto& a : parts.arrays)
    if (a) keep_rows(*a, rows);
  for (Array& group : parts.groups)
    if (group.rows() == missing.size()) keep_rows(group, rows);
  return {};
}

}  // namespace tare::inner::read
