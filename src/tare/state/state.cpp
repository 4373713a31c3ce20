#include "tare/state/state.hpp"

#include <cmath>

#include "tare/numeric/parallel.hpp"

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

Reals part(const Reals& all, std::size_t from, std::size_t count) {
  return all.visit([&](auto s) { return Reals(s.subspan(from, count)); });
}

// Chunks fixed by the number of rows; each thread merges those that it has made.
Body body_of_rows(const BinaryView& rows, const Shape& shape, int step, int threads) {
  const std::size_t n = rows.size(), chunks = (n + chunk_rows - 1) / chunk_rows;
  const auto chunk = [&](std::size_t c, int finest) {
    const std::size_t from = c * chunk_rows, count = std::min(chunk_rows, n - from);
    return body_of(part(rows.score(), from, count), rows.label().subspan(from, count),
                   rows.weight().empty() ? rows.weight() : rows.weight().subspan(from, count), shape, finest);
  };
  const std::size_t teams = std::min(chunks, static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<Body> bodies(teams);
  numeric::parallel_for(teams, threads, [&](std::size_t t) {
    Body& body = bodies[t];
    body.step = step;
    for (std::size_t c = t; c < chunks; c += teams) {
      numeric::stop_if_asked();
      body = merged(body, chunk(c, body.step), shape);
    }
  });
  for (std::size_t t = 1; t < teams; ++t) bodies[0] = merged(bodies[0], bodies[t], shape);
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
  return (body_.fine ? body_.mass : body_.mass << fine_bits) + fine_mass_of(weight_, label_.size());
}

bool State::add(const BinaryView& rows, int threads) {
  if (fine_mass() + fine_mass_of(rows.weight(), rows.size()) > most_fine_mass) return false;
  if (rows.size() >= chunk_rows) {
    body_ = merged(body_, body_of_rows(rows, shape_, body_.step, threads), shape_);
    return true;
  }
  const std::size_t n = label_.size(), more = rows.size();
  const bool weighted = !weight_.empty() || !rows.weight().empty();
  if (n + more > chunk_rows) {
    body_ = body();
    score_.clear();
    label_.clear();
    weight_.clear();
    return add(rows, threads);
  }
  for (auto* v : {&score_, &weight_}) v->reserve(n + more);
  label_.reserve(n + more);
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
  return merged(body_, body_of(std::span<const double>(score_), label_, weight_, shape_, body_.step), shape_);
}

}  // namespace tare::inner::state
