// Every allocation of a call fails once: what comes back is out_of_memory or a result, never an exception or a crash,
// and nothing leaks (AddressSanitizer says so).
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <random>
#include <string>
#include <tare/tare.hpp>
#include <vector>

namespace {

std::atomic<long> left{-1};  // allocations until one fails; negative: none does

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (left.load(std::memory_order_relaxed) >= 0 && left.fetch_sub(1) == 0) throw std::bad_alloc();
  void* out = alignment == 0 ? std::malloc(bytes == 0 ? 1 : bytes)
                             : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}

void* allocate_or_null(std::size_t bytes, std::size_t alignment) noexcept {
  try {
    return allocate(bytes, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

[[gnu::noinline]] void release(void* p) { std::free(p); }  // g++ takes it for a mismatch where it sees through it

}  // namespace

void* operator new(std::size_t n) { return allocate(n, 0); }
void* operator new[](std::size_t n) { return allocate(n, 0); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate(n, static_cast<std::size_t>(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate_or_null(n, 0); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate_or_null(n, 0); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }

namespace {

// Calls work() with the 1st, 2nd, 3rd, ... allocation failing, in growing steps, until a call comes through.
template <class Work>
void starve(const std::string& what, const Work& work) {
  int refused = 0;
  for (long at = 0;; at = at < 24 ? at + 1 : at + at / 3) {
    left = at;
    const auto result = work();
    const bool failed = left.exchange(-1) < 0;
    if (!failed) {
      EXPECT_TRUE(result) << what;
      break;
    }
    if (result) continue;  // it found a way around
    EXPECT_EQ(result.error().code, tare::Errc::out_of_memory) << what << " at " << at << ": " << result.error().what;
    ++refused;
  }
  EXPECT_GT(refused, 3) << what;
}

TEST(failing_memory, comes_back_as_an_error) {
  std::mt19937 rng(3);
  std::normal_distribution<float> normal;
  std::vector<float> logits(600);
  std::vector<int> labels(200);
  for (float& x : logits) x = normal(rng);
  for (int& y : labels) y = static_cast<int>(rng() % 3);
  const auto p = tare::from_logits(logits, 3, labels).value();
  starve("from_logits", [&] { return tare::from_logits(logits, 3, labels); });
  // made here: what the caller allocates is the caller's
  const tare::MeasureOptions measuring;
  const tare::FitOptions fitting;
  const tare::CompareOptions comparing{.methods = {"temperature", "platt"}, .folds = 2, .resamples = 20};
  const tare::TestOptions testing{.resamples = 40, .detectable = false};
  for (const int threads : {1, 2}) {
    const tare::Run run{.threads = threads};
    starve("measure", [&] { return tare::measure(p, measuring, run); });
    starve("fit vector", [&] { return tare::fit("vector", p, fitting, run); });
    starve("fit isotonic", [&] { return tare::fit("isotonic", p, fitting, run); });
    starve("compare", [&] { return tare::compare(p, comparing, run); });
    starve("test", [&] { return tare::test(p, testing, run); });
  }
  const auto truth = tare::truth("uniform", "power:2").value();
  starve("draw", [&] { return tare::draw(truth, 100); });
  const auto m = tare::measure(p).value();
  const auto c = tare::compare(p, comparing).value();
  const auto t = tare::test(p, testing).value();
  const auto vector = tare::fit("vector", p).value();
  const auto isotonic = tare::fit("isotonic", p).value();
  starve("to_json of a measurement", [&] { return tare::to_json(m); });
  starve("to_json of a comparison", [&] { return tare::to_json(c); });
  starve("to_json of a test", [&] { return tare::to_json(t); });
  starve("Calibrator::to_json", [&] { return vector.to_json(); });
  starve("Calibrator::to_json with lists of lists", [&] { return isotonic.to_json(); });
  starve("to_text", [&] { return tare::to_text(m); });
  starve("reliability_svg", [&] { return tare::reliability_svg(m); });
  auto state = tare::State::make().value();
  starve("State::save", [&] { return state.save(); });
}

// Whichever allocation fails, the state is as it was: every class of it.
TEST(failing_memory, leaves_a_state_as_it_was) {
  std::mt19937 rng(4);
  std::normal_distribution<float> normal;
  std::vector<float> logits(900);
  std::vector<int> labels(300);
  for (float& x : logits) x = normal(rng);
  for (int& y : labels) y = static_cast<int>(rng() % 3);
  const auto p = tare::from_logits(logits, 3, labels).value();
  for (const auto reduction : {tare::Reduction::top_label, tare::Reduction::classwise})
    for (const bool begun : {false, true})
      for (const bool merge : {false, true}) {
        auto state = tare::State::make({.reduction = reduction}).value(),
             other = tare::State::load(state.save().value()).value();
        ASSERT_TRUE(other.add(p));
        ASSERT_TRUE(!begun || state.add(p));
        const std::string before = state.save().value();
        int refused = 0;
        for (long at = 0;; ++at) {
          left = at;
          const auto done = merge ? state.merge(other) : state.add(p);
          left = -1;
          if (done) break;
          ++refused;
          ASSERT_EQ(done.error().code, tare::Errc::out_of_memory);
          ASSERT_EQ(state.save().value(), before) << at;
        }
        EXPECT_GT(refused, 2);
        EXPECT_EQ(state.rows(), begun ? 600U : 300U);
      }
}

}  // namespace
