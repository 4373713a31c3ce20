// The frame of the header: its opening, the shared arithmetic, how a row is taken, and the way in from C++ and C.
#include <fmt/format.h>

#include <algorithm>

#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/render/code/code.hpp"

namespace tare::detail::render {

extern const std::string_view strict_scalar;     // numeric/strict/scalar.inl
extern const std::string_view strict_functions;  // numeric/strict/functions.inl
extern const std::string_view number_functions;  // fit/rows/numbers.inl
extern const std::string_view row_functions;     // fit/rows/rows.inl

std::string literal(double x) {
  std::string out = fmt::format("{}", x);  // the shortest that reads back
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string in_comment(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<unsigned char>(c) < ' ' || c == '\\' ? ' ' : c;
  return out;
}

namespace {

// What was fitted as tables, and the statements of map_row(row, out), which maps `columns` numbers.
struct HeaderBody {
  std::string tables, statements;
};

std::string table(std::string_view name, const std::vector<double>& numbers) {
  std::string out = fmt::format("constexpr double {}[] = {{", name);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    out += (i ? "," : "") + std::string(i % 6 == 0 ? "\n    " : " ") + literal(numbers[i]);
  return out + (numbers.empty() ? "0.0};  // none\n" : "};\n");  // an array has an element
}

std::string places(std::string_view name, const std::vector<std::size_t>& numbers) {
  std::string out = fmt::format("constexpr std::size_t {}[] = {{", name);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    out += (i ? "," : "") + std::string(i % 12 == 0 ? "\n    " : " ") + std::to_string(numbers[i]);
  return out + "};\n";
}

HeaderBody body_of(const Recipe& recipe, const Recipe::Tempered& map) {
  const char* probabilities = recipe.input == Kind::logits ? "false" : "true";
  HeaderBody out;
  out.tables = fmt::format("constexpr double v = {};  // 1 / temperature\n", literal(map.v));
  out.statements = fmt::format("  tempered(row, columns, {}, v, out);\n", probabilities);
  if (map.weights.empty()) return out;
  out.tables += table("weights", map.weights);
  out.statements += fmt::format(
      "  double plain[columns];\n  tempered(row, columns, {}, 1, plain);\n  mix(weights, plain, columns, out);\n",
      probabilities);
  return out;
}

HeaderBody body_of(const Recipe& recipe, const Recipe::Affine& map) {
  const bool probs = recipe.input != Kind::logits;
  HeaderBody out;
  out.tables = "constexpr std::size_t features = columns < 2 ? 2 : columns;\n" + table("w", map.w) + table("b", map.b);
  out.statements = "  double x[features], u[features];\n";
  if (map.features == Recipe::Features::log_probabilities)
    out.statements += fmt::format("  log_features(row, columns, {}, x);\n", probs);
  else if (map.features == Recipe::Features::exact_logarithms && probs)
    out.statements += "  exact_log_features(row, columns, x);\n";
  else
    out.statements += fmt::format("  logit_features(row, columns, {}, x);\n", probs);
  out.statements += fmt::format("  affine(x, features, w, {}, b, u);\n  softmax(u, features);\n", map.w.size());
  out.statements += "  for (std::size_t j = 0; j < columns; ++j) out[j] = u[features - columns + j];\n";
  return out;
}

constexpr std::string_view searches = R"(
// How many of the rising numbers from x to end are below the score, and how many are not above it.
inline std::size_t count_below(const double* x, const double* end, double score) {
  const double* from = x;
  for (std::size_t n = static_cast<std::size_t>(end - from); n > 0;) {
    const std::size_t half = n / 2;
    if (from[half] < score) {
      from += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return static_cast<std::size_t>(from - x);
}
inline std::size_t count_not_above(const double* x, const double* end, double score) {
  const double* from = x;
  for (std::size_t n = static_cast<std::size_t>(end - from); n > 0;) {
    const std::size_t half = n / 2;
    if (score < from[half]) {
      n = half;
    } else {
      from += half + 1;
      n -= half + 1;
    }
  }
  return static_cast<std::size_t>(from - x);
}
)";

// What the curve of class j makes of a score; empty complement: 1 minus it.
struct CurveCode {
  std::string value, complement = {};
};
CurveCode curve_code(Recipe::Shape shape) {
  constexpr const char* step = "y[y_from[j] + count_below(x + x_from[j], x + x_from[j + 1], {})]";
  switch (shape) {
    case Recipe::Shape::sigmoid:
      return {"sigma(a[j] * score + b[j])", "sigma(-(a[j] * score + b[j]))"};
    case Recipe::Shape::beta:
      return {"sigma(beta_log_odds(score, a[j], b[j], c[j]))", "sigma(-beta_log_odds(score, a[j], b[j], c[j]))"};
    case Recipe::Shape::steps:
      return {fmt::format(fmt::runtime(step), "score")};
    case Recipe::Shape::sigmoid_steps:
      return {fmt::format(fmt::runtime(step), "sigma(a[j] * score + b[j])")};
    case Recipe::Shape::linear:
      return {
          "on_line(x + x_from[j], y + y_from[j], x_from[j + 1] - x_from[j], "
          "count_not_above(x + x_from[j], x + x_from[j + 1], score), score)"};
    case Recipe::Shape::stairs:
      break;
  }
  return {"y[y_from[j] + (score < x[x_from[j]] ? 0 : count_not_above(x + x_from[j], x + x_from[j + 1], score) - 1)]"};
}

std::string curve_tables(const Recipe::Curves& map) {
  std::vector<double> a, b, c, x, y;
  std::vector<std::size_t> x_from{0}, y_from{0};
  for (const Recipe::Curve& curve : map.curve) {
    a.push_back(curve.a);
    b.push_back(curve.b);
    c.push_back(curve.c);
    x.insert(x.end(), curve.x.begin(), curve.x.end());
    y.insert(y.end(), curve.y.begin(), curve.y.end());
    x_from.push_back(x.size());
    y_from.push_back(y.size());
  }
  std::string out;
  if (of_log_odds(map.shape)) out += table("a", a) + table("b", b);
  if (map.shape == Recipe::Shape::beta) out += table("c", c);
  if (map.shape == Recipe::Shape::sigmoid || map.shape == Recipe::Shape::beta) return out;
  // the searches first: their parameters would shadow the tables
  return std::string(searches) + "\n" + out + table("x", x) + table("y", y) + places("x_from", x_from) +
         places("y_from", y_from);
}

HeaderBody body_of(const Recipe& recipe, const Recipe::Curves& map) {
  const bool logits = recipe.input == Kind::logits, odds = of_log_odds(map.shape);
  const CurveCode code = curve_code(map.shape);
  HeaderBody out{.tables = curve_tables(map), .statements = {}};
  out.tables += fmt::format("\ninline double curve(std::size_t j, double score) {{\n  return {};\n}}\n", code.value);
  if (recipe.columns > 2) {
    out.statements = fmt::format(
        "  const RowFacts facts = row_facts(row, columns, {0}, {1});\n  for (std::size_t j = 0; j < columns; ++j)\n"
        "    out[j] = curve(j, score_of_class(static_cast<double>(row[j]), j, facts, {0}, {1}));\n"
        "  normalise(row, columns, {0}, out);\n",
        logits, odds);
    return out;
  }
  out.statements = fmt::format("  const double score = score_of_two(row, columns, {}, {});\n", logits, odds);
  out.statements += "  out[columns - 1] = curve(0, score);\n";
  if (recipe.columns == 1) return out;
  if (code.complement.empty()) {
    out.statements += "  out[0] = 1 - out[1];\n";
  } else {
    out.tables +=
        fmt::format("inline double complement(std::size_t j, double score) {{\n  return {};\n}}\n", code.complement);
    out.statements += "  out[0] = complement(0, score);\n";
  }
  return out;
}

HeaderBody header_body(const Recipe& recipe) {
  return std::visit([&](const auto& map) { return body_of(recipe, map); }, recipe.map);
}

// Words of C++ up to 2020 and of C.
constexpr std::string_view reserved =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class "
    "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype "
    "default delete do double dynamic_cast else enum explicit export extern false final float for friend goto if "
    "import inline int long main module mutable namespace new noexcept not not_eq nullptr operator or or_eq "
    "override private protected public register reinterpret_cast requires restrict return short signed sizeof "
    "static static_assert static_cast std struct switch template this thread_local throw true try typedef typeid "
    "typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq";

// Names that the C library has already, where a namespace cannot be: of headers that are included, and of usual others.
constexpr std::string_view taken =
    "EOF INFINITY NAN NULL abort abs acos asin assert atan atexit atof atoi atol basename bcmp bcopy bsearch "
    "bzero calloc ceil clock close cos div erf errno exit exp exp10 exp2 fabs ffs floor fmod free frexp gamma "
    "getenv hypot index int16_t int32_t int64_t int8_t intmax_t intptr_t j0 j1 jn labs ldexp lgamma link linux "
    "log log10 log1p log2 logb malloc max_align_t memchr memcmp memcpy memmem memmove mempcpy memset modf "
    "nullptr_t offsetof open pipe pow ptrdiff_t qsort raise rand random read realloc remainder rindex rint round "
    "scalb select signal signgam significand sin size_t sleep sqrt srand stpcpy strcat strchr strcmp strcoll "
    "strcpy strcspn strdup strerror strlen strncat strncmp strncpy strndup strnlen strpbrk strrchr strsep "
    "strsignal strspn strstr strtok strxfrm sync system tan tanh tgamma time trunc uint16_t uint32_t uint64_t "
    "uint8_t uintmax_t uintptr_t unix write y0 y1 yn";

bool is_among(std::string_view words, std::string_view name) {
  return fmt::format(" {} ", words).find(fmt::format(" {} ", name)) != std::string::npos;
}

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fine = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && letter(name[0]) && std::ranges::all_of(name, fine) &&
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

std::string about(const Model& model, std::string_view title) {
  return fmt::format("{} ({}): {} of {} classes{}.", model.method, title, name(model.input), model.k,
                     model.columns == 1 ? ", one number per row" : "");
}

}  // namespace tare::detail::render
