// Rows whose score is 0 or 1, or within 2^-20 of it. The residuals of certain rows are 0 until one of them is wrong, so
// what is estimated from residuals says nothing about errors that a sample of this size did not happen to show. Their
// errors can be counted, though: the share of wrong ones is a binomial rate with an exact interval (Clopper and
// Pearson 1934). So intervals are made from parts: the rows near 0, those near 1, and the others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tare/core/results.hpp"
#include "tare/measure/sample.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::measure {

// What a part of the rows says about its own error.
struct PartEnds {
  double share = 1;  // of all rows
  double value = 0;
  double low = 0;
  double high = 1;
};

inline constexpr double certain_within = 0x1p-20;

// Those near 0, or near 1.
struct CertainRows {
  double share = 0;  // 0: there are none
  double rows = 0;
  double wrong = 0;
  double doubt = 0;  // mean distance of the score from the certain label
};

struct BothEnds {
  std::size_t first = 0, last = 0;       // the groups first .. last-1 are not certain
  std::array<CertainRows, 2> rows = {};  // near 0, near 1
};
BothEnds certain_rows(const numeric::Ordered& data);

// How often rows like these are wrong at least, in 97.5 of 100 samples.
double least_wrong(double wrong, double rows);

struct RowParts {
  std::vector<CertainRows> certain = {};
  std::optional<Sample> others = {};  // where some rows are certain; empty if all are
  double others_share = 0;
};
RowParts parts_of(const Sample& sample);

// 95% ends for their error; of a single score it is the same in both norms.
PartEnds ends_of(const CertainRows& rows, int norm);

// The interval of the whole. Errors, to the power of the norm, add with the shares; their distances to the ends add as
// those of independent numbers do. 0 unless one of the parts is clear of it.
ValueInterval joined(std::span<const PartEnds> parts, int norm);

// `end`, but not above the largest error that labels can make of these scores, the mean of max(score, 1 - score) in
// that norm.
double bounded(const Sample& sample, double end, int norm);

// Of fewer than five rows nothing is known but that bound.
bool too_few(const Sample& sample);
PartEnds unknown_ends(const Sample& sample, int norm);

// From the ends of all rows taken alike and those of the parts: the lower end of all rows, 0 unless a part is clear of
// it, too; the higher of both upper ends. others: makes ends from the rows that are not certain.
template <class Others>
ValueInterval from_parts(const PartEnds& all, const RowParts& parts, int norm, const Others& others) {
  std::vector<PartEnds> ends;
  for (const CertainRows& rows : parts.certain) ends.push_back(ends_of(rows, norm));
  if (parts.others) {
    ends.push_back(others(*parts.others));
    ends.back().share = parts.others_share;
  }
  const ValueInterval whole = joined(ends, norm);
  return {whole.low > 0 ? all.low : 0, std::max(all.high, whole.high)};
}

// The rows whose labels were the least in doubt, by the scores. Few errors among sure rows are seen in a small sample,
// so the upper end of an interval asks what it would be had two of these labels gone the other way.

// So much mass of a group with this label, which is given the other one.
struct Flip {
  std::size_t group = 0;
  std::uint64_t mass = 0;
  bool hit = false;
};

// Of the weight of two rows: those with the smallest |label - score|, of equal ones the hits first.
std::vector<Flip> surest_rows(const numeric::Ordered& data);

}  // namespace tare::detail::measure
