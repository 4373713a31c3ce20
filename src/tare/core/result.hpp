// Result and Error of the public interface, as the rooms call them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <tare/result.hpp>

namespace tare::detail {

using tare::Errc;
using tare::Error;
using tare::Place;
using tare::Result;

// How a front end writes the name of an option: `max_iterations` may be "--max-iterations". Empty: it has no such
// option.
using Spelling = std::function<std::string(std::string_view option)>;

// The two halves of message(): what is wrong and where, and what to do about it. Spelled are options whose names stand
// in backquotes, and the option that a place names.
std::string sentence(const Error& error, const Spelling& spell = {});
std::string advice(const Error& error, const Spelling& spell = {});

// Text of others (a name in a file, an argument) for `what` or `remedy`: its backquotes mean nothing.
std::string foreign(std::string_view text);

// A number in a message: as few digits as read back as the same number, 1e+308 and not 309 digits.
std::string number_text(double x);
std::string number_text(float x);

}  // namespace tare::detail
