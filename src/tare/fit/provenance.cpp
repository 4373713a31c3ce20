#include "tare/fit/provenance.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "tare/numeric/order/row_order.hpp"

namespace tare::inner::fit {

std::string data_hash(const Predictions& rows, int threads) {
  std::vector<std::int32_t> hits;
  numeric::RowContent content;
  if (rows.matrix) {
    content = {rows.matrix->values(), rows.matrix->columns(), rows.matrix->label(), rows.matrix->weight()};
  } else if (rows.confidences) {
    hits.assign(rows.confidences->label().begin(), rows.confidences->label().end());
    content = {rows.confidences->score(), 1, hits, rows.confidences->weight()};
  } else {
    return "none";
  }
  std::string out;
  for (const std::uint64_t seed : {1U, 2U}) {  // sums: the order of the rows does not matter
    const auto hashes = numeric::row_hashes(content, seed, threads);
    out += fmt::format("{:016x}", std::accumulate(hashes.begin(), hashes.end(), std::uint64_t{0}));
  }
  return out;
}

}  // namespace tare::inner::fit
