#include "tare/state/sql.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tare/core/suggest.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/read/text.hpp"
#include "tare/state/file.hpp"

namespace tare::detail::state {
namespace {

// Sums of scores are sums of their upper and of their lower 23 bits, and each of these stands in two columns: every
// number is whole and below 2^53.
enum Column { cell, bin, bad, mass, hits, high_1, high_0, low_1, low_0, first, last, step, bins, reduction };
constexpr const auto& names = cell_columns;
constexpr std::size_t columns = std::size(cell_columns);

// The words in which dialects differ.
struct Words {
  std::string_view dialect;

  [[nodiscard]] bool is(std::string_view name) const { return dialect == name; }
  [[nodiscard]] std::string whole_type() const {
    return is("bigquery") ? "int64" : is("sqlite") ? "integer" : "bigint";
  }
  [[nodiscard]] std::string real_type() const {
    return is("bigquery") ? "float64" : is("sqlite") ? "real" : is("postgres") ? "float8" : "double";
  }
  // Text becomes the nearest double in all of them; a decimal literal does not in some.
  [[nodiscard]] std::string real(double x) const {
    std::string text = fmt::format("{:.17g}", x);
    if (is("duckdb") || is("postgres")) return fmt::format("'{}'::{}", text, real_type());
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return is("spark") ? text + "D" : text;
  }
  [[nodiscard]] std::string whole(const std::string& x) const { return fmt::format("cast({} as {})", x, whole_type()); }
  [[nodiscard]] std::string cut_off(const std::string& x) const {
    return is("sqlite") ? whole(x) : whole("floor(" + x + ")");
  }
  [[nodiscard]] std::string without_bits(const std::string& x, int count) const {
    return is("spark") ? fmt::format("shiftright({}, {})", x, count) : fmt::format("({} >> {})", x, count);
  }
};

// How many edges of bins lie below s, where `near` is that or one more or less: without branches that nobody could
// predict. Edges are those of numeric::width_edge.
std::string bin_of(const Words& words, std::size_t all) {
  const std::string count = words.real(static_cast<double>(all));
  return fmt::format(
      "near + case when s > (near + 1) / {0} then 1 when s <= near / {0} and near > 0 then -1 else 0 end", count);
}

// What the places of a tier are counted from, so that each place of a step has a number of its own; 1 is a score of 0.
// Numbers without gaps: engines that take the last bits of a key for its hash find every cell at once.
std::int64_t first_code(int tier, int step) {
  std::int64_t out = 2;
  for (int deeper = static_cast<int>(deepest); deeper > tier; --deeper)
    out += std::int64_t{1} << std::max(step - deeper, 0);
  return out;
}

std::string code_of(const Words& words, int step) {
  std::string out = fmt::format("case when q = {} then 1", words.real(0));
  for (int tier = 0; tier <= static_cast<int>(deepest); ++tier) {
    const std::string scaled = words.cut_off(fmt::format("q * {}", words.real(std::ldexp(1, step + 3 * tier))));
    const std::string code = fmt::format("{} + {}", scaled, first_code(tier, step));
    out += tier < static_cast<int>(deepest)
               ? fmt::format("\n      when q >= {} then {}", words.real(std::ldexp(1, -4 * (tier + 1))), code)
               : fmt::format("\n      else {} end", code);
  }
  return out;
}

// Scores above 1/2 have the code of 1 - score, with a minus.
std::uint64_t place_of_code(std::int64_t code, int step) {
  const std::int64_t n = std::abs(code);
  if (n == 0) return mirror + 1;  // no place
  int tier = static_cast<int>(deepest);
  while (tier > 0 && n >= first_code(tier - 1, step)) --tier;
  const auto in_tier = static_cast<std::uint64_t>(n - first_code(tier, step));
  const std::uint64_t place = n == 1 ? 0 : ((deepest - static_cast<std::uint64_t>(tier)) << 52 | in_tier) + 1;
  return code > 0 ? place : mirror - place;
}

// Cell and bin in one number, by which engines group faster than by two.
constexpr int cell_bits = 44;

Error wrong_table(const std::string& name, std::string what, std::optional<std::size_t> row = {}) {
  Error out{.code = Errc::bad_input,
            .what = std::move(what),
            .place = read::file_place(name),
            .remedy = "give what the query of `tare sql` returned, whole"};
  if (row) out.what = "row " + std::to_string(*row) + ": " + out.what;
  return out;
}

Result<std::vector<std::vector<double>>> numbers_of(const read::Source& table) {
  std::vector<read::CsvGroup> groups;
  for (const std::string_view name : names) {
    const auto at = std::find(table.names().begin(), table.names().end(), name);
    if (at == table.names().end()) return wrong_table(table.name(), "there is no column " + std::string(name));
    groups.push_back({.columns = {static_cast<std::size_t>(at - table.names().begin())}});
  }
  const auto arrays = table.read(groups);
  if (!arrays) return arrays.error();
  std::vector<std::vector<double>> out(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    const read::Array& array = (*arrays)[c];
    out[c].resize(array.rows());
    if (array.dtype != read::DType::f8)
      return wrong_table(table.name(), std::string(names[c]) + " does not hold numbers");
    std::memcpy(out[c].data(), array.data, out[c].size() * sizeof(double));
  }
  return out;
}

// What else the columns say is believed by nobody before from_bytes has looked at it.
Result<void> check(const CellTable& of, const std::string& name) {
  if (of[cell].empty()) return wrong_table(name, "there are no rows");
  for (std::size_t c = 0; c < columns; ++c) {
    if (c == first || c == last) continue;
    for (std::size_t i = 0; i < of[c].size(); ++i)
      if (const double x = of[c][i]; x != std::floor(x) || std::abs(x) >= 0x1p53 || (c != cell && x < 0))
        return wrong_table(name, std::string(names[c]) + " is not a whole number of its kind", i);
  }
  for (std::size_t i = 0; i < of[cell].size(); ++i) {
    if (of[bad][i] != 0)
      return Error{.code = Errc::bad_input,
                   .what = fmt::format("{} rows have a score outside [0, 1], a label that is not 0 or 1, or lack one",
                                       static_cast<std::uint64_t>(of[mass][i])),
                   .place = read::file_place(name),
                   .remedy = "leave those rows out in the query, or mend them"};
    for (const Column c : {step, bins, reduction})
      if (of[c][i] != of[c][0]) return wrong_table(name, "rows of two queries are mixed", i);
  }
  if (of[reduction][0] > 1 || of[step][0] > options::sql_step.most || of[step][0] < last_step ||
      of[bins][0] > options::bins.most)
    return wrong_table(name, "the query has no such step, bins or reduction");
  for (std::size_t i = 0; i < of[bin].size(); ++i)
    if (!(of[bin][i] < of[bins][0])) return wrong_table(name, "there is no such bin", i);
  return {};
}

// Row i as a cell of its step, and by itself where it has one score.
Cell cell_of(const CellTable& of, std::size_t i) {
  const auto sum = [&](Column high, Column low) {
    return (static_cast<u128>(of[high][i]) << 30) + static_cast<u128>(of[low][i]);
  };
  return {.place = place_of_code(static_cast<std::int64_t>(of[cell][i]), static_cast<int>(of[step][0])),
          .bin = static_cast<std::uint32_t>(of[bin][i]),
          .only = of[first][i] == of[last][i] ? std::abs(of[first][i]) : many,
          .mass = static_cast<u128>(of[mass][i]),
          .hits = static_cast<u128>(of[hits][i]),
          .score = (sum(high_1, high_0) << 23) + sum(low_1, low_0)};
}

}  // namespace

Result<std::string> cells_query(const SqlOptions& options) {
  if (std::find(std::begin(dialects), std::end(dialects), options.dialect) == std::end(dialects))
    return Error{.code = Errc::bad_option,
                 .what = "no such dialect",
                 .place = {.array = "dialect"},
                 .value = "'" + options.dialect + "'",
                 .remedy = "known are spark, duckdb, bigquery, postgres and sqlite"};
  if (const auto fine = all_of({in_range(options::bins, options.bins), in_range(options::sql_step, options.step)});
      !fine)
    return fine.error();
  const Words w{options.dialect};
  const auto count = static_cast<std::size_t>(options.bins);
  std::string by;
  for (const std::string& column : options.by) by += column + ", ";
  const std::string fixed =  // to_fixed: adding 2^52 rounds to the nearest whole number, ties to even
      w.cut_off(fmt::format("(s * {} + {}) - {}", w.real(numeric::score_scale), w.real(0x1p52), w.real(0x1p52)));
  const auto sum = [&](const std::string& x) { return fmt::format("coalesce({}, 0)", w.whole("sum(" + x + ")")); };
  const std::string high = sum(w.without_bits("f", 23)), low = sum("(f & 8388607)");
  const auto halves = [&](const std::string& x, Column upper, Column lower) {
    return fmt::format("{} as {}, ({} & 1073741823) as {}", w.without_bits(x, 30), names[upper], x, names[lower]);
  };
  const std::int64_t cells = std::int64_t{1} << cell_bits, middle = cells / 2;
  std::string out =
      fmt::format("select {}(key & {}) - {} as {}, {} as {}, bad as {}, n as {}, hits as {},\n", by, cells - 1, middle,
                  names[cell], w.without_bits("key", cell_bits), names[bin], names[bad], names[mass], names[hits]);
  out += fmt::format("  {},\n  {},\n", halves("high", high_1, high_0), halves("low", low_1, low_0));
  out +=
      fmt::format("  first_score as {}, last_score as {}, {} as {}, {} as {}, {} as {}\n", names[first], names[last],
                  options.step, names[step], count, names[bins], static_cast<int>(options.reduction), names[reduction]);
  out += fmt::format("from (\n  select {}coalesce(k, {}) as key, case when k is null then 1 else 0 end as bad,\n", by,
                     middle);
  out += fmt::format("    count(*) as n, {} as hits, {} as high, {} as low,\n", sum("l"), high, low);
  out += fmt::format("    coalesce(min(s), {0}) as first_score, coalesce(max(s), {0}) as last_score\n", w.real(0));
  out += fmt::format("  from (\n    select {}s, l, {} as f,\n      ({}) * {} + {} +\n", by, fixed, bin_of(w, count),
                     cells, middle);
  out += fmt::format("      (case when s <= {} then 1 else -1 end) *\n      ({}) as k\n", w.real(0.5),
                     code_of(w, options.step));
  out += fmt::format("    from (\n      select {}s, l, case when s <= {} then s else {} - s end as q, {} as near\n", by,
                     w.real(0.5), w.real(1), w.cut_off("s * " + w.real(static_cast<double>(count))));
  // what cannot be counted has no score, and so no key; of its label one bit is kept, which cannot overflow
  out += fmt::format("      from (\n        select {}(y & 1) as l,\n", by);
  out += fmt::format("          case when p >= {} and p <= {} and y in (0, 1) then p end as s\n", w.real(0), w.real(1));
  out += fmt::format("        from (select {}cast({} as {}) as p, {} as y from {}) as given\n", by, options.score,
                     w.real_type(), w.whole(options.label), options.table);
  out += "      ) as checked\n    ) as halved\n  ) as coded\n";
  return out + fmt::format("  group by {}k{}\n) as cells\n", by, options.each_score ? ", s" : "");
}

Result<Running> state_of_cells(const CellTable& of, const std::string& name, std::size_t most) {
  if (const auto fine = check(of, name); !fine) return fine.error();
  Source source{.reduction = static_cast<Reduction>(static_cast<int>(of[reduction][0]))};
  source.classes = source.reduction == Reduction::positive ? 2 : 0;
  for (const double n : of[mass]) source.rows += static_cast<std::uint64_t>(n);
  const auto empty = State::make(static_cast<int>(of[bins][0]), most);
  if (!empty) return empty.error();

  std::vector<Cell> cells;
  for (std::size_t i = 0; i < of[cell].size(); ++i) {
    cells.push_back(cell_of(of, i));
    for (const Column c : {first, last})
      if (const double s = std::abs(of[c][i]);
          !(s <= 1) || place_of(s, static_cast<int>(of[step][0])) != cells[i].place)
        return wrong_table(name, std::string(names[c]) + " does not lie in its cell", i);
    if (cells[i].only != many && cells[i].score != u128{numeric::to_fixed(cells[i].only)} * cells[i].mass)
      return wrong_table(name, "the sum is not that of the score", i);
  }
  Body body = body_of_cells(std::move(cells), static_cast<int>(of[step][0]), empty->shape());
  // a table may say anything: the reader of saved states knows what to ask
  const auto bytes = to_bytes(Running(source, {State(empty->shape(), std::move(body))}, {}));
  if (!bytes) return bytes.error();
  auto out = from_bytes(*bytes);
  if (!out) return wrong_table(name, out.error().what);
  return out;
}

Result<Running> read_cells(const read::Source& table) {
  const auto numbers = numbers_of(table);
  if (!numbers) return numbers.error();
  CellTable of;
  std::copy(numbers->begin(), numbers->end(), of.begin());
  return state_of_cells(of, table.name());
}

}  // namespace tare::detail::state
