#include "tare/simulate/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "tare/core/options.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/simulate/running_study.hpp"

namespace tare::detail::simulate {
namespace {

// Memory that a thread takes from the workspaces and puts back: allocating it anew costs more than a small sample.
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
void draw_part(const Sampler& sampler, std::size_t n, const ReplicateBatch& part, const Replicates& r,
               Workspaces& workspaces, const F& f) {
  auto work = workspaces.take();
  for (std::size_t i = part.first; i < part.first + part.count; ++i) {
    sampler.draw(n, r.seed, r.stream, static_cast<std::uint32_t>(i), work->scratch, work->data);
    f(i, measure::Sample(&work->data));
  }
  workspaces.put_back(std::move(work));
}

// The values of all tasks on one sample. Estimators that are functions of sums over the same bins share the sums.
class Evaluator {
 public:
  explicit Evaluator(std::span<const measure::Choice> tasks) {
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const measure::Choice& task = tasks_.emplace_back(tasks[t].without_details());
      if (task.estimator->from_bins == nullptr) {
        alone_.push_back(t);
        continue;
      }
      const auto same = [&](const Shared& s) {
        return s.binning == *task.estimator->binning && s.bins == static_cast<std::size_t>(task.options.bins);
      };
      auto at = std::ranges::find_if(shared_, same);
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
      f(t, tasks_[t].run(sample));
    }
  }

 private:
  struct Shared {
    numeric::Binning binning;
    std::size_t bins;
    std::vector<std::size_t> tasks;
  };
  std::vector<measure::Choice> tasks_;
  std::vector<Shared> shared_;
  std::vector<std::size_t> alone_;
};

Result<int> check(const Sampler& sampler, std::span<const measure::Choice> tasks, std::span<const std::size_t> sizes,
                  const Replicates& r) {
  if (tasks.empty()) return Error{Errc::bad_option, "there is no estimator to study"};
  if (sizes.empty()) return Error{Errc::bad_option, "there is no sample size to study"};
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

Result<Finished> run(const Sampler& sampler, std::span<const measure::Choice> tasks, const SimOptions& options,
                     Settings settings) {
  if (const auto fine = check(sampler, tasks, options.sizes, options.replicates); !fine) return fine.error();
  RunningStudy running(options, tasks.size(), std::move(settings));
  if (const auto opened = running.open(); !opened) return opened.error();
  const Evaluator evaluator(tasks);
  Workspaces workspaces;
  numeric::parallel_for(running.parts().size(), options.threads, [&](std::size_t i) {
    if (!running.wanted(i)) return;
    const ReplicateBatch& part = running.parts()[i];
    std::vector<Tally> tallies(tasks.size());
    draw_part(sampler, options.sizes[part.size], part, options.replicates, workspaces,
              [&](std::size_t replicate, const measure::Sample& sample) {
                evaluator.run(sample, [&](std::size_t t, const Result<Estimate>& e) { tallies[t].add(replicate, e); });
              });
    running.hand_in(i, tallies);
  });
  return running.close();
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
  constexpr const char* kinds[] = {"beta", "uniform", "empirical"};
  out.scores = kinds[static_cast<std::size_t>(truth.scores.kind)];
  if (truth.scores.kind == ScoreKind::beta) {
    out.alpha = truth.scores.alpha;
    out.beta = truth.scores.beta;
  }
  if (truth.scores.kind == ScoreKind::empirical)
    out.values = static_cast<std::size_t>(std::llround(truth.scores.weight()));
  out.curve = to_text(truth.curve);
  return out;
}

}  // namespace tare::detail::simulate
