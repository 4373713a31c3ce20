#include "tare/gpu/apply.hpp"

#include <cuda_bf16.h>

#include <variant>

#include "tare/gpu/launch.cuh"

namespace tare::detail::gpu {
namespace {

template <class Row, bool scaled>
class ApplyWorker;

template <bool scaled>
struct Arguments {
  Source s;
  LabelSource label;  // there are none
  float v;            // of a temperature
  const float* w;     // of vector scaling; else null
  const float* b;
  Byte* out;
  long long stride;  // in bytes
  Type type;
  unsigned long long* first_bad;

  template <class Row>
  using Worker = ApplyWorker<Row, scaled>;
  static constexpr int warp_blocks(int) { return 3; }
  static constexpr int block_blocks = 2;

  __device__ float tempered(float z, int j) const {
    if constexpr (scaled)
      return j < 0 || j >= s.k || z == -INFINITY ? z : fmaf(w[j], z, b[j]);
    else
      return z;
  }
  // The exponent. A smaller logit is never as probable as the largest.
  __device__ float below(float u, float top) const {
    if constexpr (scaled) return u - top;
    const float x = (u - top) * v;
    return u == top ? 0 : x > -0x1p-22F ? -0x1p-22F : x;  // no number stays none
  }
};

// The bits of a probability in the type of the output.
__device__ std::uint32_t rounded(float p, Type type) {
  if (type == Type::float32) return __float_as_uint(p);
  if (type == Type::bfloat16) return __bfloat16_as_ushort(__float2bfloat16_rn(p));
  return __half_as_ushort(__float2half_rn(p));
}

// Probabilities of a row: what the largest is rounded to, no smaller logit is.
struct Rounding {
  float scale, top;
  std::uint32_t largest;
  bool keep;
  Type type;
  __device__ std::uint32_t operator()(float u, float e) const {
    const std::uint32_t bits = rounded(e * scale, type);
    return keep && u < top && bits >= largest ? largest - (largest > 0 ? 1 : 0) : bits;
  }
};

template <class Row, bool scaled>
__device__ bool normaliser(const Arguments<scaled>& g, const Row& row, Rounding& to) {
  float top = -INFINITY, sums[4] = {};
  row.for_each([&](float z, int j, auto) { top = fmaxf(top, g.tempered(z, j)); });
  top = row.max(top);
  row.for_each([&](float z, int j, auto slot) { sums[slot.value] += exp_negative(g.below(g.tempered(z, j), top)); });
  const float sum = row.sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
  to = {__fdiv_rn(1, sum), top, rounded(__fdiv_rn(1, sum), g.type), !scaled, g.type};
  return sum >= 1 && top > -INFINITY && top < INFINITY;
}

__device__ void store_one(Byte* to, std::uint32_t bits, Type type) {
  if (type == Type::float32)
    *reinterpret_cast<std::uint32_t*>(to) = bits;
  else
    *reinterpret_cast<unsigned short*>(to) = static_cast<unsigned short>(bits);
}

// Whole packs where they are inside the row and the output is aligned; else number by number.
template <int N>
__device__ void store(Byte* row, int first, int k, const std::uint32_t (&bits)[N], Type type) {
  const int size = type == Type::float32 ? 4 : 2;
  Byte* to = row + static_cast<long long>(first) * size;
  const bool whole = N % 4 == 0 && first >= 0 && first + N <= k;
  if constexpr (N == 1) {
    if (first >= 0 && first < k) store_one(to, bits[0], type);
  } else if (whole && type == Type::float32 && reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
#pragma unroll
    for (int j = 0; j < N; j += 4)
      *reinterpret_cast<uint4*>(to + 4 * j) = make_uint4(bits[j], bits[j + 1], bits[j + 2], bits[j + 3]);
  } else if (whole && type != Type::float32 && reinterpret_cast<std::uintptr_t>(to) % 8 == 0) {
#pragma unroll
    for (int j = 0; j < N; j += 4)
      *reinterpret_cast<uint2*>(to + 2 * j) = make_uint2(bits[j] | bits[j + 1] << 16, bits[j + 2] | bits[j + 3] << 16);
  } else {
#pragma unroll
    for (int j = 0; j < N; ++j)
      if (first + j >= 0 && first + j < k) store_one(to + size * j, bits[j], type);
  }
}

template <class Row, bool scaled>
__device__ void apply_row(const Arguments<scaled>& g, long long i, const Row& row) {
  Rounding to;
  if (!normaliser(g, row, to)) {
    if (is_first<Row>()) atomicMin(g.first_bad, static_cast<unsigned long long>(i));
    return;
  }
  Byte* out = g.out + i * g.stride;
  row.for_values([&](const auto& values, int first) {
    constexpr int count = sizeof(values) / sizeof(float);
    std::uint32_t bits[count];
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const float u = g.tempered(values[j], first + j);
      bits[j] = to(u, exp_negative(g.below(u, to.top)));
    }
    store(out, first, g.s.k, bits, g.type);
  });
}

// Through the tile again, so that a warp writes neighbours.
template <class E, bool scaled>
__global__ void __launch_bounds__(lane_threads) apply_by_lanes(const __grid_constant__ Arguments<scaled> g) {
  extern __shared__ float4 tiles[];
  const int pitch = pitch_of(g.s.k), k = g.s.k, lane = static_cast<int>(threadIdx.x & 31U);
  float* tile = reinterpret_cast<float*>(tiles) + (threadIdx.x >> 5U) * 32 * pitch;
  const int size = g.type == Type::float32 ? 4 : 2;
  const long long step = static_cast<long long>(gridDim.x) * lane_threads;
  for (long long first = (static_cast<long long>(blockIdx.x) * (lane_threads / 32) + (threadIdx.x >> 5U)) * 32;
       first < g.s.n; first += step) {
    const int rows = static_cast<int>(g.s.n - first < 32 ? g.s.n - first : 32);
    load_tile<E>(g.s, g.s.row(first), rows, tile);
    if (lane < rows) {
      const LaneRow row(k, tile + lane * pitch);
      Rounding to;
      if (!normaliser(g, row, to)) atomicMin(g.first_bad, static_cast<unsigned long long>(first + lane));
      row.change_each([&](float& z, int j, auto) {
        const float u = g.tempered(z, j);
        z = __uint_as_float(to(u, exp_negative(g.below(u, to.top))));
      });
    }
    __syncwarp();
    for (int at = lane; at < rows * k; at += 32) {
      const int row = at / k, column = at - row * k;
      store_one(g.out + (first + row) * g.stride + static_cast<long long>(column) * size,
                __float_as_uint(tile[row * pitch + column]), g.type);
    }
  }
}

template <class Row, bool scaled>
class ApplyWorker {
 public:
  __device__ explicit ApplyWorker(const Arguments<scaled>& g) : g_(g) {}
  __device__ void row(long long i, long long, const Row& row) { apply_row(g_, i, row); }
  __device__ void skipped(long long) {}
  __device__ void finish() {}

 private:
  const Arguments<scaled>& g_;
};

Error unfit(const Model& model, const DeviceRows& rows) {
  if (model.method != "temperature" && model.method != "vector")
    return unsupported(model.method + " is not applied on a GPU",
                       "temperature and vector scaling are; copy the array to the CPU for the others");
  if (model.input != Kind::logits || rows.kind != Kind::logits || model.parameters.size() > 2)
    return unsupported("on a GPU a calibrator is applied to logits", "copy the array to the CPU");
  return {.code = Errc::bad_input,
          .what = "the model was fitted on " + std::to_string(model.columns) + " columns, and the rows have " +
                  std::to_string(rows.k),
          .remedy = "one column for each class"};
}

// Writing may not touch rows that are still to be read: the same place, or another altogether.
bool overlaps(const DeviceRows& rows, const Output& out) {
  if (rows.data == out.data && rows.stride == out.stride && size_of(rows.type) == size_of(out.type)) return false;
  const auto end = [&](const void* data, std::size_t stride, Type type) {
    return static_cast<const Byte*>(data) + ((rows.n - 1) * stride + rows.k) * size_of(type);
  };
  return static_cast<const Byte*>(rows.data) < end(out.data, out.stride, out.type) &&
         static_cast<const Byte*>(out.data) < end(rows.data, rows.stride, rows.type);
}

template <bool scaled>
void enqueue(const DeviceRows& rows, double v, const float* w, const float* b, const Output& out, const Faults& faults,
             Stream stream) {
  using Work = Arguments<scaled>;
  const Arguments<scaled> g{source_of(rows),
                            source_of(Labels{}),
                            static_cast<float>(v),
                            w,
                            b,
                            static_cast<Byte*>(out.data),
                            static_cast<long long>(out.stride * size_of(out.type)),
                            out.type,
                            faults.first()};
  const auto start = [&](auto lane, auto warp, auto block) {
    launch_full(rows.n, rows.k, stream, lane, warp, block, g);
  };
  if (rows.type == Type::float32)
    start(apply_by_lanes<Float32, scaled>, by_warps<Work, Float32>, by_blocks<Work, Float32>);
  else
    start(apply_by_lanes<Float16, scaled>, by_warps<Work, Float16>, by_blocks<Work, Float16>);
}

std::vector<float> floats(const Parameter& parameter) {
  const auto& from = std::get<std::vector<double>>(parameter);
  return {from.begin(), from.end()};
}

}  // namespace

Result<bool> apply(const Model& model, const DeviceRows& rows, const Output& out, Stream stream) {
  return guarded([&]() -> Result<bool> {
    if (const auto fine = readable(rows, {}); !fine) return fine.error();
    const bool temperature = model.method == "temperature", vector = model.method == "vector";
    const bool plain = model.parameters.size() == (temperature ? 1U : 2U);  // else it fills zeros of probabilities
    if ((!temperature && !vector) || !plain || model.input != Kind::logits || rows.kind != Kind::logits ||
        model.columns != rows.k)
      return unfit(model, rows);
    if (rows.n == 0) return true;
    if (rows.n > 1 && out.stride < rows.k) return unsupported("the rows of the output overlap", "make it row-major");
    if (overlaps(rows, out))
      return unsupported("the output overlaps the input, but is not the same array",
                         "write to the input itself, or to memory of its own");
    const Faults faults(stream);
    Buffer<float> w, b;
    if (vector) {
      const auto weights = floats(model.parameters.at("w")), intercepts = floats(model.parameters.at("b"));
      w = Buffer<float>(rows.k, stream);
      b = Buffer<float>(rows.k, stream);
      w.upload(weights);
      b.upload(intercepts);
      wait_for(stream);  // the lists on the host go away
    }
    const double v = temperature ? 1 / std::get<double>(model.parameters.at("temperature")) : 1;
    if (vector)
      enqueue<true>(rows, v, w.data(), b.data(), out, faults, stream);
    else
      enqueue<false>(rows, v, nullptr, nullptr, out, faults, stream);
    return faults.check(rows, {});
  });
}

}  // namespace tare::detail::gpu
