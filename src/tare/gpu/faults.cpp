#include "tare/gpu/memory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

namespace tare::detail::gpu {
namespace {

float widened(std::uint16_t bits, Type type) {
  if (type == Type::bfloat16) return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) return fraction != 0 ? std::numeric_limits<float>::quiet_NaN() : sign * INFINITY;
  return exponent == 0 ? sign * std::ldexp(static_cast<float>(fraction), -24)
                       : sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

std::vector<float> row_on_host(const DeviceRows& rows, std::size_t row, Stream stream) {
  const std::size_t size = size_of(rows.type);
  const auto* from = static_cast<const std::byte*>(rows.data) + row * rows.stride * size;
  std::vector<float> out(rows.k);
  if (rows.type == Type::float32) {
    copy_to_host(out.data(), from, rows.k * size, stream);
    return out;
  }
  std::vector<std::uint16_t> bits(rows.k);
  copy_to_host(bits.data(), from, rows.k * size, stream);
  std::transform(bits.begin(), bits.end(), out.begin(), [&](std::uint16_t b) { return widened(b, rows.type); });
  return out;
}

std::int64_t label_on_host(const Labels& labels, std::size_t row, Stream stream) {
  const std::size_t size = labels.wide ? 8 : 4;
  std::int64_t wide = 0;
  std::int32_t narrow = 0;
  const auto* from = static_cast<const std::byte*>(labels.data) + row * labels.stride * size;
  copy_to_host(labels.wide ? static_cast<void*>(&wide) : &narrow, from, size, stream);
  return labels.wide ? wide : narrow;
}

}  // namespace

Error no_rows() {
  return {.code = Errc::bad_input, .what = "there are no rows", .remedy = "at least one prediction is needed"};
}
Error unsupported(std::string what, const char* remedy) {
  return {.code = Errc::unsupported, .what = std::move(what), .remedy = remedy};
}

Result<bool> readable(const DeviceRows& rows, const Labels& labels) {
  if (rows.kind == Kind::confidences) return unsupported("confidences are not rows of classes", "pass logits or probs");
  if (rows.k < 2 || rows.k > most_classes)
    return unsupported("a GPU takes rows of 2 to 1,000,000 classes", "copy the array to the CPU");
  if (rows.n > 1 && rows.stride < rows.k)
    return unsupported("the rows overlap, or are not contiguous", "pass a row-major array");
  const auto start = reinterpret_cast<std::uintptr_t>(rows.data);
  if (rows.n > 0 && (start == 0 || start % size_of(rows.type) != 0))
    return unsupported("the array does not begin where a number may begin", "copy it");
  if (labels.data != nullptr && reinterpret_cast<std::uintptr_t>(labels.data) % (labels.wide ? 8 : 4) != 0)
    return unsupported("the labels do not begin where a number may begin", "copy them");
  return true;
}

Faults::Faults(Stream stream) : stream_(stream), first_(1, stream) {
  fill_bytes(first_.data(), 0xff, sizeof(unsigned long long), stream);
}

Result<bool> Faults::check(const DeviceRows& rows, const Labels& labels) const {
  const unsigned long long found = first_.download()[0];
  if (found == ~0ULL) return true;
  const auto row = static_cast<std::size_t>(found);
  const char* const array = rows.kind == Kind::logits ? "logits" : "probs";
  std::vector<float> values = row_on_host(rows, row, stream_);
  const std::int64_t label = labels.data == nullptr ? 0 : label_on_host(labels, row, stream_);
  const auto bounded = static_cast<std::int32_t>(std::clamp<std::int64_t>(
      label, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
  constexpr float low = -std::numeric_limits<float>::infinity();
  if (rows.kind == Kind::logits) {
    if (std::all_of(values.begin(), values.end(), [](float z) { return z == low; }))
      return Error{.code = Errc::bad_input,
                   .what = "every logit of the row is -inf",
                   .place = {.array = array, .row = row},
                   .remedy = "-inf is a class of probability 0; at least one class needs a number"};
    std::replace(values.begin(), values.end(), low, static_cast<float>(masked_logit));
  }
  const double tolerance = rows.type == Type::float32 ? row_sum_tolerance : row_sum_tolerance_float16;
  const auto view = multiclass_view(rows.kind, std::span<const float>(values), rows.k,
                                    std::span<const std::int32_t>(&bounded, 1), {}, tolerance);
  if (view)
    return Error{.code = Errc::bad_input,
                 .what = "cannot be used",
                 .place = {.array = array, .row = row},
                 .remedy = "its numbers are too large for float32; scale them"};
  Error error = view.error();
  if (error.place.array == "values") error.place.array = array;
  error.place.row = row;
  return error;
}

}  // namespace tare::detail::gpu
