#include "tare/watch/watch.hpp"

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/watch/drift.hpp"
#include "tare/watch/moved.hpp"

namespace tare::inner::watch {
namespace {

Result<void> check_name(const std::string& name) {
  if (name.size() <= longest_name) return {};
  return Error{.code = Errc::bad_input,
               .what = "a name of " + std::to_string(name.size()) + " bytes is too long",
               .remedy = "take a short one, such as the date"};
}

}  // namespace

Watch::Watch(Period reference, std::string bytes, const WatchOptions& options)
    : reference_(std::move(reference)),
      reference_bytes_(std::move(bytes)),
      directions_(reference_),
      bets_(directions_),
      against_(directions_, directions_.gather(reference_), options.alpha),
      past_(directions_.cells()) {
  const double rows = reference_.all_rows();
  report_.options = options;
  report_.reference_rows = static_cast<std::uint64_t>(rows);
  report_.reference_score = reference_.mean_score();
  report_.reference_rate = reference_.all_hits() / rows;
  report_.exact = reference_.exact;
}

Result<Watch> Watch::make(std::string_view reference, std::string name, const WatchOptions& options) {
  if (const auto fine =
          all_of({in_range(options::alpha, options.alpha), in_range(options::run_length, options.run_length),
                  in_range(options::watch_resamples, options.resamples)});
      !fine)
    return fine.error();
  if (const auto fine = check_name(name); !fine) return fine.error();
  auto period = period_of(reference, name);
  if (!period) return period.error();
  if (std::all_of(period->score.begin(), period->score.end(), [](double s) { return s == 0 || s == 1; }))
    return Error{.code = Errc::undefined,
                 .what = "every score of the reference is 0 or 1: there is nothing to watch",
                 .place = {.array = name},
                 .remedy = "take a reference whose scores are probabilities"};
  Watch out(*std::move(period), std::string(reference), options);
  out.report_.reference = std::move(name);
  return out;
}

bool Watch::has(std::string_view name) const {
  return std::any_of(report_.days.begin(), report_.days.end(), [&](const WatchDay& day) { return day.name == name; });
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
  if (day->reduction && reference_.reduction && day->reduction != reference_.reduction)
    return Error{.code = Errc::bad_input,
                 .what = "its scores are of the reduction " + std::string(inner::name(*day->reduction)) +
                         ", those of the reference of " + std::string(inner::name(*reference_.reduction)),
                 .place = {.array = name},
                 .remedy = "make all states alike"};
  const double rows = day->all_rows();
  WatchDay said{.name = std::move(name),
                .rows = static_cast<std::uint64_t>(rows),
                .mean_score = day->mean_score(),
                .hit_rate = day->all_hits() / rows,
                .moved = moved(reference_, *day, report_.options.resamples, report_.options.seed),
                .drift = drift(reference_, *day)};
  report_.exact = report_.exact && day->exact;
  const Gathered seen = directions_.gather(*day);
  settle(seen);
  said.evidence = bets_.evidence();
  said.detector = bets_.detector();
  said.reference_evidence = against_.evidence(directions_, past_);
  report_.days.push_back(std::move(said));
  gathered_.push_back(seen);
  return {};
}

void Watch::add_again(WatchDay said, const Gathered& seen) {
  settle(seen);
  said.evidence = bets_.evidence();
  said.detector = bets_.detector();
  report_.days.push_back(std::move(said));
  gathered_.push_back(seen);
}

void Watch::settle(const Gathered& seen) {
  bets_.settle(seen, report_.options.run_length);
  against_.settle(directions_, seen);
  past_.add(seen);
  bets_.make(directions_, past_);
  against_.predict(directions_, past_);
}

}  // namespace tare::inner::watch
