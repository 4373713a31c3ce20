#include "tare/state/state.hpp"

#include <cmath>

#include "tare/numeric/parallel.hpp"
#include "tare/state/tally.hpp"

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

}  // namespace tare::detail::state
