// The objects of a file one after the other, each with its line: JSON lines, or an array of objects.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "tare/core/result.hpp"
#include "tare/read/array.hpp"
#include "tare/read/json_text.hpp"

namespace tare::inner::read::llm {

// Where a message points: "samples.jsonl: line 3".
Place line_place(const std::string& file, std::size_t line);

JsonText text_of(std::span<const std::byte> bytes);  // without a byte order mark

// each(in, line) moves behind its object. `remedy` is for what is not JSON.
Result<void> each_object(std::span<const std::byte> bytes, const std::string& file, const std::string& remedy,
                         const std::function<Result<void>(JsonText& in, std::size_t line)>& each);

}  // namespace tare::inner::read::llm
