#include "tare/fit/masked.hpp"

#include <algorithm>

#include "tare/numeric/contains.hpp"

namespace tare::inner::fit {
namespace {

template <class T>
void exclude(std::span<const T> in, std::span<double> out) {
  double sum = 0;
  std::size_t left = 0;
  for (std::size_t j = 0; j < in.size(); ++j) {
    const bool masked = in[j] == static_cast<T>(masked_logit);
    if (masked) out[j] = 0;
    left += !masked;
    sum += out[j];
  }
  for (std::size_t j = 0; j < in.size(); ++j)
    if (sum > 0)
      out[j] /= sum;
    else if (in[j] != static_cast<T>(masked_logit))
      out[j] = 1 / static_cast<double>(left);
}

}  // namespace

void exclude_masked(const Reals& in, std::size_t columns, std::span<double> out) {
  if (columns == 1) return;
  in.visit([&](auto values) {
    using T = typename decltype(values)::value_type;
    if (!numeric::any_is(values, [](T z) { return z == static_cast<T>(masked_logit); })) return;
    for (std::size_t at = 0; at < values.size(); at += columns) {
      const auto row = values.subspan(at, columns);
      if (std::find(row.begin(), row.end(), static_cast<T>(masked_logit)) != row.end())
        exclude(row, out.subspan(at, columns));
    }
  });
}

}  // namespace tare::inner::fit
