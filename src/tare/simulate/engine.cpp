#include "tare/simulate/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <thread>

#include "tare/core/options.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/simulate/checkpoint.hpp"

namespace tare::inner::simulate {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t part_rows = 1 << 16;  // rows of one part of a study: about a millisecond

double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

// Neighbouring replicates of one size: what one thread does at a time.
struct Part {
  std::size_t size = 0;  // index
  std::size_t first = 0;
  std::size_t count = 0;
};

// All sizes advance together, so that an interrupted study has about as many replicates of each.
std::vector<Part> parts_of(std::span<const std::size_t> sizes, const Replicates& r) {
  std::vector<Part> out;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const std::size_t step = std::max<std::size_t>(part_rows / sizes[s], 1);
    for (std::size_t i = 0; i < r.count; i += step) out.push_back({s, r.first + i, std::min(step, r.count - i)});
  }
  std::stable_sort(out.begin(), out.end(), [](const Part& a, const Part& b) { return a.first < b.first; });
  return out;
}

// Memory that a thread takes from a workspaces and puts back: allocating it anew costs more than a small sample.
struct Workspace {
  Sampler::Scratch scratch;
  numeric::Ordered data;
};

class Workspaces {
 public:
  std::unique_ptr<Workspace> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return std::make_unique<Workspace>();
    auto out = std::move(free_.back());
    free_.pop_back();
    return out;
  }
  void put_back(std::unique_ptr<Workspace> w) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(w));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

// Draws the samples of a part one after another.
template <class F>
void draw_part(const Sampler& sampler, std::size_t n, const Part& part, const Replicates& r, Workspaces& workspaces,
               const F& f) {
  auto work = workspaces.take();
  for (std::size_t i = part.first; i < part.first + part.count; ++i) {
    sampler.draw(n, r.seed, r.stream, static_cast<std::uint32_t>(i), work->scratch, work->data);
    f(i, measure::Sample(&work->data));
  }
  workspaces.put_back(std::move(work));
}

// All tasks on one sample. Estimators that are functions of sums over the same bins share the sums.
class Evaluator {
 public:
  explicit Evaluator(std::span<const measure::Choice> tasks) : tasks_(tasks) {
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const measure::Choice& task = tasks[t];
      if (task.estimator->from_bins == nullptr) {
        alone_.push_back(t);
        continue;
      }
      const auto same = [&](const Shared& s) {
        return s.binning == *task.estimator->binning && s.bins == static_cast<std::size_t>(task.options.bins);
      };
      auto at = std::find_if(shared_.begin(), shared_.end(), same);
      if (at == shared_.end())
        at = shared_.insert(at, {*task.estimator->binning, static_cast<std::size_t>(task.options.bins), {}});
      at->tasks.push_back(t);
    }
  }

  // f(task, estimate or error)
  template <class F>
  void run(const measure::Sample& sample, const F& f) const {
    for (const Shared& s : shared_) {
      const auto sums = sample.bins(s.binning, s.bins);
      for (const std::size_t t : s.tasks) f(t, tasks_[t].estimator->from_bins(sums, sample.unit(), tasks_[t].options));
    }
    for (const std::size_t t : alone_) {
      numeric::stop_if_asked();  // a sample may have many rows
      f(t, tasks_[t].estimator->run(sample, tasks_[t].options));
    }
  }

 private:
  struct Shared {
    numeric::Binning binning;
    std::size_t bins;
    std::vector<std::size_t> tasks;
  };
  std::span<const measure::Choice> tasks_;
  std::vector<Shared> shared_;
  std::vector<std::size_t> alone_;
};

Result<int> check(const Sampler& sampler, std::span<const measure::Choice> tasks, std::span<const std::size_t> sizes,
                  const Replicates& r) {
  if (tasks.empty()) return Error{.code = Errc::bad_option, .what = "there is no estimator to study", .remedy = {}};
  if (sizes.empty()) return Error{.code = Errc::bad_option, .what = "there is no sample size to study", .remedy = {}};
  for (const std::size_t n : sizes)
    if (const auto fine = in_range(options::n, n); !fine) return fine.error();
  static_assert(options::n.most == Sampler::largest_n);
  if (const auto fine =
          all_of({in_range(options::replicates, r.count), in_range(options::replicates, r.first + r.count)});
      !fine)
    return fine.error();
  // what an estimator does not accept, it rejects on any sample
  Workspace work;
  sampler.draw(std::min<std::size_t>(sizes.front(), 100), r.seed, r.stream, 0, work.scratch, work.data);
  for (const measure::Choice& task : tasks) {
    const auto tried = task.estimator->run(measure::Sample(&work.data), task.options);
    if (!tried && tried.error().code != Errc::undefined) {
      Error error = tried.error();
      if (error.value.empty()) error.what = std::string(task.estimator->name) + ": " + error.what;
      return error;
    }
  }
  return 0;
}

// A study while it runs: workers hand in finished parts.
class RunningStudy {
 public:
  RunningStudy(const SimOptions& options, std::vector<Part> parts, std::size_t tasks, Settings settings)
      : options_(options), parts_(std::move(parts)), tasks_(tasks), settings_(std::move(settings)) {
    state_.done.resize(parts_.size());
    state_.tallies.resize(options.sizes.size() * tasks);
    for (const Part& p : parts_) all_rows_ += rows_of(p);
  }

  // Goes on from the checkpoint, and makes sure that it can be written.
  Result<int> open() {
    if (options_.checkpoint.empty()) return 0;
    const auto found = read_checkpoint(options_.checkpoint, settings_, state_);
    if (!found) return found.error();
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (state_.done[i]) done_rows_ += rows_of(parts_[i]);
    return save();
  }

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] bool wanted(std::size_t i) {  // a part nobody has done, and nobody has said stop
    if (options_.cancel && options_.cancel->load(std::memory_order_relaxed)) return false;
    const std::scoped_lock lock(mutex_);
    return state_.done[i] == 0;
  }

  void hand_in(std::size_t i, std::span<const Tally> tallies) {
    const std::scoped_lock lock(mutex_);
    for (std::size_t t = 0; t < tasks_; ++t) state_.tallies[parts_[i].size * tasks_ + t].merge(tallies[t]);
    state_.done[i] = 1;
    done_rows_ += rows_of(parts_[i]);
    if (!options_.checkpoint.empty() && seconds_since(saved_) > options_.checkpoint_seconds)
      if (auto written = save(); !written && !failure_) failure_ = written.error();
    if (options_.progress && std::this_thread::get_id() == caller_ && seconds_since(told_) > 0.1) {
      options_.progress("simulating", done_rows_, all_rows_);
      told_ = Clock::now();
    }
  }

  Result<Finished> close() {
    if (!options_.checkpoint.empty()) {
      if (const auto written = save(); !written) return written.error();
      if (failure_) return *failure_;
    }
    if (options_.progress) options_.progress("simulating", done_rows_, all_rows_);
    const bool complete = std::all_of(state_.done.begin(), state_.done.end(), [](std::uint8_t d) { return d != 0; });
    return Finished{std::move(state_.tallies), complete};
  }

 private:
  [[nodiscard]] std::size_t rows_of(const Part& p) const { return p.count * options_.sizes[p.size]; }
  Result<int> save() {
    saved_ = Clock::now();
    return write_checkpoint(options_.checkpoint, settings_, state_);
  }

  const SimOptions& options_;
  std::vector<Part> parts_;
  std::size_t tasks_;
  Settings settings_;
  std::mutex mutex_;
  Checkpoint state_;
  std::size_t done_rows_ = 0, all_rows_ = 0;
  std::optional<Error> failure_;
  Clock::time_point saved_ = Clock::now(), told_ = {};
  std::thread::id caller_ = std::this_thread::get_id();
};

Result<Finished> run(const Sampler& sampler, std::span<const measure::Choice> tasks, const SimOptions& options,
                     Settings settings) {
  if (const auto fine = check(sampler, tasks, options.sizes, options.replicates); !fine) return fine.error();
  RunningStudy running(options, parts_of(options.sizes, options.replicates), tasks.size(), std::move(settings));
  if (const auto opened = running.open(); !opened) return opened.error();
  const Evaluator evaluator(tasks);
  Workspaces workspaces;
  numeric::parallel_for(running.parts().size(), options.threads, [&](std::size_t i) {
    if (!running.wanted(i)) return;
    const Part& part = running.parts()[i];
    std::vector<Tally> tallies(tasks.size());
    draw_part(sampler, options.sizes[part.size], part, options.replicates, workspaces,
              [&](std::size_t replicate, const measure::Sample& sample) {
                evaluator.run(sample, [&](std::size_t t, const Result<Estimate>& e) { tallies[t].add(replicate, e); });
              });
    running.hand_in(i, tallies);
  });
  return running.close();
}

std::string list_of(std::span<const double> values) { return fmt::format("{}", fmt::join(values, ",")); }

// Equal words, equal truth. Empirical scores by number and a hash (FNV-1a) of their bits.
std::string in_words(const Truth& truth) {
  std::string scores = "uniform";
  if (truth.scores.kind == ScoreKind::beta) scores = fmt::format("beta({},{})", truth.scores.alpha, truth.scores.beta);
  if (truth.scores.kind == ScoreKind::empirical) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const Point& p : truth.scores.values)
      for (const double x : {p.c, p.u}) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3U;
    for (const double x : truth.scores.ends) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3U;
    scores = fmt::format("empirical({},{:016x})", truth.scores.values.size(), hash);
  }
  return fmt::format("{} {}:{} strength {}", scores, truth.curve.family->name, list_of(truth.curve.coefficients),
                     truth.curve.strength);
}

std::string in_words(const measure::Choice& task) {
  return fmt::format("{}(bins={},norm={},max_bins={},rooted={})", task.estimator->name, task.options.bins,
                     task.options.norm, task.options.max_bins, task.options.rooted);
}

Settings settings_of(const Truth& truth, std::span<const measure::Choice> tasks, const SimOptions& options) {
  std::vector<std::string> words;
  for (const measure::Choice& task : tasks) words.push_back(in_words(task));
  const Replicates& r = options.replicates;
  return {{"truth", in_words(truth)},
          {"list of sizes", fmt::format("{}", fmt::join(options.sizes, ","))},
          {"number of replicates", fmt::format("{}", r.count)},
          {"first replicate", fmt::format("{}", r.first)},
          {"seed", fmt::format("{}", r.seed)},
          {"stream", fmt::format("{}", r.stream)},
          {"list of estimators", fmt::format("{}", fmt::join(words, ","))},
          {"size of parts", fmt::format("{}", part_rows)}};
}

SimRow row_of(const measure::Choice& task, std::size_t n, const Tally& tally, const TrueError& truth) {
  const measure::Estimator& row = *task.estimator;
  SimRow out{.estimator = std::string(row.name), .n = n};
  if (row.norms != measure::Norms::none) out.norm = task.options.norm;
  if (row.uses_bins) out.bins = task.options.bins;
  out.replicates = tally.defined + tally.undefined;
  out.undefined = tally.undefined;
  out.reason = tally.reason;
  if (tally.defined == 0) return out;
  out.mean = tally.mean();
  out.sd = tally.sd();
  out.se = tally.se();
  if (!row.uses_bins && tally.bins > 0) out.mean_bins = tally.mean_bins();
  const auto error = row.estimand == "tce" && out.norm ? truth.of(*out.norm) : std::nullopt;
  if (error) {
    out.bias = *out.mean - *error;
    out.rmse = std::hypot(*out.sd, *out.bias);
  }
  return out;
}

}  // namespace

Result<Finished> run(const Sampler& sampler, std::span<const measure::Choice> tasks, const SimOptions& options) {
  SimOptions without = options;
  without.checkpoint.clear();
  return run(sampler, tasks, without, {});
}

Result<SimTable> study(const Truth& truth, std::span<const measure::Choice> tasks, const SimOptions& options) {
  const auto sampler = Sampler::of(truth);
  if (!sampler) return sampler.error();
  const auto finished = run(*sampler, tasks, options, settings_of(truth, tasks, options));
  if (!finished) return finished.error();
  SimTable out{.truth = info(truth),
               .true_error = options.true_error,
               .replicates = options.replicates.count,
               .seed = options.replicates.seed,
               .complete = finished->complete};
  for (std::size_t s = 0; s < options.sizes.size(); ++s)
    for (std::size_t t = 0; t < tasks.size(); ++t)
      out.rows.push_back(
          row_of(tasks[t], options.sizes[s], finished->tallies[s * tasks.size() + t], options.true_error));
  const auto [fewest, most] = std::minmax_element(
      out.rows.begin(), out.rows.end(), [](const SimRow& a, const SimRow& b) { return a.replicates < b.replicates; });
  out.fewest = fewest->replicates;
  out.most = most->replicates;
  return out;
}

Result<Values> replicate_values(const Sampler& sampler, std::span<const measure::Choice> tasks, std::size_t n,
                                const Replicates& replicates, int threads) {
  if (const auto fine = check(sampler, tasks, {&n, 1}, replicates); !fine) return fine.error();
  Values out(tasks.size(), std::vector<std::optional<double>>(replicates.count));
  const Evaluator evaluator(tasks);
  for_each_sample(sampler, n, replicates, threads, [&](std::size_t replicate, const measure::Sample& sample) {
    evaluator.run(sample, [&](std::size_t t, const Result<Estimate>& e) {
      if (e) out[t][replicate - replicates.first] = e->value;
    });
  });
  return out;
}

void for_each_sample(const Sampler& sampler, std::size_t n, const Replicates& replicates, int threads,
                     const std::function<void(std::size_t, const measure::Sample&)>& f) {
  const auto parts = parts_of({&n, 1}, replicates);
  Workspaces workspaces;
  numeric::parallel_for(parts.size(), threads,
                        [&](std::size_t i) { draw_part(sampler, n, parts[i], replicates, workspaces, f); });
}

TruthInfo info(const Truth& truth) {
  TruthInfo out{.name = truth.name};
  switch (truth.scores.kind) {
    case ScoreKind::beta:
      out.scores = "beta";
      out.alpha = truth.scores.alpha;
      out.beta = truth.scores.beta;
      break;
    case ScoreKind::uniform:
      out.scores = "uniform";
      break;
    case ScoreKind::empirical:
      out.scores = "empirical";
      out.values = static_cast<std::size_t>(std::llround(truth.scores.weight()));
      break;
  }
  out.curve = truth.curve.family->name;
  if (!truth.curve.coefficients.empty()) out.curve += ":" + list_of(truth.curve.coefficients);
  return out;
}

}  // namespace tare::inner::simulate
