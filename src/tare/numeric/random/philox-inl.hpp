// Philox in 64-bit lanes: a lane holds one 32-bit word in its lower half and whatever the arithmetic leaves in the
// upper half, which the multiplications ignore. Compiled with each kernel once per instruction set (see
// numeric/simd/lanes-inl.hpp). By hand: Random123 has no vectors of Highway; tests compare with its words.
#if defined(TARE_NUMERIC_PHILOX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TARE_NUMERIC_PHILOX_INL
#undef TARE_NUMERIC_PHILOX_INL
#else
#define TARE_NUMERIC_PHILOX_INL
#endif

#include <cstdint>

#include "hwy/highway.h"

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
struct PhiloxBlocks {  // one in each lane
  hn::Vec<D> c0, c1, c2, c3;
};

struct PhiloxKeys {
  static constexpr int rounds = 10;
  std::uint64_t k0[rounds], k1[rounds];

  explicit PhiloxKeys(std::uint64_t seed) {
    k0[0] = static_cast<std::uint32_t>(seed);
    k1[0] = seed >> 32;
    for (int r = 1; r < rounds; ++r) {
      k0[r] = static_cast<std::uint32_t>(k0[r - 1] + 0x9E3779B9U);
      k1[r] = static_cast<std::uint32_t>(k1[r - 1] + 0xBB67AE85U);
    }
  }
};

template <class D>
HWY_INLINE hn::Vec<D> product(D d, std::uint32_t a, hn::Vec<D> b) {  // of the lower halves
  const hn::Repartition<std::uint32_t, D> d32;
  return hn::MulEven(hn::BitCast(d32, hn::Set(d, a)), hn::BitCast(d32, b));
}

template <class D>
HWY_INLINE void philox_round(D d, PhiloxBlocks<D>& b, const PhiloxKeys& keys, int r) {
  const auto p0 = product(d, 0xD2511F53U, b.c0), p1 = product(d, 0xCD9E8D57U, b.c2);
  b.c0 = hn::Xor(hn::ShiftRight<32>(p1), hn::Xor(b.c1, hn::Set(d, keys.k0[r])));
  b.c2 = hn::Xor(hn::ShiftRight<32>(p0), hn::Xor(b.c3, hn::Set(d, keys.k1[r])));
  b.c1 = p1;
  b.c3 = p0;
}

// Two vectors of blocks, neither of which waits for the other.
template <class D>
HWY_INLINE void philox(D d, PhiloxBlocks<D>& a, PhiloxBlocks<D>& b, const PhiloxKeys& keys) {
  for (int r = 0; r < PhiloxKeys::rounds; r += 2) {
    philox_round(d, a, keys, r);
    philox_round(d, b, keys, r);
    philox_round(d, a, keys, r + 1);
    philox_round(d, b, keys, r + 1);
  }
}

template <class D>
HWY_INLINE hn::Vec<D> joined(D d, hn::Vec<D> low, hn::Vec<D> high) {
  return hn::Or(hn::ShiftLeft<32>(high), hn::And(low, hn::Set(d, 0xFFFFFFFFU)));
}

}  // namespace
}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif
