#include "tare/core/views.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/workers.hpp"

namespace tare::detail {

thread_local const ScopedValidationWorkers* ScopedValidationWorkers::mine = nullptr;

namespace {

constexpr std::size_t block = 4096;  // elements: both passes over a block find it in the nearest cache
constexpr std::size_t blocks_per_part = 32, few_parts = 12;  // which take less than a millisecond

// What find(from, count) finds in parts of n rows: that of the first part where it finds something. `rows` make a part.
template <class Find>
auto found_in_parts(std::size_t n, std::size_t rows, const Find& find) {
  std::vector<decltype(find(n, n))> found((n + rows - 1) / rows);
  const auto look = [&](std::size_t i) { found[i] = find(i * rows, std::min(rows, n - i * rows)); };
  const Workers* const workers = ScopedValidationWorkers::workers();
  if (workers && found.size() > few_parts)
    (*workers)(found.size(), look);
  else
    for (std::size_t i = 0; i < found.size() && (i == 0 || !found[i - 1]); ++i) look(i);
  const auto at = std::find_if(found.begin(), found.end(), [](const auto& f) { return f.has_value(); });
  return at == found.end() ? decltype(find(n, n)){} : std::move(*at);
}

// Position of the first element for which bad() holds, or n. suspect() has its highest bit set for each of them, and
// perhaps for some that are fine. It is arithmetic on whole numbers: in a loop of fixed length without an exit, so that
// every compiler makes vectors of it, and good data pay for one plain pass. Inside of other loops GCC does not.
template <class Span, class Suspect, class Bad>
[[gnu::noinline]] std::size_t first_bad(Span values, Suspect suspect, Bad bad) {
  using Bits = decltype(suspect(values[0]));
  constexpr Bits highest = Bits{1} << (8 * sizeof(Bits) - 1);
  constexpr std::size_t some = 256;
  std::size_t at = 0;
  for (; at + some <= values.size(); at += some) {
    const auto* const x = values.data() + at;
    Bits any = 0;
    for (std::size_t i = 0; i < some; ++i) any |= suspect(x[i]);
    if ((any & highest) == 0) continue;
    const auto* const found = std::find_if(x, x + some, bad);
    if (found != x + some) return at + static_cast<std::size_t>(found - x);
  }
  const auto* const end = values.data() + values.size();
  return static_cast<std::size_t>(std::find_if(values.data() + at, end, bad) - values.data());
}

// The same for many: nothing where none is bad.
template <class T, class Suspect, class Bad>
std::optional<std::size_t> first_bad_in_parts(std::span<const T> values, Suspect suspect, Bad bad) {
  return found_in_parts(values.size(), block * blocks_per_part,
                        [&](std::size_t from, std::size_t count) -> std::optional<std::size_t> {
                          const std::size_t at = first_bad(values.subspan(from, count), suspect, bad);
                          return at < count ? std::optional(from + at) : std::nullopt;
                        });
}

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

// The bits of numbers that are not negative are in their order, and those of NaN are above all.
template <class T>
std::size_t first_that_is_no_probability(std::span<const T> values) {
  return first_bad(
      values, [](T p) { return bits_of(p) | (bits_of(T{1}) - bits_of(p)); }, [](T p) { return !(p >= 0 && p <= 1); });
}

// Eight sums at once, so that a long row does not wait for its own additions.
template <class T>
double row_sum(const T* p, std::size_t k) {
  std::array<double, 8> lane{};
  std::size_t j = 0;
  for (; j + 8 <= k; j += 8)
    for (std::size_t l = 0; l < 8; ++l) lane[l] += static_cast<double>(p[j + l]);
  double sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  for (; j < k; ++j) sum += static_cast<double>(p[j]);
  return sum;
}

// The first row of n that does not sum to 1, or n.
template <class T>
std::size_t first_bad_sum(const T* p, std::size_t n, std::size_t k, double tolerance) {
  if (k == 2) {  // no row is alone: pairs side by side
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < n; ++i)
      any |= !(std::abs(static_cast<double>(p[2 * i]) + static_cast<double>(p[2 * i + 1]) - 1) <= tolerance);
    if (!any) return n;
  }
  for (std::size_t i = 0; i < n; ++i)
    if (!(std::abs(row_sum(p + i * k, k) - 1) <= tolerance)) return i;
  return n;
}

// What to do about a number that should have been in [0, 1].
const char* outside_hint(double x) {
  if (std::isnan(x)) return "remove or impute the row: a missing number is not a prediction";
  if (x > -1e-3 && x < 1 + 1e-3) return "a rounding error? clip to [0, 1] before saving: np.clip(p, 0, 1)";
  return "are these logits? declare them as `logits`";
}

Error lengths(const char* array, std::size_t have, std::size_t n) {
  return {.code = Errc::bad_input,
          .what = std::to_string(have) + " of them, but " + std::to_string(n) + " rows",
          .place = {.array = array},
          .remedy = "every array must have one entry per prediction"};
}

// Weights are frequencies, and any unit will do: mass (numeric/order/order.hpp) is counted in a unit that suits them.
// What is left to refuse are sums beyond 64 bits of mass, and weights that are only dust.
std::optional<Error> check_weights(std::span<const double> weight, std::size_t n) {
  if (weight.empty()) return std::nullopt;
  if (weight.size() != n) return lengths("weights", weight.size(), n);
  constexpr double most = 0x1p40, least = 0x1p-40;
  const char* const hint =
      "weights are frequencies: 2 means the row counts twice; rescale them so that 1 is one prediction";
  const std::size_t at = first_bad(
      weight, [](double w) { return bits_of(w) | (bits_of(most) - bits_of(w)); },
      [](double w) { return !(w >= 0 && w <= most); });
  if (at < n)
    return Error{.code = Errc::bad_input,
                 .what = "not in [0, 1e12]",
                 .place = {.array = "weights", .row = at},
                 .value = number_text(weight[at]),
                 .remedy = hint};
  double total = 0, largest = 0;
  for (const double w : weight) {
    total += w;
    largest = std::max(largest, w);
  }
  const auto bad = [](std::string what, const char* remedy) {
    return Error{.code = Errc::bad_input, .what = std::move(what), .place = {.array = "weights"}, .remedy = remedy};
  };
  if (largest == 0) return bad("all weights are 0", "at least one prediction must count");
  if (largest < least) return bad("the largest weight is " + number_text(largest) + ", below 1e-12", hint);
  if (!(total <= most)) return bad("the weights sum to " + number_text(total) + ", to more than 1e12", hint);
  return std::nullopt;
}

Error no_rows() {
  return {.code = Errc::bad_input, .what = "there are no rows", .remedy = "at least one prediction is needed"};
}

// One column is a vector: it has rows only.
Place value_at(std::size_t at, std::size_t k) {
  return {.array = "values", .row = at / k, .column = k > 1 ? std::optional(at % k) : std::nullopt};
}

template <class T>
std::optional<Error> check_logits(std::span<const T> x, std::size_t k) {
  const auto at = first_bad_in_parts(
      x, [](T z) { return bits_of(std::numeric_limits<T>::max()) - bits_of(std::abs(z)); },
      [](T z) { return !std::isfinite(z); });
  if (!at) return std::nullopt;
  return Error{.code = Errc::bad_input,
               .what = "not a finite number",
               .place = value_at(*at, k),
               .value = number_text(x[*at]),
               .remedy = "remove the row, or clamp infinite logits to a large finite value"};
}

template <class T>
std::optional<Error> check_probs(std::span<const T> x, std::size_t k, double tolerance, std::size_t first,
                                 std::size_t count) {
  const std::size_t rows = std::max<std::size_t>(1, block / k), end = first + count;
  for (std::size_t i = first; i < end; i += rows) {
    const std::size_t m = std::min(rows, end - i);
    const auto part = x.subspan(i * k, m * k);
    if (const std::size_t at = first_that_is_no_probability(part); at < part.size())
      return Error{.code = Errc::bad_input,
                   .what = "not in [0, 1]",
                   .place = value_at(i * k + at, k),
                   .value = number_text(part[at]),
                   .remedy = outside_hint(static_cast<double>(part[at]))};
    if (k == 1) continue;
    if (const std::size_t r = first_bad_sum(part.data(), m, k, tolerance); r < m)
      return Error{.code = Errc::bad_input,
                   .what = "probabilities sum to " + number_text(row_sum(&part[r * k], k)) + ", not to 1",
                   .place = {.array = "values", .row = i + r},
                   .remedy =
                       "each row needs one probability per class; independent (multi-label) scores are one binary "
                       "problem per column"};
  }
  return std::nullopt;
}

template <class T>
std::optional<Error> check_all_probs(std::span<const T> x, std::size_t k, double tolerance) {
  const std::size_t rows = std::max<std::size_t>(1, block / k);
  return found_in_parts(x.size() / k, rows * blocks_per_part, [&](std::size_t first, std::size_t count) {
    return check_probs(x, k, tolerance, first, count);
  });
}

}  // namespace

Result<BinaryView> binary_view(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight) {
  const std::size_t n = score.size();
  if (n == 0) return no_rows();
  if (label.size() != n) return lengths("hits", label.size(), n);
  if (auto bad = score.visit([&](auto x) { return check_all_probs(x, 1, 0); })) return *std::move(bad);
  const auto y = first_bad_in_parts(
      label, [](std::uint8_t v) { return static_cast<std::uint8_t>(v | (1 - v)); },
      [](std::uint8_t v) { return v > 1; });
  if (y)
    return Error{.code = Errc::bad_input,
                 .what = "not 0 or 1",
                 .place = {.array = "hits", .row = *y},
                 .value = std::to_string(label[*y]),
                 .remedy = "hits and binary labels are 0 or 1"};
  if (auto e = check_weights(weight, n)) return *std::move(e);
  return BinaryView(score, label, weight);
}

Result<MulticlassView> multiclass_view(Kind kind, Reals values, std::size_t k, std::span<const std::int32_t> label,
                                       std::span<const double> weight, double tolerance) {
  const std::size_t n = label.size();
  if (n == 0 || k == 0) return no_rows();
  if (values.size() / k != n || values.size() % k != 0) return lengths("labels", n, values.size() / k);
  auto bad = values.visit(
      [&](auto x) { return kind == Kind::logits ? check_logits(x, k) : check_all_probs(x, k, tolerance); });
  if (bad) return *std::move(bad);
  const auto classes = static_cast<std::int32_t>(k == 1 ? 2 : k);
  const auto y = first_bad_in_parts(
      label,
      [last = static_cast<std::uint32_t>(classes) - 1](std::int32_t v) {
        return static_cast<std::uint32_t>(v) | (last - static_cast<std::uint32_t>(v));
      },
      [classes](std::int32_t v) { return v < 0 || v >= classes; });
  if (y)
    return Error{.code = Errc::bad_input,
                 .what = "not in 0.." + std::to_string(classes - 1),
                 .place = {.array = "labels", .row = *y},
                 .value = std::to_string(label[*y]),
                 .remedy = "labels are class indices counted from 0"};
  if (auto e = check_weights(weight, n)) return *std::move(e);
  return MulticlassView(kind, values, k, label, weight);
}

Result<BinaryView> copied_view(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight) {
  assert(score.size() == label.size());
  if (label.empty()) return no_rows();
  if (auto e = check_weights(weight, label.size())) return *std::move(e);
  return BinaryView(score, label, weight);
}

Result<MulticlassView> copied_view(Kind kind, Reals values, std::size_t k, std::span<const std::int32_t> label,
                                   std::span<const double> weight) {
  assert(values.size() == label.size() * k);
  if (label.empty()) return no_rows();
  if (auto e = check_weights(weight, label.size())) return *std::move(e);
  return MulticlassView(kind, values, k, label, weight);
}

BinaryView reduced_view(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight) {
  assert(binary_view(score, label, weight));
  return BinaryView(score, label, weight);
}

MulticlassView two_class_view(const BinaryView& hits, std::span<const std::int32_t> label) {
  assert(label.size() == hits.size());
  return MulticlassView(Kind::probs, hits.score(), 1, label, hits.weight());
}

}  // namespace tare::detail
