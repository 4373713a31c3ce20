#include "tare/state/file.hpp"

#include "tare/numeric/order/bins.hpp"

namespace tare::detail::state {
namespace {

void put_number(u128 x, std::string& to) {
  for (; x > 127; x >>= 7) to += static_cast<char>(static_cast<unsigned char>(x & 127) | 128);
  to += static_cast<char>(static_cast<unsigned char>(x));
}

class Numbers {
 public:
  explicit Numbers(std::string_view bytes) : bytes_(bytes) {}
  // 0 once the bytes are used up or a number has more than 128 bits, and good() says so.
  u128 next() {
    u128 out = 0;
    for (int shift = 0;; shift += 7) {
      if (bytes_.empty() || shift > 126) return fail();
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      if ((shift == 126 && byte > 3) || (shift > 0 && byte == 0)) return fail();  // too long, or longer than need be
      out |= static_cast<u128>(byte & 127) << shift;
      if (byte < 128) return out;
    }
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  u128 fail() {
    good_ = false;
    return 0;
  }
  std::string_view bytes_;
  bool good_ = true;
};

bool is_single(const Cell& cell) { return cell.only != many; }

// The smaller of hits and misses, and which it is.
u128 packed_hits(const Cell& cell) {
  const u128 misses = cell.mass - cell.hits;
  return cell.hits <= misses ? 2 * cell.hits : 2 * misses + 1;
}

// The score of a single cell, or what is nearer to it than 1/2: its distance from the nearer end of [0, 1], whose bits
// count from those of the nearest in its cell.
std::uint64_t first_bits(std::uint64_t place, int step) {
  const std::uint64_t from_end = place <= mirror / 2 ? place : mirror - place;
  return step == exact_step ? place : std::bit_cast<std::uint64_t>(ends_of(from_end, 0, step, 1).low);
}
bool is_high(std::uint64_t place, int step) { return step != exact_step && place > mirror / 2; }

// Several scores: twice what their sum has above that of the lower end. One: its bits, twice and 1.
u128 packed_score(const Cell& cell, int step, std::size_t bins) {
  if (is_single(cell)) {
    const double q = is_high(cell.place, step) ? 1 - cell.only : cell.only;
    return 2 * u128{std::bit_cast<std::uint64_t>(q) - first_bits(cell.place, step)} + 1;
  }
  return 2 * (cell.score - numeric::to_fixed(ends_of(cell.place, cell.bin, step, bins).low) * cell.mass);
}

bool unpack_single(u128 above, int step, std::size_t bins, Cell& cell) {
  const u128 bits = first_bits(cell.place, step) + above;
  if (bits > std::bit_cast<std::uint64_t>(1.0)) return false;
  const auto q = std::bit_cast<double>(static_cast<std::uint64_t>(bits));
  cell.only = is_high(cell.place, step) ? 1 - q : q;
  cell.score = numeric::to_fixed(cell.only) * cell.mass;
  return (cell.only == q || 1 - cell.only == q) && place_of(cell.only, step) == cell.place &&
         numeric::width_bin(cell.only, bins) == cell.bin;
}

bool unpack_several(u128 above, int step, std::size_t bins, Cell& cell) {
  const Ends ends = ends_of(cell.place, cell.bin, step, bins);
  if (!(ends.low >= 0 && ends.low < ends.high && ends.high <= 1)) return false;  // one score is single
  const u128 least = numeric::to_fixed(ends.low) * cell.mass, most = numeric::to_fixed(ends.high) * cell.mass;
  if (above > most - least) return false;
  cell.score = least + above;
  return place_of(ends.low, step) == cell.place && place_of(ends.high, step) == cell.place &&
         numeric::width_bin(ends.low, bins) == cell.bin && numeric::width_bin(ends.high, bins) == cell.bin;
}

const char* read_places(Numbers& numbers, const Shape& shape, Body& body) {
  // Both rise from cell to cell. Numbers are asked before they are added: 128 bits wrap, too.
  const auto rises = [&](u128& x, u128 most) {
    const u128 by = numbers.next();
    const bool fits = by <= most - x;
    x += fits ? by : 0;
    return fits;
  };
  u128 place = 0, bin = 0;
  const u128 most = body.step == exact_step ? std::bit_cast<std::uint64_t>(1.0) : mirror;
  for (Cell& cell : body.cells) {
    if (!rises(place, most)) return "a cell lies outside [0, 1], or before another that precedes it";
    cell.place = static_cast<std::uint64_t>(place);
  }
  for (Cell& cell : body.cells) {
    if (!rises(bin, shape.bins - 1)) return "a cell lies in no bin";
    cell.bin = static_cast<std::uint32_t>(bin);
  }
  for (std::size_t i = 1; i < body.cells.size(); ++i)
    if (body.cells[i].place == body.cells[i - 1].place && body.cells[i].bin == body.cells[i - 1].bin)
      return "two cells are the same";
  return nullptr;
}

const char* read_masses(Numbers& numbers, Body& body, u128 most) {
  for (Cell& cell : body.cells) {
    cell.mass = numbers.next();
    if (cell.mass == 0) return "a cell is empty";
    if (cell.mass > most || (body.mass += cell.mass) > most) return "its weights are too large";
  }
  for (Cell& cell : body.cells) {
    const u128 packed = numbers.next(), fewer = packed >> 1;
    const u128 others = cell.mass - std::min(fewer, cell.mass);
    if (fewer > others || (fewer == others && (packed & 1) != 0)) return "its hits do not fit";
    cell.hits = (packed & 1) != 0 ? cell.mass - fewer : fewer;
  }
  return nullptr;
}

}  // namespace

std::string to_columns(const Body& body, std::size_t bins) {
  std::string out;
  std::uint64_t place = 0;
  for (const Cell& cell : body.cells) put_number(cell.place - std::exchange(place, cell.place), out);
  std::uint32_t bin = 0;
  for (const Cell& cell : body.cells) put_number(cell.bin - std::exchange(bin, cell.bin), out);
  for (const Cell& cell : body.cells) put_number(cell.mass, out);
  for (const Cell& cell : body.cells) put_number(packed_hits(cell), out);
  for (const Cell& cell : body.cells) put_number(packed_score(cell, body.step, bins), out);
  return out;
}

const char* from_columns(std::string_view columns, std::size_t cells, const Shape& shape, Body& body) {
  if (cells > columns.size()) return "cells are missing";
  Numbers numbers(columns);
  body.cells.assign(cells, {});
  body.mass = 0;
  if (const char* wrong = read_places(numbers, shape, body)) return wrong;
  if (const char* wrong = read_masses(numbers, body, most_mass << (body.fine ? fine_bits : 0))) return wrong;
  for (Cell& cell : body.cells) {
    const u128 packed = numbers.next();
    const auto unpack = (packed & 1) != 0 ? unpack_single : unpack_several;
    if (!unpack(packed >> 1, body.step, shape.bins, cell)) return "a score lies outside its cell";
  }
  if (!numbers.good() || !numbers.at_end()) return "its columns end too early or too late";
  return nullptr;
}

}  // namespace tare::detail::state
