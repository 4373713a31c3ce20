#include <tare/state.hpp>

#include "tare/door/door.hpp"
#include "tare/state/file.hpp"
#include "tare/state/sample.hpp"

namespace tare {
inline namespace v0_3 {

namespace door = inner::door;
using inner::state::Running;

Result<State> State::make(const StateOptions& options) {
  return door::guarded(nullptr, [&]() -> Result<State> {
    auto made = Running::make(
        {.classes = options.classes, .reduction = options.reduction, .bins = options.bins, .cells = options.cells});
    if (!made) return made.error();
    return State(inner::hold(*std::move(made)));
  });
}

Result<void> State::add(const Predictions& predictions, const Run& run) {
  return door::guarded<door::Done::is_done>(run, [&](const door::Going& going) -> Result<void> {
    const inner::Rows& rows = inner::Door::rows(predictions);
    if (!rows.labelled) return door::unlabelled();
    return inner::held<Running>(body_).add(rows.predictions, going.threads);
  });
}

Result<void> State::merge(const State& other) {
  return door::guarded(nullptr, [&] { return inner::held<Running>(body_).merge(inner::held<Running>(other.body_)); });
}

std::size_t State::rows() const noexcept { return inner::held<Running>(body_).source().rows; }

bool State::operator==(const State& other) const {
  return inner::held<Running>(body_) == inner::held<Running>(other.body_);
}

Result<Predictions> State::predictions() const {
  return door::guarded(nullptr, [&]() -> Result<Predictions> {
    auto made = inner::state::predictions_of(inner::held<Running>(body_), "a running state");
    if (!made) return made.error();
    return inner::Door::make({*std::move(made), true});
  });
}

Result<Measurement> State::measure(const MeasureOptions& options, const Run& run) const {
  const auto cells = predictions();
  if (!cells) return cells.error();
  return tare::measure(*cells, options, run);
}

Result<TestReport> State::test(const TestOptions& options, const Run& run) const {
  const auto cells = predictions();
  if (!cells) return cells.error();
  return tare::test(*cells, options, run);
}

Result<std::string> State::save() const {
  return door::guarded(nullptr, [&] { return inner::state::to_bytes(inner::held<Running>(body_)); });
}

Result<State> State::load(std::string_view bytes) {
  return door::guarded(nullptr, [&]() -> Result<State> {
    auto made = inner::state::from_bytes(bytes);
    if (!made) return made.error();
    return State(inner::hold(*std::move(made)));
  });
}

}  // namespace v0_3
}  // namespace tare
