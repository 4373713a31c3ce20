// Estimators after the sort, at n = 1e6, one thread: each against the pass that makes the running totals,
// or against a time.
#include <algorithm>
#include <string>

#include "bench/data.hpp"
#include "bench/table.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::bench {
namespace {

// From sorted scores and marks to running totals.
void time_prefix(Table& table, const std::string& name, std::size_t n) {
  table.time(
      name,
      [=] {
        auto rows = make_rows<double>(n);
        const auto o = numeric::order(rows->scores(), rows->label);
        auto score = std::make_shared<std::vector<double>>(o.scores().begin(), o.scores().end());
        auto mass = std::make_shared<std::vector<std::uint64_t>>(o.groups()),
             hits = std::make_shared<std::vector<std::uint64_t>>(o.groups());
        for (std::size_t g = 0; g < o.groups(); ++g) {
          (*mass)[g] = o.mass(g);
          (*hits)[g] = o.hits(g);
        }
        return [=] { sink = numeric::Ordered(*score, *mass, *hits).weight(); };
      },
      Clock::cpu, 30);
}

void time_after_sort(Table& table, const measure::Estimator& row, std::size_t n) {
  table.time(
      "sorted/" + std::string(row.name),
      [&row, n] {
        auto rows = make_rows<double>(n);
        auto sample = std::make_shared<measure::Sample>(numeric::order(rows->scores(), rows->label));
        return [&row, sample] {
          const auto e = row.run(*sample, {.norm = row.norms == measure::Norms::one ? 1 : 2});
          sink = e ? e->value : 0;
        };
      },
      Clock::cpu, 9);
}

// The sort alone, and both rank estimators from unsorted rows: a sample that is used again would keep its polynomials.
void add_rank(Table& table, std::size_t n, Shape shape) {
  const std::string what = shape == Shape::piled ? "scores piled up at 1" : "uniform scores";
  const std::string sort = "order/" + what, poly = "rank_poly/" + what, sign = "rank_sign/" + what;
  table.time(
      sort,
      [=] {
        auto rows = make_rows<double>(n, shape);
        return [=] { sink = numeric::order(rows->scores(), rows->label).weight(); };
      },
      Clock::cpu, 9);
  const auto time_whole = [&](const std::string& name, const char* estimator, int norm) {
    table.time(
        name,
        [=] {
          auto rows = make_rows<double>(n, shape);
          return [=] { sink = (*measure::find(estimator)->run(rows->view(), {.norm = norm})).value; };
        },
        Clock::cpu, 9);
  };
  time_whole(poly, "rank_poly", 2);
  time_whole(sign, "rank_sign", 1);
  table.line(
      "rank_poly after the sort, " + what, n, poly, [=](const Times& t) { return t(poly) / t(sort) - 1; },
      "times the sort", Goal::at_most, 0.5);
  table.line(
      "rank_sign, " + what, n, sign, [=](const Times& t) { return t(sign) / t(poly); }, "times rank_poly",
      Goal::at_most, 2);
}

}  // namespace

void add_estimators(Table& table) {
  const std::size_t n = table.rows(1e6);
  time_prefix(table, "prefix", n);
  table.line(
      "running totals of sorted rows", n, "prefix",
      [n](const Times& t) { return t("prefix") / static_cast<double>(n) * 1e9; }, "ns per row", Goal::none, 0);
  for (const auto& row : measure::all()) {
    if (!row.is_error || row.name == "rank_poly") continue;
    time_after_sort(table, row, n);
    const std::string name = "sorted/" + std::string(row.name);
    if (row.name.starts_with("sweep"))
      table.line(
          std::string(row.name) + " after the running totals", n, name,
          [name](const Times& t) { return t(name) / t("prefix"); }, "of their pass", Goal::at_most, 0.1);
    else
      table.line(
          std::string(row.name) + " after the sort", n, name, [name](const Times& t) { return t(name) * 1e3; }, "ms",
          row.name == "kde" || row.name == "smece" ? Goal::at_most : Goal::none, 15);
  }
  for (const Shape shape : {Shape::uniform, Shape::piled}) add_rank(table, n, shape);
}

}  // namespace tare::detail::bench
