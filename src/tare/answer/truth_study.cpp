#include "tare/answer/truth_study.hpp"

#include <utility>

#include "tare/simulate/curves.hpp"
#include "tare/simulate/models.hpp"

namespace tare::inner::answer {
namespace {

Result<simulate::Truth> truth_of(const NamedTruth& named) {
  if (!named.model.empty()) {
    if (!named.beta.empty() || !named.curve.empty())
      return Error{.code = Errc::bad_option,
                   .what = "`model` comes with its scores and its curve",
                   .remedy = "leave `beta` and `curve` out"};
    return simulate::model(named.model, named.perfect);
  }
  simulate::Truth out{.scores = {.kind = simulate::ScoreKind::uniform}, .curve = simulate::identity()};
  if (!named.beta.empty()) {
    if (named.beta.size() != 2 || !(named.beta[0] > 0) || !(named.beta[1] > 0))
      return Error{.code = Errc::bad_option,
                   .what = "`beta` needs two positive numbers",
                   .remedy = "for example `beta` 2.8,0.05"};
    out.scores = {.kind = simulate::ScoreKind::beta, .alpha = named.beta[0], .beta = named.beta[1]};
  }
  if (named.curve.empty() || named.perfect) return out;
  auto curve = simulate::parse_curve(named.curve);
  if (!curve) return curve.error();
  out.curve = *std::move(curve);
  return out;
}

}  // namespace

Result<SimTable> study_truth(const NamedTruth& named, const BiasOptions& options) {
  const auto truth = truth_of(named);
  if (!truth) return truth.error();
  return bias_of(*truth, options);
}

}  // namespace tare::inner::answer
