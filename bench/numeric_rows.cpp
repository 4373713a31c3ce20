// Kernels: bins, sorting, softmax; one thread against the bandwidth or std::sort, two against one.
#include <algorithm>
#include <string>

#include "bench/data.hpp"
#include "bench/table.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/radix_sort.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::detail::bench {
namespace {

template <class T>
void time_estimator(Table& table, const std::string& name, const char* estimator, std::size_t n, Shape shape,
                    int threads, Clock clock, int repetitions = 7) {
  table.time(
      name,
      [=] {
        auto rows = make_rows<T>(n, shape);
        const auto view = rows->view();
        const auto* row = measure::find(estimator);
        return [=, kept = rows] { sink = (*row->run(measure::Sample(view, threads), {})).value; };
      },
      clock, repetitions);
}

void add_width(Table& table) {
  const std::size_t n = table.rows(1e8), small = table.rows(1e6);
  const auto rows = static_cast<double>(n);
  time_estimator<float>(table, "ece_ew/float32", "ece_ew", n, Shape::uniform, 1, Clock::cpu);
  table.bandwidth_line("ece_ew, float32 scores", n, "ece_ew/float32", 5 * rows, 0.25);
  time_estimator<double>(table, "ece_ew/float64", "ece_ew", n, Shape::uniform, 1, Clock::cpu);
  table.bandwidth_line("ece_ew, float64 scores", n, "ece_ew/float64", 9 * rows, 0.33);
  time_estimator<float>(table, "ece_ew/float32/piled", "ece_ew", n, Shape::piled, 1, Clock::cpu);
  table.bandwidth_line("ece_ew, float32 scores piled up at 1", n, "ece_ew/float32/piled", 5 * rows, 0.22);
  time_estimator<float>(table, "ece_ew/float32/1e6", "ece_ew", small, Shape::uniform, 1, Clock::cpu, 200);
  table.line(
      "ece_ew, time per row at 1e8 against 1e6", n, "ece_ew/float32",
      [](const Times& t) { return t("ece_ew/float32") / t("ece_ew/float32/1e6") / 100; }, "times", Goal::at_most, 1.3);
}

template <class T>
void time_std_sort(Table& table, const std::string& name, std::size_t n, Shape shape) {
  table.time(
      name,
      [=] {
        auto rows = make_rows<T>(n, shape);
        return [rows] {
          numeric::Keys<decltype(numeric::key_of(T{}, 0))> keys(rows->score.size());
          for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = numeric::key_of(rows->score[i], rows->label[i]);
          std::sort(keys.begin(), keys.end());
          sink = static_cast<double>(keys[0]);
        };
      },
      Clock::cpu, 2);
}

template <class T>
void time_radix_sort(Table& table, const std::string& name, std::size_t n, Shape shape) {
  table.time(
      name,
      [=] {
        auto rows = make_rows<T>(n, shape);
        return [rows] { sink = static_cast<double>(numeric::sorted_keys(rows->scores(), rows->label)[0]); };
      },
      Clock::cpu, 7);
}

template <class T>
void add_order(Table& table, const std::string& type, Shape shape, double mass_target, double sort_target) {
  const std::size_t n = table.rows(1e7);
  const std::string kind = type + (shape == Shape::piled ? "/piled" : "");
  const std::string what = type + (shape == Shape::piled ? " piled up at 1" : " uniform");
  const std::string slow = "std::sort/" + kind, sort = "sorted_keys/" + kind, mass = "ece_em/" + kind;
  time_std_sort<T>(table, slow, n, shape);
  table.line(
      "std::sort, " + what, n, slow, [](const Times&) { return 1.0; }, "times std::sort", Goal::none, 0);
  time_radix_sort<T>(table, sort, n, shape);
  table.line(
      "sorted_keys, " + what, n, sort, [=](const Times& t) { return t(slow) / t(sort); }, "times std::sort",
      Goal::at_least, sort_target);
  time_estimator<T>(table, mass, "ece_em", n, shape, 1, Clock::cpu, 15);
  table.line(
      "ece_em, " + what, n, mass, [=](const Times& t) { return t(slow) / t(mass); }, "times std::sort", Goal::at_least,
      mass_target);
}

template <class T>
void time_softmax(Table& table, const std::string& name, std::size_t n, std::size_t k, int threads, Clock clock) {
  table.time(
      name,
      [=] {
        struct Data {
          numeric::LargeArray<T> z;
          std::vector<std::int32_t> label, top;
          std::vector<double> confidence, nll;
        };
        auto d = std::make_shared<Data>();
        d->z.resize(n * k);
        d->label.resize(n);
        d->top.resize(n);
        d->confidence.resize(n);
        d->nll.resize(n);
        std::mt19937 rng(1);
        for (auto& z : d->z) z = static_cast<T>(static_cast<double>(rng()) * 0x1p-32 * 16 - 8);
        for (auto& y : d->label) y = static_cast<std::int32_t>(rng() % k);
        return [=] {
          numeric::softmax_rows(std::span<const T>(d->z), k, d->label,
                                {.confidence = d->confidence.data(), .nll = d->nll.data(), .argmax = d->top.data()},
                                threads);
          sink = d->nll[0];
        };
      },
      clock, 9);
}

void add_softmax(Table& table) {
  const std::size_t wide = table.rows(5e4), narrow = table.rows(5e6);
  time_softmax<float>(table, "softmax/float32/1000", wide, 1000, 1, Clock::cpu);
  table.bandwidth_line("softmax + top label + nll, K = 1000, float32", wide, "softmax/float32/1000",
                       4000 * static_cast<double>(wide), 0.40);
  time_softmax<float>(table, "softmax/float32/10", narrow, 10, 1, Clock::cpu);
  table.bandwidth_line("softmax + top label + nll, K = 10, float32", narrow, "softmax/float32/10",
                       40 * static_cast<double>(narrow), 0.18);
  time_softmax<double>(table, "softmax/float64/1000", wide, 1000, 1, Clock::cpu);
  table.bandwidth_line("softmax + top label + nll, K = 1000, float64", wide, "softmax/float64/1000",
                       8000 * static_cast<double>(wide), 0.20);
}

void add_threads(Table& table) {
  const auto compare = [&](const std::string& what, std::size_t n, const std::string& name) {
    table.line(
        what + ", two threads against one", n, name + "/2",
        [=](const Times& t) { return t(name + "/1") / t(name + "/2"); }, "times", Goal::at_least, 1.5);
  };
  const std::size_t n = table.rows(1e8), wide = table.rows(5e4);
  for (const int threads : {1, 2}) {
    const std::string suffix = threads == 1 ? "/1" : "/2";
    time_estimator<float>(table, "threads/ece_ew" + suffix, "ece_ew", n, Shape::uniform, threads, Clock::wall);
    time_estimator<float>(table, "threads/ece_em" + suffix, "ece_em", n, Shape::uniform, threads, Clock::wall);
    time_softmax<float>(table, "threads/softmax" + suffix, wide, 1000, threads, Clock::wall);
    table.time(
        "threads/order" + suffix,
        [=] {
          auto rows = make_rows<float>(n);
          return [=] { sink = static_cast<double>(numeric::order(rows->scores(), rows->label, {}, threads).groups()); };
        },
        Clock::wall, 3);
  }
  compare("ece_ew", n, "threads/ece_ew");
  compare("ece_em", n, "threads/ece_em");
  compare("softmax, K = 1000", wide, "threads/softmax");
  compare("order", n, "threads/order");
}

}  // namespace

void add_numeric(Table& table) {
  add_width(table);
  add_order<float>(table, "float32", Shape::uniform, 15, 8);
  // std::sort takes half its time on scores that pile up, because its branches are then easily foretold; a radix sort
  // moves every key as often as before. As fast as on uniform scores would be 4.5 times.
  add_order<float>(table, "float32", Shape::piled, 12, 3.3);
  add_order<double>(table, "float64", Shape::uniform, 15, 4);
  add_softmax(table);
  add_threads(table);
}

}  // namespace tare::detail::bench
