// Fits of one binary problem, sort included: isotonic regression beside scikit-learn, Bayesian binning into quantiles.
#include "bench/data.hpp"
#include "bench/peer.hpp"
#include "bench/table.hpp"
#include "tare/fit/bbq.hpp"
#include "tare/fit/isotonic.hpp"

namespace tare::detail::bench {
namespace {

template <class Fit>
void add_milliseconds(Table& table, const char* what, const std::string& name, std::size_t n, double target,
                      const Fit& fit_one) {
  table.time(name, [=] {
    const auto data = make_rows<double>(n);
    return [=] { sink = fit_one(fit::Problem{.score = data->scores(), .label = data->label, .weight = {}}); };
  });
  table.line(
      what, n, name, [name](const Times& t) { return 1e3 * t(name); }, "ms", Goal::at_most, target);
}

}  // namespace

void add_binary_fits(Table& table) {
  const std::size_t n = table.rows(1e6);
  add_milliseconds(table, "fit isotonic, sort included", "fit/isotonic", n, 20,
                   [](const fit::Problem& p) { return fit::isotonic_curve(p, false).y.back(); });
  if (const auto peer = peer_seconds("isotonic_sklearn.py", std::to_string(n)))
    table.line(
        "fit isotonic: scikit-learn takes", n, "fit/isotonic",
        [peer](const Times& t) { return *peer / t("fit/isotonic"); }, "times as long", Goal::at_least, 30);
  add_milliseconds(table, "fit bbq, sort included", "fit/bbq", table.rows(1e5), 100,
                   [](const fit::Problem& p) { return fit::bbq_steps(p).values.back(); });
}

}  // namespace tare::detail::bench
