#include "tare/state/running.hpp"

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

// Classwise, before the first rows: as many parts as there are classes.
void for_classes(std::vector<State>& parts, std::size_t classes) {
  if (parts.size() < classes) parts.assign(classes, State(parts.front()));
}

}  // namespace

Result<Running> Running::make(const RunningOptions& options) {
  const bool classwise = options.reduction == Reduction::classwise;
  auto part = State::make(options.bins, options.cells.value_or(classwise ? cells_of_a_class : options::cells.usual));
  if (!part) return part.error();
  return Running({.classes = options.classes, .reduction = options.reduction}, {*std::move(part)}, {});
}

Result<void> Running::add(const Predictions& predictions, int threads) {
  const std::size_t k = predictions.k;
  if (predictions.summed)
    return Error{
        .code = Errc::unsupported, .what = "this is a state already", .remedy = "merge states; rows are added"};
  if (source_.classes != 0 && k != 0 && k != source_.classes)
    return other_classes("these rows are of", k, source_.classes);
  const auto how = choose_reduction(predictions, source_.reduction);
  if (!how) return how.error();
  if (*how == Reduction::classwise) {
    const auto problems = OneVsRest::make(predictions, threads);
    if (!problems) return problems.error();
    for_classes(parts_, k);
    if (!parts_.front().add(problems->problem(0).view())) return too_heavy();  // the same weights for each class
    numeric::parallel_for(
        k - 1, threads, [&](std::size_t c) { static_cast<void>(parts_[c + 1].add(problems->problem(c + 1).view())); });
  } else {
    const auto data = *how == Reduction::positive ? positive(predictions, threads) : top_label(predictions, threads);
    if (!data) return data.error();
    if (!parts_.front().add(data->view(), threads)) return too_heavy();
  }
  if (predictions.matrix && k > 2) scores_.add(*predictions.matrix, threads);
  source_.rows += predictions.n;
  source_.reduction = *how;
  if (source_.classes == 0) source_.classes = k;
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
  const Shape &a = shape(), &b = other.shape();
  if (a.bins != b.bins) return other_shape("bins", b.bins, a.bins);
  if (a.most != b.most) return other_shape("cells", b.most, a.most);
  if (!parts_.front().has_room_for(other.parts_.front())) return too_heavy();
  for_classes(parts_, other.parts_.size());
  for (std::size_t i = 0; i < other.parts_.size(); ++i) static_cast<void>(parts_[i].merge(other.parts_[i]));
  scores_.merge(other.scores_);
  source_.rows += theirs.rows;
  if (source_.classes == 0) source_.classes = theirs.classes;
  if (!source_.reduction) source_.reduction = theirs.reduction;
  return {};
}

}  // namespace tare::inner::state
