// Predictions: what a model said about n rows, and what happened. Checked once, when they are made.
//
// A Predictions is a small handle to data that never change: copy it freely, use it from several threads. The large
// array of numbers that it is made of is looked at, not copied: it must outlive every handle, and nobody may write to
// it meanwhile. A std::vector that is moved in is kept; labels and weights are copied.
//
//     const auto p = tare::from_logits(logits, 10, labels);  // std::vector<float>, std::vector<int>
//     if (!p) std::cerr << tare::message(p.error()) << '\n';
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tare/result.hpp>

namespace tare::detail {
struct Access;  // how the library reaches into the handles
}  // namespace tare::detail

namespace tare {
inline namespace v0_3 {

enum class Kind {
  logits,       // scores before the softmax; one number per row: the log-odds of class 1
  probs,        // probabilities; one number per row: the probability of class 1
  confidences,  // the probability of the predicted class, with hits and misses
};

// How K classes become a yes-or-no question.
enum class Reduction {
  top_label,  // the confidence of the predicted class: right or wrong (the rule for more than two classes)
  positive,   // the probability of class 1, and whether it happened (the rule for two classes)
  classwise,  // every class against the rest
};

namespace support {
template <class R>
concept Contiguous = requires(R& range) {
  *std::data(range);
  std::size(range);
};
template <class R>
using Element = std::remove_cvref_t<decltype(*std::data(std::declval<R&>()))>;
}  // namespace support

// Real numbers, looked at: made from any contiguous range of float or double that has a name.
class Reals {
 public:
  Reals() = default;
  Reals(const float* data, std::size_t size) : data_(data), size_(size), is_float_(true) {}
  Reals(const double* data, std::size_t size) : data_(data), size_(size) {}
  template <class R>
  requires(!std::is_same_v<std::remove_cvref_t<R>, Reals>)
      Reals(R&& range) {  // NOLINT: made silently, so that ranges can be passed as they are
    static_assert(support::Contiguous<R>,
                  "tare: real numbers must lie side by side: std::vector, std::array, std::span");
    if constexpr (support::Contiguous<R>) {
      using T = support::Element<R>;
      static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "tare: real numbers are float or double");
      static_assert(std::is_lvalue_reference_v<R> || std::is_same_v<std::remove_cvref_t<R>, std::span<const T>> ||
                        std::is_same_v<std::remove_cvref_t<R>, std::span<T>>,
                    "tare: this temporary would be gone before it is used: give it a name, or move a std::vector in");
      data_ = std::data(range);
      size_ = std::size(range);
      is_float_ = std::is_same_v<T, float>;
    }
  }

  [[nodiscard]] const void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_float() const noexcept { return is_float_; }

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  bool is_float_ = false;
};

// Class numbers from 0, or hits (1) and misses (0): made from any contiguous range of integers. They are copied.
class Labels {
 public:
  Labels() = default;  // none were given
  template <class R>
  requires(!std::is_same_v<std::remove_cvref_t<R>, Labels>) Labels(R&& range) {  // NOLINT: made silently
    static_assert(
        support::Contiguous<R>,
        "tare: labels must lie side by side: std::vector of an integer type (std::vector<bool> packs its bits), "
        "std::array, std::span");
    if constexpr (support::Contiguous<R>) {
      using T = support::Element<R>;
      static_assert(std::is_integral_v<T>, "tare: labels are integers");
      data_ = std::data(range);
      size_ = std::size(range);
      given_ = true;
      bytes_ = sizeof(T);
      is_signed_ = std::is_signed_v<T>;
    }
  }

  [[nodiscard]] const void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }  // of one of them
  [[nodiscard]] bool is_signed() const noexcept { return is_signed_; }
  [[nodiscard]] bool given() const noexcept { return given_; }

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  bool given_ = false;
  std::size_t bytes_ = 1;
  bool is_signed_ = false;
};

class TARE_EXPORT Predictions {
 public:
  [[nodiscard]] std::size_t size() const noexcept;     // rows
  [[nodiscard]] std::size_t classes() const noexcept;  // 2 for one number per row; 0: confidences, which do not tell
  [[nodiscard]] std::size_t columns() const noexcept;  // numbers per row
  [[nodiscard]] Kind kind() const noexcept;
  [[nodiscard]] bool labelled() const noexcept;  // without, for Calibrator::apply and some calibrators

  [[nodiscard]] Reals values() const noexcept;      // row after row; valid while this handle lives
  [[nodiscard]] Result<Predictions> owned() const;  // with a copy of the numbers: nothing has to outlive it

 private:
  friend struct detail::Access;
  explicit Predictions(support::Handle rows) : rows_(std::move(rows)) {}
  support::Handle rows_;
};

// n rows of `columns` numbers, one row after the other. columns = 1: the log-odds of class 1. Labels from 0 to
// columns - 1 (0 or 1 where columns = 1); weights are frequencies, 2 means the row twice.
TARE_EXPORT Result<Predictions> from_logits(Reals logits, std::size_t columns, Labels labels = {},
                                            std::span<const double> weights = {});
TARE_EXPORT Result<Predictions> from_logits(std::vector<float>&& logits, std::size_t columns, Labels labels = {},
                                            std::span<const double> weights = {});
TARE_EXPORT Result<Predictions> from_logits(std::vector<double>&& logits, std::size_t columns, Labels labels = {},
                                            std::span<const double> weights = {});

// The same for probabilities: in [0, 1], and rows of more than one sum to 1 within 0.001.
TARE_EXPORT Result<Predictions> from_probs(Reals probs, std::size_t columns, Labels labels = {},
                                           std::span<const double> weights = {});
TARE_EXPORT Result<Predictions> from_probs(std::vector<float>&& probs, std::size_t columns, Labels labels = {},
                                           std::span<const double> weights = {});
TARE_EXPORT Result<Predictions> from_probs(std::vector<double>&& probs, std::size_t columns, Labels labels = {},
                                           std::span<const double> weights = {});

// The confidence of the predicted class, and whether it was right: 1 or 0.
TARE_EXPORT Result<Predictions> from_confidences(Reals confidences, Labels hits, std::span<const double> weights = {});
TARE_EXPORT Result<Predictions> from_confidences(std::vector<float>&& confidences, Labels hits,
                                                 std::span<const double> weights = {});
TARE_EXPORT Result<Predictions> from_confidences(std::vector<double>&& confidences, Labels hits,
                                                 std::span<const double> weights = {});

}  // namespace v0_3
}  // namespace tare
