#include "tare/infer/tests/rank_poly.hpp"

#include "tare/measure/rank_poly/rank_poly.hpp"

namespace tare::detail::infer {

constinit const Test rank_poly_test{
    .name = "rank_poly",
    .title = "Z of rank_poly",
    .summary = "the squared gap that the other rows predict, over all degrees, in units of its noise",
    .citation = "this project, docs/methods/rank_poly.md",
    .statistic = measure::rank_poly_z};

}  // namespace tare::detail::infer
