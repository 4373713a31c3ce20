#include "tare/watch/watch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tare/state/file.hpp"
#include "tare/watch/calibration_shift.hpp"
#include "tare/watch/directions.hpp"

namespace tare::detail::watch {
namespace {

constexpr std::uint16_t version = 1;
constexpr std::uint32_t most_days = 1'000'000;
constexpr double most_rows = 0x1p41;

void put_real(double x, std::string& to) { state::put(std::bit_cast<std::uint64_t>(x), to); }

void put_bytes(std::string_view text, std::string& to) {
  state::put(static_cast<std::uint64_t>(text.size()), to);
  to += text;
}

// What is not there, or out of range, is 0, and the reader has failed for good.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  template <class Whole>
  Whole whole(Whole most) {
    Whole out = 0;
    if (left_.size() < sizeof(Whole)) return fail(out);
    state::take(out, left_);
    return out <= most ? out : fail(out);
  }
  double real(double least, double most) {
    const double out = std::bit_cast<double>(whole(~std::uint64_t{0}));
    return out >= least && out <= most ? out : fail(out);
  }
  std::string_view bytes(std::size_t most) {
    const auto size = whole(static_cast<std::uint64_t>(std::min(most, left_.size())));
    if (failed_ || size > left_.size()) return fail(std::string_view());
    const std::string_view out = left_.substr(0, size);
    left_.remove_prefix(size);
    return out;
  }
  void require(bool fine) { failed_ = failed_ || !fine; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return left_.empty(); }

 private:
  template <class T>
  T fail(const T&) {
    failed_ = true;
    return {};
  }
  std::string_view left_;
  bool failed_ = false;
};

void put_day(const WatchDay& day, const Gathered& seen, std::string& to) {
  put_bytes(day.name, to);
  put_real(day.mean_score, to);
  state::put(std::uint8_t{day.calibration_shift.p_value.has_value()}, to);
  put_real(day.calibration_shift.p_value.value_or(1), to);
  put_real(day.calibration_shift.change, to);
  put_real(day.calibration_shift.se, to);
  put_real(day.calibration_shift.uncovered, to);
  state::put(static_cast<std::uint32_t>(day.calibration_shift.strata), to);
  state::put(static_cast<std::uint8_t>(day.calibration_shift.parts.size()), to);
  for (const TestPart& part : day.calibration_shift.parts) {
    state::put(static_cast<std::uint8_t>(std::ranges::find(calibration_shift_parts, part.name) -
                                         calibration_shift_parts.begin()),
               to);
    put_real(part.weight, to);
    put_real(part.minus_log_p, to);
  }
  put_real(day.score_drift.distance, to);
  put_real(day.score_drift.p_value, to);
  put_real(day.score_drift.mean, to);
  put_real(day.reference_evidence, to);
  state::put(static_cast<std::uint32_t>((seen.rows > 0).count()), to);
  for (Eigen::Index c = 0; c < seen.rows.size(); ++c) {
    if (!(seen.rows[c] > 0)) continue;
    state::put(static_cast<std::uint32_t>(c), to);
    put_real(seen.rows[c], to);
    put_real(seen.hits[c], to);
    put_real(seen.score[c], to);
  }
}

CalibrationShift take_calibration_shift(Reader& from) {
  CalibrationShift out;
  const bool known = from.whole(std::uint8_t{1}) == 1;
  const double p = from.real(0x1p-64, 1);
  if (known) out.p_value = p;
  out.change = from.real(-1e9, 1e9);
  out.se = from.real(0, 1e9);
  out.uncovered = from.real(-1e-9, 1);
  out.strata = from.whole(std::uint32_t{most_strata});
  const auto parts = from.whole(std::uint8_t{4});
  for (std::uint8_t j = 0; j < parts && !from.failed(); ++j) {
    const auto name = from.whole(std::uint8_t{3});
    const double weight = from.real(0, 1), minus_log_p = from.real(0, 1e300);
    out.parts.push_back({calibration_shift_parts[name], weight, minus_log_p});
  }
  return out;
}

// The rows of a day, each in its cell: whole numbers, hits among them, scores between the edges but for rounding.
Gathered take_cells(Reader& from, const Directions& directions) {
  Gathered out(directions.cells());
  const auto cells = from.whole(static_cast<std::uint32_t>(directions.cells()));
  Eigen::Index next = 0;
  from.require(cells > 0);
  for (std::uint32_t i = 0; i < cells && !from.failed(); ++i) {
    const auto c = static_cast<Eigen::Index>(from.whole(static_cast<std::uint32_t>(directions.cells() - 1)));
    const double rows = from.real(1, most_rows), hits = from.real(0, rows), score = from.real(0, rows * (1 + 1e-9));
    const auto [low, high] = directions.ends(c);
    from.require(c >= next && rows == std::floor(rows) && hits == std::floor(hits) &&
                 score >= rows * low * (1 - 1e-9) && score <= rows * high * (1 + 1e-9));
    next = c + 1;
    out.rows[c] = rows;
    out.hits[c] = hits;
    out.score[c] = score;
  }
  from.require(out.rows.sum() <= most_rows);
  return out;
}

void take_day(Reader& from, Watch& watch) {
  WatchDay day{.name = std::string(from.bytes(longest_name))};
  day.mean_score = from.real(0, 1);
  day.calibration_shift = take_calibration_shift(from);
  day.score_drift = {from.real(0, 1), from.real(0, 1), from.real(-1, 1)};
  day.reference_evidence = from.real(0, 1e300);
  const Gathered seen = take_cells(from, watch.directions());
  from.require(!watch.has(day.name));
  if (from.failed()) return;
  day.rows = static_cast<std::uint64_t>(seen.rows.sum());
  day.hit_rate = seen.hits.sum() / seen.rows.sum();
  watch.add_again(std::move(day), seen);
}

}  // namespace

std::string to_bytes(const Watch& watch) {
  const WatchReport& report = watch.report();
  std::string out(magic);
  state::put(version, out);
  put_real(report.options.alpha, out);
  put_real(report.options.run_length, out);
  state::put(static_cast<std::uint64_t>(report.options.resamples), out);
  state::put(report.options.seed, out);
  state::put(std::uint8_t{report.exact}, out);
  put_bytes(report.reference, out);
  put_bytes(watch.reference(), out);
  state::put(static_cast<std::uint32_t>(report.days.size()), out);
  for (std::size_t i = 0; i < report.days.size(); ++i) put_day(report.days[i], watch.gathered()[i], out);
  state::seal(out);
  return out;
}

Result<Watch> from_bytes(std::string_view bytes, const std::string& source) {
  const auto wrong = [&](std::string what) {
    return Error{.code = Errc::bad_input,
                 .what = "this is no running watch: " + std::move(what),
                 .place = {.array = source},
                 .remedy = "give what was saved, whole"};
  };
  constexpr std::size_t tail = sizeof(std::uint32_t);
  if (!bytes.starts_with(magic)) return wrong("it does not begin like one");
  if (bytes.size() < magic.size() + sizeof(version) + tail) return wrong("it ends too early");
  Reader head(bytes.substr(magic.size(), sizeof(version)));
  if (const auto found = head.whole(std::uint16_t{0xFFFF}); found != version)
    return wrong("its version is " + std::to_string(found) + ", known is " + std::to_string(version));
  const std::string_view body = bytes.substr(0, bytes.size() - tail);
  if (Reader(bytes.substr(body.size())).whole(~std::uint32_t{0}) != state::crc_of(body))
    return wrong("it is damaged, or not all there");

  Reader from(body.substr(magic.size() + sizeof(version)));
  WatchOptions options;
  options.alpha = from.real(0, 1);
  options.run_length = from.real(0, 1e300);
  options.resamples = static_cast<std::size_t>(from.whole(~std::uint64_t{0}));
  options.seed = from.whole(~std::uint64_t{0});
  const bool exact = from.whole(std::uint8_t{1}) == 1;
  std::string name(from.bytes(longest_name));
  const std::string_view reference = from.bytes(body.size());
  const auto days = from.whole(most_days);
  if (from.failed()) return wrong("its settings are not there, or out of range");
  auto watch = Watch::make(reference, std::move(name), options);
  if (!watch) return wrong(sentence(watch.error()));
  for (std::uint32_t i = 0; i < days; ++i) {
    take_day(from, *watch);
    if (from.failed()) return wrong("day " + std::to_string(i + 1) + " is not as a watch writes it");
  }
  if (!from.at_end()) return wrong("there is more than its days");
  watch->set_exact(exact);
  return watch;
}

}  // namespace tare::detail::watch
