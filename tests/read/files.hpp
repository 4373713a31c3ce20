// Files for the reader's tests: those NumPy wrote, those written on the spot, and bytes on a heap
// block of exactly their size, so that AddressSanitizer sees a read past the end.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/folders.hpp"
#include "support/has.hpp"
#include "tare/read/convert.hpp"

namespace tare::detail::testing {

inline std::string numpy_file(const std::string& name) {
  return tare::detail::testing::source_dir() + "/tests/read/files/" + name;
}
inline std::string shipped(const std::string& name) { return tare::detail::testing::source_dir() + "/data/" + name; }

inline std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

class Block {
 public:
  explicit Block(std::string_view text) : data_(new std::byte[text.size()]), size_(text.size()) {
    if (size_) std::memcpy(data_.get(), text.data(), size_);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t size_;
};

// A directory of its own for each test, removed afterwards.
class Folder {
 public:
  Folder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("tare-" + std::to_string(::getpid()) + "-" + test->test_suite_name() + "-" + test->name());
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

// A .npy of version 1 as np.save writes it: header padded so that the numbers begin at a multiple of 64.
inline std::string npy_text(const std::string& descr, const std::string& shape, std::string_view data,
                            const std::string& fortran = "False") {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  return out + header + std::string(data);
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string npy_of(const std::vector<float>& v, const std::string& shape) {
  return npy_text("<f4", shape, raw(v));
}
inline std::string npy_of(const std::vector<double>& v, const std::string& shape) {
  return npy_text("<f8", shape, raw(v));
}
inline std::string npy_of(const std::vector<std::int32_t>& v, const std::string& shape) {
  return npy_text("<i4", shape, raw(v));
}
inline std::string npy_of(const std::vector<std::uint8_t>& v, const std::string& shape) {
  return npy_text("|u1", shape, raw(v));
}

// A .safetensors file: the length of its header, the header, the numbers.
inline std::string tensors(const std::string& head, const std::string& data) {
  std::string out(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<char>(head.size() >> (8 * i));
  return out + head + data;
}

// An array in memory, as Python or a mapped file lends it.
template <class T>
read::Array lent(read::DType dtype, const std::vector<T>& values, std::vector<std::size_t> shape) {
  return {.dtype = dtype,
          .shape = std::move(shape),
          .data = reinterpret_cast<const std::byte*>(values.data()),
          .name = "lent"};
}

inline std::vector<double> matrix_numbers(const read::Array& a) {
  const auto m = read::to_matrix(a);
  EXPECT_TRUE(m);
  std::vector<double> out;
  for (std::size_t i = 0; m && i < m->values.size(); ++i) out.push_back(m->values[i]);
  return out;
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tare::detail::testing
