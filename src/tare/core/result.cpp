#include <tare/result.hpp>

namespace tare {
inline namespace v0_2 {

std::string message(const Error& error) { return error.remedy.empty() ? error.what : error.what + "; " + error.remedy; }

Failure::Failure(Error error) : std::runtime_error(message(error)), error_(std::move(error)) {}
Failure::Failure(const Failure&) = default;
Failure::~Failure() = default;

namespace detail {

void raise(const Error& error) { throw Failure(error); }

void raise_no_error() { throw Failure({Errc::internal, "error() was asked of a Result that has a value"}); }

}  // namespace detail

const char* version() noexcept { return TARE_VERSION; }

}  // namespace v0_2
}  // namespace tare
