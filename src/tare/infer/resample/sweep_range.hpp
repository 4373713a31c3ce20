// The numbers of bins among which a sweep over redrawn labels ends.
#pragma once

#include "tare/numeric/order/bin_starts.hpp"

namespace tare::inner::infer {

// Below `first` hardly any redrawing has a bin whose rate is below that of the bin before: fewer than one in a thousand
// are expected, over all these numbers of bins together.
numeric::BinCounts sweep_range(const numeric::Ordered& cells, const numeric::BinEdges& edges);

}  // namespace tare::inner::infer
