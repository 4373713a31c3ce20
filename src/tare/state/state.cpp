#include "tare/state/state.hpp"

#include <cmath>

#include "tare/numeric/parallel.hpp"
#include "tare/state/tally.hpp"

namespace tare::inner::state {
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

// Most rows fall in cells that there are already. Where too many do not, the step is too fine: a chunk of sorted rows
// finds the next. An exception leaves the body as it was.
void add_rows(Body& body, const Rows& rows, const Shape& shape) {
  const std::size_t n = rows.size();
  std::size_t at = 0;
  Body next;
  if (rows.weight.empty() && !body.cells.empty()) {
    Tally tally(body, shape, n);
    at = tally.add(rows.score, rows.label);
    if (at == n) return tally.pour_into(body);
    next = body;
    tally.pour_into(next);
  } else {
    next = body;
  }
  while (at < n) {
    numeric::stop_if_asked();
    const std::size_t to = std::min(at + chunk_rows, n);
    const Rows chunk = rows.part(at, to), rest = rows.part(to, n);
    const int step = next.step;
    next = merged(std::move(next), body_of(chunk.score, chunk.label, chunk.weight, shape, step), shape);
    at = to;
    if (!rows.weight.empty() || at == n) continue;
    Tally tally(next, shape, rest.size());
    at += tally.add(rest.score, rest.label);
    tally.pour_into(next);
  }
  body = std::move(next);
}

// The first thread goes on with the body, the others begin with nothing.
void add_rows(Body& body, const Rows& rows, const Shape& shape, int threads) {
  const std::size_t n = rows.size(), chunks = (n + chunk_rows - 1) / chunk_rows;
  const std::size_t teams = std::min(chunks, static_cast<std::size_t>(std::max(threads, 1)));
  if (teams <= 1) return add_rows(body, rows, shape);
  std::vector<Body> bodies(teams);
  for (Body& b : bodies) b.step = body.step;
  bodies[0] = body;
  numeric::parallel_for(teams, threads, [&](std::size_t t) {
    add_rows(bodies[t], rows.part(n * t / teams, n * (t + 1) / teams), shape);
  });
  for (std::size_t t = 1; t < teams; ++t) bodies[0] = merged(std::move(bodies[0]), std::move(bodies[t]), shape);
  body = std::move(bodies[0]);
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
  return (body_.fine ? body_.mass : body_.mass << fine_bits) + fine_mass_of(weight_, label_.size());
}

bool State::add(const BinaryView& rows, int threads) {
  if (fine_mass() + fine_mass_of(rows.weight(), rows.size()) > most_fine_mass) return false;
  if (rows.size() >= chunk_rows) {
    add_rows(body_, {rows.score(), rows.label(), rows.weight()}, shape_, threads);
    return true;
  }
  const std::size_t n = label_.size(), more = rows.size();
  const bool weighted = !weight_.empty() || !rows.weight().empty();
  if (n + more > chunk_rows) {
    add_rows(body_, {std::span<const double>(score_), label_, weight_}, shape_);
    score_.clear();
    label_.clear();
    weight_.clear();
    return add(rows, threads);
  }
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
  return true;
}

bool State::has_room_for(const State& other) const { return fine_mass() + other.fine_mass() <= most_fine_mass; }

bool State::merge(const State& other) {
  if (shape_ != other.shape_ || !has_room_for(other)) return false;
  body_ = merged(body(), other.body(), shape_);
  score_.clear();
  label_.clear();
  weight_.clear();
  return true;
}

Body State::body() const {
  if (label_.empty()) return body_;
  Body out = body_;
  add_rows(out, {std::span<const double>(score_), label_, weight_}, shape_);
  return out;
}

}  // namespace tare::inner::state
