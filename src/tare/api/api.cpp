#include "tare/api/api.hpp"

#include "tare/core/errors.hpp"
#include "tare/core/options.hpp"
#include "tare/render/prose/prose.hpp"

namespace tare::detail::api {

EstimateRow estimate_row(const Measured& m) {
  EstimateRow out{.estimator = m.name,
                  .norm = m.norm,
                  .class_index = m.class_index,
                  .reason = m.reason,
                  .low = m.low,
                  .high = m.high,
                  .interval = m.low ? m.interval : m.interval_reason,
                  .noise = m.floor,
                  .noise_high = m.floor_high,
                  .judgement = m.judgement};
  if (!m.estimate) return out;
  out.value = m.estimate->value;
  out.bins = m.estimate->per_bin;
  return out;
}

tare::Verdict verdict(const detail::TestReport& report) {
  const detail::Verdict& v = report.verdict;
  return {.outcome = v.outcome,
          .p_value = v.p_value,
          .test = v.test,
          .alpha = v.alpha,
          .value = v.square.value,
          .low = v.square.low,
          .high = v.square.high,
          .detectable = v.detectable,
          .direction = v.direction,
          .mean_gap = v.mean_gap,
          .shape = v.shape,
          .certain_and_wrong = v.certain.wrong(),
          .sentence = render::verdict_sentence(report)};
}

Result<Going> going(const Run& run) {
  if (run.threads != 0)
    if (const auto fine = in_range(options::threads, run.threads); !fine) return fine.error();
  Going out{.threads = run.threads == 0 ? numeric::hardware_threads() : run.threads, .seed = run.seed};
  if (run.progress)
    out.progress = [&run](std::string_view stage, std::size_t done, std::size_t total) {
      try {
        run.progress(stage, done, total);
      } catch (...) {
        throw Stopped{};
      }
    };
  return out;
}

// Short enough to need no memory.
Error cancelled() { return {.code = Errc::cancelled, .what = "cancelled"}; }
Error out_of_memory() { return {.code = Errc::out_of_memory, .what = "out of memory"}; }

Error internal_error(const char* what) {
  try {
    return failure(Errc::internal, std::string("this should not happen: ") + what,
                   "please report it, with what you called");
  } catch (...) {
    return out_of_memory();
  }
}

Error unlabelled() {
  return {.code = Errc::bad_input,
          .what = "these predictions have no labels",
          .place = {.array = "labels"},
          .remedy =
              "give the labels when the predictions are made; without them calibrators can be applied, and those "
              "fitted that need none"};
}

}  // namespace tare::detail::api
