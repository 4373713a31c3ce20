#include "tare/infer/resample/folds.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <type_traits>

#include "tare/numeric/random/rng.hpp"

namespace tare::detail::infer {
namespace {
constexpr std::uint32_t fold_stream = 0x666f6c64;  // "fold"
}

std::vector<int> random_folds(std::span<const std::int32_t> label, int folds, std::uint64_t seed,
                              std::uint32_t repeat) {
  const std::size_t n = label.size();
  const auto parts = static_cast<std::size_t>(folds);
  std::vector<std::uint64_t> key(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto words = numeric::random_block(seed, fold_stream, repeat, i);
    key[i] = numeric::join(words[0], words[1]);
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return key[a] != key[b] ? key[a] < key[b] : a < b; });
  std::vector<int> fold(n);
  std::map<std::int32_t, std::vector<std::size_t>> of_class;
  for (std::size_t i = 0; i < n; ++i) {
    fold[order[i]] = static_cast<int>(i % parts);
    of_class[label[order[i]]].push_back(order[i]);
  }
  for (const auto& one : of_class) {
    const std::vector<std::size_t>& rows = one.second;
    const auto together = [&](std::size_t row) { return fold[row] == fold[rows.front()]; };
    if (rows.size() < 2 || !std::ranges::all_of(rows, together)) continue;
    for (std::size_t i = 1; i < rows.size(); ++i)
      fold[rows[i]] = static_cast<int>((static_cast<std::size_t>(fold[rows.front()]) + i) % parts);
  }
  return fold;
}

RowsOf::RowsOf(const MulticlassView& view, std::vector<std::size_t> rows)
    : kind_(view.kind()), k_(view.columns()), rows_(std::move(rows)) {
  view.values().visit([&](auto values) {
    using T = std::remove_const_t<typename decltype(values)::element_type>;
    std::vector<T> copy;
    copy.reserve(rows_.size() * k_);
    for (const std::size_t i : rows_) {
      const auto row = values.subspan(i * k_, k_);
      copy.insert(copy.end(), row.begin(), row.end());
    }
    if constexpr (std::is_same_v<T, float>)
      values32_ = std::move(copy);
    else
      values64_ = std::move(copy);
  });
  for (const std::size_t i : rows_) {
    label_.push_back(view.label()[i]);
    if (!view.weight().empty()) weight_.push_back(view.weight()[i]);
  }
}

Reals RowsOf::values() const {
  return values32_.empty() ? Reals(std::span<const double>(values64_)) : Reals(std::span<const float>(values32_));
}

Result<MulticlassView> RowsOf::view() const { return copied_view(kind_, values(), k_, label_, weight_); }

Result<MulticlassView> RowsOf::checked_view() const {
  return multiclass_view(kind_, values(), k_, label_, weight_, row_sum_tolerance_float16);
}

bool RowsOf::have_weight() const {
  return weight_.empty() || std::ranges::any_of(weight_, [](double w) { return w > 0; });
}

}  // namespace tare::detail::infer
