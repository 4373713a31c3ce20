#include <fmt/format.h>
#include <tare/simulation.hpp>

#include <charconv>

#include "tare/analysis/bias.hpp"
#include "tare/api/api.hpp"
#include "tare/core/options.hpp"
#include "tare/simulate/draw/sampler.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::api {
namespace {

std::optional<double> number(std::string_view text) {
  double out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  return wrong == std::errc{} && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

Result<simulate::Truth> scores_of(std::string_view text) {
  constexpr std::string_view beta = "beta:";
  if (text == "uniform")
    return simulate::Truth{.scores = {.kind = simulate::ScoreKind::uniform}, .curve = simulate::identity()};
  if (!text.starts_with(beta)) return simulate::model(text);
  const std::string_view numbers = text.substr(beta.size());
  const auto comma = numbers.find(',');
  const auto a = number(numbers.substr(0, comma));
  const auto b = comma == std::string_view::npos ? std::nullopt : number(numbers.substr(comma + 1));
  if (!a || !b || !(*a > 0) || !(*b > 0))
    return bad_option("scores", "'" + std::string(text) + "'", "not two positive numbers", "for example beta:2.8,0.05");
  return simulate::Truth{.scores = {.kind = simulate::ScoreKind::beta, .alpha = *a, .beta = *b},
                         .curve = simulate::identity()};
}

analysis::BiasOptions asked_bias(const BiasOptions& options, const Run& run, const Going& going) {
  auto out = asked<analysis::BiasOptions>(bias_options, options, going);
  out.cancel = run.cancel;
  return out;
}

Bias bias_of_table(const SimTable& table) {
  Bias out{.true_error_1 = table.true_error.norm1, .true_error_2 = table.true_error.norm2};
  for (const SimRow& r : table.rows)
    out.lines.push_back({.estimator = r.estimator,
                         .norm = r.norm,
                         .n = r.n,
                         .mean = r.mean,
                         .bias = r.bias,
                         .sd = r.sd,
                         .rmse = r.rmse,
                         .reason = r.reason});
  return out;
}

}  // namespace
}  // namespace tare::detail::api

namespace tare {
inline namespace v0_3 {

namespace api = detail::api;

std::string Truth::scores() const {
  const auto& s = detail::Access::truth(*this).scores;
  return s.kind == detail::simulate::ScoreKind::uniform ? "uniform" : fmt::format("beta:{},{}", s.alpha, s.beta);
}

std::string Truth::curve() const { return detail::simulate::to_text(detail::Access::truth(*this).curve); }

Result<Truth> truth(std::string_view scores, std::string_view curve) {
  return api::guarded(nullptr, [&]() -> Result<Truth> {
    auto made = api::scores_of(scores);
    if (!made) return made.error();
    if (!curve.empty()) {
      auto parsed = detail::simulate::parse_curve(curve);
      if (!parsed) return parsed.error();
      made->curve = *std::move(parsed);
    }
    return detail::Access::make(*std::move(made));
  });
}

Result<double> true_error(const Truth& truth, int norm) {
  return api::guarded(nullptr, [&]() -> Result<double> {
    if (const auto fine = detail::in_range(detail::options::norm, norm); !fine) return fine.error();
    return detail::simulate::true_error(detail::Access::truth(truth), norm);
  });
}

Result<Predictions> draw(const Truth& truth, std::size_t n, const Run& run) {
  return api::guarded(run, [&](const api::Going& going) -> Result<Predictions> {
    using detail::simulate::Sampler;
    if (const auto fine = detail::in_range(detail::options::n, n); !fine) return fine.error();
    const auto sampler = Sampler::of(detail::Access::truth(truth));
    if (!sampler) return sampler.error();
    Sampler::Scratch scratch;
    detail::numeric::Ordered rows;
    sampler->draw(n, going.seed, 0, 0, scratch, rows);
    std::vector<double> score;
    std::vector<std::uint8_t> hit;
    for (std::size_t g = 0; g < rows.groups(); ++g) {
      score.insert(score.end(), rows.mass(g), rows.score(g));
      hit.insert(hit.end(), rows.hits(g), 1);
      hit.insert(hit.end(), rows.mass(g) - rows.hits(g), 0);
    }
    return from_confidences(std::move(score), hit);
  });
}

Result<Bias> bias(const Predictions& predictions, const BiasOptions& options, const Run& run) {
  return api::guarded(run, [&](const api::Going& going) -> Result<Bias> {
    const auto& rows = detail::Access::rows(predictions);
    if (!rows.labelled) return api::unlabelled();
    const auto made = detail::analysis::bias(rows.predictions, api::asked_bias(options, run, going));
    if (!made) return made.error();
    Bias out = api::bias_of_table(made->table);
    out.note = made->note;
    for (BiasLine& line : out.lines)
      for (const detail::Correction& c : made->corrections)
        if (line.n == made->n && c.estimator == line.estimator && c.norm == line.norm) {
          line.observed = c.observed;
          line.corrected = c.corrected;
        }
    return out;
  });
}

Result<Bias> bias_of(const Truth& truth, const BiasOptions& options, const Run& run) {
  return api::guarded(run, [&](const api::Going& going) -> Result<Bias> {
    const auto made = detail::analysis::bias_of(detail::Access::truth(truth), api::asked_bias(options, run, going));
    if (!made) return made.error();
    return api::bias_of_table(*made);
  });
}

}  // namespace v0_3
}  // namespace tare
