#include "arrow.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <charconv>
#include <string_view>

namespace tare::detail::python {
namespace {

using read::DType;

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

std::optional<DType> number_type(std::string_view format) {
  if (format.size() != 1) return std::nullopt;
  switch (format[0]) {
    case 'c':
      return DType::i1;
    case 'C':
      return DType::u1;
    case 's':
      return DType::i2;
    case 'S':
      return DType::u2;
    case 'i':
      return DType::i4;
    case 'I':
      return DType::u4;
    case 'l':
      return DType::i8;
    case 'L':
      return DType::u8;
    case 'e':
      return DType::f2;
    case 'f':
      return DType::f4;
    case 'g':
      return DType::f8;
    default:
      return std::nullopt;
  }
}

read::Array array_of(DType dtype, const std::byte* data, std::shared_ptr<const void> owner, const Slice& slice) {
  return {.dtype = dtype,
          .shape = {static_cast<std::size_t>(slice.length)},
          .data = data,
          .owner = std::move(owner),
          .name = slice.name,
          .first = slice.first};
}

read::Array unpacked_bits(const ArrowArray& a, std::int64_t offset, const Slice& slice) {
  const auto bytes = std::make_shared<std::vector<std::uint8_t>>(static_cast<std::size_t>(slice.length) + 1);
  for (std::int64_t i = 0; i < slice.length; ++i) (*bytes)[static_cast<std::size_t>(i)] = bit(a.buffers[1], offset + i);
  return array_of(DType::u1, reinterpret_cast<const std::byte*>(bytes->data()), bytes, slice);
}

// What a column of no numbers holds, for people.
std::string held(std::string_view format) {
  if (format.starts_with("u") || format.starts_with("U") || format.starts_with("vu")) return "text, not numbers";
  if (format.starts_with("t")) return "dates or times, not numbers";
  if (format.starts_with("d")) return "decimals of fixed point, not floats";
  if (format.starts_with("z") || format.starts_with("Z") || format.starts_with("w")) return "bytes, not numbers";
  if (format == "n") return "nothing but nulls";
  return format.starts_with("+") ? "records or nested lists, not numbers" : "values of a type that is not read";
}

read::Array numbers(const ArrowSchema& s, const ArrowArray& a, std::int64_t offset, const Slice& slice,
                    const Chunk& chunk) {
  if (std::string_view(s.format) == "b") return unpacked_bits(a, offset, slice);
  const auto type = number_type(s.format);
  if (!type) refuse(slice.name, "holds " + held(s.format), "pass floats, whole numbers or booleans");
  const auto* data =
      static_cast<const std::byte*>(a.buffers[1]) + offset * static_cast<std::int64_t>(read::size_of(*type));
  return array_of(*type, data, chunk, slice);
}

// Rows of k numbers each, the first of them at `start` of the column of all numbers.
read::Array matrix(const ArrowSchema& s, const ArrowArray& a, std::int64_t start, std::int64_t k, const Slice& slice,
                   const Chunk& chunk) {
  if (s.dictionary) refuse(slice.name, "holds lists of codes", "pass lists of numbers");
  Slice flat = slice;
  flat.length = slice.length * k;
  refuse_nulls(a, start + a.offset, flat, k);
  read::Array out = numbers(s, a, start + a.offset, flat, chunk);
  out.shape = {static_cast<std::size_t>(slice.length), static_cast<std::size_t>(k)};
  return out;
}

// Lists that could be of any length: their ends are told.
template <class Offset>
read::Array of_lists(const ArrowSchema& s, const ArrowArray& a, std::int64_t offset, const Slice& slice,
                     const Chunk& chunk) {
  const auto* ends = static_cast<const Offset*>(a.buffers[1]) + offset;
  const std::int64_t k = slice.length > 0 ? ends[1] - ends[0] : 0;
  for (std::int64_t i = 0; i < slice.length; ++i)
    if (ends[i + 1] - ends[i] != k)
      throw Failure{{.code = Errc::bad_input,
                     .what = "row " + std::to_string(slice.first + static_cast<std::size_t>(i)) + " has " +
                             std::to_string(ends[i + 1] - ends[i]) + " numbers, the first has " + std::to_string(k),
                     .place = {.array = slice.name, .spelled = slice.name},
                     .remedy = "every row needs one number for each class"}};
  return matrix(*s.children[0], *a.children[0], slice.length > 0 ? ends[0] : 0, k, slice, chunk);
}

nb::dlpack::dtype dlpack_of(DType t) {
  using Code = nb::dlpack::dtype_code;
  const auto code = t >= DType::f2 ? Code::Float : t >= DType::u1 ? Code::UInt : Code::Int;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * read::size_of(t)), 1};
}

nb::object numpy_of(const read::Array& array) {
  using Keep = std::shared_ptr<const void>;
  const nb::capsule owner(new Keep(array.owner), [](void* p) noexcept { delete static_cast<Keep*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, nb::ro>(array.data, array.shape.size(), array.shape.data(), owner, nullptr,
                                                 dlpack_of(array.dtype)),
                  nb::rv_policy::reference);
}

// The columns of one chunk: one, or those of a table.
nb::list columns(const ArrowSchema& s, const Chunk& chunk, const std::string& name) {
  const ArrowArray& a = chunk->value;
  nb::list out;
  if (std::string_view(s.format) != "+s") {
    out.append(numpy_of(column(s, a, {.length = a.length, .name = name}, chunk)));
    return out;
  }
  refuse_nulls(a, a.offset, {.length = a.length, .name = name});
  for (std::int64_t c = 0; c < s.n_children; ++c) {
    const ArrowSchema& child = *s.children[c];
    out.append(numpy_of(
        column(child, *a.children[c],
               {.offset = a.offset, .length = a.length, .name = name + "." + (child.name ? child.name : "")}, chunk)));
  }
  return out;
}

nb::list from_array(nb::handle schema_capsule, nb::handle array_capsule, const std::string& name) {
  Owned<ArrowSchema> schema;
  const Chunk chunk = std::make_shared<Owned<ArrowArray>>();
  take(schema, schema_capsule, "arrow_schema");
  take(*chunk, array_capsule, "arrow_array");
  nb::list out;
  out.append(columns(schema.value, chunk, name));
  return out;
}

nb::list from_stream(nb::handle capsule, const std::string& name) {
  ArrowStream stream(capsule, name);
  nb::list out;
  const ArrowSchema& schema = stream.schema();
  while (const Chunk chunk = stream.next()) out.append(columns(schema, chunk, name));
  return out;
}

}  // namespace

ArrowStream::ArrowStream(nb::handle capsule, std::string name) : name_(std::move(name)) {
  take(stream_, capsule, "arrow_array_stream");
}

void ArrowStream::check(int code) {
  if (code == 0) return;
  const char* why = stream_.value.get_last_error(&stream_.value);
  throw Failure{{.code = Errc::io,
                 .what = std::string("the Arrow stream failed: ") + (why ? foreign(why) : "no reason given"),
                 .place = {.array = name_, .spelled = name_}}};
}

const ArrowSchema& ArrowStream::schema() {
  if (!schema_.value.release) check(stream_.value.get_schema(&stream_.value, &schema_.value));
  return schema_.value;
}

Chunk ArrowStream::next() {
  auto out = std::make_shared<Owned<ArrowArray>>();
  check(stream_.value.get_next(&stream_.value, &out->value));
  return out->value.release ? out : nullptr;
}

void refuse_nulls(const ArrowArray& a, std::int64_t offset, const Slice& slice, std::int64_t width) {
  if (a.null_count == 0 || a.n_buffers == 0 || !a.buffers[0]) return;
  for (std::int64_t i = 0; i < slice.length; ++i) {
    if (bit(a.buffers[0], offset + i)) continue;
    const auto row = static_cast<std::size_t>(i / width);
    throw Failure{{.code = Errc::bad_input,
                   .what = "row " + std::to_string(slice.first + row) +
                           (width > 1 ? ", column " + std::to_string(i % width) : "") + " is null",
                   .place = {.array = slice.name, .row = row, .spelled = slice.name},
                   .remedy = "remove or impute the row: a missing number is not a prediction"}};
  }
}

read::Array column(const ArrowSchema& s, const ArrowArray& a, const Slice& slice, const Chunk& chunk) {
  const std::int64_t offset = slice.offset + a.offset;
  const std::string_view format = s.format;
  if (s.dictionary) refuse(slice.name, "is dictionary-encoded", "pass class indices");
  refuse_nulls(a, offset, slice);
  if (format.starts_with("+w:")) {
    std::int64_t k = 0;
    std::from_chars(format.data() + 3, format.data() + format.size(), k);
    return matrix(*s.children[0], *a.children[0], offset * k, k, slice, chunk);
  }
  if (format == "+l") return of_lists<std::int32_t>(s, a, offset, slice, chunk);
  if (format == "+L") return of_lists<std::int64_t>(s, a, offset, slice, chunk);
  return numbers(s, a, offset, slice, chunk);
}

void bind_arrow(nb::module_& m) {
  m.def("arrow_array",
        [](nb::handle schema, nb::handle array, const std::string& name) { return from_array(schema, array, name); });
  m.def("arrow_stream", [](nb::handle stream, const std::string& name) { return from_stream(stream, name); });
}

}  // namespace tare::detail::python
