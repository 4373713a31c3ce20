// The .safetensors format: eight bytes with the length of a header, a header of JSON that names each array with its
// element type, shape and place, and the raw numbers. https://huggingface.co/docs/safetensors
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/array.hpp"

namespace tare::detail::read {

// Does it begin like one? `head` is at least nine bytes, or the whole file.
Result<bool> check_tensors_magic(std::span<const std::byte> head, const std::string& name);

class Tensors {
 public:
  // `bytes` stay where they are, kept alive by `owner`: the arrays point into them.
  static Result<Tensors> open(std::span<const std::byte> bytes, const std::string& name,
                              std::shared_ptr<const void> owner = {});

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] Result<Array> read(std::size_t index) const;

 private:
  struct Entry {
    std::string type;
    std::vector<std::size_t> shape;
    std::size_t begin = 0, end = 0;  // behind the header
  };
  std::string name_;
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> data_;
  std::vector<std::string> names_;
  std::vector<Entry> entries_;  // one per name
};

}  // namespace tare::detail::read
