#include <fmt/format.h>
#include <tare/simulation.hpp>

#include <charconv>

#include "tare/answer/bias.hpp"
#include "tare/core/options.hpp"
#include "tare/door/door.hpp"
#include "tare/simulate/curves.hpp"
#include "tare/simulate/draw/sampler.hpp"
#include "tare/simulate/models.hpp"
#include "tare/simulate/tce.hpp"

namespace tare::inner::door {
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
    return Error{.code = Errc::bad_option,
                 .what = "not two positive numbers",
                 .place = {.array = "scores"},
                 .value = "'" + std::string(text) + "'",
                 .remedy = "for example beta:2.8,0.05"};
  return simulate::Truth{.scores = {.kind = simulate::ScoreKind::beta, .alpha = *a, .beta = *b},
                         .curve = simulate::identity()};
}

answer::BiasOptions asked_bias(const BiasOptions& options, const Run& run, const Going& going) {
  auto out = asked<answer::BiasOptions>(bias_options, options, going);
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
}  // namespace tare::inner::door

namespace tare {
inline namespace v0_3 {

namespace door = inner::door;

std::string Truth::scores() const {
  const auto& s = inner::Door::truth(*this).scores;
  return s.kind == inner::simulate::ScoreKind::uniform ? "uniform" : fmt::format("beta:{},{}", s.alpha, s.beta);
}

std::string Truth::curve() const { return inner::simulate::to_text(inner::Door::truth(*this).curve); }

Result<Truth> truth(std::string_view scores, std::string_view curve) {
  return door::guarded(nullptr, [&]() -> Result<Truth> {
    auto made = door::scores_of(scores);
    if (!made) return made.error();
    if (!curve.empty()) {
      auto parsed = inner::simulate::parse_curve(curve);
      if (!parsed) return parsed.error();
      made->curve = *std::move(parsed);
    }
    return inner::Door::make(*std::move(made));
  });
}

Result<double> true_error(const Truth& truth, int norm) {
  return door::guarded(nullptr, [&]() -> Result<double> {
    if (const auto fine = inner::in_range(inner::options::norm, norm); !fine) return fine.error();
    return inner::simulate::true_error(inner::Door::truth(truth), norm);
  });
}

Result<Predictions> draw(const Truth& truth, std::size_t n, const Run& run) {
  return door::guarded(run, [&](const door::Going& going) -> Result<Predictions> {
    using inner::simulate::Sampler;
    if (const auto fine = inner::in_range(inner::options::n, n); !fine) return fine.error();
    const auto sampler = Sampler::of(inner::Door::truth(truth));
    if (!sampler) return sampler.error();
    Sampler::Scratch scratch;
    inner::numeric::Ordered rows;
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
  return door::guarded(run, [&](const door::Going& going) -> Result<Bias> {
    const auto& rows = inner::Door::rows(predictions);
    if (!rows.labelled) return door::unlabelled();
    const auto made = inner::answer::bias(rows.predictions, door::asked_bias(options, run, going));
    if (!made) return made.error();
    Bias out = door::bias_of_table(made->table);
    out.note = made->note;
    for (BiasLine& line : out.lines)
      for (const inner::Correction& c : made->corrections)
        if (line.n == made->n && c.estimator == line.estimator && c.norm == line.norm) {
          line.observed = c.observed;
          line.corrected = c.corrected;
        }
    return out;
  });
}

Result<Bias> bias_of(const Truth& truth, const BiasOptions& options, const Run& run) {
  return door::guarded(run, [&](const door::Going& going) -> Result<Bias> {
    const auto made = inner::answer::bias_of(inner::Door::truth(truth), door::asked_bias(options, run, going));
    if (!made) return made.error();
    return door::bias_of_table(*made);
  });
}

}  // namespace v0_3
}  // namespace tare
