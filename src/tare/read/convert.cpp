#include "tare/read/convert.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include "tare/numeric/memory.hpp"
#include "tare/numeric/narrowed.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/read/label_words.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

struct Half {
  std::uint16_t bits;
};

struct Brain {
  std::uint16_t bits;
};
float widen(Brain b) { return std::bit_cast<float>(static_cast<std::uint32_t>(b.bits) << 16); }

// IEEE binary16 to binary32. Multiplying by 2^112 moves the exponent and makes subnormals normal.
float widen(Half h) {
  const std::uint32_t sign = (h.bits & 0x8000U) << 16, rest = (h.bits & 0x7fffU) << 13;
  const float magnitude = std::bit_cast<float>(rest) * 0x1p112F;
  const std::uint32_t special = rest >= 0x7c00U << 13 ? 0x7f800000U : 0;  // infinities and NaN
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | special | sign);
}

template <class T>
double number(T x) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>)
    return static_cast<double>(widen(x));
  else
    return static_cast<double>(x);
}

// Element i, whatever its byte order and alignment.
template <class T>
T load(const Array& a, std::size_t i) {
  std::array<std::byte, sizeof(T)> raw;
  std::memcpy(raw.data(), a.data + i * sizeof(T), sizeof(T));
  if (a.swapped) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

// Calls f with a value of the element type. A bool is read as a byte: any bit pattern is legal.
template <class F>
decltype(auto) with_type(DType t, F&& f) {
  switch (t) {
    case DType::boolean:
    case DType::u1:
    case DType::bytes:
      return f(std::uint8_t{});
    case DType::i1:
      return f(std::int8_t{});
    case DType::i2:
      return f(std::int16_t{});
    case DType::u2:
      return f(std::uint16_t{});
    case DType::word:
    case DType::i4:
      return f(std::int32_t{});
    case DType::u4:
    case DType::utf32:
      return f(std::uint32_t{});
    case DType::i8:
      return f(std::int64_t{});
    case DType::u8:
      return f(std::uint64_t{});
    case DType::f2:
      return f(Half{});
    case DType::bf2:
      return f(Brain{});
    case DType::f4:
      return f(float{});
    case DType::f8:
      break;
  }
  return f(double{});
}

template <class T>
bool stays(const Array& a) {
  return !a.swapped && reinterpret_cast<std::uintptr_t>(a.data) % alignof(T) == 0;
}

template <class T>
std::span<const T> in_place(const Array& a) {
  return {reinterpret_cast<const T*>(a.data), a.items()};
}

// In huge pages: the system gives small ones one by one, which takes longer than to fill them.
template <class T>
std::shared_ptr<T[]> uninitialised(std::size_t n) {
  using Memory = numeric::LargeAllocator<T>;
  return std::shared_ptr<T[]>(Memory().allocate(std::max<std::size_t>(n, 1)), [](T* p) { Memory().deallocate(p, 0); });
}

constexpr std::size_t chunk = std::size_t{1} << 18;

template <class Body>
void in_chunks(std::size_t n, int threads, const Body& body) {
  numeric::parallel_for((n + chunk - 1) / chunk, threads,
                        [&](std::size_t c) { body(c, c * chunk, std::min(n, (c + 1) * chunk)); });
}

// A copy: what was checked must not change afterwards, and a mapped file or an array of Python may.
template <class T>
std::shared_ptr<T[]> kept(std::span<const T> values, int threads) {
  const auto out = uninitialised<T>(values.size());
  in_chunks(values.size(), threads, [&](std::size_t, std::size_t from, std::size_t to) {
    std::memcpy(out.get() + from, values.data() + from, (to - from) * sizeof(T));
  });
  return out;
}

template <class T>
Column<T> kept_column(std::span<const T> values, int threads) {
  const auto out = kept(values, threads);
  return {{out.get(), values.size()}, out};
}

// The `count` elements from `first` on, as numbers of type To that lie `apart` from each other. Everything that differs
// from one element type to another is here, so that the rest is compiled once.
template <class To>
using Move = void (*)(const Array& a, std::size_t first, std::size_t count, To* out, std::size_t apart);

template <class To, class From>
void move_elements(const Array& a, std::size_t first, std::size_t count, To* out, std::size_t apart) {
  for (std::size_t i = 0; i < count; ++i) {
    const From x = load<From>(a, first + i);
    if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, Brain>)
      out[i * apart] = static_cast<To>(widen(x));
    else
      out[i * apart] = static_cast<To>(x);
  }
}

Move<double> move_to_double(DType t) {
  return with_type(t, [](auto x) -> Move<double> { return move_elements<double, decltype(x)>; });
}

// Row-major numbers of type To. In Fortran order element (r, c) lies at c * n + r.
template <class To>
Matrix copied(const Array& a, std::size_t n, std::size_t k, int threads, Move<To> move) {
  const auto memory = uninitialised<To>(n * k);
  To* const out = memory.get();
  if (a.fortran && k > 1) {
    const std::size_t rows = std::max<std::size_t>(1, chunk / k);  // so that a block stays in cache
    numeric::parallel_for((n + rows - 1) / rows, threads, [&](std::size_t block) {
      const std::size_t first = block * rows, count = std::min(rows, n - first);
      for (std::size_t c = 0; c < k; ++c) move(a, c * n + first, count, out + first * k + c, k);
    });
  } else {
    in_chunks(n * k, threads,
              [&](std::size_t, std::size_t from, std::size_t to) { move(a, from, to - from, out + from, 1); });
  }
  return {std::span<const To>(out, n * k), n, k, memory, a.dtype == DType::f2};
}

// Converts by `accept(x, out)`, which says whether x is acceptable; the first that is not, or n. As double an integer
// of 64 bits may be rounded, but never to one that is acceptable.
template <class To, class Accept>
std::size_t convert_vector(const Array& a, To* out, int threads, const Accept& accept) {
  const std::size_t n = a.items();
  const Move<double> move = move_to_double(a.dtype);
  std::vector<std::size_t> bad((n + chunk - 1) / chunk, n);
  in_chunks(n, threads, [&](std::size_t c, std::size_t from, std::size_t to) {
    std::array<double, 1024> value;
    for (std::size_t first = from; first < to; first += value.size()) {
      const std::size_t count = std::min(value.size(), to - first);
      move(a, first, count, value.data(), 1);
      for (std::size_t i = 0; i < count; ++i)
        if (!accept(value[i], out[first + i])) bad[c] = std::min(bad[c], first + i);
    }
  });
  return bad.empty() ? n : *std::min_element(bad.begin(), bad.end());
}

std::string value_text(const Array& a, std::size_t i) {
  return with_type(a.dtype, [&](auto element) {
    const auto x = load<decltype(element)>(a, i);
    if constexpr (std::is_integral_v<decltype(element)>)
      return std::to_string(x);
    else
      return shown(number(x));
  });
}

Error wrong_shape(const Array& a, const std::string& wanted, const char* hint) {
  return bad_file(a.name, "has shape " + a.shape_text() + ", not " + wanted, hint);
}

Result<bool> check_rows(const Array& a) {
  if (!a.shape.empty() && a.shape[0] == 0) return bad_file(a.name, "has no rows", "at least one prediction is needed");
  return true;
}

Result<bool> check_vector(const Array& a, const char* hint) {
  const bool fine = a.shape.size() == 1 || (a.shape.size() == 2 && a.shape[1] == 1);
  return fine ? check_rows(a) : wrong_shape(a, "one number per row", hint);
}

Error words_for_numbers(const Array& a) {
  return bad_file(a.name, "holds texts, not numbers",
                  "only labels and predicted classes may be texts; save numbers: np.save(f, a.astype(float))");
}

constexpr const char* vector_hint = "it must be a vector with one entry per prediction";

}  // namespace

Result<Matrix> to_matrix(const Array& a, int threads) {
  if (a.dtype == DType::word) return words_for_numbers(a);
  if (a.shape.empty() || a.shape.size() > 2 || (a.shape.size() == 2 && a.shape[1] == 0 && a.shape[0] != 0))
    return wrong_shape(a, "(rows,) or (rows, classes)",
                       "one row per prediction and one column per class, or one number per row for two classes");
  if (const auto fine = check_rows(a); !fine) return fine.error();
  const std::size_t n = a.shape[0], k = a.shape.size() == 2 ? a.shape[1] : 1;
  const bool rows = !a.fortran || k == 1 || n == 1;
  const auto stay = [&]<class T>(std::span<const T> values) {
    if (k > 1) return Matrix{values, n, k, a.owner};
    const auto column = kept_column(values, threads);
    return Matrix{column.values, n, k, column.owner};
  };
  if (a.dtype == DType::f4 && rows && stays<float>(a)) return stay(in_place<float>(a));
  if (a.dtype == DType::f8 && rows && stays<double>(a)) return stay(in_place<double>(a));
  if (a.dtype == DType::f2) return copied<float>(a, n, k, threads, move_elements<float, Half>);
  if (a.dtype == DType::bf2) return copied<float>(a, n, k, threads, move_elements<float, Brain>);
  if (a.dtype == DType::f4) return copied<float>(a, n, k, threads, move_elements<float, float>);
  return copied<double>(a, n, k, threads, move_to_double(a.dtype));
}

namespace {

std::size_t to_class_indices(const Array& a, std::int32_t* out, int threads) {
  const auto quickly = with_type(a.dtype, [&](auto element) -> std::optional<std::size_t> {
    using From = decltype(element);
    if constexpr (std::is_integral_v<From>)
      if (stays<From>(a)) return numeric::narrowed(in_place<From>(a), out, threads);
    return std::nullopt;
  });
  if (quickly) return *quickly;
  return convert_vector(a, out, threads, [](double x, std::int32_t& y) {
    const bool fits = x >= -0x1p31 && x < 0x1p31;  // false for NaN
    y = fits ? static_cast<std::int32_t>(x) : 0;
    return fits && static_cast<double>(y) == x;
  });
}

}  // namespace

Result<Column<std::int32_t>> to_labels(const Array& a, int threads) {
  if (const auto fine = check_vector(a,
                                     "labels are one class index per row; turn one-hot rows into indices with "
                                     "labels.argmax(axis=1); several labels per row (multi-label) are one binary "
                                     "problem per column: measure each column on its own");
      !fine)
    return fine.error();
  if ((a.dtype == DType::i4 || a.dtype == DType::word) && stays<std::int32_t>(a))
    return kept_column(in_place<std::int32_t>(a), threads);
  const auto out = uninitialised<std::int32_t>(a.items());
  const std::size_t bad = to_class_indices(a, out.get(), threads);
  if (bad < a.items())
    return bad_value(a.place_of(bad, {}, "label"), value_text(a, bad), "not a class index",
                     "labels are whole numbers counted from 0");
  return Column<std::int32_t>{{out.get(), a.items()}, out};
}

namespace {

Result<Column<std::uint8_t>> words_to_hits(const Array& a) {
  std::vector<std::uint8_t> meaning;
  for (const std::string& typed : *a.words) {
    const auto number = whole_number(typed);
    const int truth = number ? static_cast<int>(*number == 0 || *number == 1 ? *number : -1) : truth_of(typed);
    meaning.push_back(static_cast<std::uint8_t>(truth < 0 ? 2 : truth));
  }
  const auto out = uninitialised<std::uint8_t>(a.items());
  for (std::size_t i = 0; i < a.items(); ++i) {
    const auto code = static_cast<std::size_t>(a.code(i));
    if (code >= meaning.size())  // -1: missing
      return bad_input(a.place_of(i, {}, ""), "has no value", "fill it, or leave out such rows: `drop_missing`");
    out[static_cast<std::ptrdiff_t>(i)] = meaning[code];
    if (meaning[code] > 1 && whole_number((*a.words)[code]))
      return bad_value(a.place_of(i, {}, ""), (*a.words)[code], "not 0 or 1", "a hit is 1 and a miss is 0");
    if (meaning[code] > 1)
      return bad_input(a.place_of(i, {}, ""), read::quoted((*a.words)[code]) + " is not a hit or a miss",
                       "write 1 or true for a hit, 0 or false for a miss");
  }
  return Column<std::uint8_t>{{out.get(), a.items()}, out};
}

}  // namespace

Result<Column<std::uint8_t>> to_hits(const Array& a, int threads) {
  if (const auto fine = check_vector(a, vector_hint); !fine) return fine.error();
  if (a.dtype == DType::word) return words_to_hits(a);
  // The view refuses what is not 0 or 1, so these need no pass here.
  if (a.dtype == DType::boolean || a.dtype == DType::u1) return kept_column(in_place<std::uint8_t>(a), threads);
  const auto out = uninitialised<std::uint8_t>(a.items());
  const std::size_t bad = convert_vector(a, out.get(), threads, [](double x, std::uint8_t& y) {
    y = x == 1;
    return x == 0 || x == 1;
  });
  if (bad < a.items())
    return bad_value(a.place_of(bad, {}, ""), value_text(a, bad), "not 0 or 1", "a hit is 1 and a miss is 0");
  return Column<std::uint8_t>{{out.get(), a.items()}, out};
}

Result<Column<double>> to_weights(const Array& a, int threads) {
  if (a.dtype == DType::word) return words_for_numbers(a);
  if (const auto fine = check_vector(a, vector_hint); !fine) return fine.error();
  if (a.dtype == DType::f8 && stays<double>(a)) return kept_column(in_place<double>(a), threads);
  const auto out = uninitialised<double>(a.items());
  const Move<double> move = move_to_double(a.dtype);
  in_chunks(a.items(), threads,
            [&](std::size_t, std::size_t from, std::size_t to) { move(a, from, to - from, out.get() + from, 1); });
  return Column<double>{{out.get(), a.items()}, out};
}

Result<std::vector<std::string>> texts_of(const Array& a, std::size_t most) {
  std::vector<std::string> out;
  if (a.dtype == DType::word) {
    if (const auto fine = check_rows(a); !fine) return fine.error();
    for (std::size_t i = 0; i < std::min(most, a.rows()); ++i)
      out.push_back(a.code(i) < 0 ? std::string() : (*a.words)[static_cast<std::size_t>(a.code(i))]);
    return out;
  }
  const auto m = to_matrix(a);
  if (!m) return m.error();
  if (m->k != 1)
    return bad_file(a.name, "a row of numbers where one value was expected",
                    "ids and right answers are one value in each row");
  for (std::size_t i = 0; i < std::min(most, m->n); ++i)
    out.push_back(std::isnan(m->values[i]) ? std::string() : shown(m->values[i]));
  return out;
}

}  // namespace tare::detail::read
