#include "tare/core/options.hpp"

namespace tare::detail {
namespace {

// 10,000: digits in groups of three.
std::string text(std::uint64_t value) {
  std::string out = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3)
    out.insert(static_cast<std::size_t>(at), 1, ',');
  return out;
}
std::string text(int value) {
  return value < 0 ? "-" + text(static_cast<std::uint64_t>(-static_cast<std::int64_t>(value)))
                   : text(static_cast<std::uint64_t>(value));
}

// The shortest text that reads back as the same number: 0.05, 1e12.
std::string text(double value) {
  std::string out = number_text(value);
  std::erase(out, '+');
  return out;
}

// As it was given.
std::string plain(int value) { return std::to_string(value); }
std::string plain(std::size_t value) { return std::to_string(value); }
std::string plain(double value) { return text(value); }

template <class T>
std::string whole_range(const Option<T>& option) {
  return option.most == option.least + 1 ? text(option.least) + " or " + text(option.most)
                                         : "in " + text(option.least) + " .. " + text(option.most);
}

}  // namespace

std::string range_text(const Option<int>& option) { return whole_range(option); }
std::string range_text(const Option<std::size_t>& option) { return whole_range(option); }
std::string range_text(const Option<double>& option) {
  const std::string least = text(option.least), most = text(option.most);
  return option.open ? "between " + least + " and " + most : "in [" + least + ", " + most + "]";
}

template <class T>
Error out_of_range(const Option<T>& option, std::string value) {
  return {.code = Errc::bad_option,
          .what = "not " + range_text(option),
          .place = {.array = std::string(option.name)},
          .value = std::move(value),
          .remedy = option.advice.empty() ? text(option.usual) + " is the default" : std::string(option.advice)};
}

template <class T>
Result<void> in_range(const Option<T>& option, std::type_identity_t<T> value) {
  const bool fine = option.open ? value > option.least && value < option.most
                                : value >= option.least && value <= option.most;  // false for NaN
  if (fine) return {};
  return out_of_range(option, plain(value));
}

Result<void> all_of(std::initializer_list<Result<void>> checks) {
  for (const Result<void>& check : checks)
    if (!check) return check;
  return {};
}

template Error out_of_range(const Option<int>&, std::string);
template Error out_of_range(const Option<std::size_t>&, std::string);
template Error out_of_range(const Option<double>&, std::string);
template Result<void> in_range(const Option<int>&, int);
template Result<void> in_range(const Option<std::size_t>&, std::size_t);
template Result<void> in_range(const Option<double>&, double);

}  // namespace tare::detail
