#include <tare/state.hpp>

#include "tare/api/api.hpp"
#include "tare/state/file.hpp"
#include "tare/state/sample.hpp"

namespace tare {
inline namespace v0_3 {

namespace api = detail::api;
using detail::state::Running;

Result<State> State::make(const StateOptions& options) {
  return api::guarded(nullptr, [&]() -> Result<State> {
    auto made = Running::make(
        {.classes = options.classes, .reduction = options.reduction, .bins = options.bins, .cells = options.cells});
    if (!made) return made.error();
    return State(detail::hold(*std::move(made)));
  });
}

Result<void> State::add(const Predictions& predictions, const Run& run) {
  return api::guarded<api::Done::is_done>(run, [&](const api::Going& going) -> Result<void> {
    const detail::StoredPredictions& rows = detail::Access::rows(predictions);
    if (!rows.labelled) return api::unlabelled();
    return detail::held<Running>(body_).add(rows.predictions, going.threads);
  });
}

Result<void> State::merge(const State& other) {
  return api::guarded(nullptr, [&] { return detail::held<Running>(body_).merge(detail::held<Running>(other.body_)); });
}

std::size_t State::rows() const noexcept { return detail::held<Running>(body_).source().rows; }

bool State::operator==(const State& other) const {
  return detail::held<Running>(body_) == detail::held<Running>(other.body_);
}

Result<Predictions> State::predictions() const {
  return api::guarded(nullptr, [&]() -> Result<Predictions> {
    auto made = detail::state::predictions_of(detail::held<Running>(body_), "a running state");
    if (!made) return made.error();
    return detail::Access::make({*std::move(made), true});
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
  return api::guarded(nullptr, [&] { return detail::state::to_bytes(detail::held<Running>(body_)); });
}

Result<State> State::load(std::string_view bytes) {
  return api::guarded(nullptr, [&]() -> Result<State> {
    auto made = detail::state::from_bytes(bytes);
    if (!made) return made.error();
    return State(detail::hold(*std::move(made)));
  });
}

}  // namespace v0_3
}  // namespace tare
