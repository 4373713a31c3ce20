// Does tare contradict itself, does it raise false alarms, and is "nothing found" as good as it says? Prints the tables
// of docs/studies/verdicts.md:  verdicts [samples] [largest n] [archive or folder ...]
//
// Known truths: the ten networks of Roelofs et al. 2022, the same scores calibrated, and invented curves on other
// scores. Then each data set named: whole, and random parts of it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "tare/analysis/survey.hpp"
#include "tare/analysis/test.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/read/dataset.hpp"
#include "tare/reduce/reduce.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/simulate/truth.hpp"

namespace {

using namespace tare::detail;
namespace fs = std::filesystem;

struct Rows {
  std::vector<double> score;
  std::vector<std::uint8_t> label;
};

using Random = std::mt19937_64;
double uniform(Random& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

struct Truth {
  std::string name;
  std::function<double(Random&)> score;
  std::function<double(double)> rate;
  bool calibrated = false;
};

std::function<double(Random&)> beta_scores(double a, double b) {
  return [a, b](Random& random) {
    const double x = std::gamma_distribution<double>(a)(random), y = std::gamma_distribution<double>(b)(random);
    return x / (x + y);
  };
}

std::vector<Truth> truths() {
  std::vector<Truth> out;
  for (const auto& m : simulate::models()) {
    const auto truth = *simulate::model(m.name);
    const auto curve = truth.curve;
    out.push_back({std::string(m.name), beta_scores(m.alpha, m.beta), [curve](double c) {
                     return curve.hit({c, 1 - c});
                   }});
    out.push_back(
        {std::string(m.name) + ", calibrated", beta_scores(m.alpha, m.beta), [](double c) { return c; }, true});
  }
  const auto flat = [](Random& r) { return uniform(r); };
  const auto low = beta_scores(0.6, 6), middle = beta_scores(5, 4), high = beta_scores(4, 0.4);
  const auto tenths = [](Random& r) { return std::floor(11 * uniform(r)) / 10; };
  const auto certain = [](Random& r) { return uniform(r) < 0.9 ? 1.0 : uniform(r); };
  out.push_back({"rare, rates half as large", low, [](double c) { return c / 2; }});
  out.push_back({"middle, squeezed to 0.5", middle, [](double c) { return 0.5 + 0.6 * (c - 0.5); }});
  out.push_back({"high, worse above 0.95", high, [](double c) { return c > 0.95 ? c - 0.04 : c; }});
  out.push_back({"uniform, a wave", flat, [](double c) { return c + 0.06 * std::sin(9 * c); }});
  out.push_back(
      {"uniform, a dip at 0.3", flat, [](double c) { return c - 0.2 * std::exp(-800 * (c - 0.3) * (c - 0.3)); }});
  out.push_back({"uniform, steps of 0.125", flat, [](double c) { return 0.125 * std::floor(8 * c) + 0.0625; }});
  out.push_back({"tenths, odd ones too high", tenths, [](double c) { return std::lround(10 * c) % 2 ? c - 0.05 : c; }});
  out.push_back({"tenths, all too low", tenths, [](double c) { return c + 0.03; }});
  out.push_back({"nine of ten certain, rest c^2", certain, [](double c) { return c * c; }});
  out.push_back({"high, a little too low", high, [](double c) { return c + 0.01; }});
  for (const auto& [name, score] : {std::pair<const char*, std::function<double(Random&)>>{"rare", low},
                                    {"middle", middle},
                                    {"uniform", flat},
                                    {"tenths", tenths},
                                    {"nine of ten certain", certain}})
    out.push_back({std::string(name) + ", calibrated", score, [](double c) { return c; }, true});
  return out;
}

double rate(const Truth& t, double c) { return std::clamp(t.rate(c), 0.0, 1.0); }

double true_error(const Truth& t) {
  Random random(99);
  double sum = 0;
  constexpr int points = 400'000;
  for (int i = 0; i < points; ++i) {
    const double c = t.score(random), gap = rate(t, c) - c;
    sum += gap * gap;
  }
  return std::sqrt(sum / points);
}

struct Counts {
  std::size_t samples = 0, contradictions = 0, found = 0, nothing = 0, cannot = 0, missed = 0;
  Counts& operator+=(const Counts& o) {
    samples += o.samples, contradictions += o.contradictions, found += o.found, nothing += o.nothing;
    cannot += o.cannot, missed += o.missed;
    return *this;
  }
};

// Everything that is said about one sample, compared with everything else.
std::string contradiction(const Survey& s, bool gate) {
  const Verdict& v = s.test->verdict;
  const bool found = v.outcome == Outcome::miscalibrated;
  const std::string words = render::verdict_sentence(*s.test);
  if ((v.p_value && *v.p_value < v.alpha) != found) return "p-value";
  if (gate != found) return "gate";
  for (const ErrorRange* r : {&v.square, &v.mean}) {
    if (!r->low) continue;
    if ((*r->low > 0) != found) return "interval of " + r->estimator;
    if (*r->low > *r->value || *r->value > *r->high) return "order of the interval of " + r->estimator;
  }
  if (!found && (v.direction != Direction::none || v.shape != Shape::none)) return "direction";
  if (!found && v.mean_gap.low && (*v.mean_gap.low > 0 || *v.mean_gap.high < 0)) return "mean gap";
  if (words.starts_with("No miscalibration found") != (v.outcome == Outcome::nothing_found)) return "sentence";
  if (words.starts_with("Cannot tell") != (v.outcome == Outcome::cannot_tell)) return "sentence";
  for (const Measured& m : s.measured) {
    if (!m.estimand.empty() && m.low && *m.low > 0 && !found) return "interval of the line " + m.name;
    const bool spoken = m.about.roles.headline || m.about.roles.mean_gap;
    if (spoken && m.floor && (m.judgement == Judgement::above_noise) != found) return "table line " + m.name;
    if (spoken && m.low && (*m.low > 0) != found) return "table interval " + m.name;
    if (m.about.roles.reference && m.norm == usual_norm(m.about) && m.name == "ece_ew" && m.floor_high)
      if (((m.judgement == Judgement::above_noise) != found) != !render::disagreement(s).empty()) return "quoted error";
  }
  return {};
}

Counts judge(const Rows& rows, std::uint64_t seed, double error) {
  Predictions p;
  p.kind = Kind::confidences;
  p.n = rows.score.size();
  p.confidences = *binary_view(std::span<const double>(rows.score), rows.label);
  const auto s = analysis::survey(p, {.estimators = {"ece_ew", "debias_em", "rank_poly", "rank_sign"}, .seed = seed});
  const auto gate = analysis::test_sample(
      *p.confidences, {.statistics = {"smooth_test"}, .gate = true, .detectable = false, .seed = seed});
  Counts out{.samples = 1};
  if (!s || !gate) {
    fmt::print(stderr, "{}\n", sentence((s ? gate.error() : s.error())));
    out.contradictions = 1;
    return out;
  }
  if (const std::string what = contradiction(*s, gate->gate->rejected); !what.empty()) {
    fmt::print(stderr, "contradiction: {}: {}\n", what, render::verdict_sentence(*s->test));
    out.contradictions = 1;
  }
  const Verdict& v = s->test->verdict;
  out.found = v.outcome == Outcome::miscalibrated;
  out.nothing = v.outcome == Outcome::nothing_found;
  out.cannot = v.outcome == Outcome::cannot_tell;
  out.missed = out.nothing && error > *v.detectable;
  return out;
}

Counts run(const Truth& truth, std::size_t n, std::size_t samples, double error) {
  Counts out;
  std::mutex lock;
  numeric::parallel_for(samples, 2, [&](std::size_t r) {
    Random random(1'000'003 * r + n);
    Rows rows;
    for (std::size_t i = 0; i < n; ++i) {
      rows.score.push_back(std::clamp(truth.score(random), 0.0, 1.0));
      rows.label.push_back(uniform(random) < rate(truth, rows.score.back()));
    }
    const Counts one = judge(rows, r + 1, error);
    const std::lock_guard held(lock);
    out += one;
  });
  return out;
}

std::string share(std::size_t part, std::size_t of) {
  return of == 0 ? "" : fmt::format("{:.1f}", 100.0 * static_cast<double>(part) / static_cast<double>(of));
}

void print_row(const std::string& name, const Counts& c, bool calibrated) {
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, c.samples, c.contradictions,
             share(c.found, c.samples), calibrated ? share(c.found, c.samples) : "", share(c.nothing, c.samples),
             share(c.cannot, c.samples), c.nothing ? fmt::format("{} of {}", c.missed, c.nothing) : "");
  std::fflush(stdout);
}

// A folder of .npy files as shared data sets have them, or an archive.
Result<Predictions> load(const std::string& path) {
  read::Fold fold;
  if (!fs::is_directory(path)) {
    fold.files = {path};
    return read::all_rows(fold, 2);
  }
  const auto file = [&](const char* name) {
    return fs::exists(fs::path(path) / name) ? (fs::path(path) / name).string() : "";
  };
  fold.logits = file("test_logits.npy");
  fold.probs = fold.logits.empty() ? file("test_probs.npy") : "";
  fold.confidences = file("test_conf.npy");
  fold.predictions = file("test_pred.npy");
  fold.labels = file("test_labels.npy");
  return read::all_rows(fold, 2);
}

Counts on_data(const std::string& path) {
  Counts out;
  const auto p = load(path);
  if (!p) {
    fmt::print(stderr, "{}: {}\n", path, sentence(p.error()));
    return out;
  }
  const auto reduction = choose_reduction(*p, {});
  const auto data = *reduction == Reduction::positive ? positive(*p, 2) : top_label(*p, 2);
  if (!data) return out;
  const BinaryView view = data->view();
  std::vector<std::size_t> order(view.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (const std::size_t size :
       {std::size_t{50}, std::size_t{200}, std::size_t{1000}, std::size_t{5000}, view.size()}) {
    if (size > view.size()) continue;
    Random random(size);
    std::shuffle(order.begin(), order.end(), random);
    Rows rows;
    for (std::size_t i = 0; i < size; ++i) {
      rows.score.push_back(view.score()[order[i]]);
      rows.label.push_back(view.label()[order[i]]);
    }
    out += judge(rows, size, 0);
  }
  out.missed = 0;
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t samples = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 20;
  const std::size_t largest = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 20'000;
  Counts all, calibrated, wrong;
  fmt::print(
      "| truth, n | samples | contradictions | miscalibrated, % | of these false, % | nothing found, % | cannot tell, "
      "% | "
      "error above what was claimed |\n|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t n :
       {std::size_t{50}, std::size_t{200}, std::size_t{1000}, std::size_t{5000}, std::size_t{20'000}}) {
    if (n > largest) continue;
    Counts at, null;
    for (const Truth& t : truths()) {
      const Counts c = run(t, n, samples, true_error(t));
      print_row(fmt::format("{}, {}", t.name, n), c, t.calibrated);
      (t.calibrated ? null : at) += c;
    }
    print_row(fmt::format("**all that are miscalibrated, {}**", n), at, false);
    print_row(fmt::format("**all that are calibrated, {}**", n), null, true);
    wrong += at;
    calibrated += null;
  }
  print_row("**all that are miscalibrated**", wrong, false);
  print_row("**all that are calibrated**", calibrated, true);
  fmt::print(
      "\n| data set | samples | contradictions | miscalibrated | nothing found | cannot tell "
      "|\n|---|---|---|---|---|---|\n");
  Counts sets;
  for (int a = 3; a < argc; ++a) {
    const Counts c = on_data(argv[a]);
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", fs::path(argv[a]).filename().string(), c.samples, c.contradictions,
               c.found, c.nothing, c.cannot);
    sets += c;
  }
  fmt::print("| **all** | {} | {} | {} | {} | {} |\n", sets.samples, sets.contradictions, sets.found, sets.nothing,
             sets.cannot);
  return wrong.contradictions + calibrated.contradictions + sets.contradictions > 0;
}
