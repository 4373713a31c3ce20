#include "tare/core/views.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace tare {
namespace {

// The shortest text that reads back as the same number.
template <class T>
std::string text(T x) {
  std::array<char, 40> buffer{};
  const auto r = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x);
  return {buffer.data(), r.ptr};
}

std::string text(const Reals& values, std::size_t i) {
  return values.visit([i](auto s) { return text(s[i]); });
}

// Rows count from 0, as in NumPy.
std::string row(std::size_t i) { return "row " + std::to_string(i); }

// Position of the first element for which bad() holds, or n. The first loop has no early
// exit, so that the compiler can vectorise it: good data pay for one plain pass.
template <class Span, class Bad>
std::size_t first_bad(Span values, Bad bad) {
  constexpr std::size_t block = 4096;
  for (std::size_t at = 0; at < values.size(); at += block) {
    const auto part = values.subspan(at, std::min(block, values.size() - at));
    bool any = false;
    for (const auto x : part) any |= bad(x);
    if (any) {
      for (std::size_t i = 0; i < part.size(); ++i)
        if (bad(part[i])) return at + i;
    }
  }
  return values.size();
}

// What to do about a number that should have been in [0, 1].
const char* outside_hint(double x) {
  if (std::isnan(x)) return "remove or impute the row: a missing number is not a prediction";
  if (x > -1e-3 && x < 1 + 1e-3) return "a rounding error? clip to [0, 1] before saving: np.clip(p, 0, 1)";
  return "are these logits? declare them as logits";
}

Error lengths(const char* what, std::size_t have, std::size_t n) {
  return {Errc::bad_input, std::string("there are ") + std::to_string(n) + " rows but " + std::to_string(have) + " " + what,
          "every array must have one entry per prediction"};
}

std::optional<Error> check_weights(std::span<const double> weight, std::size_t n) {
  if (weight.empty()) return std::nullopt;
  if (weight.size() != n) return lengths("weights", weight.size(), n);
  constexpr double smallest = 0x1p-20, largest = 0x1p40;
  const std::size_t at = first_bad(weight, [](double w) { return !(w == 0 || (w >= smallest && w <= largest)); });
  if (at < n)
    return Error{Errc::bad_input, row(at) + ": weight is " + text(weight[at]) + ", not 0 or in [1e-6, 1e12]",
                 "weights are frequencies: 2 means the row counts twice; rescale them so that 1 is one prediction"};
  double total = 0;
  for (const double w : weight) total += w;
  if (!(total >= 1 && total <= largest))
    return Error{Errc::bad_input, "the weights sum to " + text(total) + ", not to between 1 and 1e12",
                 "weights are frequencies: 2 means the row counts twice; rescale them so that 1 is one prediction"};
  return std::nullopt;
}

Error no_rows() { return {Errc::bad_input, "there are no rows", "at least one prediction is needed"}; }

}  // namespace

Result<BinaryView> binary_view(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight) {
  const std::size_t n = score.size();
  if (n == 0) return no_rows();
  if (label.size() != n) return lengths("labels", label.size(), n);
  const std::size_t s = score.visit([](auto x) { return first_bad(x, [](auto v) { return !(v >= 0 && v <= 1); }); });
  if (s < n)
    return Error{Errc::bad_input, row(s) + ": score is " + text(score, s) + ", not in [0, 1]", outside_hint(score[s])};
  const std::size_t y = first_bad(label, [](std::uint8_t v) { return v > 1; });
  if (y < n)
    return Error{Errc::bad_input, row(y) + ": label is " + text(label[y]) + ", not 0 or 1",
                 "hits and binary labels are 0 or 1"};
  if (auto e = check_weights(weight, n)) return *std::move(e);
  return BinaryView(score, label, weight);
}

Result<MulticlassView> multiclass_view(Kind kind, Reals values, std::size_t k, std::span<const std::int32_t> label,
                                       std::span<const double> weight, double tolerance) {
  const std::size_t n = label.size();
  if (n == 0 || k == 0) return no_rows();
  if (values.size() != n * k)
    return lengths("labels", n, values.size() / k);
  const auto place = [&](std::size_t at) {
    return row(at / k) + (k > 1 ? ", column " + std::to_string(at % k) : std::string());
  };
  if (kind == Kind::logits) {
    const std::size_t at = values.visit([](auto x) { return first_bad(x, [](auto v) { return !std::isfinite(v); }); });
    if (at < values.size())
      return Error{Errc::bad_input, place(at) + ": logit is " + text(values, at) + ", not a finite number",
                   "remove the row, or clamp infinite logits to a large finite value"};
  } else {
    const std::size_t at =
        values.visit([](auto x) { return first_bad(x, [](auto v) { return !(v >= 0 && v <= 1); }); });
    if (at < values.size())
      return Error{Errc::bad_input, place(at) + ": probability is " + text(values, at) + ", not in [0, 1]",
                   outside_hint(values[at])};
    if (k > 1) {
      const auto bad_row = values.visit([&](auto x) {
        for (std::size_t i = 0; i < n; ++i) {
          double sum = 0;
          for (const auto p : x.subspan(i * k, k)) sum += static_cast<double>(p);
          if (!(std::abs(sum - 1) <= tolerance)) return std::pair{i, sum};
        }
        return std::pair{n, 1.0};
      });
      if (bad_row.first < n)
        return Error{Errc::bad_input,
                     row(bad_row.first) + ": probabilities sum to " + text(bad_row.second) + ", not to 1",
                     "each row needs one probability per class; independent (multi-label) scores are one binary "
                     "problem per column"};
    }
  }
  const auto classes = static_cast<std::int32_t>(k == 1 ? 2 : k);
  const std::size_t y = first_bad(label, [classes](std::int32_t v) { return v < 0 || v >= classes; });
  if (y < n)
    return Error{Errc::bad_input,
                 row(y) + ": label is " + text(label[y]) + ", not in 0.." + std::to_string(classes - 1),
                 "labels are class indices counted from 0"};
  if (auto e = check_weights(weight, n)) return *std::move(e);
  return MulticlassView(kind, values, k, label, weight);
}

}  // namespace tare
