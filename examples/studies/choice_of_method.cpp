// Does `tare compare` choose the right calibrator? Prints the tables of docs/studies/choice_of_method.md:
//   choice_of_method [data sets per truth] [validation rows]
//
// Labels are drawn from known probabilities, and the model shows them distorted in a known way. Every method is fitted
// on the validation rows; its true loss is that on 20,000 fresh rows, the same for all methods.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tare/answer/compare.hpp"
#include "tare/numeric/parallel.hpp"

namespace {

using Row = std::vector<double>;

// What is done to the true log-probabilities u.
struct Truth {
  std::string name;
  std::size_t k = 4;
  std::function<void(Row&)> distort;
};

std::vector<Truth> truths() {
  const auto scaled = [](double by) {
    return [=](Row& u) {
      for (double& x : u) x *= by;
    };
  };
  return {
      {"nothing wrong", 4, [](Row&) {}},
      {"too sharp, 1.15", 4, scaled(1.15)},
      {"too sharp, 1.5", 4, scaled(1.5)},
      {"too sharp, 3", 4, scaled(3)},
      {"too flat, 0.7", 4, scaled(0.7)},
      {"ten classes, 1.5", 10, scaled(1.5)},
      {"class shift", 4, [](Row& u) { u[0] += 0.8, u[1] -= 0.5, u[3] += 0.2; }},
      {"class shift and 1.5", 4,
       [](Row& u) {
         for (double& x : u) x *= 1.5;
         u[0] += 0.8, u[1] -= 0.5;
       }},
      {"own scale per class", 4, [](Row& u) { u[0] *= 2, u[1] *= 0.6, u[2] *= 1.4; }},
      {"two classes, shift", 2, [](Row& u) { u[1] += 0.7; }},
      {"two classes, 2", 2, scaled(2)},
      {"two classes, cubed", 2,
       [](Row& u) {
         const double d = u[1] - u[0];
         u[0] = 0, u[1] = d + 0.15 * d * d * d;
       }},
      {"two classes, a step", 2,
       [](Row& u) {
         const double d = u[1] - u[0];
         u[0] = 0, u[1] = d + (d > 0 ? 1.5 : -0.2);
       }},
      {"a third of the rows 4", 4,
       [](Row& u) {
         if (std::fmod(std::abs(u[2]) * 1000, 3) < 1)
           for (double& x : u) x *= 4;
       }},
  };
}

struct Data {
  std::size_t k = 0;
  std::vector<double> logits;
  std::vector<std::int32_t> label;
  [[nodiscard]] tare::inner::Predictions predictions() const {
    tare::inner::Predictions out;
    out.matrix = *tare::inner::multiclass_view(tare::inner::Kind::logits, std::span<const double>(logits), k, label);
    out.n = label.size();
    return out;
  }
};

Data draw(const Truth& truth, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Data out{.k = truth.k};
  Row u(truth.k);
  for (std::size_t i = 0; i < n; ++i) {
    double total = 0, below = 0;
    for (double& x : u) total += std::exp(x = 1.7 * normal(rng));
    const double at = uniform(rng) * total;
    std::size_t label = 0;
    while (label + 1 < u.size() && (below += std::exp(u[label])) < at) ++label;
    out.label.push_back(static_cast<std::int32_t>(label));
    truth.distort(u);
    out.logits.insert(out.logits.end(), u.begin(), u.end());
  }
  return out;
}

// One data set: what each rule chose, and the true loss of every method.
struct Outcome {
  std::string recommended, lowest, repeated;
  std::map<std::string, double> loss, out_of_fold;
};

Outcome run(const Truth& truth, std::size_t n, std::uint64_t seed) {
  const Data validation = draw(truth, n, 2 * seed + 1), fresh = draw(truth, 20'000, 2 * seed + 2);
  const auto rows = validation.predictions(), judged = fresh.predictions();
  Outcome out;
  std::map<std::string, double> repeated;
  for (const std::uint64_t again : {1U, 2U, 3U, 4U, 5U}) {
    const auto c = *tare::inner::answer::compare(
        rows, again == 1 ? &judged : nullptr, {.estimators = {"brier"}, .resamples = 200, .seed = 10 * seed + again});
    for (const auto& m : c.methods) {
      if (m.selection) repeated[m.method] += *m.selection;
      if (again == 1 && m.reason.empty()) out.loss[m.method] = m.brier, out.out_of_fold[m.method] = *m.selection;
    }
    if (again == 1) out.recommended = c.winner.method, out.lowest = c.winner.best;
  }
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  out.repeated = std::min_element(repeated.begin(), repeated.end(), less)->first;
  return out;
}

std::string best_of(const std::map<std::string, double>& loss) {
  return std::min_element(loss.begin(), loss.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// The method that is best on average, and how clear that is: its mean lead over the second, in standard deviations of
// what cross-validation makes of that lead.
struct Best {
  std::string method;
  double clear = 0;
};
Best best_of(const std::vector<Outcome>& outcomes) {
  std::map<std::string, double> mean;
  for (const Outcome& o : outcomes)
    for (const auto& [m, loss] : o.loss) mean[m] += loss / static_cast<double>(outcomes.size());
  Best out{best_of(mean)};
  auto rest = mean;
  rest.erase(out.method);
  const std::string second = best_of(rest);
  double squares = 0;
  for (const Outcome& o : outcomes) {
    const double truth = o.loss.at(second) - o.loss.at(out.method);
    squares += std::pow(o.out_of_fold.at(second) - o.out_of_fold.at(out.method) - truth, 2);
  }
  out.clear = (mean[second] - mean[out.method]) / std::sqrt(squares / static_cast<double>(outcomes.size()));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const auto sets = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 50);
  const auto n = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 800);
  fmt::print("{} validation rows, {} data sets per truth\n\n", n, sets);
  fmt::print(
      "| truth | best | clear | recommended is best | lowest is best | five repeats | regret | of the lowest | of five "
      "repeats | recommended |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|\n");
  std::uint64_t at = 0;
  for (const Truth& truth : truths()) {
    std::vector<Outcome> outcomes(sets);
    const std::uint64_t from = 1'000'000 * ++at;
    tare::inner::numeric::parallel_for(sets, tare::inner::numeric::hardware_threads(),
                                       [&](std::size_t i) { outcomes[i] = run(truth, n, from + i); });
    const Best best = best_of(outcomes);
    double right[3] = {}, regret[3] = {};
    std::map<std::string, int> chosen;
    for (const Outcome& o : outcomes) {
      const double lowest = o.loss.at(best_of(o.loss));
      const std::string* rules[] = {&o.recommended, &o.lowest, &o.repeated};
      for (int r = 0; r < 3; ++r) {
        right[r] += *rules[r] == best.method;
        regret[r] += 1000 * (o.loss.at(*rules[r]) - lowest) / static_cast<double>(sets);
      }
      ++chosen[o.recommended];
    }
    fmt::print("| {} | {} | {:.2f} | {:.0f} | {:.0f} | {:.0f} | {:.2f} | {:.2f} | {:.2f} |", truth.name, best.method,
               best.clear, 100 * right[0] / static_cast<double>(sets), 100 * right[1] / static_cast<double>(sets),
               100 * right[2] / static_cast<double>(sets), regret[0], regret[1], regret[2]);
    for (const auto& [m, count] : chosen) fmt::print(" {} {}", m, count);
    fmt::print(" |\n");
    std::fflush(stdout);
  }
}
