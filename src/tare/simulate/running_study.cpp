#include "tare/simulate/running_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tare/write/whole_file.hpp"

namespace tare::detail::simulate {
namespace {

double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

// Equal words, equal truth. Empirical scores by number and a hash (FNV-1a) of their bits.
std::string in_words(const Truth& truth) {
  std::string scores = "uniform";
  if (truth.scores.kind == ScoreKind::beta) scores = fmt::format("beta({},{})", truth.scores.alpha, truth.scores.beta);
  if (truth.scores.kind == ScoreKind::empirical) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const ScorePoint& p : truth.scores.values)
      for (const double x : {p.c, p.u}) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3U;
    for (const double x : truth.scores.ends) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3U;
    scores = fmt::format("empirical({},{:016x})", truth.scores.values.size(), hash);
  }
  return fmt::format("{} {}:{} strength {}", scores, truth.curve.family->name, fmt::join(truth.curve.coefficients, ","),
                     truth.curve.strength);
}

std::string in_words(const measure::Choice& task) {
  return fmt::format("{}(bins={},norm={},max_bins={},rooted={})", task.estimator->name, task.options.bins,
                     task.options.norm, task.options.max_bins, task.options.rooted);
}

using Json = nlohmann::ordered_json;
constexpr int version = 1;

// 128-bit integers as two halves.
Json to_json(const numeric::ExactSum& sum) {
  const auto bits = static_cast<numeric::u128>(sum.units());
  return {static_cast<std::uint64_t>(bits >> 64), static_cast<std::uint64_t>(bits)};
}

numeric::ExactSum exact_sum(const Json& j) {
  const auto bits = static_cast<numeric::u128>(j.at(0).get<std::uint64_t>()) << 64 | j.at(1).get<std::uint64_t>();
  return numeric::ExactSum::of_units(static_cast<numeric::i128>(bits));
}

Json to_json(const Tally& t) {
  return {{"defined", t.defined},          {"undefined", t.undefined}, {"bins", t.bins},    {"sum", to_json(t.sum)},
          {"squares", to_json(t.squares)}, {"reason_of", t.reason_of}, {"reason", t.reason}};
}

Tally tally(const Json& j) {
  return {.defined = j.at("defined"),
          .undefined = j.at("undefined"),
          .bins = j.at("bins"),
          .sum = exact_sum(j.at("sum")),
          .squares = exact_sum(j.at("squares")),
          .reason_of = j.at("reason_of"),
          .reason = j.at("reason")};
}

Error no_checkpoint(const std::string& path) {
  return {.code = Errc::bad_input,
          .what = fmt::format("{} is not a checkpoint of a simulation", foreign(path)),
          .remedy = "delete it, or name another file"};
}

Result<int> compare(const std::string& path, const Settings& settings, const Json& saved) {
  for (const auto& [name, value] : settings) {
    const std::string other = saved.value(name, "unknown");
    if (other != value)
      return Error{.code = Errc::bad_option,
                   .what = fmt::format("the checkpoint {} is of another study: its {} is {}, not {}", foreign(path),
                                       name, foreign(other), foreign(value)),
                   .remedy = "run with the settings it was made with, delete it, or name another file"};
  }
  return 0;
}

Result<int> write_checkpoint(const std::string& path, const Settings& settings, const Checkpoint& checkpoint) {
  Json j{{"tare_checkpoint", version}, {"settings", Json::object()}};
  for (const auto& [name, value] : settings) j["settings"][name] = value;
  std::string done;
  for (const std::uint8_t d : checkpoint.done) done += d ? '1' : '0';
  j["done"] = done;
  j["tallies"] = Json::array();
  for (const Tally& t : checkpoint.tallies) j["tallies"].push_back(to_json(t));

  const auto written = write::write_file(path, j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  if (!written)
    return Error{.code = Errc::io, .what = "the checkpoint: " + written.error().what, .remedy = written.error().remedy};
  return 0;
}

// False if there is no such file. An error if it is of another study, or is no checkpoint.
Result<bool> read_checkpoint(const std::string& path, const Settings& settings, Checkpoint& checkpoint) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto kind = fs::status(path, ignored);
  if (!fs::exists(kind)) return false;
  if (!fs::is_regular_file(kind))
    return Error{.code = Errc::bad_option,
                 .what = fmt::format("the checkpoint {} is not a file", foreign(path)),
                 .remedy = "name a file, or one to be made"};
  // A checkpoint of this study is not longer; what is longer may have no end.
  const std::uintmax_t longest = (std::uintmax_t{1} << 26) + checkpoint.done.size() + checkpoint.tallies.size() * 4096;
  std::ifstream in(path, std::ios::binary);
  std::string text(std::min(longest, fs::file_size(path, ignored)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  const Json j = Json::parse(text, nullptr, false);
  if (!in || !j.is_object() || !j.contains("tare_checkpoint") || j["tare_checkpoint"] != version ||
      !j.contains("settings"))
    return no_checkpoint(path);
  try {
    if (const auto same = compare(path, settings, j.at("settings")); !same) return same.error();
    const std::string done = j.at("done");
    if (done.size() != checkpoint.done.size() || j.at("tallies").size() != checkpoint.tallies.size())
      return no_checkpoint(path);
    for (std::size_t i = 0; i < done.size(); ++i) checkpoint.done[i] = done[i] == '1';
    for (std::size_t i = 0; i < checkpoint.tallies.size(); ++i) checkpoint.tallies[i] = tally(j.at("tallies").at(i));
  } catch (const Json::exception&) {
    return no_checkpoint(path);
  }
  return true;
}

}  // namespace

std::vector<ReplicateBatch> parts_of(std::span<const std::size_t> sizes, const Replicates& r) {
  std::vector<ReplicateBatch> out;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const std::size_t step = std::max<std::size_t>(part_rows / sizes[s], 1);
    for (std::size_t i = 0; i < r.count; i += step) out.push_back({s, r.first + i, std::min(step, r.count - i)});
  }
  std::ranges::stable_sort(out, {}, &ReplicateBatch::first);
  return out;
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

RunningStudy::RunningStudy(const SimOptions& options, std::size_t tasks, Settings settings)
    : options_(options),
      parts_(parts_of(options.sizes, options.replicates)),
      tasks_(tasks),
      settings_(std::move(settings)) {
  state_.done.resize(parts_.size());
  state_.tallies.resize(options.sizes.size() * tasks);
  for (const ReplicateBatch& p : parts_) all_rows_ += rows_of(p);
}

Result<int> RunningStudy::open() {
  if (options_.checkpoint.empty()) return 0;
  const auto found = read_checkpoint(options_.checkpoint, settings_, state_);
  if (!found) return found.error();
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (state_.done[i]) done_rows_ += rows_of(parts_[i]);
  return save();
}

bool RunningStudy::wanted(std::size_t i) {
  if (options_.cancel && options_.cancel->load(std::memory_order_relaxed)) return false;
  const std::scoped_lock lock(mutex_);
  return state_.done[i] == 0;
}

void RunningStudy::hand_in(std::size_t i, std::span<const Tally> tallies) {
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

Result<Finished> RunningStudy::close() {
  if (!options_.checkpoint.empty()) {
    if (const auto written = save(); !written) return written.error();
    if (failure_) return *failure_;
  }
  if (options_.progress) options_.progress("simulating", done_rows_, all_rows_);
  const bool complete = std::ranges::all_of(state_.done, [](std::uint8_t d) { return d != 0; });
  return Finished{std::move(state_.tallies), complete};
}

Result<int> RunningStudy::save() {
  saved_ = Clock::now();
  return write_checkpoint(options_.checkpoint, settings_, state_);
}

}  // namespace tare::detail::simulate
