// Result<T>: a value, or an Error that says what is wrong, where, and what to do about it.
//
// Ask first, or say value() and get a Failure thrown where it is missing. That, and looking at a value that is not
// there, are the only things in this library that throw.
//
//     const auto p = tare::from_probs(scores, 1, labels);
//     if (!p) {
//       const tare::Error& e = p.error();       // bad_input; place {"probs", row 17, column 0}; value "3.2"
//       std::cerr << tare::message(e) << '\n';  // probs at row 17 is 3.2, not in [0, 1]; are these logits? ...
//     }
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include <tare/version.hpp>

namespace tare {
inline namespace v0_3 {

enum class Errc {
  bad_input,      // the data are not what they were declared to be
  bad_option,     // an option has no meaning or is out of range
  io,             // a file cannot be opened, read or written
  undefined,      // the quantity does not exist for these data
  unsupported,    // it exists, but not in this combination (weights, classes, norm, ...)
  cancelled,      // the caller asked to stop
  out_of_memory,  // there was not enough memory
  internal,       // a fault of this library: please report it
};

// Where in the input: an array by the name of its argument, a file, or an option; rows and columns count from 0.
struct Place {
  std::string array = {};
  std::optional<std::size_t> row = {};
  std::optional<std::size_t> column = {};
  std::string spelled = {};  // the same as its file would say it: "preds.csv: line 3, column 'p_2': probability"
};

// In `what` and `remedy` an option or an argument is named in backquotes: `bins`.
struct Error {
  Errc code = Errc::bad_input;
  std::string what = {};    // what is wrong
  Place place = {};         // where
  std::string value = {};   // the offending value, as text
  std::string remedy = {};  // what to do about it
};

// The whole of it as one line, in the words of this library:
//   value at row 17 is 3.2, not in [0, 1]; clip it      with a place and a value
//   resamples is 0, not in 1 .. 1,000,000               the same, of an option
//   weights: all weights are 0                          with a place alone
//   there are no rows; at least one is needed           with neither
TARE_EXPORT std::string message(const Error& error);

// What value() throws.
class TARE_EXPORT Failure : public std::runtime_error {
 public:
  explicit Failure(Error error);
  Failure(const Failure&);
  ~Failure() override;
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

namespace support {
[[noreturn]] TARE_EXPORT void raise(const Error& error);
[[noreturn]] TARE_EXPORT void raise_no_error();  // error() of a Result that has a value

// What handles share: gone with the last of them. Plainer than std::shared_ptr, whose header is as long as all others.
class TARE_EXPORT Counted {
 public:
  Counted() = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  virtual ~Counted();

 private:
  friend class Handle;
  std::atomic<std::size_t> owners_{1};
};

class TARE_EXPORT Handle {
 public:
  Handle() = default;
  explicit Handle(Counted* owned) noexcept : to_(owned) {}
  Handle(const Handle& other) noexcept;
  Handle(Handle&& other) noexcept : to_(std::exchange(other.to_, nullptr)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(to_, other.to_);
    return *this;
  }
  ~Handle();
  [[nodiscard]] Counted* get() const noexcept { return to_; }

 private:
  Counted* to_ = nullptr;
};
}  // namespace support

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : v_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return v_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& value() & { return get(*this); }
  [[nodiscard]] const T& value() const& { return get(*this); }
  [[nodiscard]] T value() && { return std::move(get(*this)); }

  T& operator*() & { return get(*this); }
  const T& operator*() const& { return get(*this); }
  T operator*() && { return std::move(get(*this)); }  // by value: a range-for over it is safe
  T* operator->() & { return &get(*this); }
  const T* operator->() const& { return &get(*this); }
  const T* operator->() const&& = delete;  // f()->x would dangle

  [[nodiscard]] const Error& error() const& {
    if (has_value()) support::raise_no_error();
    return *std::get_if<1>(&v_);
  }
  [[nodiscard]] Error error() && {
    if (has_value()) support::raise_no_error();
    return std::move(*std::get_if<1>(&v_));
  }

 private:
  template <class Self>
  static auto& get(Self& self) {
    if (!self.has_value()) support::raise(*std::get_if<1>(&self.v_));
    return *std::get_if<0>(&self.v_);
  }
  std::variant<T, Error> v_;
};

// Done, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const {
    if (error_) support::raise(*error_);
  }
  [[nodiscard]] const Error& error() const {
    if (!error_) support::raise_no_error();
    return *error_;
  }

 private:
  std::optional<Error> error_ = {};
};

}  // namespace v0_3
}  // namespace tare
