#include "tare/state/state.hpp"

#include <array>
#include <cmath>
#include <iterator>

#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::state {
namespace {

constexpr std::size_t chunk_rows = std::size_t{1} << 18;

u128 fine_mass_of(std::span<const double> weight, std::size_t rows) {
  if (weight.empty()) return u128{rows} << fine_bits;
  u128 out = 0;
  for (const double w : weight) {
    if (w >= 0x1p42) return most_fine_mass + 1;
    out += mass_of(w, true);
    if (out > most_fine_mass) break;
  }
  return out;
}

struct Rows {
  Reals score;
  std::span<const std::uint8_t> label;
  std::span<const double> weight;

  [[nodiscard]] std::size_t size() const { return label.size(); }
  [[nodiscard]] Rows part(std::size_t from, std::size_t to) const {
    const auto cut = [&](auto s) { return s.subspan(from, to - from); };
    return {score.visit([&](auto s) { return Reals(cut(s)); }), cut(label), weight.empty() ? weight : cut(weight)};
  }
};

// The body with these rows. Most rows fall in cells that there are already. Where too many do not, the step is too
// fine: a chunk of sorted rows finds the next.
Body with_rows(Body next, const Rows& rows, const Shape& shape) {
  const std::size_t n = rows.size();
  std::size_t at = 0;
  const auto add_to_cells = [&] {
    const Rows rest = rows.part(at, n);
    Tally tally(next, shape, rest.size());
    at += tally.add(rest.score, rest.label);
    tally.pour_into(next);
  };
  if (rows.weight.empty() && !next.cells.empty()) add_to_cells();
  while (at < n) {
    numeric::stop_if_asked();
    const std::size_t to = std::min(at + chunk_rows, n);
    const Rows chunk = rows.part(at, to);
    const int step = next.step;
    next = merged(std::move(next), body_of(chunk.score, chunk.label, chunk.weight, shape, step), shape);
    at = to;
    if (rows.weight.empty() && at < n) add_to_cells();
  }
  return next;
}

// The first thread goes on with the body, the others begin with nothing.
Body with_rows(const Body& body, const Rows& rows, const Shape& shape, int threads) {
  const std::size_t n = rows.size(), chunks = (n + chunk_rows - 1) / chunk_rows;
  const std::size_t teams = std::min(chunks, static_cast<std::size_t>(std::max(threads, 1)));
  if (teams <= 1) return with_rows(body, rows, shape);
  std::vector<Body> bodies(teams);
  for (Body& b : bodies) b.step = body.step;
  bodies[0] = body;
  numeric::parallel_for(teams, threads, [&](std::size_t t) {
    bodies[t] = with_rows(std::move(bodies[t]), rows.part(n * t / teams, n * (t + 1) / teams), shape);
  });
  for (std::size_t t = 1; t < teams; ++t) bodies[0] = merged(std::move(bodies[0]), std::move(bodies[t]), shape);
  return std::move(bodies[0]);
}

constexpr std::size_t block_rows = 256;
constexpr std::uint32_t none = 0;  // the entry of no cell
constexpr auto many_bits = std::bit_cast<std::uint64_t>(many);
constexpr auto no_key = ~std::uint64_t{0};  // and its key

std::size_t home(std::uint64_t key, int shift) { return (key ^ key >> 32) * 0x9E3779B97F4A7C15 >> shift; }

// Neither the place nor the bin falls as the score rises, and from cell to cell one of them rises: their sum tells
// cells apart.
struct KeyMaker {
  int step;
  std::size_t bins;
  const double* edges;

  std::uint64_t operator()(double score) const {
    // as numeric::width_bin, without branches
    auto bin = static_cast<std::size_t>(static_cast<std::int64_t>(score * static_cast<double>(bins)));
    bin = std::min(bin, bins - 1);
    bin -= score <= edges[bin];
    bin += score > edges[bin + 1];
    return place_of(score, step) + bin;
  }
};

bool before(const Cell& a, const Cell& b) { return a.place != b.place ? a.place < b.place : a.bin < b.bin; }

}  // namespace

Result<State> State::make(int bins, std::size_t cells) {
  if (const auto fine = all_of({in_range(options::bins, bins), in_range(options::cells, cells)}); !fine)
    return fine.error();
  const Shape shape{.most = cells, .bins = static_cast<std::size_t>(bins)};
  if (shape.bins > cells / 2)
    return Error{.code = Errc::bad_option,
                 .what = std::to_string(cells) + " cells are too few for " + std::to_string(bins) + " bins",
                 .place = {.array = "cells"},
                 .value = std::to_string(cells),
                 .remedy = "bins cut cells: keep at least two cells for each bin"};
  return State(shape, {});
}

u128 State::fine_mass() const {
  return (body_.fine ? body_.mass : body_.mass << fine_bits) + fine_mass_of(waiting_weight(), waiting_);
}

std::span<const double> State::waiting_weight() const {
  return std::span(weight_).first(weight_.empty() ? 0 : waiting_);
}

// Vectors only shrink: nothing can fail.
void State::keep_waiting(std::size_t rows) noexcept {
  waiting_ = rows;
  score_.resize(rows);
  label_.resize(rows);
  weight_.resize(weight_.empty() ? 0 : rows);
}

// Rows that waited are in cells: the state is the same.
void State::pour_waiting() {
  body_ = body();
  keep_waiting(0);
}

void State::append(const BinaryView& rows) {
  const std::size_t n = waiting_, more = rows.size();
  const bool weighted = !weight_.empty() || !rows.weight().empty();
  const std::size_t room = std::max(n + more, std::min(2 * n, chunk_rows));
  if (score_.capacity() < n + more) score_.reserve(room);
  if (label_.capacity() < n + more) label_.reserve(room);
  if (weighted && weight_.capacity() < n + more) weight_.reserve(room);
  if (weighted) weight_.resize(n, 1);
  rows.score().visit([&](auto s) { score_.insert(score_.end(), s.begin(), s.end()); });
  label_.insert(label_.end(), rows.label().begin(), rows.label().end());
  if (rows.weight().empty())
    weight_.resize(weighted ? n + more : 0, 1);
  else
    weight_.insert(weight_.end(), rows.weight().begin(), rows.weight().end());
}

bool State::prepare(const BinaryView& rows, int threads) {
  discard();
  if (fine_mass() + fine_mass_of(rows.weight(), rows.size()) > most_fine_mass) return false;
  if (waiting_ + rows.size() > chunk_rows && waiting_ > 0) pour_waiting();
  if (rows.size() >= chunk_rows)
    next_ = with_rows(body_, {rows.score(), rows.label(), rows.weight()}, shape_, threads);
  else
    append(rows);
  return true;
}

bool State::prepare(const State& other) {
  discard();
  if (shape_ != other.shape_ || !has_room_for(other)) return false;
  next_ = merged(body(), other.body(), shape_);
  return true;
}

void State::commit() noexcept {
  if (!next_) {
    waiting_ = label_.size();
    return;
  }
  body_ = *std::move(next_);
  next_.reset();
  keep_waiting(0);
}

void State::discard() noexcept {
  next_.reset();
  keep_waiting(waiting_);
}

bool State::add(const BinaryView& rows, int threads) {
  if (!prepare(rows, threads)) return false;
  commit();
  return true;
}

bool State::has_room_for(const State& other) const { return fine_mass() + other.fine_mass() <= most_fine_mass; }

bool State::merge(const State& other) {
  if (!prepare(other)) return false;
  commit();
  return true;
}

Body State::body() const {
  if (waiting_ == 0) return body_;
  const Rows waiting{std::span<const double>(score_).first(waiting_), std::span(label_).first(waiting_),
                     waiting_weight()};
  return with_rows(body_, waiting, shape_);
}

// A few rows at a time: their entries are on the way from memory before the first is needed.
struct Tally::Block {
  std::size_t rows = 0;
  std::array<double, block_rows> score;
  std::array<std::uint64_t, block_rows> key;
  std::array<std::uint32_t, block_rows> entry;  // a guess
};

Tally::Tally(const Body& body, const Shape& shape, std::size_t rows)
    : shape_(shape), step_(body.step), edges_(shape.bins + 1), known_(body.cells.size()) {
  for (std::size_t j = 0; j <= shape.bins; ++j) edges_[j] = numeric::width_edge(j, shape.bins);
  edges_.front() = -1;  // 0 is in the first bin
  room_ = std::min(shape.most, known_ + rows) + 1;
  const auto bits = static_cast<int>(std::bit_width(2 * room_));
  shift_ = 64 - bits;
  table_.assign(std::size_t{1} << bits, none);
  entries_.reserve(room_);
  entries_.push_back({.key = no_key});
  for (const Cell& cell : body.cells) {
    const std::uint64_t key = cell.place + (step_ == exact_step ? 0 : cell.bin);
    slot_of(key) = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({.key = key, .only = std::bit_cast<std::uint64_t>(cell.only)});
  }
}

// Where its entry is, or comes to be.
std::uint32_t& Tally::slot_of(std::uint64_t key) {
  std::size_t at = home(key, shift_);
  while (table_[at] != none && entries_[table_[at]].key != key) at = (at + 1) & (table_.size() - 1);
  return table_[at];
}

template <bool Exact, class T>
void Tally::prepare(std::span<const T> score, Block& block) const {
  const KeyMaker key{.step = step_, .bins = shape_.bins, .edges = edges_.data()};
  const std::uint32_t* table = table_.data();
  const Entry* entries = entries_.data();
  const int shift = shift_;
  block.rows = score.size();
  for (std::size_t i = 0; i < score.size(); ++i) {
    const double s = std::abs(static_cast<double>(score[i]));
    block.score[i] = s;
    block.key[i] = Exact ? place_of(s, exact_step) : key(s);
    __builtin_prefetch(table + home(block.key[i], shift));
  }
  for (std::size_t i = 0; i < score.size(); ++i) {
    block.entry[i] = table[home(block.key[i], shift)];
    __builtin_prefetch(entries + block.entry[i]);
  }
}

std::size_t Tally::add_block(const Block& block, const std::uint8_t* label) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    const double score = block.score[i];
    Entry* entry = &entries_[block.entry[i]];
    if (entry->key != block.key[i]) {
      std::uint32_t& slot = slot_of(block.key[i]);
      if (slot == none) {
        if (entries_.size() >= room_) return i;
        first_.push_back(score);
        slot = static_cast<std::uint32_t>(entries_.size());
        entries_.push_back({.key = block.key[i], .only = std::bit_cast<std::uint64_t>(score)});
      }
      entry = &entries_[slot];
    }
    const auto bits = std::bit_cast<std::uint64_t>(score);
    entry->only ^= (entry->only ^ many_bits) & -std::uint64_t{entry->only != bits};  // many, unless it is this score
    entry->sums += u128{numeric::to_fixed(score)} | u128{1} << rows_at | u128{label[i]} << hits_at;
  }
  return block.rows;
}

template <bool Exact, class T>
std::size_t Tally::add_all(std::span<const T> score, const std::uint8_t* label) {
  Block block;
  std::size_t at = 0, added = 0;
  for (; at < score.size() && added == block.rows; at += added) {
    numeric::stop_if_asked_at(at);
    prepare<Exact>(score.subspan(at, std::min(block_rows, score.size() - at)), block);
    added = add_block(block, label + at);
  }
  return at;
}

std::size_t Tally::add(Reals score, std::span<const std::uint8_t> label) {
  const std::size_t rows = std::min(label.size(), (std::size_t{1} << count_bits) - 1 - rows_);
  const std::size_t added = score.visit([&](auto s) {
    const auto some = s.first(rows);
    return step_ == exact_step ? add_all<true>(some, label.data()) : add_all<false>(some, label.data());
  });
  rows_ += added;
  return added;
}

void Tally::pour_into(Body& body) const {
  const int unit_bits = body.fine ? fine_bits : 0;
  const auto pour = [&](const Entry& entry, Cell& cell) {
    constexpr u128 one = 1;
    cell.only = std::bit_cast<double>(entry.only);
    cell.mass += (entry.sums >> rows_at & ((one << count_bits) - 1)) << unit_bits;
    cell.hits += entry.sums >> hits_at << unit_bits;
    cell.score += (entry.sums & ((one << rows_at) - 1)) << unit_bits;
  };
  std::vector<Cell> fresh(first_.size()), all;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    fresh[i].place = place_of(first_[i], step_);
    fresh[i].bin = static_cast<std::uint32_t>(numeric::width_bin(first_[i], shape_.bins));
    pour(entries_[1 + known_ + i], fresh[i]);
  }
  std::ranges::sort(fresh, before);
  if (!fresh.empty()) all.reserve(known_ + fresh.size());
  // no exception from here on
  for (std::size_t i = 0; i < known_; ++i) pour(entries_[1 + i], body.cells[i]);
  if (!fresh.empty()) {
    std::merge(body.cells.begin(), body.cells.end(), fresh.begin(), fresh.end(), std::back_inserter(all), before);
    body.cells = std::move(all);
  }
  body.mass += u128{rows_} << unit_bits;
}

}  // namespace tare::detail::state
