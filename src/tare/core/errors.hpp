// The usual errors, each in one line of code: what is wrong, and what to do about it.
#pragma once

#include <string>
#include <utility>

#include "tare/core/result.hpp"

namespace tare::detail {

inline Error failure(Errc code, std::string what, std::string remedy) {
  return {.code = code, .what = std::move(what), .remedy = std::move(remedy)};
}

inline Error bad_input(std::string what, std::string remedy) {
  return failure(Errc::bad_input, std::move(what), std::move(remedy));
}

inline Error bad_input(Place place, std::string what, std::string remedy) {
  return {.what = std::move(what), .place = std::move(place), .remedy = std::move(remedy)};
}

inline Error bad_option(std::string what, std::string remedy) {
  return failure(Errc::bad_option, std::move(what), std::move(remedy));
}

// Of one option, which has this value.
inline Error bad_option(std::string option, std::string value, std::string what, std::string remedy) {
  return {.code = Errc::bad_option,
          .what = std::move(what),
          .place = {.array = std::move(option)},
          .value = std::move(value),
          .remedy = std::move(remedy)};
}

// Of one value of the data.
inline Error bad_value(Place place, std::string value, std::string what, std::string remedy) {
  return {.what = std::move(what), .place = std::move(place), .value = std::move(value), .remedy = std::move(remedy)};
}

}  // namespace tare::detail
