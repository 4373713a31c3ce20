// The frame of the header: its opening, the shared arithmetic, how a row is taken, and the way in from C++ and C.
#include <algorithm>
#include <iterator>

#include <tare/version.hpp>
#include "tare/render/code/code.hpp"
#include "tare/render/code/header_body.hpp"
#include "tare/render/code/numbers.hpp"

namespace tare::inner::render {

extern const std::string_view strict_scalar;     // numeric/strict/scalar.inl
extern const std::string_view strict_functions;  // numeric/strict/functions.inl
extern const std::string_view number_functions;  // fit/rows/numbers.inl
extern const std::string_view row_functions;     // fit/rows/rows.inl

namespace {

// Words of C++ up to 2020 and of C.
constexpr std::string_view reserved[] = {"alignas",     "alignof",      "and",          "and_eq",
                                         "asm",         "auto",         "bitand",       "bitor",
                                         "bool",        "break",        "case",         "catch",
                                         "char",        "char16_t",     "char32_t",     "char8_t",
                                         "class",       "co_await",     "co_return",    "co_yield",
                                         "compl",       "concept",      "const",        "const_cast",
                                         "consteval",   "constexpr",    "constinit",    "continue",
                                         "decltype",    "default",      "delete",       "do",
                                         "double",      "dynamic_cast", "else",         "enum",
                                         "explicit",    "export",       "extern",       "false",
                                         "final",       "float",        "for",          "friend",
                                         "goto",        "if",           "import",       "inline",
                                         "int",         "long",         "main",         "module",
                                         "mutable",     "namespace",    "new",          "noexcept",
                                         "not",         "not_eq",       "nullptr",      "operator",
                                         "or",          "or_eq",        "override",     "private",
                                         "protected",   "public",       "register",     "reinterpret_cast",
                                         "requires",    "restrict",     "return",       "short",
                                         "signed",      "sizeof",       "static",       "static_assert",
                                         "static_cast", "std",          "struct",       "switch",
                                         "template",    "this",         "thread_local", "throw",
                                         "true",        "try",          "typedef",      "typeid",
                                         "typename",    "typeof",       "union",        "unsigned",
                                         "using",       "virtual",      "void",         "volatile",
                                         "wchar_t",     "while",        "xor",          "xor_eq"};

// Names that the C library has already, where a namespace cannot be: of headers that are included, and of usual others.
constexpr std::string_view taken[] = {
    "EOF",      "INFINITY", "NAN",         "NULL",      "abort",   "abs",         "acos",      "asin",
    "assert",   "atan",     "atexit",      "atof",      "atoi",    "atol",        "basename",  "bcmp",
    "bcopy",    "bsearch",  "bzero",       "calloc",    "ceil",    "clock",       "close",     "cos",
    "div",      "erf",      "errno",       "exit",      "exp",     "exp10",       "exp2",      "fabs",
    "ffs",      "floor",    "fmod",        "free",      "frexp",   "gamma",       "getenv",    "hypot",
    "index",    "int16_t",  "int32_t",     "int64_t",   "int8_t",  "intmax_t",    "intptr_t",  "j0",
    "j1",       "jn",       "labs",        "ldexp",     "lgamma",  "link",        "linux",     "log",
    "log10",    "log1p",    "log2",        "logb",      "malloc",  "max_align_t", "memchr",    "memcmp",
    "memcpy",   "memmem",   "memmove",     "mempcpy",   "memset",  "modf",        "nullptr_t", "offsetof",
    "open",     "pipe",     "pow",         "ptrdiff_t", "qsort",   "raise",       "rand",      "random",
    "read",     "realloc",  "remainder",   "rindex",    "rint",    "round",       "scalb",     "select",
    "signal",   "signgam",  "significand", "sin",       "size_t",  "sleep",       "sqrt",      "srand",
    "stpcpy",   "strcat",   "strchr",      "strcmp",    "strcoll", "strcpy",      "strcspn",   "strdup",
    "strerror", "strlen",   "strncat",     "strncmp",   "strncpy", "strndup",     "strnlen",   "strpbrk",
    "strrchr",  "strsep",   "strsignal",   "strspn",    "strstr",  "strtok",      "strxfrm",   "sync",
    "system",   "tan",      "tanh",        "tgamma",    "time",    "trunc",       "uint16_t",  "uint32_t",
    "uint64_t", "uint8_t",  "uintmax_t",   "uintptr_t", "unix",    "write",       "y0",        "y1",
    "yn"};

template <std::size_t n>
bool is_among(const std::string_view (&words)[n], std::string_view name) {
  return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fine = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), fine) &&
         name.find("__") == std::string_view::npos && !is_among(reserved, name) && !is_among(taken, name);
}

constexpr std::string_view take_logits = R"(
// The row as tare reads it: -inf is a class of probability 0. False: tare would refuse it.
template <class T>
bool taken(const T* in, T* row) {
  const T none = -std::numeric_limits<T>::infinity();
  std::size_t left = 0;
  bool low = false;
  for (std::size_t j = 0; j < columns; ++j) {
    row[j] = in[j] == none ? static_cast<T>(masked_logit) : in[j];
    if (!(row[j] - row[j] == 0)) return false;
    left += in[j] != none;
    low = low || (in[j] != none && static_cast<double>(in[j]) < masked_logit / 2);
  }
  return left == columns || (!low && (left > 0 || columns == 1));
}
)";
constexpr std::string_view take_probabilities = R"(
// False: not a probability, tare would refuse it.
template <class T>
bool taken(const T* in, T* row) {
  for (std::size_t j = 0; j < columns; ++j) {
    row[j] = in[j];
    if (!(in[j] >= 0 && in[j] <= 1)) return false;
  }
  return true;
}
)";

// {0}: the name, {1}: in capitals, {2}: columns, {3}: about, {4}: the version, {5}: what a row holds
constexpr std::string_view opening = R"(// {3}
// Written by `tare export` (tare {4}); one file, no library, C++17. The same bits as `tare apply`, of float64 and of
// float32 rows, whatever the optimiser does, as long as nobody asks for -ffast-math.
//
//   {0}::apply(in, n, out);        n rows of {2} {5} in, as many probabilities out
//
// A row that holds NaN, or what is no {6}, gives NaN. From C: include this file, and in one C++ file of the
// program write `#define {1}_IMPLEMENTATION` before the include.
#ifndef {1}_HPP
#define {1}_HPP

#include <stddef.h>

#define {1}_COLUMNS {2}

#ifdef __cplusplus
extern "C" {{
#endif
void {0}_apply(const double* in, size_t rows, double* out);
void {0}_apply_float(const float* in, size_t rows, double* out);
#ifdef __cplusplus
}}

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math: it changes the numbers"
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

namespace {0} {{

constexpr std::size_t columns = {2};

namespace detail {{

)";

// {0}: the name, {1}: in capitals
constexpr std::string_view ending = R"(
// `rows` rows of `columns` numbers in, as many probabilities out; T is float or double.
template <class T>
void apply(const T* in, std::size_t rows, double* out) {{
  for (std::size_t i = 0; i < rows; ++i) detail::apply_row(in + i * columns, out + i * columns);
}}

}}  // namespace {0}

#if defined(__clang__)
#pragma clang fp contract(on)
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif

#ifdef {1}_IMPLEMENTATION
extern "C" void {0}_apply(const double* in, size_t rows, double* out) {{ {0}::apply(in, rows, out); }}
extern "C" void {0}_apply_float(const float* in, size_t rows, double* out) {{ {0}::apply(in, rows, out); }}
#endif

#endif
#endif
)";

std::string row_code(const Recipe& recipe, const HeaderBody& body) {
  std::string out = "\ntemplate <class T>\nvoid map_row(const T* row, double* out) {\n" + body.statements + "}\n";
  out += recipe.input == Kind::logits ? take_logits : take_probabilities;
  out +=
      "\ntemplate <class T>\nvoid apply_row(const T* in, double* out) {\n  T row[columns];\n  if (!taken(in, row)) {\n"
      "    for (std::size_t j = 0; j < columns; ++j) out[j] = std::numeric_limits<double>::quiet_NaN();\n"
      "    return;\n  }\n";
  if (recipe.fill) {
    out += fmt::format(
        "  double filled[columns];\n"
        "  for (std::size_t j = 0; j < columns; ++j) filled[j] = static_cast<double>(row[j]);\n"
        "  fill_zeros(filled, columns, {}, {}, {});\n  map_row(filled, out);\n",
        literal(recipe.fill->certain), literal(recipe.fill->partial), recipe.fill->keep_top);
  } else {
    out += "  map_row(row, out);\n";
  }
  if (recipe.input == Kind::logits && recipe.columns > 1) out += "  exclude_masked(row, columns, out);\n";
  return out + "}\n\n}  // namespace detail\n";
}

}  // namespace

Result<std::string> cpp_header(const Recipe& recipe, const CodeOptions& options) {
  if (!is_identifier(options.name))
    return Error{
        .code = Errc::bad_option,
        .what = "'" + foreign(options.name) + "' cannot be a name in C++",
        .remedy = "pass a `name` of letters, digits and underscores that is no word of C++ and no function of C"};
  std::string capitals(options.name);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  const bool logits = recipe.input == Kind::logits;
  const HeaderBody body = header_body(recipe);
  std::string out = fmt::format(fmt::runtime(opening), options.name, capitals, recipe.columns,
                                in_comment(options.about), TARE_VERSION,
                                logits && recipe.columns == 1 ? "log-odds"
                                : logits                      ? "logits"
                                                              : "probabilities",
                                logits ? "logit" : "probability");
  for (const std::string_view part : {strict_scalar, strict_functions, number_functions, row_functions}) {
    out += part;
    out += "\n";
  }
  out += "// ---- what was fitted\n\n" + body.tables + row_code(recipe, body);
  return out + fmt::format(fmt::runtime(ending), options.name, capitals);
}

}  // namespace tare::inner::render
