#include <tare/state.hpp>

#include "tare/answer/lines.hpp"
#include "tare/door/door.hpp"
#include "tare/door/measurement.hpp"
#include "tare/reduce/reduce.hpp"
#include "tare/state/bytes.hpp"
#include "tare/state/width_state.hpp"

namespace tare::inner::door {
namespace {

struct Total {
  std::size_t classes = 0;  // 0: not known yet
  std::optional<Reduction> reduction = {};
  std::size_t rows = 0;
  state::WidthState sums;
};

constexpr std::string_view magic = "TARESTA1";

// FNV-1a: tells a damaged file from a whole one.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t out = 0xcbf29ce484222325;
  for (const char c : bytes) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return out;
}

Error mismatch(const char* what, std::size_t have, std::size_t wanted) {
  return {.code = Errc::bad_input,
          .what = std::string(what) + " " + std::to_string(have) + " classes, but the total is of " +
                  std::to_string(wanted),
          .remedy = "keep a state for each kind of prediction"};
}

Error too_heavy() {
  return {.code = Errc::bad_input,
          .what = "the weights of both together sum to more than 2e12",
          .place = {.array = "weights"},
          .remedy = "weights are frequencies: 2 means the row counts twice; rescale them so that 1 is one prediction"};
}

Result<void> add_rows(Total& total, const Rows& rows, const Going& going) {
  if (!rows.labelled) return unlabelled();
  const Predictions& p = rows.predictions;
  if (total.classes != 0 && p.k != 0 && p.k != total.classes) return mismatch("these rows are of", p.k, total.classes);
  const auto how = choose_reduction(p, total.reduction);
  if (!how) return how.error();
  if (*how == Reduction::classwise)
    return Error{.code = Errc::unsupported,
                 .what = "a state is of one question, not of every class",
                 .place = {.array = "reduction"},
                 .remedy = "keep a state for each class"};
  const auto data = *how == Reduction::positive ? positive(p, going.threads) : top_label(p, going.threads);
  if (!data) return data.error();
  auto more = state::WidthState::make(static_cast<int>(total.sums.bins()));
  if (!more) return more.error();
  more->add(data->view(), going.threads);
  if (!total.sums.has_room_for(*more)) return too_heavy();
  (void)total.sums.merge(*more);  // of as many bins
  total.rows += p.n;
  total.reduction = how.value();
  if (total.classes == 0) total.classes = p.k;
  return {};
}

Result<void> merge_totals(Total& total, const Total& other) {
  if (other.rows == 0) return {};
  if (total.classes != 0 && other.classes != 0 && total.classes != other.classes)
    return mismatch("the other total is of", other.classes, total.classes);
  if (total.reduction && other.reduction && *total.reduction != *other.reduction)
    return Error{.code = Errc::bad_input,
                 .what = "the two totals answer different questions",
                 .place = {.array = "reduction"},
                 .remedy = "make both with the same reduction"};
  if (!total.sums.has_room_for(other.sums)) return too_heavy();
  if (!total.sums.merge(other.sums))
    return Error{.code = Errc::bad_input,
                 .what = "the other total has " + std::to_string(other.sums.bins()) + " bins, and this one has " +
                         std::to_string(total.sums.bins()),
                 .place = {.array = "bins"},
                 .remedy = "make both with the same number of bins"};
  total.rows += other.rows;
  if (total.classes == 0) total.classes = other.classes;
  if (!total.reduction) total.reduction = other.reduction;
  return {};
}

Result<Measurement> measure_total(const Total& total, const MeasureOptions& options) {
  if (total.rows == 0) return Error{.code = Errc::undefined, .what = "no rows were added"};
  const auto lines = answer::make_lines({.bins = static_cast<int>(total.sums.bins()),
                                         .norms = options.norms,
                                         .estimators = options.estimators,
                                         .resample = false});
  if (!lines) return lines.error();
  Survey survey{.input = {.n = total.rows,
                          .k = total.classes,
                          .kind = Kind::confidences,
                          .reduction = total.reduction.value_or(Reduction::top_label),
                          .source = "a running total"}};
  for (const infer::Line& line : *lines) {
    if (options.estimators.empty() && !state::WidthState::knows(*line.estimator)) continue;
    Measured out = answer::line_with(line, total.sums.finish(*line.estimator, line.options));
    out.interval_reason = "a state keeps sums, not scores";
    survey.measured.push_back(std::move(out));
  }
  return measurement(std::move(survey));
}

std::string bytes_of(const Total& total) {
  std::string out(magic);
  state::put<std::uint64_t>(total.classes, out);
  state::put<std::uint64_t>(total.reduction ? static_cast<std::uint64_t>(*total.reduction) + 1 : 0, out);
  state::put<std::uint64_t>(total.sums.bins(), out);
  state::put<std::uint64_t>(total.rows, out);
  out += total.sums.to_bytes();
  state::put<std::uint64_t>(checksum(out), out);
  return out;
}

Result<Total> total_of(std::string_view bytes) {
  const Error wrong{.code = Errc::bad_input,
                    .what = "these bytes are no state, or a damaged one",
                    .place = {.array = "bytes"},
                    .remedy = "give what State::save returned, whole"};
  constexpr std::size_t head = 40;
  if (bytes.size() < head + 8 || bytes.substr(0, magic.size()) != magic) return wrong;
  if (checksum(bytes.substr(0, bytes.size() - 8)) != state::taken<std::uint64_t>(bytes, bytes.size() - 8)) return wrong;
  const std::uint64_t reduction = state::taken<std::uint64_t>(bytes, 16), bins = state::taken<std::uint64_t>(bytes, 24);
  if (reduction > 2 || bins > static_cast<std::uint64_t>(options::bins.most)) return wrong;
  auto sums = state::WidthState::make(static_cast<int>(bins));
  if (!sums || !sums->from_bytes(bytes.substr(head, bytes.size() - head - 8))) return wrong;
  Total out{.classes = state::taken<std::uint64_t>(bytes, 8),
            .rows = state::taken<std::uint64_t>(bytes, 32),
            .sums = *std::move(sums)};
  if (reduction > 0) out.reduction = static_cast<Reduction>(reduction - 1);
  return out;
}

}  // namespace
}  // namespace tare::inner::door

namespace tare {
inline namespace v0_2 {

namespace door = inner::door;

Result<State> State::make(const StateOptions& options) {
  return door::guarded(nullptr, [&]() -> Result<State> {
    auto sums = inner::state::WidthState::make(options.bins);
    if (!sums) return sums.error();
    return State(
        inner::hold(door::Total{.classes = options.classes, .reduction = options.reduction, .sums = *std::move(sums)}));
  });
}

Result<void> State::add(const Predictions& predictions, const Run& run) {
  return door::guarded(run, [&](const door::Going& going) {
    return door::add_rows(inner::held<door::Total>(body_), inner::Door::rows(predictions), going);
  });
}

Result<void> State::merge(const State& other) {
  return door::guarded(nullptr, [&] {
    return door::merge_totals(inner::held<door::Total>(body_), inner::held<door::Total>(other.body_));
  });
}

std::size_t State::rows() const noexcept { return inner::held<door::Total>(body_).rows; }

Result<Measurement> State::measure(const MeasureOptions& options) const {
  return door::guarded(nullptr, [&] { return door::measure_total(inner::held<door::Total>(body_), options); });
}

Result<std::string> State::save() const {
  return door::guarded(nullptr,
                       [&]() -> Result<std::string> { return door::bytes_of(inner::held<door::Total>(body_)); });
}

Result<State> State::load(std::string_view bytes) {
  return door::guarded(nullptr, [&]() -> Result<State> {
    auto total = door::total_of(bytes);
    if (!total) return total.error();
    return State(inner::hold(*std::move(total)));
  });
}

}  // namespace v0_2
}  // namespace tare
