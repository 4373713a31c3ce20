#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/fit/rows/pieces.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/fit/rows/lanes-inl.hpp"
#include "tare/fit/rows/pieces.hpp"

HWY_BEFORE_NAMESPACE();
namespace tare::detail::fit::rows::HWY_NAMESPACE {
namespace {

// The members of pieces, as vectors.
struct Pieces {
  Lanes from, width, low, high;
};

#if HWY_MAX_BYTES == 32 || HWY_MAX_BYTES == 64
// The piece of row i; of eight rows also that of row i + 4.
HWY_INLINE hn::Vec<Doubles> row_of(const std::uint32_t* place, const Piece* piece, std::size_t i) {
  const hn::CappedTag<double, 4> d;
  const auto one = hn::LoadU(d, &piece[place[i]].from);
#if HWY_MAX_BYTES == 32
  return one;
#else
  return hn::Combine(Doubles(), hn::LoadU(d, &piece[place[i + 4]].from), one);
#endif
}
HWY_INLINE Pieces pieces_of(const std::uint32_t* place, const Piece* piece) {
  const Doubles d;
  const auto r0 = row_of(place, piece, 0), r1 = row_of(place, piece, 1), r2 = row_of(place, piece, 2),
             r3 = row_of(place, piece, 3);
  const auto even01 = hn::InterleaveLower(d, r0, r1), even23 = hn::InterleaveLower(d, r2, r3);
  const auto odd01 = hn::InterleaveUpper(d, r0, r1), odd23 = hn::InterleaveUpper(d, r2, r3);
  return {hn::OddEvenBlocks(hn::SwapAdjacentBlocks(even23), even01),
          hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd23), odd01),
          hn::OddEvenBlocks(even23, hn::SwapAdjacentBlocks(even01)),
          hn::OddEvenBlocks(odd23, hn::SwapAdjacentBlocks(odd01))};
}
#else
HWY_INLINE Pieces pieces_of(const std::uint32_t* place, const Piece* piece) {
  double from[lanes], width[lanes], low[lanes], high[lanes];
  for (std::size_t l = 0; l < lanes; ++l) {
    const Piece& p = piece[place[l]];
    from[l] = p.from;
    width[l] = p.width;
    low[l] = p.low;
    high[l] = p.high;
  }
  return {load(from), load(width), load(low), load(high)};
}
#endif

HWY_INLINE Lanes on_piece(Lanes score, const Pieces& p) {
  return smaller(p.low + (p.high - p.low) * ((score - p.from) / p.width), p.high);
}

template <class T>
HWY_INLINE void on_all(const T* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store(on_piece(load(score + i), pieces_of(place + i, piece)), out + i);
  if (i == n) return;
  std::uint32_t last[lanes];
  for (std::size_t l = 0; l < lanes; ++l) last[l] = place[i + l < n ? i + l : i];
  store_some(on_piece(load_some(score + i, n - i), pieces_of(last, piece)), out + i, n - i);
}
HWY_FLATTEN void OnPiecesF32(const float* score, const std::uint32_t* place, std::size_t n, const Piece* piece,
                             double* out) {
  on_all(score, place, n, piece, out);
}
HWY_FLATTEN void OnPiecesF64(const double* score, const std::uint32_t* place, std::size_t n, const Piece* piece,
                             double* out) {
  on_all(score, place, n, piece, out);
}

template <class T>
HWY_INLINE void find_all(const T* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  const hn::Rebind<std::int32_t, Doubles> whole;
  const Lanes count = static_cast<double>(parts), last = static_cast<double>(parts - 1);
  // In this order a score that is none, not even a number, is in the first part or in the last.
  const auto found = [&](Lanes s)
                         HWY_ATTR { return hn::DemoteTo(whole, larger(Lanes(0.0), smaller(s * count, last)).v); };
  std::int32_t* const to = reinterpret_cast<std::int32_t*>(part);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(found(load(score + i)), whole, to + i);
  if (i == n) return;
  std::int32_t some[lanes];
  hn::StoreU(found(load_some(score + i, n - i)), whole, some);
  for (std::size_t l = 0; i + l < n; ++l) to[i + l] = some[l];
}
HWY_FLATTEN void FindPartsF32(const float* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  find_all(score, n, parts, part);
}
HWY_FLATTEN void FindPartsF64(const double* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  find_all(score, n, parts, part);
}

}  // namespace
}  // namespace tare::detail::fit::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::fit::rows {

HWY_EXPORT(OnPiecesF32);
HWY_EXPORT(OnPiecesF64);
HWY_EXPORT(FindPartsF32);
HWY_EXPORT(FindPartsF64);

void on_pieces(const float* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out) {
  HWY_DYNAMIC_DISPATCH(OnPiecesF32)(score, place, n, piece, out);
}
void on_pieces(const double* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out) {
  HWY_DYNAMIC_DISPATCH(OnPiecesF64)(score, place, n, piece, out);
}
void find_parts(const float* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  HWY_DYNAMIC_DISPATCH(FindPartsF32)(score, n, parts, part);
}
void find_parts(const double* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  HWY_DYNAMIC_DISPATCH(FindPartsF64)(score, n, parts, part);
}

}  // namespace tare::detail::fit::rows
#endif
