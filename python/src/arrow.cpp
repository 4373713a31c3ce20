// Columns of data frames by the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html), so
// that polars, pyarrow and whoever speaks it are read without any of them being installed here. Numbers stay where they
// are; only bits (booleans) are unpacked.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <charconv>
#include <cstdint>
#include <memory>
#include <string_view>

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

namespace tare::inner::python {
namespace {

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

template <class T>
void take(Owned<T>& to, nb::handle capsule, const char* name) {
  auto* from = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (!from) throw nb::python_error();
  to.value = *from;
  from->release = nullptr;
}

[[noreturn]] void refuse(const std::string& name, const std::string& what, const std::string& hint) {
  throw Failure{
      {.code = Errc::unsupported, .what = foreign(what), .place = {.array = name, .spelled = name}, .remedy = hint}};
}

bool bit(const void* bits, std::int64_t i) { return (static_cast<const std::uint8_t*>(bits)[i / 8] >> (i % 8)) & 1; }

void refuse_nulls(const ArrowArray& a, std::int64_t offset, std::int64_t length, const std::string& name) {
  if (a.null_count == 0 || a.n_buffers == 0 || !a.buffers[0]) return;
  for (std::int64_t i = 0; i < length; ++i)
    if (!bit(a.buffers[0], offset + i))
      throw Failure{{.code = Errc::bad_input,
                     .what = "row " + std::to_string(i) + " is null",
                     .place = {.array = name, .row = static_cast<std::size_t>(i), .spelled = name},
                     .remedy = "remove or impute the row: a missing number is not a prediction"}};
}

std::optional<nb::dlpack::dtype> number_type(std::string_view format) {
  using nb::dlpack::dtype;
  constexpr auto sort = [](nb::dlpack::dtype_code c) { return static_cast<std::uint8_t>(c); };
  constexpr auto i = sort(nb::dlpack::dtype_code::Int), u = sort(nb::dlpack::dtype_code::UInt),
                 f = sort(nb::dlpack::dtype_code::Float);
  if (format.size() != 1) return std::nullopt;
  switch (format[0]) {
    case 'c':
      return dtype{i, 8, 1};
    case 'C':
      return dtype{u, 8, 1};
    case 's':
      return dtype{i, 16, 1};
    case 'S':
      return dtype{u, 16, 1};
    case 'i':
      return dtype{i, 32, 1};
    case 'I':
      return dtype{u, 32, 1};
    case 'l':
      return dtype{i, 64, 1};
    case 'L':
      return dtype{u, 64, 1};
    case 'e':
      return dtype{f, 16, 1};
    case 'f':
      return dtype{f, 32, 1};
    case 'g':
      return dtype{f, 64, 1};
    default:
      return std::nullopt;
  }
}

using Keep = std::shared_ptr<Owned<ArrowArray>>;

nb::capsule capsule_of(const Keep& keep) {
  return nb::capsule(new Keep(keep), [](void* p) noexcept { delete static_cast<Keep*>(p); });
}

nb::object unpacked_bits(const ArrowArray& a, std::int64_t offset, std::int64_t length) {
  auto bytes = std::make_unique<std::uint8_t[]>(static_cast<std::size_t>(length) + 1);
  for (std::int64_t i = 0; i < length; ++i) bytes[static_cast<std::size_t>(i)] = bit(a.buffers[1], offset + i);
  std::uint8_t* data = bytes.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::uint8_t*>(p); });
  const std::size_t shape[1] = {static_cast<std::size_t>(length)};
  return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(data, 1, shape, owner), nb::rv_policy::reference);
}

// `offset` and `length` are those of the parent, in rows of this column.
nb::object column(const ArrowSchema& s, const ArrowArray& a, std::int64_t offset, std::int64_t length, const Keep& keep,
                  const std::string& name) {
  offset += a.offset;
  std::string_view format = s.format;
  if (s.dictionary) refuse(name, "is dictionary-encoded", "pass class indices");
  refuse_nulls(a, offset, length, name);
  if (format == "b") return unpacked_bits(a, offset, length);
  if (format.starts_with("+w:")) {  // lists of one length: a matrix
    std::int64_t k = 0;
    std::from_chars(format.data() + 3, format.data() + format.size(), k);
    const nb::object flat = column(*s.children[0], *a.children[0], offset * k, length * k, keep, name);
    return flat.attr("reshape")(length, k);
  }
  const auto type = number_type(format);
  if (!type)
    refuse(name, "has the Arrow type '" + std::string(format) + "', not numbers",
           "pass floats, whole numbers or booleans");
  const auto* data = static_cast<const std::byte*>(a.buffers[1]) + offset * (type->bits / 8);
  const std::size_t shape[1] = {static_cast<std::size_t>(length)};
  return nb::cast(nb::ndarray<nb::numpy, nb::ro>(data, 1, shape, capsule_of(keep), nullptr, *type),
                  nb::rv_policy::reference);
}

// The columns of one chunk: one, or those of a table.
nb::list columns(const ArrowSchema& s, const Keep& keep, const std::string& name) {
  const ArrowArray& a = keep->value;
  nb::list out;
  if (std::string_view(s.format) != "+s") {
    out.append(column(s, a, 0, a.length, keep, name));
    return out;
  }
  refuse_nulls(a, a.offset, a.length, name);
  for (std::int64_t c = 0; c < s.n_children; ++c) {
    const ArrowSchema& child = *s.children[c];
    out.append(column(child, *a.children[c], a.offset, a.length, keep, name + "." + (child.name ? child.name : "")));
  }
  return out;
}

nb::list from_array(nb::handle schema_capsule, nb::handle array_capsule, const std::string& name) {
  Owned<ArrowSchema> schema;
  const Keep keep = std::make_shared<Owned<ArrowArray>>();
  take(schema, schema_capsule, "arrow_schema");
  take(*keep, array_capsule, "arrow_array");
  nb::list out;
  out.append(columns(schema.value, keep, name));
  return out;
}

nb::list from_stream(nb::handle capsule, const std::string& name) {
  Owned<ArrowArrayStream> stream;
  take(stream, capsule, "arrow_array_stream");
  auto& s = stream.value;
  const auto check = [&](int code) {
    if (code == 0) return;
    const char* why = s.get_last_error(&s);
    throw Failure{{.code = Errc::io,
                   .what = std::string("the Arrow stream failed: ") + (why ? foreign(why) : "no reason given"),
                   .place = {.array = name, .spelled = name}}};
  };
  Owned<ArrowSchema> schema;
  check(s.get_schema(&s, &schema.value));
  nb::list out;
  for (;;) {
    const Keep keep = std::make_shared<Owned<ArrowArray>>();
    check(s.get_next(&s, &keep->value));
    if (!keep->value.release) return out;
    out.append(columns(schema.value, keep, name));
  }
}

}  // namespace

void bind_arrow(nb::module_& m) {
  m.def("arrow_array",
        [](nb::handle schema, nb::handle array, const std::string& name) { return from_array(schema, array, name); });
  m.def("arrow_stream", [](nb::handle stream, const std::string& name) { return from_stream(stream, name); });
}

}  // namespace tare::inner::python
