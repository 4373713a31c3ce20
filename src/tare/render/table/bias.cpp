#include <fmt/format.h>

#include "tare/render/prose/prose.hpp"
#include "tare/render/table/tables.hpp"

namespace tare::detail::render {
namespace {

Shown percent_or_missing(const std::optional<double>& x) { return {x ? percent(*x) : "n/a"}; }

}  // namespace

ColumnTable simulation_table(const SimTable& table, Reader reader) {
  using R = SimRow;
  std::optional<std::size_t> previous;
  Columns c(table.rows, reader);
  c.shown([&](const R& r) {
     const bool repeats = previous == r.n;
     previous = r.n;
     return Shown{repeats ? "" : grouped(static_cast<double>(r.n))};
   })
      .count()
      .text("n");
  c.add("estimator", &R::estimator).text("estimator");
  c.add("norm", &R::norm).text("norm").shown([](const R& r) { return Shown{norm_of(r.norm)}; });
  c.add("bins", &R::bins);
  c.add("n", &R::n);
  c.add("replicates", &R::replicates);
  c.json("undefined", &R::undefined);
  c.json("reason", [](const R& r) { return words_or_nothing(r.reason); });
  c.add("mean", &R::mean).percent().text("mean, %").shown([](const R& r) { return percent_or_missing(r.mean); });
  c.add("bias", &R::bias).points().text("bias");
  c.add("se", &R::se).plain().text("± se").spare().shown([](const R& r) {
    return Shown{r.se ? fmt::format("{:.3f}", 100 * *r.se) : "", Ink::dim};
  });
  c.add("sd", &R::sd).percent().text("sd");
  c.add("rmse", &R::rmse).percent().text("rmse");
  c.json("mean_bins", &R::mean_bins).plain().text("bins").spare().shown([](const R& r) {
    return Shown{r.mean_bins ? fmt::format("{:.1f}", *r.mean_bins) : "", Ink::dim};
  });
  return c.take();
}

ColumnTable corrections_table(const std::vector<Correction>& rows, Reader reader) {
  using R = Correction;
  Columns c(rows, reader);
  c.add("estimator", &R::estimator).text("on this data, %");
  c.add("norm", &R::norm).text("norm").shown([](const R& r) { return Shown{norm_of(r.norm)}; });
  c.add("value", &R::observed).percent().text("measured").shown([](const R& r) {
    return percent_or_missing(r.observed);
  });
  c.add("mean", &R::mean).percent().text("if the fit is true").spare().shown([](const R& r) {
    return Shown{r.mean && r.sd ? percent(*r.mean) + " ± " + percent(*r.sd) : "", Ink::dim};
  });
  c.add("sd", &R::sd);
  c.add("bias", &R::bias).points().text("bias");
  c.add("rmse", &R::rmse).percent().text("rmse").spare();
  c.add("corrected", &R::corrected).percent().text("corrected").ink(Ink::bold);
  c.add("reason", [](const R& r) { return words_or_nothing(r.reason); });
  return c.take();
}

}  // namespace tare::detail::render
