#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tare/calibrators.hpp>
#include <type_traits>

#include "tare/analysis/compare.hpp"
#include "tare/api/api.hpp"
#include "tare/core/result.hpp"
#include "tare/fit/run.hpp"
#include "tare/numeric/contains.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/text/text.hpp"
#include "tare/write/whole_file.hpp"

namespace tare::detail::api {
namespace {

Result<Calibrator> loaded(Model model) {
  const fit::Calibrator* row = fit::find(model.method);
  if (row == nullptr) return fit::unknown_method(model.method);
  auto map = row->load(model);
  if (!map) return map.error();
  return Access::make(Fitted{std::move(model), *std::move(map)});
}

Result<tare::Predictions> applied(const Model& model, const StoredPredictions& rows, const Going& going) {
  auto made = fit::applied(model, rows.predictions, going.threads);
  if (!made) return made.error();
  return Access::make(StoredPredictions{*std::move(made), rows.labelled});
}

// The first number that is no logit or no probability, or their count. In a pass without an exit first: good data pay
// little.
template <class T>
std::size_t first_wrong(std::span<const T> x, bool logits) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits most = std::bit_cast<Bits>(std::numeric_limits<T>::max()), one = std::bit_cast<Bits>(T{1});
  const auto bits = [](T v) { return std::bit_cast<Bits>(v); };
  const bool fine = logits ? !numeric::any_has_highest_bit(x, [&](T v) { return most - bits(std::abs(v)); })
                           : !numeric::any_has_highest_bit(x, [&](T v) { return bits(v) | (one - bits(v)); });
  if (fine) return x.size();
  const auto wrong = [&](T v) { return logits ? !std::isfinite(v) : !(v >= 0 && v <= 1); };
  return static_cast<std::size_t>(std::find_if(x.begin(), x.end(), wrong) - x.begin());
}

Result<void> apply_plain(const Fitted& fitted, const tare::Reals& in, std::span<double> out) {
  const std::size_t columns = fitted.model.columns;
  if (in.size() % columns != 0 || out.size() != in.size())
    return Error{.code = Errc::bad_input,
                 .what = "there are " + std::to_string(in.size()) + " numbers and room for " +
                         std::to_string(out.size()) + ", for rows of " + std::to_string(columns),
                 .place = {.array = "in"},
                 .remedy = "whole rows in, as many numbers out"};
  const Reals rows = reals(in);
  const bool logits = fitted.model.input == Kind::logits;
  const std::size_t wrong = rows.visit([&](auto x) { return first_wrong(x, logits); });
  if (wrong < in.size())
    return Error{.code = Errc::bad_input,
                 .what = logits ? "not a finite number" : "not in [0, 1]",
                 .place = {.array = "in", .row = wrong / columns, .column = wrong % columns},
                 .value = number_text(rows[wrong])};
  if (!out.empty()) fit::apply_rows(*fitted.map, rows, columns, 0, out, 1);
  return {};
}

tare::Comparison comparison(detail::Comparison made) {
  tare::Comparison out{.winner = made.winner.method, .why = made.winner.how};
  for (const MethodResult& m : made.methods) {
    Compared c{.method = m.method,
               .reason = m.reason,
               .error = m.error,
               .nll = m.nll,
               .brier = m.brier,
               .selection = m.selection,
               .fit = m.fit};
    for (const Measured& e : m.estimates) c.estimates.push_back(estimate_row(e));
    for (const detail::Difference& d : m.differences)
      c.differences.push_back({std::string(name(d.criterion)), d.against, d.value, d.low, d.high});
    out.methods.push_back(std::move(c));
  }
  out.impl = hold(std::move(made));
  return out;
}

Result<tare::Comparison> compared(const tare::Predictions& validation, const tare::Predictions* test,
                                  const CompareOptions& options, const Run& run) {
  return guarded(run, [&](const Going& going) -> Result<tare::Comparison> {
    const StoredPredictions& fitted = Access::rows(validation);
    const StoredPredictions* judged = test != nullptr ? &Access::rows(*test) : nullptr;
    if (!fitted.labelled || (judged != nullptr && !judged->labelled)) return unlabelled();
    auto how = asked<analysis::CompareOptions>(compare_options, options, going);
    how.fit = asked<fit::Options>(fit_options, options.fit, going);
    auto made = analysis::compare(fitted.predictions, judged != nullptr ? &judged->predictions : nullptr, how);
    if (!made) return made.error();
    return comparison(*std::move(made));
  });
}

}  // namespace
}  // namespace tare::detail::api

namespace tare {
inline namespace v0_3 {

namespace api = detail::api;

std::span<const Method> methods() noexcept {
  static const auto* const table = [] {  // never freed: its texts live as long as the program
    auto* out = new std::vector<Method>;
    for (const detail::fit::Calibrator& row : detail::fit::all())
      out->push_back({.name = row.name,
                      .title = row.title,
                      .summary = row.summary,
                      .citation = row.citation,
                      .options = row.options,
                      .keeps_top_label = row.keeps_top_label,
                      .without_labels = row.without_labels});
    return out;
  }();
  return *table;
}

std::string_view Calibrator::method() const noexcept { return detail::Access::fitted(*this).model.method; }
FitReport Calibrator::report() const { return detail::Access::fitted(*this).model.fit; }
Kind Calibrator::input() const noexcept { return detail::Access::fitted(*this).model.input; }
std::size_t Calibrator::columns() const noexcept { return detail::Access::fitted(*this).model.columns; }

Result<Predictions> Calibrator::apply(const Predictions& predictions, const Run& run) const {
  return api::guarded(run, [&](const api::Going& going) {
    return api::applied(detail::Access::fitted(*this).model, detail::Access::rows(predictions), going);
  });
}

Result<void> Calibrator::apply_rows(Reals in, std::span<double> out) const {
  return api::guarded(nullptr, [&] { return api::apply_plain(detail::Access::fitted(*this), in, out); });
}

Result<std::string> Calibrator::to_json() const {
  return api::guarded(
      nullptr, [&]() -> Result<std::string> { return detail::fit::to_json(detail::Access::fitted(*this).model); });
}

Result<void> Calibrator::save(const std::string& path) const {
  return api::guarded(nullptr, [&]() -> Result<void> {
    const auto done = detail::write::write_file(path, detail::fit::to_json(detail::Access::fitted(*this).model));
    if (!done) return done.error();
    return {};
  });
}

Result<Calibrator> Calibrator::from_json(std::string_view text) {
  return api::guarded(nullptr, [&]() -> Result<Calibrator> {
    auto model = detail::fit::from_json(text, "the model");
    if (!model) return model.error();
    return api::loaded(*std::move(model));
  });
}

Result<Calibrator> Calibrator::load(const std::string& path) {
  return api::guarded(nullptr, [&]() -> Result<Calibrator> {
    auto model = detail::fit::read_model(path);
    if (!model) return model.error();
    return api::loaded(*std::move(model));
  });
}

Result<Calibrator> fit(std::string_view method, const Predictions& validation, const FitOptions& options,
                       const Run& run) {
  return api::guarded(run, [&](const api::Going& going) -> Result<Calibrator> {
    const auto& rows = detail::Access::rows(validation);
    const detail::fit::Calibrator* row = detail::fit::find(method);
    if (row == nullptr) return detail::fit::unknown_method(method);
    auto how = api::asked<detail::fit::Options>(detail::fit_options, options, going);
    how.unlabelled = !rows.labelled;
    auto model = detail::fit::run(*row, rows.predictions, how);
    if (!model) return model.error();
    return api::loaded(*std::move(model));
  });
}

const Compared* Comparison::find(std::string_view method) const noexcept {
  const auto at = std::find_if(methods.begin(), methods.end(), [&](const Compared& c) { return c.method == method; });
  return at == methods.end() ? nullptr : &*at;
}

Result<Comparison> compare(const Predictions& validation, const CompareOptions& options, const Run& run) {
  return api::compared(validation, nullptr, options, run);
}

Result<Comparison> compare(const Predictions& validation, const Predictions& test, const CompareOptions& options,
                           const Run& run) {
  return api::compared(validation, &test, options, run);
}

Result<std::string> to_text(const Comparison& comparison, int width) {
  return api::shown<detail::Comparison>(comparison.impl, "compare", [&](const detail::Comparison& c) {
    return detail::render::text(c, {.width = width});
  });
}

Result<std::string> to_json(const Comparison& comparison) {
  return api::shown<detail::Comparison>(comparison.impl, "compare",
                                        [](const detail::Comparison& c) { return detail::render::json(c); });
}

}  // namespace v0_3
}  // namespace tare
