#include "tare/watch/period.hpp"

#include <numeric>

#include "tare/state/file.hpp"
#include "tare/state/sample.hpp"

namespace tare::detail::watch {

double Period::all_rows() const { return std::accumulate(rows.begin(), rows.end(), 0.0); }
double Period::all_hits() const { return std::accumulate(hits.begin(), hits.end(), 0.0); }
double Period::mean_score() const {
  return std::inner_product(score.begin(), score.end(), rows.begin(), 0.0) / all_rows();
}

Result<Period> period_of(const state::State& state) {
  if (state.empty())
    return Error{.code = Errc::bad_input, .what = "the state has no rows", .remedy = "leave it out, or add its rows"};
  const state::Grouped grouped = state::grouped(state.body(), state.shape());
  const numeric::Ordered& cells = grouped.ordered;
  if (cells.unit() != 1)
    return Error{.code = Errc::unsupported,
                 .what = "the state has weights that are not whole: monitoring counts rows",
                 .remedy = "make the state without weights, or with whole ones"};
  Period out{.exact = grouped.exact};
  for (std::size_t g = 0; g < cells.groups(); ++g) {
    out.score.push_back(cells.score(g));
    out.rows.push_back(static_cast<double>(cells.mass(g)));
    out.hits.push_back(static_cast<double>(cells.hits(g)));
  }
  return out;
}

Result<Period> period_of(std::string_view bytes, const std::string& source) {
  const auto at = [&](Error error) {
    error.place = {.array = source};
    return error;
  };
  const auto saved = state::from_bytes(bytes);
  if (!saved) return at(saved.error());
  if (saved->parts().size() != 1)
    return at({.code = Errc::unsupported,
               .what = "the state is classwise: a watch follows one question",
               .remedy = "make it with the reduction top_label or positive"});
  auto out = period_of(saved->parts().front());
  if (!out) return at(out.error());
  out->reduction = saved->source().reduction;
  return out;
}

}  // namespace tare::detail::watch
