#include "tare/state/running.hpp"

#include <cassert>
#include <cmath>
#include <type_traits>

#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/softmax.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::state {
namespace {

Error other_classes(const char* what, std::size_t theirs, std::size_t ours) {
  return {.code = Errc::bad_input,
          .what = std::string(what) + " " + std::to_string(theirs) + " classes, but the state is of " +
                  std::to_string(ours),
          .remedy = "keep a state for each kind of prediction"};
}

Error too_heavy() {
  return {.code = Errc::bad_input,
          .what = "the weights of both together sum to more than 1e12",
          .place = {.array = "weights"},
          .remedy = "weights are frequencies: 2 means the row counts twice; rescale them so that 1 is one prediction"};
}

Error other_shape(const char* what, std::size_t theirs, std::size_t ours) {
  return {.code = Errc::bad_input,
          .what = "the other state has " + std::to_string(theirs) + " " + what + ", and this one has " +
                  std::to_string(ours),
          .place = {.array = what},
          .remedy = std::string("make both with the same number of ") + what};
}

std::string said(const std::optional<GroupOf>& group) {
  return group ? "of the group " + foreign(group->name) + " of " + foreign(group->column) : "of no group";
}

// One that has no rows yet may become that of a group.
bool are_of_one_group(const Source& a, const Source& b) {
  return a.group == b.group || (!a.group && a.rows == 0) || (!b.group && b.rows == 0);
}

Error other_group(const Source& ours, const Source& theirs) {
  return {.code = Errc::bad_input,
          .what = "the other state is " + said(theirs.group) + ", and this one " + said(ours.group),
          .place = {.array = "group"},
          .remedy = "merge states of one group; a state of all groups is made of all rows"};
}

// Discards what is not committed.
struct Undone {
  Running& state;
  ~Undone() { state.discard(); }
};

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

template <class T>
std::vector<T> picked(std::span<const T> all, std::span<const std::size_t> rows, std::size_t columns = 1) {
  std::vector<T> out;
  if (all.empty()) return out;
  out.reserve(rows.size() * columns);
  for (const std::size_t i : rows)
    out.insert(out.end(), all.begin() + static_cast<std::ptrdiff_t>(i * columns),
               all.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns));
  return out;
}

}  // namespace

Result<Running> Running::make(const RunningOptions& options) {
  if (options.classes > most_classes)
    return Error{.code = Errc::bad_option,
                 .what = "there are no so many classes",
                 .place = {.array = "classes"},
                 .value = std::to_string(options.classes),
                 .remedy = "labels go up to " + std::to_string(most_classes - 1)};
  const bool classwise = options.reduction == Reduction::classwise;
  auto part = State::make(options.bins, options.cells.value_or(classwise ? cells_of_a_class : options::cells.usual));
  if (!part) return part.error();
  return Running({.classes = options.classes, .reduction = options.reduction, .group = options.group},
                 {*std::move(part)}, {});
}

// Classwise, before the first rows: as many parts as there are classes.
std::vector<State>& Running::parts_for(std::size_t classes) {
  if (parts_.size() < classes) next_->classes.assign(classes, State(parts_.front()));
  return next_->classes.empty() ? parts_ : next_->classes;
}

Result<void> Running::prepare(const Predictions& predictions, int threads) {
  const std::size_t k = predictions.k;
  if (predictions.summed)
    return Error{
        .code = Errc::unsupported, .what = "this is a state already", .remedy = "merge states; rows are added"};
  if (source_.classes != 0 && k != 0 && k != source_.classes)
    return other_classes("these rows are of", k, source_.classes);
  if (source_.rows + predictions.n > most_mass) return too_heavy();
  const auto how = choose_reduction(predictions, source_.reduction);
  if (!how) return how.error();
  next_ = Next{source_, scores_};
  if (*how == Reduction::classwise) {
    const auto problems = OneVsRest::make(predictions, threads);
    if (!problems) return problems.error();
    std::vector<State>& parts = parts_for(k);
    if (!parts.front().prepare(problems->problem(0).view())) return too_heavy();  // the same weights for each class
    numeric::parallel_for(k - 1, threads, [&](std::size_t c) {
      static_cast<void>(parts[c + 1].prepare(problems->problem(c + 1).view()));
    });
  } else {
    const auto data = *how == Reduction::positive ? positive(predictions, threads) : top_label(predictions, threads);
    if (!data) return data.error();
    if (!parts_.front().prepare(data->view(), threads)) return too_heavy();
  }
  if (predictions.matrix && k > 2) next_->scores.add(*predictions.matrix, threads);
  next_->source.rows += predictions.n;
  next_->source.reduction = *how;
  if (source_.classes == 0) next_->source.classes = k;
  return {};
}

void Running::commit() noexcept {
  if (!next_) return;
  if (!next_->classes.empty()) parts_ = std::move(next_->classes);
  for (State& part : parts_) part.commit();
  source_ = std::move(next_->source);
  scores_ = next_->scores;
  next_.reset();
}

void Running::discard() noexcept {
  next_.reset();
  for (State& part : parts_) part.discard();
}

Result<void> Running::add(const Predictions& predictions, int threads) {
  const Undone undone{*this};
  if (const auto done = prepare(predictions, threads); !done) return done;
  numeric::stop_if_asked();  // for the last time: what is committed is done
  commit();
  return {};
}

Result<void> Running::merge(const Running& other) {
  const Source& theirs = other.source_;
  if (source_.classes != 0 && theirs.classes != 0 && source_.classes != theirs.classes)
    return other_classes("the other state is of", theirs.classes, source_.classes);
  if (source_.reduction && theirs.reduction && *source_.reduction != *theirs.reduction)
    return Error{.code = Errc::bad_input,
                 .what = "the two states answer different questions: one is " + std::string(name(*source_.reduction)) +
                         ", the other " + std::string(name(*theirs.reduction)),
                 .place = {.array = "reduction"},
                 .remedy = "make both with the same reduction"};
  if (!are_of_one_group(source_, theirs)) return other_group(source_, theirs);
  const Shape &a = shape(), &b = other.shape();
  if (a.bins != b.bins) return other_shape("bins", b.bins, a.bins);
  if (a.most != b.most) return other_shape("cells", b.most, a.most);
  if (!parts_.front().has_room_for(other.parts_.front()) || source_.rows + theirs.rows > most_mass) return too_heavy();
  const Undone undone{*this};
  next_ = Next{source_, scores_};
  std::vector<State>& parts = parts_for(other.parts_.size());
  for (std::size_t i = 0; i < other.parts_.size(); ++i) static_cast<void>(parts[i].prepare(other.parts_[i]));
  next_->scores.merge(other.scores_);
  next_->source.rows += theirs.rows;
  if (source_.classes == 0) next_->source.classes = theirs.classes;
  if (!source_.reduction) next_->source.reduction = theirs.reduction;
  if (!source_.group) next_->source.group = theirs.group;
  commit();
  return {};
}

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

// Groups that get rows: those that there are, and new ones.
struct ByGroup::Change {
  std::vector<Running*> known = {};
  Groups fresh = {};

  ~Change() {
    for (Running* state : known) state->discard();
  }
};

Result<void> ByGroup::add(const Predictions& predictions, int threads) {
  Change change;
  if (const auto done = prepare(predictions, threads, change); !done) return done;
  numeric::stop_if_asked();  // for the last time: what is committed is done
  for (Running* state : change.known) state->commit();
  for (auto& [name, state] : change.fresh) state.commit();
  groups_.merge(change.fresh);  // moves nodes: needs no memory
  return {};
}

Result<void> ByGroup::prepare(const Predictions& predictions, int threads, Change& change) {
  assert(predictions.groupings.size() == 1);
  const Grouping& grouping = predictions.groupings.front();
  const auto prepare_in = [&](const std::string& name, const Predictions& rows) -> Result<void> {
    if (const auto at = groups_.find(name); at != groups_.end()) {
      change.known.push_back(&at->second);
      return at->second.prepare(rows, threads);
    }
    RunningOptions options = options_;
    options.group = GroupOf{grouping.column, name};
    auto made = Running::make(options);
    if (!made) return made.error();
    return change.fresh.emplace(name, *std::move(made)).first->second.prepare(rows, threads);
  };
  const RowsByGroup order = rows_by_group(grouping);
  for (std::size_t g = 0; g < grouping.names.size(); ++g) {
    const auto rows = std::span(order.row).subspan(order.start[g], order.start[g + 1] - order.start[g]);
    if (rows.empty()) continue;
    Predictions part;
    part.kind = predictions.kind;
    part.n = rows.size();
    part.k = predictions.k;
    const auto added = [&](const auto& values) -> Result<void> {
      using T = typename std::remove_cvref_t<decltype(values)>::element_type;
      const bool matrix = predictions.matrix.has_value();
      const std::size_t columns = matrix ? predictions.matrix->columns() : 1;
      const auto kept = picked<std::remove_const_t<T>>(values, rows, columns);
      const auto weights = picked(matrix ? predictions.matrix->weight() : predictions.confidences->weight(), rows);
      const std::span<const std::remove_const_t<T>> numbers(kept);
      if (matrix) {
        const auto labels = picked(predictions.matrix->label(), rows);
        const auto view = copied_view(predictions.kind, numbers, columns, labels, weights);
        if (!view) return view.error();
        part.matrix = *view;
        return prepare_in(grouping.names[g], part);
      }
      const auto hits = picked(predictions.confidences->label(), rows);
      const auto view = copied_view(numbers, hits, weights);
      if (!view) return view.error();
      part.confidences = *view;
      return prepare_in(grouping.names[g], part);
    };
    const Reals& values = predictions.matrix ? predictions.matrix->values() : predictions.confidences->score();
    if (const auto done = values.visit(added); !done) return done;
  }
  return {};
}

}  // namespace tare::detail::state
