// Result<T>: a value, or an Error that says what is wrong, where, and what to do.
// Spelled like std::expected, which neither target compiler has.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace tare {

enum class Errc {
  bad_input,    // the data are not what they were declared to be
  bad_option,   // an option has no meaning or is out of range
  io,           // a file cannot be opened, read or written
  undefined,    // the quantity does not exist for these data
  unsupported,  // it exists, but not in this combination (weights, K, norm, ...)
};

struct Error {
  Errc code = Errc::bad_input;
  std::string message;    // value and place: "score at row 17 is 3.2, not in [0, 1]"
  std::string hint = {};  // remedy: "are these logits? pass --logits"
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : v_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return v_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  T& operator*() & { return value_of(*this); }
  const T& operator*() const& { return value_of(*this); }
  T operator*() && { return std::move(value_of(*this)); }  // by value: a range-for over it is safe
  T* operator->() & { return &value_of(*this); }
  const T* operator->() const& { return &value_of(*this); }
  const T* operator->() const&& = delete;  // f()->x would dangle

  [[nodiscard]] const Error& error() const& {
    assert(!has_value());
    return *std::get_if<1>(&v_);
  }
  [[nodiscard]] Error error() && {
    assert(!has_value());
    return std::move(*std::get_if<1>(&v_));
  }

 private:
  template <class Self>
  static auto& value_of(Self& self) {
    assert(self.has_value());
    return *std::get_if<0>(&self.v_);
  }
  std::variant<T, Error> v_;
};

}  // namespace tare
