#include "tare/gpu/reduce.cuh"

namespace tare::inner::gpu {

void enqueue_reduce(const Rows& rows, const Labels& labels, const Reduced& out, const Faults& faults, Stream stream) {
  (rows.kind == Kind::logits ? enqueue_logits : enqueue_probs)(rows, labels, out, faults, stream);
}

Result<bool> reduce(const Rows& rows, const Labels& labels, const Reduced& out, Stream stream) {
  return guarded([&]() -> Result<bool> {
    if (const auto fine = readable(rows, labels); !fine) return fine.error();
    const Faults faults(stream);
    enqueue_reduce(rows, labels, out, faults, stream);
    return faults.check(rows, labels);
  });
}

}  // namespace tare::inner::gpu
