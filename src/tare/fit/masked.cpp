#include "tare/fit/masked.hpp"

#include <algorithm>

#include "tare/fit/rows/rows.hpp"
#include "tare/numeric/contains.hpp"

namespace tare::inner::fit {

static_assert(rows::masked_logit == inner::masked_logit);

void exclude_masked(const Reals& in, std::size_t columns, std::span<double> out) {
  if (columns == 1) return;
  in.visit([&](auto values) {
    using T = typename decltype(values)::value_type;
    if (!numeric::any_is(values, [](T z) { return z == static_cast<T>(inner::masked_logit); })) return;
    for (std::size_t at = 0; at < values.size(); at += columns)
      rows::exclude_masked(values.data() + at, columns, out.data() + at);
  });
}

}  // namespace tare::inner::fit
