#include "tare/fit/isotonic.hpp"

#include "tare/numeric/order/order.hpp"
#include "tare/numeric/order/pav_rows.hpp"

namespace tare::inner::fit {
namespace {

std::vector<numeric::ScoreBlock> pooled(const Problem& problem) {
  if (problem.weight.empty()) return numeric::pooled_rows(problem.score, problem.label, problem.threads);
  const auto data = numeric::order(problem.score, problem.label, problem.weight, problem.threads);
  numeric::Pooling<double> pooling;
  for (std::size_t g = 0; g < data.groups(); ++g)
    pooling.add({data.score(g), data.score(g), data.mass(g), data.hits(g)});
  return pooling.finish();
}

}  // namespace

Isotonic isotonic_curve(const Problem& problem, bool step) {
  Isotonic out{.step = step};
  for (const numeric::ScoreBlock& block : pooled(problem)) {
    out.x.push_back(block.first);
    out.y.push_back(block.rate());
    if (step || block.first == block.last) continue;
    out.x.push_back(block.last);
    out.y.push_back(block.rate());
  }
  return out;
}

}  // namespace tare::inner::fit
