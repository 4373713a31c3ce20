#include "tare/numeric/order/bin_edges.hpp"

#include <bit>

namespace tare::detail::numeric {

BinEdges::BinEdges(const Ordered& data, Binning binning) : data_(data), binning_(binning) {
  const std::size_t parts = std::bit_ceil(2 * data.groups());
  first_.reserve(parts + 1);
  std::size_t from = 0;
  for (std::size_t k = 0; k <= parts; ++k) {
    from = boundary(data, binning, k, parts, from);
    first_.push_back(static_cast<std::uint32_t>(from));
  }
}

std::size_t BinEdges::operator()(std::size_t j, std::size_t b) const {
  if (j == 0) return 0;
  if (j >= b) return data_.groups();
  const std::size_t parts = first_.size() - 1, k = j * parts / b;  // j / b lies between k and k + 1 of the parts
  const std::size_t low = first_[k], high = first_[k + 1];
  return low == high ? low : boundary(data_, binning_, j, b, low, high);
}

}  // namespace tare::detail::numeric
