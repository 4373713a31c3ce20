// Reduced rows as the host judges them: scores and hits, in ascending order of the scores. Sorted on the device (CUB),
// as keys that sort like the scores; four bytes a row leave it. What starts from sorted groups then finds them in one
// pass (numeric/order/order.hpp).
#pragma once

#include <vector>

#include "tare/gpu/reduce.hpp"

namespace tare::detail::gpu {

enum class Judged {
  top_label,  // the score of the top label, and whether it is the label
  second,     // of two classes: the probability of the second, and whether that is the label
};

struct JudgedRows {
  std::vector<double> score;  // of logits to full precision near 0 and 1
  std::vector<std::uint8_t> hit;
};

// The rows that count. `found` has their hits; of logits the rest, else the score; for `second` the top label.
// Not `ascending`: in the order in which they were given.
Result<JudgedRows> judged_rows(const DeviceRows& rows, const Reduced& found, Judged by, bool ascending, Stream stream);

}  // namespace tare::detail::gpu
