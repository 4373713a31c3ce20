// The GPU library against a plain read of the same array: device events around each call, the median of eleven after
// two that do not count. One line of JSON for each row; bench/gpu/bench.py makes a table of them, with torch beside.
#include <cuda_bf16.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "tare/gpu/apply.hpp"
#include "tare/gpu/check.cuh"
#include "tare/gpu/order.hpp"
#include "tare/gpu/reduce.hpp"
#include "tare/gpu/temper.hpp"
#include "tare/gpu/fit.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::gpu;

__device__ std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 33U;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33U;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ h >> 33U;
}
__device__ float uniform(std::uint32_t bits) { return (static_cast<float>(bits) + 0.5F) * 2.3283064e-10F; }

// Normal logits times `scale`, and labels drawn from the softmax of them without it: the best temperature is `scale`.
template <class T>
__global__ void fill(T* z, std::int64_t* y, long long n, int k, float scale) {
  const int lane = static_cast<int>(threadIdx.x & 31U);
  for (long long i = static_cast<long long>(blockIdx.x) * (blockDim.x >> 5U) + (threadIdx.x >> 5U); i < n;
       i += static_cast<long long>(gridDim.x) * (blockDim.x >> 5U)) {
    float best = -INFINITY;
    int at = 0;
    for (int j = lane; j < k; j += 32) {
      const std::uint64_t h =
          mixed(static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(k) + static_cast<std::uint64_t>(j) + 1);
      const float g = 3 * sqrtf(-2 * __logf(uniform(static_cast<std::uint32_t>(h)))) *
                      __cosf(6.2831853F * uniform(static_cast<std::uint32_t>(h >> 32U)));
      const float u = fminf(fmaxf(uniform(static_cast<std::uint32_t>(mixed(h))), 1e-10F), 1 - 1e-7F);
      const float drawn = g - __logf(-__logf(u));
      z[i * k + j] = static_cast<T>(scale * g);
      if (drawn > best) {
        best = drawn;
        at = j;
      }
    }
    for (int o = 16; o > 0; o >>= 1) {
      const float other = __shfl_xor_sync(~0U, best, o);
      const int other_at = __shfl_xor_sync(~0U, at, o);
      if (other > best || (other == best && other_at < at)) {
        best = other;
        at = other_at;
      }
    }
    if (lane == 0) y[i] = at;
  }
}

__global__ void read_all(const uint4* p, long long n, unsigned* out) {
  unsigned all = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    const uint4 v = __ldcs(p + i);
    all ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (all == 0x12345U) *out = all;
}

__global__ void fill_scores(float* s, std::uint8_t* hit, long long n) {
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    const std::uint64_t h = mixed(static_cast<std::uint64_t>(i) + 1);
    const float p = 1 - uniform(static_cast<std::uint32_t>(h)) * uniform(static_cast<std::uint32_t>(h));
    s[i] = fminf(p, 1);
    hit[i] = uniform(static_cast<std::uint32_t>(h >> 32U)) < p * sqrtf(p) ? 1 : 0;
  }
}

template <class F>
double milliseconds(const F& f) {
  cudaEvent_t from, to;
  check(cudaEventCreate(&from), "event");
  check(cudaEventCreate(&to), "event");
  std::vector<float> times;
  for (int i = 0; i < 13; ++i) {
    check(cudaEventRecord(from), "event");
    f();
    check(cudaEventRecord(to), "event");
    check(cudaEventSynchronize(to), "event");
    float t = 0;
    check(cudaEventElapsedTime(&t, from, to), "event");
    if (i > 1) times.push_back(t);
  }
  std::sort(times.begin(), times.end());
  return static_cast<double>(times[times.size() / 2]);
}

void row(const std::string& what, double ms, double read, const std::string& more = "") {
  std::printf("{\"what\": \"%s\", \"ms\": %.4f, \"read_ms\": %.4f%s}\n", what.c_str(), ms, read, more.c_str());
  std::fflush(stdout);
}

template <class T>
void rows(const std::string& name, Type type, std::size_t n, std::size_t k, bool fits) {
  Buffer<T> z(n * k, nullptr);
  Buffer<std::int64_t> y(n, nullptr);
  Buffer<float> score(n, nullptr), nll(n, nullptr);
  Buffer<std::uint8_t> hit(n, nullptr);
  Buffer<unsigned> sink(1, nullptr);
  fill<T><<<2112, 256>>>(z.data(), y.data(), static_cast<long long>(n), static_cast<int>(k), 2);
  check_launch("filling");
  const double read = milliseconds([&] {
    read_all<<<2112, 512>>>(reinterpret_cast<const uint4*>(z.data()), static_cast<long long>(n * k * sizeof(T) / 16),
                            sink.data());
  });
  const Rows given{z.data(), n, k, k, type, Kind::logits};
  const Labels labels{y.data(), true, 1, -100};
  const Faults faults(nullptr);
  row("read " + name, read, read);
  row("reduce " + name, milliseconds([&] {
        enqueue_reduce(given, labels, {.score = score.data(), .hit = hit.data(), .nll = nll.data()}, faults, nullptr);
      }),
      read);
  if (!faults.check(given, labels)) std::printf("bad rows\n");
  if (!fits) return;
  Tempered passes(given, labels, nullptr);
  row("four temperatures " + name, milliseconds([&] { (void)passes.four({0.25, 0.5, 1, 2}); }), read);
  row("one temperature, float64 " + name, milliseconds([&] { passes.one(0.5); }), read);
  std::string more;
  row("temperature " + name, milliseconds([&] {
        const auto model = fit_temperature(given, labels, 0, nullptr);
        if (!model) return;
        more = ", \"temperature\": " + std::to_string(std::get<double>(model->parameters.at("temperature"))) +
               ", \"gradient\": " + std::to_string(*model->fit.gradient * 1e12) +
               "e-12, \"passes\": " + std::to_string(model->fit.iterations);
      }),
      read, "");
  std::printf("{\"what\": \"temperature found %s\"%s}\n", name.c_str(), more.c_str());
  Buffer<T> out(n * k, nullptr);
  Model model{.method = "temperature", .k = k, .columns = k};
  model.parameters["temperature"] = 2.0;
  row("apply " + name, milliseconds([&] { (void)apply(model, given, {out.data(), k, type}, nullptr); }), read);
  const auto begin = std::chrono::steady_clock::now();
  const auto fitted = fit_vector(given, labels, 0, nullptr);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (fitted)
    row("vector scaling " + name, 1e3 * seconds, read,
        ", \"iterations\": " + std::to_string(fitted->fit.iterations) +
            ", \"gradient\": " + std::to_string(*fitted->fit.gradient * 1e12) + "e-12");
}

void scores(std::size_t n) {
  Buffer<float> s(n, nullptr);
  Buffer<std::uint8_t> hit(n, nullptr);
  Buffer<unsigned> sink(1, nullptr);
  fill_scores<<<2112, 512>>>(s.data(), hit.data(), static_cast<long long>(n));
  check_launch("filling");
  const double read = milliseconds([&] {
    read_all<<<2112, 512>>>(reinterpret_cast<const uint4*>(s.data()), static_cast<long long>(n / 4), sink.data());
  });
  const std::string name = std::to_string(n) + " scores";
  row("order " + name, milliseconds([&] { (void)Order::of(s.data(), hit.data(), n, nullptr); }), read);
  std::size_t count = 0, swept = 0;
  row("every binned estimator " + name, milliseconds([&] {
        const auto order = Order::of(s.data(), hit.data(), n, nullptr);
        count = 0;
        for (const measure::Estimator& e : measure::all()) {
          if (e.from_bins == nullptr) continue;
          for (const int norm : {1, 2})
            if (has_norm(e, norm) || (e.norms == Norms::none && norm == 1)) {
              (void)estimate(*order, e, {.norm = norm});
              ++count;
            }
        }
        const auto width = order->sweep(Binning::width), mass = order->sweep(Binning::mass);
        swept = width->size() + mass->size();
      }),
      read);
  std::printf("{\"what\": \"estimators, bins of both sweeps\", \"ms\": 0, \"count\": %zu, \"swept\": %zu}\n", count,
              swept);
}

}  // namespace

int main() {
  if (device_count() == 0) {
    std::printf("{\"what\": \"no GPU\"}\n");
    return 0;
  }
  cudaDeviceProp about;
  check(cudaGetDeviceProperties(&about, 0), "device");
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver), "driver");
  check(cudaRuntimeGetVersion(&runtime), "runtime");
  std::printf("{\"what\": \"device\", \"name\": \"%s\", \"driver\": %d, \"runtime\": %d}\n", about.name, driver,
              runtime);
  try {
    rows<float>("1,000,000 x 1,000 float32", Type::float32, 1'000'000, 1000, true);
    rows<__nv_bfloat16>("1,000,000 x 1,000 bfloat16", Type::bfloat16, 1'000'000, 1000, true);
    rows<__nv_bfloat16>("32,768 x 128,256 bfloat16", Type::bfloat16, 32768, 128256, false);
    rows<float>("16,384 x 128,256 float32", Type::float32, 16384, 128256, false);
    rows<float>("10,000,000 x 100 float32", Type::float32, 10'000'000, 100, false);
    rows<__nv_bfloat16>("10,000,000 x 100 bfloat16", Type::bfloat16, 10'000'000, 100, false);
    rows<float>("10,000,000 x 128 float32", Type::float32, 10'000'000, 128, false);
    rows<float>("100,000,000 x 10 float32", Type::float32, 100'000'000, 10, false);
    scores(100'000'000);
  } catch (const Broken& broken) {
    std::printf("{\"what\": \"failed: %s\"}\n", broken.error.what.c_str());
    return 1;
  }
  return 0;
}
