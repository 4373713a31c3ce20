// What is timed, and what is said about it. A timing is one Google Benchmark whose best
// repetition counts; a line of the table is a number made from timings, with its target.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tare::detail::bench {

// Thread CPU time for one thread: other programs on the machine disturb it least. Wall time for more.
enum class Clock { cpu, wall };
enum class Goal { at_least, at_most, none };

class Times {
 public:
  void add(const std::string& name, double seconds);
  [[nodiscard]] double operator()(const std::string& name) const {
    asked_.insert(name);
    return has(name) ? best_.at(name) : std::numeric_limits<double>::quiet_NaN();  // filtered out
  }
  [[nodiscard]] bool has(const std::string& name) const { return best_.contains(name); }
  // The names that were asked for since the last call: what a number is made from.
  std::set<std::string> take_asked() const { return std::exchange(asked_, {}); }

 private:
  std::map<std::string, double> best_;
  mutable std::set<std::string> asked_;
};

class Table {
 public:
  explicit Table(bool quick) : quick_(quick) {}

  // Rows to use for n: all of them, or a hundredth in a quick run.
  [[nodiscard]] std::size_t rows(double n) const { return static_cast<std::size_t>(quick_ ? n / 100 : n); }
  [[nodiscard]] bool quick() const { return quick_; }

  // setup() makes the data, untimed, and returns the work to be timed; both die after the benchmark.
  using Work = std::function<void()>;
  void time(const std::string& name, const std::function<Work()>& setup, Clock clock = Clock::cpu, int repetitions = 7);

  // value(times) is the number in the ratio column; `shown` is the timing in the time column (or empty).
  void line(std::string what, std::size_t n, std::string shown, std::function<double(const Times&)> value,
            std::string unit, Goal goal, double target);

  // A line for the fraction of the memory bandwidth that `bytes` in the time of `name` amount to.
  void bandwidth_line(std::string what, std::size_t n, const std::string& name, double bytes, double target);

  void run();  // all benchmarks, and those behind a missed target again, up to three times: other programs disturb
  void print() const;
  [[nodiscard]] std::string missed() const;  // "below target: WHAT: 3.76, wanted >= 5.00; ..."; or nothing

 private:
  struct Line {
    std::string what;
    std::size_t n;
    std::string shown;
    std::function<double(const Times&)> value;
    std::string unit;
    Goal goal;
    double target;
  };
  [[nodiscard]] bool is_missed(const Line& line) const;  // never in a quick run
  bool quick_;
  Times times_;
  std::vector<std::string> names_;
  std::vector<Line> lines_;
};

inline constexpr const char* bandwidth = "read";  // the timing of the bandwidth kernel
double bandwidth_bytes(const Table& table);
inline constexpr const char* copying = "copy";  // that of a copy
double copied_numbers(const Table& table);

void add_bandwidth(Table& table);
void add_memory(Table& table);
void add_numeric(Table& table);
void add_estimators(Table& table);
void add_fit_memory(Table& table);
void add_fits(Table& table);
void add_binary_fits(Table& table);
void add_maps(Table& table);
void add_simulation(Table& table);
void add_state(Table& table);
void add_program(Table& table);

}  // namespace tare::detail::bench
