// Columns by the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html), so that polars,
// pyarrow, DuckDB and whoever speaks it are read without any of them being installed here.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common.hpp"

extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace tare::detail::python {

// Released when the last column that lives in it is gone.
template <class T>
struct Owned {
  T value{};
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (value.release) value.release(&value);
  }
};
using Chunk = std::shared_ptr<Owned<ArrowArray>>;

// Chunks of rows, one after the other. All but the constructor works without the interpreter's lock.
class ArrowStream {
 public:
  ArrowStream(nb::handle capsule, std::string name);
  const ArrowSchema& schema();
  Chunk next();  // null at the end

 private:
  void check(int code);
  Owned<ArrowArrayStream> stream_;
  Owned<ArrowSchema> schema_;
  std::string name_;
};

// Which rows of a column are meant, and what it is called. `first` is the number of the first of them, for messages.
struct Slice {
  std::int64_t offset = 0, length = 0;
  std::size_t first = 0;
  std::string name = {};
};

// Numbers stay where they are; only bits (booleans) are unpacked. Lists of one length are a matrix.
read::Array column(const ArrowSchema& schema, const ArrowArray& array, const Slice& slice, const Chunk& chunk);

void refuse_nulls(const ArrowArray& array, std::int64_t offset, const Slice& slice, std::int64_t width = 1);

}  // namespace tare::detail::python
