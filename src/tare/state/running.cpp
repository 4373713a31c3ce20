#include "tare/state/running.hpp"

#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::inner::state {
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

}  // namespace tare::inner::state
