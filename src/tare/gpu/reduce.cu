#include "tare/gpu/reduce.cuh"

namespace tare::detail::gpu {

void enqueue_reduce(const DeviceRows& rows, const Labels& labels, const Reduced& out, const Faults& faults,
                    Stream stream) {
  (rows.kind == Kind::logits ? enqueue_logits : enqueue_probs)(rows, labels, out, faults, stream);
}

Result<bool> reduce(const DeviceRows& rows, const Labels& labels, const Reduced& out, Stream stream) {
  return guarded([&]() -> Result<bool> {
    if (const auto fine = readable(rows, labels); !fine) return fine.error();
    const Faults faults(stream);
    enqueue_reduce(rows, labels, out, faults, stream);
    return faults.check(rows, labels);
  });
}

}  // namespace tare::detail::gpu
