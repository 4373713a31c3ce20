#include "tare/reduce/reduce.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "tare/core/names.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::detail {
namespace {

// Calls body(i) for every row, in chunks that do not depend on the number of threads.
template <class Body>
void for_rows(std::size_t n, int threads, const Body& body) {
  constexpr std::size_t chunk = 8192;
  numeric::parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) body(i);
  });
}

double sigma(double z) {
  const double e = std::exp(-std::abs(z));
  return z >= 0 ? 1 / (1 + e) : e / (1 + e);
}

// Probabilities were checked. Should somebody have written to them since, the score is still one.
template <class T>
T as_score(T p) {
  return p >= 0 ? (p <= 1 ? p : T(1)) : T(0);
}

std::vector<std::uint8_t> is_class(const MulticlassView& m, std::size_t class_index, int threads) {
  return is_label(m.label(), static_cast<std::int32_t>(class_index), threads);
}

BinaryData top_of_logits(const MulticlassView& m, int threads) {
  std::vector<double> score(m.size());
  std::vector<std::int32_t> top(m.size());
  std::vector<std::uint8_t> hit(m.size());
  m.values().visit([&](auto z) {
    numeric::softmax_rows(z, m.columns(), m.label(), {.confidence = score.data(), .argmax = top.data()}, threads);
  });
  const auto label = m.label();
  for_rows(m.size(), threads, [&](std::size_t i) { hit[i] = top[i] == label[i]; });
  return {std::move(score), std::move(hit), m.weight()};
}

template <class T>
BinaryData top_of_probs(std::span<const T> p, const MulticlassView& m, int threads) {
  std::vector<T> score(m.size());
  std::vector<std::uint8_t> hit(m.size());
  const auto label = m.label();
  const std::size_t k = m.columns();
  for_rows(m.size(), threads, [&](std::size_t i) {
    const auto row = p.subspan(i * k, k);
    // One column: class 1 must be strictly more probable, as argmax takes the lowest index on a tie.
    const auto top = k == 1 ? std::ptrdiff_t{row[0] > T(0.5)} : std::ranges::max_element(row) - row.begin();
    score[i] = as_score(k == 1 ? std::max(row[0], 1 - row[0]) : row[static_cast<std::size_t>(top)]);
    hit[i] = label[i] == static_cast<std::int32_t>(top);
  });
  return {std::move(score), std::move(hit), m.weight()};
}

// The probability of one class, in the type of the input.
template <class T>
BinaryData class_of_probs(std::span<const T> p, const MulticlassView& m, std::size_t class_index, int threads) {
  std::vector<T> score(m.size());
  const std::size_t k = m.columns();
  for_rows(m.size(), threads, [&](std::size_t i) {
    score[i] = as_score(k > 1 ? p[i * k + class_index] : class_index == 1 ? p[i] : 1 - p[i]);
  });
  return {std::move(score), is_class(m, class_index, threads), m.weight()};
}

template <class T>
BinaryData class_of_two_logits(std::span<const T> z, const MulticlassView& m, std::size_t class_index, int threads) {
  std::vector<double> score(m.size());
  const bool one = m.columns() == 1;
  const double sign = class_index == 1 ? 1 : -1;
  for_rows(m.size(), threads, [&](std::size_t i) {
    const double odds =
        one ? static_cast<double>(z[i]) : static_cast<double>(z[2 * i + 1]) - static_cast<double>(z[2 * i]);
    score[i] = as_score(sigma(sign * odds));
  });
  return {std::move(score), is_class(m, class_index, threads), m.weight()};
}

BinaryData class_of_two(const MulticlassView& m, std::size_t class_index, int threads) {
  const auto& values = m.values();
  if (m.kind() == Kind::logits)
    return values.visit([&](auto z) { return class_of_two_logits(z, m, class_index, threads); });
  if (m.columns() == 1 && class_index == 1) return {values, is_class(m, class_index, threads), m.weight()};
  return values.visit([&](auto p) { return class_of_probs(p, m, class_index, threads); });
}

Error bare_confidences(const char* what) {
  return {.code = Errc::unsupported,
          .what = std::string("the reduction ") + what +
                  " needs the probabilities of the classes, and there are only confidences",
          .remedy = "use top_label, or give `logits` or `probs` with `labels`"};
}

}  // namespace

BinaryView BinaryData::view() const { return borrowed_ ? *borrowed_ : reduced_view(score_, label_, weight_); }

Result<Reduction> choose_reduction(const Predictions& predictions, std::optional<Reduction> asked) {
  if (predictions.summed) {
    const Reduction has = predictions.summed->reduction;
    if (!asked || *asked == has) return has;
    return Error{
        .code = Errc::unsupported,
        .what = "this state is of the reduction " + std::string(name(has)) + ", not " + std::string(name(*asked)),
        .place = {.array = "reduction"},
        .remedy = "make a state of the rows with that reduction"};
  }
  if (!predictions.matrix) {
    if (asked && *asked != Reduction::top_label)
      return bare_confidences(*asked == Reduction::positive ? "positive" : "classwise");
    return Reduction::top_label;
  }
  const std::size_t k = predictions.matrix->classes();
  if (!asked) return k == 2 ? Reduction::positive : Reduction::top_label;
  if (*asked == Reduction::positive && k > 2)
    return Error{.code = Errc::unsupported,
                 .what = "the reduction positive is for two classes, and there are " + std::to_string(k),
                 .remedy = "use top_label, or classwise for one problem per class"};
  return *asked;
}

Result<BinaryData> top_label(const Predictions& predictions, int threads) {
  if (!predictions.matrix) return BinaryData(*predictions.confidences);
  const auto& m = *predictions.matrix;
  if (m.kind() == Kind::logits) return top_of_logits(m, threads);
  return m.values().visit([&](auto p) { return top_of_probs(p, m, threads); });
}

Result<BinaryData> positive(const Predictions& predictions, int threads) {
  const auto possible = choose_reduction(predictions, Reduction::positive);
  if (!possible) return possible.error();
  return class_of_two(*predictions.matrix, 1, threads);
}

Result<OneVsRest> OneVsRest::make(const Predictions& predictions, int threads) {
  const auto possible = choose_reduction(predictions, Reduction::classwise);
  if (!possible) return possible.error();
  OneVsRest out;
  if (predictions.summed) {
    out.summed_ = predictions.summed->classes;
    return out;
  }
  out.view_ = predictions.matrix;
  const MulticlassView& m = *out.view_;
  if (m.kind() == Kind::logits && m.classes() > 2) {
    out.log_normaliser_.resize(m.size());
    m.values().visit([&](auto z) {
      numeric::softmax_rows(z, m.columns(), m.label(), {.log_normaliser = out.log_normaliser_.data()}, threads);
    });
  }
  return out;
}

std::size_t OneVsRest::classes() const { return view_ ? view_->classes() : summed_.size(); }

BinaryData OneVsRest::problem(std::size_t class_index, int threads) const {
  assert(class_index < classes());
  if (!view_) return BinaryData(summed_[class_index]);
  const MulticlassView& view = *view_;
  if (classes() == 2) return class_of_two(view, class_index, threads);
  if (log_normaliser_.empty())
    return view.values().visit([&](auto p) { return class_of_probs(p, view, class_index, threads); });
  std::vector<double> score(view.size());
  view.values().visit([&](auto z) {
    for_rows(view.size(), threads, [&](std::size_t i) {
      const auto x = static_cast<double>(z[i * view.columns() + class_index]);
      score[i] = as_score(std::exp(x - log_normaliser_[i]));  // rounding may carry the exponent above 0
    });
  });
  return {std::move(score), is_class(view, class_index, threads), view.weight()};
}

std::vector<std::uint8_t> is_label(std::span<const std::int32_t> label, std::int32_t wanted, int threads) {
  constexpr std::size_t chunk = 65536, many = std::size_t{1} << 21;  // fewer are done before a thread is there
  std::vector<std::uint8_t> out(label.size());
  numeric::parallel_for((out.size() + chunk - 1) / chunk, out.size() < many ? 1 : threads, [&](std::size_t c) {
    // Plain arrays and numbers, so that the compiler makes vectors of the loop: a byte that is written might be
    // anything.
    const std::int32_t* const from = label.data() + c * chunk;
    std::uint8_t* const to = out.data() + c * chunk;
    const std::int32_t one = wanted;
    const std::size_t n = std::min(chunk, out.size() - c * chunk);
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i] == one;
  });
  return out;
}

}  // namespace tare::detail
