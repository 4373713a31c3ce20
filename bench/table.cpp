#include "bench/table.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tare::detail::bench {
namespace {

double now(Clock clock) {
  timespec t{};
  clock_gettime(clock == Clock::cpu ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

std::string duration(double s) {
  if (s < 1e-3) return fmt::format("{:.1f} us", s * 1e6);
  return s < 1 ? fmt::format("{:.2f} ms", s * 1e3) : fmt::format("{:.2f} s", s);
}

std::string number(double x) {
  if (x == 0) return "0";
  const int digits = std::max(0, 2 - static_cast<int>(std::floor(std::log10(std::abs(x)))));
  return fmt::format("{:.{}f}", x, std::min(digits, 5));
}

std::string wanted(Goal goal, double target) {
  return goal == Goal::none ? "" : (goal == Goal::at_least ? ">= " : "<= ") + number(target);
}

// A regular expression for the names as Google Benchmark has them: with its settings behind a slash.
std::string one_of(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += out.empty() ? "^(" : "|";
    for (const char c : name) {
      if (std::string_view(".[]{}()*+?^$|\\").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out + ")/iterations:";
}

}  // namespace

void Times::add(const std::string& name, double seconds) {
  const auto at = best_.try_emplace(name, seconds).first;
  at->second = std::min(at->second, seconds);
}

void Table::time(const std::string& name, const std::function<Work()>& setup, Clock clock, int repetitions) {
  if (std::find(names_.begin(), names_.end(), name) != names_.end()) return;
  names_.push_back(name);
  const auto run = [this, name, setup, clock](benchmark::State& state) {
    const Work work = setup();
    for ([[maybe_unused]] auto _ : state) {
      const double from = now(clock);
      work();
      const double seconds = now(clock) - from;
      state.SetIterationTime(seconds);
      times_.add(name, seconds);
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Iterations(quick_ ? 1 : repetitions);
}

void Table::line(std::string what, std::size_t n, std::string shown, std::function<double(const Times&)> value,
                 std::string unit, Goal goal, double target) {
  lines_.push_back({std::move(what), n, std::move(shown), std::move(value), std::move(unit), goal, target});
}

void Table::bandwidth_line(std::string what, std::size_t n, const std::string& name, double bytes, double target) {
  const double all = bandwidth_bytes(*this);
  line(
      std::move(what), n, name, [=](const Times& t) { return bytes / t(name) / (all / t(bandwidth)); }, "of bandwidth",
      Goal::at_least, target);
}

void Table::run() {
  class Quiet : public benchmark::BenchmarkReporter {
   public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
      for (const auto& r : runs) fmt::print(stderr, "  {}\n", r.run_name.function_name);
    }
  } quiet;
  benchmark::RunSpecifiedBenchmarks(&quiet);
  for (int again = 0; again < 3; ++again) {
    std::set<std::string> names;
    for (const Line& l : lines_) {
      times_.take_asked();
      if (is_missed(l)) names.merge(times_.take_asked());
    }
    if (names.empty()) return;
    fmt::print(stderr, "again, because a target was missed:\n");
    benchmark::RunSpecifiedBenchmarks(&quiet, one_of(names));
  }
}

bool Table::is_missed(const Line& l) const {
  if (quick_ || l.goal == Goal::none || (!l.shown.empty() && !times_.has(l.shown))) return false;
  const double value = l.value(times_);
  return l.goal == Goal::at_least ? value < l.target : value > l.target;
}

std::string Table::missed() const {
  std::string out;
  for (const Line& l : lines_)
    if (is_missed(l))
      out += fmt::format("{}{}: {}, wanted {}", out.empty() ? "below target: " : "; ", l.what, number(l.value(times_)),
                         wanted(l.goal, l.target));
  return out;
}

void Table::print() const {
  fmt::print("{:<46} {:>11} {:>11} {:>22} {:>9}  {}\n", "what", "n", "time", "ratio", "target", "");
  for (const Line& l : lines_) {
    const double value = l.value(times_);
    if (std::isnan(value) || (!l.shown.empty() && !times_.has(l.shown))) continue;  // filtered out
    const std::string verdict = l.goal == Goal::none ? "" : quick_ ? "(quick)" : is_missed(l) ? "below" : "ok";
    fmt::print("{:<46} {:>11} {:>11} {:>22} {:>9}  {}\n", l.what, l.n, l.shown.empty() ? "" : duration(times_(l.shown)),
               number(value) + " " + l.unit, wanted(l.goal, l.target), verdict);
  }
}

}  // namespace tare::detail::bench
