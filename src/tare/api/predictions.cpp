#include <algorithm>
#include <tare/predictions.hpp>
#include <type_traits>

#include "tare/api/api.hpp"
#include "tare/numeric/contains.hpp"
#include "tare/numeric/narrowed.hpp"

namespace tare::detail::api {
namespace {

template <class From>
std::optional<Error> widen(const Labels& labels, std::vector<std::int32_t>& to) {
  const std::span<const From> from(static_cast<const From*>(labels.data()), to.size());
  std::size_t wrong = numeric::narrowed(from, to.data(), 1);
  const auto negative = [](std::int32_t label) { return label < 0; };
  const auto fit = std::span<const std::int32_t>(to).first(wrong);
  if (numeric::any_is(fit, negative))
    wrong = static_cast<std::size_t>(std::find_if(fit.begin(), fit.end(), negative) - fit.begin());
  if (wrong == to.size()) return std::nullopt;
  return Error{.code = Errc::bad_input,
               .what = "not a class number",
               .place = {.array = "labels", .row = wrong},
               .value = std::to_string(from[wrong]),
               .remedy = "labels are class indices counted from 0"};
}

Result<std::vector<std::int32_t>> copied(const Labels& labels) {
  std::vector<std::int32_t> out(labels.size());
  const auto from = [&]<class Signed>(Signed) {
    return labels.is_signed() ? widen<Signed>(labels, out) : widen<std::make_unsigned_t<Signed>>(labels, out);
  };
  auto wrong = labels.bytes() == 1   ? from(std::int8_t{})
               : labels.bytes() == 2 ? from(std::int16_t{})
               : labels.bytes() == 4 ? from(std::int32_t{})
                                     : from(std::int64_t{});
  if (wrong) return *std::move(wrong);
  return out;
}

// What the views look at.
template <class T>
std::span<const T> kept(std::vector<T> values, Predictions& owner) {
  const auto shared = std::make_shared<const std::vector<T>>(std::move(values));
  owner.owners.push_back(shared);
  return *shared;
}

Result<tare::Predictions> matrix(Kind kind, Reals values, std::size_t columns, const Labels& labels,
                                 std::span<const double> weights, Predictions out) {
  if (columns == 0)
    return bad_option("columns", "0", "not a number of columns",
                      "it is the number of classes, or 1 for one number per row");
  const std::size_t n = values.size() / columns;
  if (n * columns != values.size())
    return bad_input("there are " + std::to_string(values.size()) + " numbers, which is no whole number of rows of " +
                         std::to_string(columns),
                     "numbers are row after row, `columns` of them in each");
  auto given = labels.given() ? copied(labels) : std::vector<std::int32_t>(n, 0);
  if (!given) return given.error();
  const auto view = multiclass_view(kind, values, columns, kept(*std::move(given), out),
                                    kept(std::vector(weights.begin(), weights.end()), out));
  if (!view) return view.error();
  out.kind = kind;
  out.n = n;
  out.k = view->classes();
  out.matrix = *view;
  return Access::make({std::move(out), labels.given()});
}

Result<tare::Predictions> confidences(Reals values, const Labels& hits, std::span<const double> weights,
                                      Predictions out) {
  auto given = hits.given() ? copied(hits) : std::vector<std::int32_t>(values.size(), 0);
  if (!given) return given.error();
  std::vector<std::uint8_t> label(given->size());
  for (std::size_t i = 0; i < label.size(); ++i)
    label[i] = static_cast<std::uint8_t>(std::min<std::int32_t>((*given)[i], 2));
  const auto view =
      binary_view(values, kept(std::move(label), out), kept(std::vector(weights.begin(), weights.end()), out));
  if (!view) return view.error();
  out.kind = Kind::confidences;
  out.n = values.size();
  out.confidences = *view;
  return Access::make({std::move(out), hits.given()});
}

Predictions looking() {
  Predictions out;
  out.source = "the predictions";
  return out;
}

template <class T>
Result<tare::Predictions> keeping(std::vector<T> values, const auto& make) {
  return guarded(nullptr, [&]() -> Result<tare::Predictions> {
    Predictions out = looking();
    const auto kept_values = kept(std::move(values), out);
    return make(Reals(kept_values), std::move(out));
  });
}

}  // namespace

Result<tare::Predictions> make_matrix(Kind kind, const tare::Reals& values, std::size_t columns, const Labels& labels,
                                      std::span<const double> weights) {
  return guarded(nullptr, [&] { return matrix(kind, reals(values), columns, labels, weights, looking()); });
}

template <class T>
Result<tare::Predictions> keep_matrix(Kind kind, std::vector<T>&& values, std::size_t columns, const Labels& labels,
                                      std::span<const double> weights) {
  return keeping(std::move(values), [&](Reals kept_values, Predictions out) {
    return matrix(kind, kept_values, columns, labels, weights, std::move(out));
  });
}

Result<tare::Predictions> make_confidences(const tare::Reals& values, const Labels& hits,
                                           std::span<const double> weights) {
  return guarded(nullptr, [&] { return confidences(reals(values), hits, weights, looking()); });
}

template <class T>
Result<tare::Predictions> keep_confidences(std::vector<T>&& values, const Labels& hits,
                                           std::span<const double> weights) {
  return keeping(std::move(values), [&](Reals kept_values, Predictions out) {
    return confidences(kept_values, hits, weights, std::move(out));
  });
}

Result<tare::Predictions> copy_of(const StoredPredictions& rows) {
  return guarded(nullptr, [&]() -> Result<tare::Predictions> {
    const Predictions& p = rows.predictions;
    Predictions out = p;
    const Reals from = p.matrix ? p.matrix->values() : p.confidences->score();
    const Reals to = from.visit([&](auto s) { return Reals(kept(std::vector(s.begin(), s.end()), out)); });
    if (p.matrix) {
      const auto view = multiclass_view(p.kind, to, p.matrix->columns(), p.matrix->label(), p.matrix->weight(),
                                        row_sum_tolerance_float16);
      if (!view) return view.error();
      out.matrix = *view;
    } else {
      const auto view = binary_view(to, p.confidences->label(), p.confidences->weight());
      if (!view) return view.error();
      out.confidences = *view;
    }
    return Access::make({std::move(out), rows.labelled});
  });
}

}  // namespace tare::detail::api

namespace tare {
inline namespace v0_3 {

namespace api = detail::api;

std::size_t Predictions::size() const noexcept { return detail::Access::rows(*this).predictions.n; }
std::size_t Predictions::classes() const noexcept { return detail::Access::rows(*this).predictions.k; }
std::size_t Predictions::columns() const noexcept {
  const auto& matrix = detail::Access::rows(*this).predictions.matrix;
  return matrix ? matrix->columns() : 1;
}
Kind Predictions::kind() const noexcept { return detail::Access::rows(*this).predictions.kind; }
bool Predictions::labelled() const noexcept { return detail::Access::rows(*this).labelled; }

Reals Predictions::values() const noexcept {
  const detail::Predictions& p = detail::Access::rows(*this).predictions;
  return (p.matrix ? p.matrix->values() : p.confidences->score()).visit([](auto s) {
    return Reals(s.data(), s.size());
  });
}

Result<Predictions> Predictions::owned() const { return api::copy_of(detail::Access::rows(*this)); }

Result<Predictions> from_logits(Reals v, std::size_t columns, Labels labels, std::span<const double> weights) {
  return api::make_matrix(Kind::logits, v, columns, labels, weights);
}
Result<Predictions> from_logits(std::vector<float>&& v, std::size_t columns, Labels labels,
                                std::span<const double> weights) {
  return api::keep_matrix(Kind::logits, std::move(v), columns, labels, weights);
}
Result<Predictions> from_logits(std::vector<double>&& v, std::size_t columns, Labels labels,
                                std::span<const double> weights) {
  return api::keep_matrix(Kind::logits, std::move(v), columns, labels, weights);
}
Result<Predictions> from_probs(Reals v, std::size_t columns, Labels labels, std::span<const double> weights) {
  return api::make_matrix(Kind::probs, v, columns, labels, weights);
}
Result<Predictions> from_probs(std::vector<float>&& v, std::size_t columns, Labels labels,
                               std::span<const double> weights) {
  return api::keep_matrix(Kind::probs, std::move(v), columns, labels, weights);
}
Result<Predictions> from_probs(std::vector<double>&& v, std::size_t columns, Labels labels,
                               std::span<const double> weights) {
  return api::keep_matrix(Kind::probs, std::move(v), columns, labels, weights);
}
Result<Predictions> from_confidences(Reals v, Labels hits, std::span<const double> weights) {
  return api::make_confidences(v, hits, weights);
}
Result<Predictions> from_confidences(std::vector<float>&& v, Labels hits, std::span<const double> weights) {
  return api::keep_confidences(std::move(v), hits, weights);
}
Result<Predictions> from_confidences(std::vector<double>&& v, Labels hits, std::span<const double> weights) {
  return api::keep_confidences(std::move(v), hits, weights);
}

}  // namespace v0_3
}  // namespace tare
