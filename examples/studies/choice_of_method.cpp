// Does `tare compare` choose the right calibrator? Prints the tables of docs/studies/choice_of_method.md:
//   choice_of_method [data sets per truth] [seed]
//
// Labels are drawn from known probabilities, and the model shows them distorted in a known way. Every method is fitted
// on the validation rows; its true loss is that on 20,000 fresh rows, the same for all methods. Per truth and number of
// validation rows:
//   best       the method with the lowest mean true loss over the data sets
//   noise      of a method: the standard deviation, over the data sets, of what cross-validation makes of its excess
//              over the best
//   as good    a mean excess of at most half of that noise; a choice is right if it is the best or as good
//   lead       the least excess of the methods that are not as good, in units of their noise; clear: above 1
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tare/analysis/compare.hpp"
#include "tare/numeric/parallel.hpp"

namespace {

using Row = std::vector<double>;

constexpr std::array<std::size_t, 2> sizes{800, 5000};  // validation rows

struct Truth {
  std::string kind, name;
  std::size_t k = 4;
  std::function<void(Row&)> change;  // from the true log-probabilities to what the model shows
  bool backwards = false;            // or from what it shows to the true ones, where that is no function of them
};

std::function<void(Row&)> scaled(double by) {
  return [=](Row& u) {
    for (double& x : u) x *= by;
  };
}

// Of two classes: the log-odds changed.
std::function<void(Row&)> log_odds(double (*change)(double)) {
  return [=](Row& u) {
    u[1] = change(u[1] - u[0]);
    u[0] = 0;
  };
}

void class_shift_and_scale(Row& u) {
  for (double& x : u) x *= 1.5;
  u[0] += 0.8, u[1] -= 0.5;
}

void every_third(Row& u) {
  if (std::fmod(std::abs(u[2]) * 1000, 3) < 1)
    for (double& x : u) x *= 4;
}

// Rows whose first two classes are 1 to 2 apart are shown with three times that: surer than those that were surer.
void too_sure_in_the_middle(Row& u) {
  Row sorted = u;
  std::sort(sorted.rbegin(), sorted.rend());
  if (const double margin = sorted[0] - sorted[1]; margin > 1 && margin < 2)
    for (double& x : u) x *= 3;
}

std::vector<Truth> truths() {
  const auto nothing = [](Row&) {};
  const std::string none = "nothing to gain", temperature = "temperature", classes = "class-wise",
                    broken = "not monotone", other = "other";
  return {
      {none, "nothing wrong", 4, nothing},
      {none, "two classes, nothing wrong", 2, nothing},
      {none, "ten classes, nothing wrong", 10, nothing},
      {temperature, "too sharp, 1.15", 4, scaled(1.15)},
      {temperature, "too sharp, 1.5", 4, scaled(1.5)},
      {temperature, "too sharp, 3", 4, scaled(3)},
      {temperature, "too flat, 0.7", 4, scaled(0.7)},
      {temperature, "ten classes, 1.5", 10, scaled(1.5)},
      {temperature, "two classes, 2", 2, scaled(2)},
      {classes, "class shift", 4, [](Row& u) { u[0] += 0.8, u[1] -= 0.5, u[3] += 0.2; }},
      {classes, "class shift and 1.5", 4, class_shift_and_scale},
      {classes, "own scale per class", 4, [](Row& u) { u[0] *= 2, u[1] *= 0.6, u[2] *= 1.4; }},
      {classes, "two classes, shift", 2, [](Row& u) { u[1] += 0.7; }},
      {broken, "two classes, waves", 2, log_odds([](double d) { return d + 1.5 * std::sin(2 * d); }), true},
      {broken, "two classes, a drop at 1", 2, log_odds([](double d) { return d > 1 ? d - 2.5 : d; }), true},
      {broken, "too sure in the middle", 4, too_sure_in_the_middle},
      {other, "two classes, cubed", 2, log_odds([](double d) { return d + 0.15 * d * d * d; })},
      {other, "two classes, a step", 2, log_odds([](double d) { return d + (d > 0 ? 1.5 : -0.2); })},
      {other, "a third of the rows 4", 4, every_third},
  };
}

struct Data {
  std::size_t k = 0;
  std::vector<double> logits;
  std::vector<std::int32_t> label;
  [[nodiscard]] tare::detail::Predictions predictions() const {
    tare::detail::Predictions out;
    out.matrix = *tare::detail::multiclass_view(tare::detail::Kind::logits, std::span<const double>(logits), k, label);
    out.n = label.size();
    return out;
  }
};

Data draw(const Truth& truth, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Data out{truth.k, {}, {}};
  Row drawn(truth.k);
  for (std::size_t i = 0; i < n; ++i) {
    for (double& x : drawn) x = 1.7 * normal(rng);
    Row changed = drawn;
    truth.change(changed);
    const Row &actual = truth.backwards ? changed : drawn, &shown = truth.backwards ? drawn : changed;
    double total = 0, below = 0;
    for (const double x : actual) total += std::exp(x);
    const double at = uniform(rng) * total;
    std::size_t label = 0;
    while (label + 1 < truth.k && (below += std::exp(actual[label])) < at) ++label;
    out.label.push_back(static_cast<std::int32_t>(label));
    out.logits.insert(out.logits.end(), shown.begin(), shown.end());
  }
  return out;
}

using Losses = std::map<std::string, double>;  // by method

// One data set: what was chosen, and the loss of every method.
struct Outcome {
  std::string recommended, lowest;
  Losses loss, out_of_fold;  // the true one, and what cross-validation makes of it
};

Outcome run(const Truth& truth, std::size_t n, std::uint64_t seed) {
  const Data validation = draw(truth, n, 2 * seed + 1), fresh = draw(truth, 20'000, 2 * seed + 2);
  const auto rows = validation.predictions(), judged = fresh.predictions();
  const auto c =
      *tare::detail::analysis::compare(rows, &judged, {.estimators = {"brier"}, .resamples = 20, .seed = seed});
  Outcome out{c.winner.method, c.winner.best, {}, {}};
  for (const auto& m : c.methods)
    if (m.reason.empty()) out.loss[m.method] = m.brier, out.out_of_fold[m.method] = *m.selection;
  return out;
}

std::string best_of(const Losses& loss) {
  return std::min_element(loss.begin(), loss.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// What is right for a truth.
struct Right {
  std::string best;
  std::vector<std::string> as_good = {};  // the best is not among them
  double lead = HUGE_VAL;
  double gain = 0;  // of the best over the input as it is
  [[nodiscard]] bool holds(const std::string& method) const {
    return method == best || std::find(as_good.begin(), as_good.end(), method) != as_good.end();
  }
};

Right right_of(const std::vector<Outcome>& outcomes) {
  const auto sets = static_cast<double>(outcomes.size());
  Losses mean;
  for (const Outcome& o : outcomes)
    for (const auto& [m, loss] : o.loss) mean[m] += loss / sets;
  Right out{.best = best_of(mean)};
  out.gain = mean["uncalibrated"] - mean[out.best];
  for (const auto& [m, loss] : mean) {
    if (m == out.best) continue;
    const double excess = loss - mean[out.best];
    double squares = 0;
    for (const Outcome& o : outcomes)
      squares += std::pow(o.out_of_fold.at(m) - o.out_of_fold.at(out.best) - (o.loss.at(m) - o.loss.at(out.best)), 2);
    const double noise = std::sqrt(squares / sets);
    if (excess <= noise / 2)
      out.as_good.push_back(m);
    else
      out.lead = std::min(out.lead, excess / noise);
  }
  return out;
}

// How often a rule was right, and what it cost: sums over data sets.
struct Score {
  double sets = 0, right = 0, regret = 0, wrong = 0;  // wrong: the regret of the wrong choices alone
  void add(const Outcome& o, const std::string& choice, const Right& truth) {
    const double lost = 1000 * (o.loss.at(choice) - o.loss.at(best_of(o.loss)));
    ++sets;
    regret += lost;
    if (truth.holds(choice))
      ++right;
    else
      wrong += lost;
  }
  void add(const Score& other) {
    sets += other.sets, right += other.right, regret += other.regret, wrong += other.wrong;
  }
  [[nodiscard]] double share() const { return 100 * right / sets; }
  [[nodiscard]] double mean_regret() const { return regret / sets; }
  [[nodiscard]] std::string per_wrong() const {
    return right < sets ? fmt::format("{:.2f}", wrong / (sets - right)) : std::string();
  }
};

struct Pair {
  Score recommended, lowest;
  void add(const Pair& other) { recommended.add(other.recommended), lowest.add(other.lowest); }
};

Pair print_truth(const Truth& truth, const std::vector<Outcome>& outcomes, const Right& right) {
  Pair scores;
  std::map<std::string, int> chosen;
  for (const Outcome& o : outcomes) {
    scores.recommended.add(o, o.recommended, right);
    scores.lowest.add(o, o.lowest, right);
    ++chosen[o.recommended];
  }
  const Score &r = scores.recommended, &l = scores.lowest;
  fmt::print("| {} | {:.2f} | {} | {} | {:.2f} | {:.0f} | {:.2f} | {} | {:.0f} | {:.2f} |", truth.name,
             1000 * right.gain, right.best, fmt::join(right.as_good, ", "), right.lead, r.share(), r.mean_regret(),
             r.per_wrong(), l.share(), l.mean_regret());
  for (const auto& [m, count] : chosen) fmt::print(" {} {}", m, count);
  fmt::print(" |\n");
  std::fflush(stdout);
  return scores;
}

void print_sum(const std::string& name, const Pair& p) {
  const Score &r = p.recommended, &l = p.lowest;
  if (r.sets > 0)
    fmt::print("| {} | {:.0f} | {:.0f} | {:.2f} | {} | {:.0f} | {:.2f} |\n", name, r.sets, r.share(), r.mean_regret(),
               r.per_wrong(), l.share(), l.mean_regret());
}

void study(std::size_t n, std::size_t sets, std::uint64_t seed) {
  fmt::print("\n### {} validation rows\n\n", n);
  fmt::print(
      "| truth | to gain | best | as good | lead | right | regret | of wrong ones | lowest right | its regret | "
      "recommended |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<std::string> kinds;
  std::map<std::string, Pair> of_kind;
  Pair all, clear;
  for (const Truth& truth : truths()) {
    std::vector<Outcome> outcomes(sets);
    seed += 1'000'000;
    tare::detail::numeric::parallel_for(sets, tare::detail::numeric::hardware_threads(),
                                        [&](std::size_t i) { outcomes[i] = run(truth, n, seed + i); });
    const Right right = right_of(outcomes);
    const Pair scores = print_truth(truth, outcomes, right);
    if (of_kind.find(truth.kind) == of_kind.end()) kinds.push_back(truth.kind);
    of_kind[truth.kind].add(scores);
    all.add(scores);
    if (right.lead > 1) clear.add(scores);
  }
  fmt::print("\n| {} rows | data sets | right | regret | of wrong ones | lowest right | its regret |\n", n);
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const std::string& kind : kinds) print_sum(kind, of_kind[kind]);
  print_sum("all", all);
  print_sum("clear truths", clear);
}

}  // namespace

int main(int argc, char** argv) {
  const auto sets = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 20);
  const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atoi(argv[2]) : 1);
  for (const std::size_t n : sizes) study(n, sets, 1'000'000'000 * seed + 100'000'000 * n);
}
