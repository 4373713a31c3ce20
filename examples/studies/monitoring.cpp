// How often does `tare watch` raise a false alarm, and how soon does it see a loss? Prints the tables of
// docs/studies/monitoring.md:  monitoring [moved | ever | delay] [samples] [truth]
//
// Truths are invented here: scores of four kinds, curves that are smooth, kinked, stepped or flat, and drift of the
// scores between a reference of 10,000 rows and the days after it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tare/numeric/parallel.hpp"
#include "tare/state/state.hpp"
#include "tare/watch/calibration_shift.hpp"
#include "tare/watch/e_process.hpp"

namespace {

using namespace tare::detail;
using Rng = std::mt19937_64;
using Curve = std::function<double(double)>;
using Scores = std::function<double(Rng&)>;

double uniform(Rng& rng) { return std::uniform_real_distribution<double>()(rng); }
double logistic(double z) { return 1 / (1 + std::exp(-z)); }
double log_odds(double s) { return std::log(s / (1 - s)); }

Scores beta(double a, double b) {
  return [a, b](Rng& rng) {
    const double x = std::gamma_distribution<double>(a)(rng), y = std::gamma_distribution<double>(b)(rng);
    return std::clamp(x / (x + y), 1e-12, 1 - 1e-12);
  };
}
// Two populations: unsure ones, and a share of sure ones.
Scores two_kinds(double sure) {
  return [sure](Rng& rng) { return uniform(rng) < sure ? beta(30, 1.5)(rng) : beta(3, 4)(rng); };
}
Scores on_grid(double steps, Scores of) {
  return
      [steps, of](Rng& rng) { return std::clamp(std::round(of(rng) * steps) / steps, 0.5 / steps, 1 - 0.5 / steps); };
}

struct Truth {
  std::string kind, rest;  // of the scores; the curve, and where the scores drift to
  Scores before, after;    // of the reference and of the days
  Curve curve;
  [[nodiscard]] std::string name() const { return kind + ", " + rest; }
};

std::vector<Truth> truths() {
  const auto kinked = [](double s) { return s < 0.6 ? 0.15 + 0.5 * s : 0.45 + 1.2 * (s - 0.6); };
  const auto overconfident = [](double s) { return logistic(0.55 * log_odds(s) - 0.2); };
  const auto steps = [](double s) { return s < 0.3 ? 0.12 : s < 0.7 ? 0.5 : 0.83; };
  const auto wave = [](double s) { return std::clamp(s + 0.08 * std::sin(14 * s), 0.0, 1.0); };
  return {{"two kinds", "overconfident; more sure ones", two_kinds(0.4), two_kinds(0.7), overconfident},
          {"Beta(2, 5)", "kinked; to the middle", beta(2, 5), beta(5, 5), kinked},
          {"Beta(.7, .7)", "wave; to one side", beta(0.7, 0.7), beta(1.6, 0.7), wave},
          {"uniform", "three steps; to the ends", beta(1, 1), beta(0.4, 0.4), steps},
          {"hundredths of Beta(4, 1)", "s^2; lower", on_grid(100, beta(4, 1)), on_grid(100, beta(2, 1)),
           [](double s) { return s * s; }},
          {"tenths of two kinds", "calibrated; fewer sure ones", on_grid(10, two_kinds(0.5)),
           on_grid(10, two_kinds(0.2)), [](double s) { return s; }}};
}

watch::Period drawn(const Scores& scores, const Curve& curve, std::size_t n, Rng& rng) {
  std::vector<double> score(n);
  std::vector<std::uint8_t> label(n);
  for (std::size_t i = 0; i < n; ++i) {
    score[i] = scores(rng);
    label[i] = uniform(rng) < curve(score[i]);
  }
  auto state = *state::State::make();
  static_cast<void>(state.add(*binary_view(std::span<const double>(score), label)));
  return *watch::period_of(state);
}

// 15 bins of equal width.
double ece(const watch::Period& p) {
  std::vector<double> gap(15);
  for (std::size_t i = 0; i < p.size(); ++i)
    gap[std::min<std::size_t>(static_cast<std::size_t>(p.score[i] * 15), 14)] += p.hits[i] - p.rows[i] * p.score[i];
  double out = 0;
  for (const double g : gap) out += std::abs(g);
  return out / p.all_rows();
}

// Two-sided z of the difference of mean residuals: the usual look at a dashboard.
bool residuals_differ(const watch::Period& a, const watch::Period& b) {
  const auto mean = [](const watch::Period& p) { return p.all_hits() / p.all_rows() - p.mean_score(); };
  const auto variance = [](const watch::Period& p) {
    double sum = 0;
    const double m = p.all_hits() / p.all_rows() - p.mean_score();
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double s = p.score[i] + m;
      sum += p.hits[i] * (1 - s) * (1 - s) + (p.rows[i] - p.hits[i]) * s * s;
    }
    return sum / p.all_rows() / p.all_rows();
  };
  return std::abs(mean(a) - mean(b)) > 1.96 * std::sqrt(variance(a) + variance(b));
}

// Is the day's ECE above 95 of 100 samples of the reference of that size?
bool ece_is_higher(const watch::Period& reference, const watch::Period& day, Rng& rng) {
  const auto n = static_cast<std::size_t>(day.all_rows());
  std::vector<double> until;
  double total = 0;
  for (const double r : reference.rows) until.push_back(total += r);
  int higher = 0;
  const double seen = ece(day);
  for (int r = 0; r < 99; ++r) {
    watch::Period again{.score = reference.score};
    again.rows.assign(reference.size(), 0);
    again.hits.assign(reference.size(), 0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto c = static_cast<std::size_t>(std::lower_bound(until.begin(), until.end() - 1, uniform(rng) * total) -
                                              until.begin());
      again.rows[c] += 1;
      again.hits[c] += uniform(rng) * reference.rows[c] < reference.hits[c];
    }
    higher += ece(again) >= seen;
  }
  return higher < 5;
}

template <class F>
double share(int samples, const F& f) {
  std::vector<std::uint8_t> hit(static_cast<std::size_t>(samples));
  numeric::parallel_for(hit.size(), numeric::hardware_threads(), [&](std::size_t i) {
    Rng rng(1000003 * i + 17);
    hit[i] = f(rng);
  });
  return 100 * static_cast<double>(std::count(hit.begin(), hit.end(), 1)) / samples;
}

struct Change {
  std::string name;
  std::function<double(double)> of;  // of the rate at a score; the score itself is not looked at
};

std::vector<Change> changes() {
  return {{"log-odds / 1.25", [](double c) { return logistic(log_odds(std::clamp(c, 1e-9, 1 - 1e-9)) / 1.25); }},
          {"4 points fewer", [](double c) { return std::max(c - 0.04, 0.0); }},
          {"8 points fewer above 0.7", [](double c) { return c > 0.7 ? c - 0.08 : c; }}};
}

void print_moved(int samples, const std::vector<Truth>& all) {
  fmt::print("| truth, drift | n | moved | drift seen | moved, no drift | residuals | ECE |");
  for (const Change& change : changes()) fmt::print(" {} |", change.name);
  fmt::print("\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const Truth& t : all)
    for (const std::size_t n : {300U, 2000U}) {
      const auto reject = [&](const Scores& scores, const Curve& curve) {
        return share(samples, [&](Rng& rng) {
          const auto before = drawn(t.before, t.curve, 10000, rng), today = drawn(scores, curve, n, rng);
          const auto day = static_cast<std::uint32_t>(uniform(rng) * 1e9);
          return *watch::calibration_shift(before, today, 199, 1, day).p_value <= 0.05;
        });
      };
      const auto naive = [&](const auto& looks) {
        return share(samples, [&](Rng& rng) {
          const auto before = drawn(t.before, t.curve, 10000, rng), today = drawn(t.after, t.curve, n, rng);
          return looks(before, today, rng);
        });
      };
      fmt::print("| {} | {} | {:.1f} | {:.0f} | {:.1f} | {:.0f} | {:.0f} |", t.name(), n, reject(t.after, t.curve),
                 naive([](const auto& a, const auto& b, Rng&) { return watch::score_drift(a, b).p_value <= 0.05; }),
                 reject(t.before, t.curve),
                 naive([](const auto& a, const auto& b, Rng&) { return residuals_differ(a, b); }),
                 naive([](const auto& a, const auto& b, Rng& rng) { return ece_is_higher(a, b, rng); }));
      for (const Change& change : changes())
        fmt::print(" {:.0f} |", reject(t.after, [&](double s) { return change.of(t.curve(s)); }));
      fmt::print("\n");
      std::fflush(stdout);
    }
}

// A watch without the parts that a day alone decides.
class Running {
 public:
  explicit Running(const watch::Period& reference)
      : directions_(reference),
        bets_(directions_),
        against_(directions_, directions_.gather(reference), 0.05),
        past_(directions_.cells()) {}
  // Which alarms there are; that of the reference is looked at when it is asked for.
  struct Alarms {
    bool lost = false, lately = false, changed = false;
  };
  Alarms day(const watch::Period& period, bool look_at_reference) {
    const watch::Gathered seen = directions_.gather(period);
    bets_.settle(seen, 5000);
    against_.settle(seen);
    past_.add(seen);
    bets_.make(directions_, past_);
    against_.predict(past_);
    return {bets_.evidence() >= 20, bets_.detector() >= 5000, look_at_reference && against_.evidence(past_) >= 100};
  }

 private:
  watch::Directions directions_;
  watch::EProcess bets_;
  watch::AgainstReference against_;
  watch::Past past_;
};

// The scores swing between those of the reference and the others, in 50 days.
Scores swinging(const Truth& t, int day) {
  const double share = 0.5 - 0.5 * std::cos(day / 25.0 * 3.14159265358979);
  return [&t, share](Rng& rng) { return uniform(rng) < share ? t.after(rng) : t.before(rng); };
}

constexpr std::size_t day_rows = 400;

void print_ever(int runs, const std::vector<Truth>& all) {
  constexpr int days = 1000;
  fmt::print(
      "| truth | lost | lately | changed | changed, steady scores | changed, reference of 1,000 |\n"
      "|---|--:|--:|--:|--:|--:|\n");
  for (const Truth& t : all) {
    // Shares of runs with each alarm on some day; evidence against the reference is looked at every tenth day, and on
    // the first forty.
    const auto ever = [&](const Curve& curve, bool swings, bool reference, std::size_t reference_rows = 10000) {
      std::vector<Running::Alarms> seen(static_cast<std::size_t>(runs));
      numeric::parallel_for(seen.size(), numeric::hardware_threads(), [&](std::size_t i) {
        Rng rng(1000003 * i + 23);
        Running running(drawn(t.before, curve, reference_rows, rng));
        for (int d = 1; d <= days && !seen[i].changed; ++d) {
          const Scores scores = swings ? swinging(t, d) : t.before;
          const auto now = running.day(drawn(scores, curve, day_rows, rng), reference && (d <= 40 || d % 10 == 0));
          seen[i].lost |= now.lost;
          seen[i].lately |= now.lately;
          seen[i].changed |= now.changed;
        }
      });
      std::array<double, 3> out{};
      for (const auto& s : seen) {
        out[0] += s.lost * 100.0 / runs;
        out[1] += s.lately * 100.0 / runs;
        out[2] += s.changed * 100.0 / runs;
      }
      return out;
    };
    const auto calm = ever([](double s) { return s; }, true, false);
    fmt::print("| {} | {:.1f} | {:.1f} |", t.name(), calm[0], calm[1]);
    std::fflush(stdout);
    fmt::print(" {:.1f} | {:.1f} |", ever(t.curve, true, true)[2], ever(t.curve, false, true)[2]);
    std::fflush(stdout);
    fmt::print(" {:.1f} |\n", ever(t.curve, true, true, 1000)[2]);
    std::fflush(stdout);
  }
}

// Days from the change until the first alarm: median and nine in ten, "-" where there is none within 200.
std::string delays(std::vector<int> days) {
  if (days.empty()) return "none";
  std::sort(days.begin(), days.end());
  const auto at = [&](double q) {
    const int d = days[static_cast<std::size_t>(q * static_cast<double>(days.size() - 1))];
    return d > 200 ? std::string("-") : std::to_string(d);
  };
  return at(0.5) + " / " + at(0.9);
}

void print_delay(int runs) {
  fmt::print("| scores, change of a calibrated model | from | lost | lately | changed |\n|---|--:|--:|--:|--:|\n");
  const auto all = truths();
  for (const std::size_t which : {0U, 1U, 2U, 4U})
    for (const Change& change : changes())
      for (const int since : {1, 201}) {
        const Truth& t = all[which];
        const Curve calm = [](double s) { return s; }, lost = [&](double s) { return change.of(s); };
        std::vector<std::array<int, 3>> first(static_cast<std::size_t>(runs));
        numeric::parallel_for(first.size(), numeric::hardware_threads(), [&](std::size_t i) {
          Rng rng(1000003 * i + 29);
          Running running(drawn(t.before, calm, 10000, rng));
          first[i] = {999, 999, 999};
          for (int d = 1; d < since + 200; ++d) {
            const auto alarms = running.day(drawn(t.before, d < since ? calm : lost, day_rows, rng), d >= since);
            const std::array now{alarms.lost, alarms.lately, alarms.changed};
            for (std::size_t k = 0; k < 3; ++k)
              if (now[k] && (first[i][k] == 999 || (k == 1 && first[i][k] <= 0))) first[i][k] = d - since + 1;
            if (d >= since && *std::max_element(first[i].begin(), first[i].end()) < 999) break;
          }
        });
        std::array<std::string, 3> said;
        for (std::size_t k = 0; k < 3; ++k) {
          std::vector<int> days;
          for (const auto& f : first)
            if (f[k] > 0) days.push_back(f[k]);  // an alarm before the change is a false one
          said[k] = delays(std::move(days));
        }
        fmt::print("| {}, {} | day {} | {} | {} | {} |\n", t.kind, change.name, since, said[0], said[1], said[2]);
        std::fflush(stdout);
      }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "moved";
  const int samples = argc > 2 ? std::atoi(argv[2]) : 100;
  std::vector<Truth> all = truths();
  if (argc > 3) all = {all.at(static_cast<std::size_t>(std::atoi(argv[3])))};
  if (what == "moved") print_moved(samples, all);
  if (what == "ever") print_ever(samples, all);
  if (what == "delay") print_delay(samples);
}
