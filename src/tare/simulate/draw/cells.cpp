#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/simulate/draw/cells.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"

#ifndef TARE_SIMULATE_CELLS_ONCE
#define TARE_SIMULATE_CELLS_ONCE
#include <algorithm>

#include "tare/numeric/random/spacings.hpp"
#include "tare/simulate/draw/sampler.hpp"

namespace tare::detail::simulate {

struct LookUp {
  const Cell* cells;
  int shift;
  std::int64_t first_key;
  std::size_t per_side;
  const double* sum;
  double total;
  const std::uint64_t* word;
  std::size_t n;
  double* score;
  std::uint8_t* label;
};

}  // namespace tare::detail::simulate
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::simulate::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
static_assert(sizeof(Cell) == 64);

#if HWY_TARGET == HWY_SCALAR

void look_up(const LookUp& in) {
  const double inverse = 1 / in.total;
  for (std::size_t i = 0; i < in.n; ++i) {
    const double below = in.sum[i] * inverse, above = (in.total - in.sum[i]) * inverse;
    const double x = std::max(std::min(below, above), Cells::nothing);
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    std::size_t at = (bits >> in.shift) - static_cast<std::size_t>(in.first_key);
    if (below < above) at += in.per_side;
    const double t = std::bit_cast<double>(((bits << (52 - in.shift)) & 0xFFFFFFFFFFFFFU) | 0x3FF0000000000000U) - 1.5;
    const Cell& cell = in.cells[at];
    double p = cell.coefficient[Cell::terms - 1];
    for (std::size_t j = Cell::terms - 1; j-- > 0;) p = p * t + cell.coefficient[j];
    in.score[i] = p < 0 ? 1 + p : p;
    const std::uint64_t drawn = in.word[i] & ((1U << label_bits) - 1);
    in.label[i] = drawn < (cell.bounds & 0xFFFFFFFFU) ? 0 : drawn >= cell.bounds >> 32 ? 1 : Cells::undecided;
  }
}

#else

void look_up(const LookUp& in) {
  const hn::CappedTag<double, numeric::Spacings::batch> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const auto inverse = hn::Set(d, 1 / in.total), total = hn::Set(d, in.total);
  const auto* const base = reinterpret_cast<const double*>(in.cells);
  const auto* const bounds = reinterpret_cast<const std::uint64_t*>(in.cells) + Cell::terms;
  const int up = 52 - in.shift;
  for (std::size_t i = 0; i < in.n; i += hn::Lanes(d)) {
    const auto sum = hn::LoadU(d, in.sum + i);
    const auto below = hn::Mul(sum, inverse), above = hn::Mul(hn::Sub(total, sum), inverse);
    const auto x = hn::Max(hn::Min(below, above), hn::Set(d, Cells::nothing));
    const auto bits = hn::BitCast(du, x);
    const auto other = hn::IfThenElseZero(hn::RebindMask(di, hn::Lt(below, above)),
                                          hn::Set(di, static_cast<std::int64_t>(in.per_side)));
    const auto number =
        hn::Add(hn::Sub(hn::BitCast(di, hn::ShiftRightSame(bits, in.shift)), hn::Set(di, in.first_key)), other);
    const auto at = hn::ShiftLeft<3>(number);  // a cell is eight words
    const auto rest = hn::And(hn::ShiftLeftSame(bits, up), hn::Set(du, 0xFFFFFFFFFFFFFU));
    const auto t = hn::Sub(hn::BitCast(d, hn::Or(rest, hn::Set(du, 0x3FF0000000000000U))), hn::Set(d, 1.5));

    auto p = hn::GatherIndex(d, base + Cell::terms - 1, at);
    for (std::size_t j = Cell::terms - 1; j-- > 0;) p = hn::MulAdd(p, t, hn::GatherIndex(d, base + j, at));
    const auto score = hn::IfThenElse(hn::Lt(p, hn::Zero(d)), hn::Add(p, hn::Set(d, 1.0)), p);
    hn::StoreU(score, d, in.score + i);

    const auto bound = hn::GatherIndex(du, bounds, at);
    const auto miss_below = hn::And(bound, hn::Set(du, 0xFFFFFFFFU)), hit_from = hn::ShiftRight<32>(bound);
    const auto drawn = hn::And(hn::LoadU(du, in.word + i), hn::Set(du, (1U << label_bits) - 1));
    const auto signed_drawn = hn::BitCast(di, drawn);
    const auto is_miss = hn::RebindMask(du, hn::Lt(signed_drawn, hn::BitCast(di, miss_below)));
    const auto not_hit = hn::RebindMask(du, hn::Lt(signed_drawn, hn::BitCast(di, hit_from)));
    const auto one = hn::Set(du, 1U);
    const auto label = hn::IfThenZeroElse(is_miss, hn::Add(one, hn::IfThenElseZero(not_hit, one)));
    hn::StoreU(hn::TruncateTo(d8, label), d8, in.label + i);
  }
}

#endif

}  // namespace tare::detail::simulate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::simulate {

HWY_EXPORT(look_up);

void Cells::look_up(const double* sum, double total, const std::uint64_t* word, std::size_t n, double* score,
                    std::uint8_t* label) const {
  HWY_DYNAMIC_DISPATCH(look_up)
  ({cells_.data(), shift_, first_key_, per_side_, sum, total, word, n, score, label});
}

}  // namespace tare::detail::simulate
#endif
