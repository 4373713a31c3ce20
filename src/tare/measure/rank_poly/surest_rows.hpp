// The rows whose labels were the least in doubt, by the scores. Few errors among sure rows are seen in a small sample,
// so the upper end of an interval asks what it would be had two of these labels gone the other way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tare/numeric/order/order.hpp"

namespace tare::inner::measure {

// So much mass of a group with this label, which is given the other one.
struct Flip {
  std::size_t group = 0;
  std::uint64_t mass = 0;
  bool hit = false;
};

// Of the weight of two rows: those with the smallest |label - score|, of equal ones the hits first.
std::vector<Flip> surest_rows(const numeric::Ordered& data);

}  // namespace tare::inner::measure
