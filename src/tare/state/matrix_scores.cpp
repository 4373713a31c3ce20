#include "tare/state/matrix_scores.hpp"

#include <cmath>
#include <vector>

#include "tare/measure/brier.hpp"
#include "tare/measure/nll.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::inner::state {
namespace {

constexpr std::size_t scored_rows = 4096;
constexpr double log_bound = 64, square_bound = 4;  // those of the estimators on rows: the same whole numbers

// Of a chunk of rows of mass 1: they fit into 128 bits.
struct Small {
  u128 sum = 0, squares = 0;
};

u128 whole(double y) { return static_cast<u128>(y * 0x1p62 + 0.5); }

void add_loss(double loss, double bound, u128 mass, Small& ones, MatrixScores::Loss& others) {
  const double y = std::fmax(loss, 0) / bound;  // below 2^14, of the log loss; below 0 only where rows have changed
  const u128 sum = whole(y), squares = whole(y * y);
  if (mass == u128{1} << fine_bits) {
    ones.sum += sum;
    ones.squares += squares;
  } else {
    others.sum += u256(sum) * u256(mass);
    others.squares += u256(squares) * u256(mass);
  }
}

void fold(const Small& ones, MatrixScores::Loss& to) {
  to.sum += u256(ones.sum) << fine_bits;
  to.squares += u256(ones.squares) << fine_bits;
}

MatrixScores scores_of(const MulticlassView& rows, std::size_t from, std::size_t to) {
  std::vector<double> log(to - from), square(to - from);
  measure::log_losses(rows, from, log);
  measure::square_losses(rows, from, square);
  MatrixScores out;
  Small logs, squares;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const u128 mass = rows.weight().empty() ? u128{1} << fine_bits : mass_of(rows.weight()[from + i], true);
    out.mass += mass;
    add_loss(square[i], square_bound, mass, squares, out.square);
    if (std::isinf(log[i]))
      out.infinite += mass;
    else
      add_loss(log[i], log_bound, mass, logs, out.log);
  }
  fold(logs, out.log);
  fold(squares, out.square);
  return out;
}

// The nearest double where 127 bits are enough, as for fewer than 2^25 rows of unit weight.
double real(const u256& x) {
  const unsigned bits = x == 0 ? 0 : boost::multiprecision::msb(x) + 1;
  const unsigned drop = bits > 127 ? bits - 127 : 0;
  return std::ldexp(static_cast<double>(static_cast<u128>(u256(x >> drop))), static_cast<int>(drop));
}

Estimate estimate_of(const MatrixScores::Loss& loss, double bound, u128 mass) {
  const auto weight = static_cast<double>(mass);
  const double mean = real(loss.sum) * 0x1p-62 / weight;
  Estimate out{.value = bound * mean};
  const double variance = bound * bound * std::fmax(real(loss.squares) * 0x1p-62 / weight - mean * mean, 0);
  if (const double n = std::ldexp(weight, -fine_bits); n > 1) out.se = std::sqrt(variance / (n - 1));
  return out;
}

}  // namespace

void MatrixScores::add(const MulticlassView& rows, int threads) {
  const std::size_t n = rows.size(), chunks = (n + scored_rows - 1) / scored_rows;
  std::vector<MatrixScores> parts(chunks);
  numeric::parallel_for(chunks, threads, [&](std::size_t c) {
    parts[c] = scores_of(rows, c * scored_rows, std::min((c + 1) * scored_rows, n));
  });
  for (const MatrixScores& part : parts) merge(part);
}

void MatrixScores::merge(const MatrixScores& other) {
  mass += other.mass;
  infinite += other.infinite;
  for (auto [to, more] : {std::pair(&log, &other.log), std::pair(&square, &other.square)}) {
    to->sum += more->sum;
    to->squares += more->squares;
  }
}

bool MatrixScores::can_be() const {
  if (infinite > mass || mass > most_mass << fine_bits) return false;
  // Of numbers y <= most: mean(y)^2 <= mean(y^2) <= most * mean(y), but for rounding to whole units.
  const auto fits = [](const Loss& loss, u128 of, double most) {
    const u256 weight(of), units = weight << 62;
    const auto limit = static_cast<std::uint64_t>(most);
    if (loss.sum > units * limit || loss.squares > units * limit * limit) return false;
    if (of == 0) return true;
    if (loss.squares > (loss.sum + weight) * limit) return false;
    const double mean = real(loss.sum) / static_cast<double>(of), second = real(loss.squares) / static_cast<double>(of);
    return mean * 0x1p-62 * mean <= (second + 1) * (1 + 1e-9);
  };
  return fits(log, mass - infinite, numeric::infinite_loss / log_bound) && fits(square, mass, 1);
}

Result<Estimate> MatrixScores::nll() const {
  if (infinite > 0)
    return measure::infinite_nll(static_cast<std::uint64_t>(infinite >> 20), std::uint64_t{1} << 20, "");
  return estimate_of(log, log_bound, mass);
}

Result<Estimate> MatrixScores::brier() const { return estimate_of(square, square_bound, mass); }

}  // namespace tare::inner::state
