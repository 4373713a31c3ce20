#include "tare/watch/watch.hpp"

#include <algorithm>
#include <cmath>

#include "tare/core/call_options.hpp"
#include "tare/core/names.hpp"
#include "tare/watch/calibration_shift.hpp"
#include "tare/watch/directions.hpp"
#include "tare/watch/e_process.hpp"

namespace tare::detail::watch {
namespace {

constexpr double least_alpha = 1e-280;

Result<void> check_name(const std::string& name) {
  if (name.size() <= longest_name) return {};
  return Error{.code = Errc::bad_input,
               .what = "a name of " + std::to_string(name.size()) + " bytes is too long",
               .remedy = "take a short one, such as the date"};
}

}  // namespace

struct Watch::Running {
  Running(Period period, double alpha)
      : reference(std::move(period)),
        directions(reference),
        e_process(directions),
        against(directions, directions.gather(reference), alpha),
        past(directions.cells()) {}

  void settle(const Gathered& seen, double run_length) {
    e_process.settle(seen, run_length);
    against.settle(seen);
    past.add(seen);
    e_process.make(directions, past);
    against.predict(past);
    gathered.push_back(seen);
  }

  Period reference;
  Directions directions;
  EProcess e_process;
  AgainstReference against;
  Past past;
  std::vector<Gathered> gathered = {};
};

Watch::Watch(Watch&&) noexcept = default;
Watch& Watch::operator=(Watch&&) noexcept = default;
Watch::~Watch() = default;

const std::vector<Gathered>& Watch::gathered() const { return running_->gathered; }
const Directions& Watch::directions() const { return running_->directions; }

Watch::Watch(Period reference, std::string bytes, const WatchOptions& options) : reference_(std::move(bytes)) {
  const double rows = reference.all_rows();
  report_.options = options;
  report_.reference_rows = static_cast<std::uint64_t>(rows);
  report_.reference_score = reference.mean_score();
  report_.reference_rate = reference.all_hits() / rows;
  report_.exact = reference.exact;
  running_ = std::make_unique<Running>(std::move(reference), options.alpha);
}

Result<Watch> Watch::make(std::string_view reference, std::string name, const WatchOptions& options) {
  if (const auto fine = check(watch_options, options); !fine) return fine.error();
  if (options.alpha < least_alpha)
    return Error{.code = Errc::bad_option,
                 .what = "no evidence is large enough for an alarm",
                 .place = {.array = "alpha"},
                 .value = "1e" + std::to_string(static_cast<int>(std::floor(std::log10(options.alpha)))),
                 .remedy = "evidence is counted up to 1e290, and the alarm is at 5 / `alpha`: 1e-9 is small already"};
  if (const auto fine = check_name(name); !fine) return fine.error();
  auto period = period_of(reference, name);
  if (!period) return period.error();
  if (std::ranges::all_of(period->score, [](double s) { return s == 0 || s == 1; }))
    return Error{.code = Errc::undefined,
                 .what = "every score of the reference is 0 or 1: there is nothing to watch",
                 .place = {.array = name},
                 .remedy = "take a reference whose scores are probabilities"};
  Watch out(*std::move(period), std::string(reference), options);
  out.report_.reference = std::move(name);
  return out;
}

bool Watch::has(std::string_view name) const {
  return std::ranges::any_of(report_.days, [&](const WatchDay& day) { return day.name == name; });
}

Result<void> Watch::add(std::string_view bytes, std::string name) {
  if (const auto fine = check_name(name); !fine) return fine.error();
  if (has(name))
    return Error{.code = Errc::bad_input,
                 .what = "this watch has a day of that name already",
                 .place = {.array = name},
                 .remedy = "add each day once; give another day another name"};
  const auto day = period_of(bytes, name);
  if (!day) return day.error();
  if (day->reduction && running_->reference.reduction && day->reduction != running_->reference.reduction)
    return Error{.code = Errc::bad_input,
                 .what = "its scores are of the reduction " + std::string(detail::name(*day->reduction)) +
                         ", those of the reference of " + std::string(detail::name(*running_->reference.reduction)),
                 .place = {.array = name},
                 .remedy = "make all states alike"};
  const double rows = day->all_rows();
  WatchDay said{
      .name = std::move(name),
      .rows = static_cast<std::uint64_t>(rows),
      .mean_score = day->mean_score(),
      .hit_rate = day->all_hits() / rows,
      .calibration_shift = calibration_shift(running_->reference, *day, report_.options.resamples, report_.options.seed,
                                             static_cast<std::uint32_t>(report_.days.size())),
      .score_drift = score_drift(running_->reference, *day)};
  set_exact(day->exact);
  add_again(std::move(said), running_->directions.gather(*day));
  report_.days.back().reference_evidence = running_->against.evidence(running_->past);
  return {};
}

void Watch::add_again(WatchDay said, const Gathered& seen) {
  running_->settle(seen, report_.options.run_length);
  said.evidence = running_->e_process.evidence();
  said.detector = running_->e_process.detector();
  report_.days.push_back(std::move(said));
}

}  // namespace tare::detail::watch
