#include "tare/fit/run.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "tare/core/call_options.hpp"
#include "tare/core/names.hpp"
#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/rows/map.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::fit {
namespace {

Result<Model> fitted(const Calibrator& row, const Predictions& predictions, const Options& options) {
  if (predictions.matrix) return row.fit(*predictions.matrix, options);
  const BinaryView& hits = *predictions.confidences;
  const std::vector<std::int32_t> label(hits.label().begin(), hits.label().end());
  auto model = row.fit(two_class_view(hits, label), options);
  if (model) model->input = Kind::confidences;
  return model;
}

// Two classes are n rows of two numbers, or n numbers that say the same: the log-odds z = z_1 - z_0, or the probability
// of class 1. A map of one form on rows of the other; the output has the form of the input.
class OtherForm final : public Map {
 public:
  OtherForm(std::unique_ptr<Map> map, Kind kind, std::size_t columns)
      : map_(std::move(map)), kind_(kind), columns_(columns) {}

  void apply(Reals in, std::span<double> out) const override {
    const std::size_t n = in.size() / columns_;
    std::vector<double> from(n * (3 - columns_)), to(from.size());
    for (std::size_t i = 0; i < n; ++i) {
      if (columns_ == 2) {
        from[i] = kind_ == Kind::logits ? in[2 * i + 1] - in[2 * i] : in[2 * i + 1];
      } else {  // as vector and matrix scaling see one column (rows/map.hpp)
        from[2 * i] = kind_ == Kind::logits ? -in[i] / 2 : 1 - in[i];
        from[2 * i + 1] = kind_ == Kind::logits ? in[i] / 2 : in[i];
      }
    }
    map_->apply(std::span<const double>(from), to);
    for (std::size_t i = 0; i < n; ++i) {
      if (columns_ == 1) {
        out[i] = to[2 * i + 1];
      } else {
        out[2 * i] = 1 - to[i];
        out[2 * i + 1] = to[i];
      }
    }
  }

 private:
  std::unique_ptr<Map> map_;
  Kind kind_;
  std::size_t columns_;  // of the input: 1 or 2
};

std::string described(Kind kind, std::size_t columns) {
  return std::string(name(kind)) +
         (columns == 1 ? " with one number per row" : " of " + std::to_string(columns) + " classes");
}

Error needs_labels(const Calibrator& row) {
  std::string others;
  for (const Calibrator& other : all())
    if (other.without_labels) others += (others.empty() ? "" : ", ") + std::string(other.name);
  return {.code = Errc::bad_input,
          .what = std::string(row.name) + " cannot be fitted without labels",
          .place = {.array = "labels"},
          .remedy = "give the labels; without them there is " + others};
}

Error of_every_class(const Calibrator& row) {
  return {.code = Errc::unsupported,
          .what = std::string(row.name) + " cannot be fitted on a classwise state",
          .place = {.array = "reduction"},
          .remedy = "make a state of the rows with the reduction top_label or positive"};
}

}  // namespace

Result<Model> run(const Calibrator& row, const Predictions& predictions, const Options& options) {
  if (const auto fine = check(fit_options, options); !fine) return fine.error();
  if (options.unlabelled && !row.without_labels) return needs_labels(row);
  if (!predictions.matrix && !predictions.confidences) return of_every_class(row);
  const auto start = std::chrono::steady_clock::now();
  auto model = fitted(row, predictions, options);
  if (model) model->fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return model;
}

std::vector<double> label_shares(const Predictions& predictions) {
  const auto counted = [](const auto& view, std::size_t k) {
    std::vector<numeric::ExactSum> sums(k);
    numeric::ExactSum total;
    for (std::size_t i = 0; i < view.label().size(); ++i) {
      const double weight = view.weight().empty() ? 1 : view.weight()[i];
      sums[static_cast<std::size_t>(view.label()[i])].add(weight);
      total.add(weight);
    }
    std::vector<double> out;
    for (const numeric::ExactSum& sum : sums) out.push_back(sum.value() / total.value());
    return out;
  };
  if (predictions.confidences) return counted(*predictions.confidences, 2);
  return counted(*predictions.matrix, std::max<std::size_t>(2, predictions.matrix->columns()));
}

Result<std::unique_ptr<Map>> map_for(const Model& model, const Predictions& predictions) {
  const Kind kind = predictions.matrix ? predictions.matrix->kind() : Kind::confidences;
  const std::size_t columns = predictions.matrix ? predictions.matrix->columns() : 1;
  const bool other_form = kind == model.input && columns != model.columns && columns <= 2 && model.columns <= 2;
  if (kind != model.input || (columns != model.columns && !other_form))
    return Error{.code = Errc::bad_input,
                 .what = foreign(predictions.source) + " holds " + described(kind, columns) + ", but the " +
                         model.method + " model was fitted on " + described(model.input, model.columns),
                 .remedy = kind != model.input ? "pass what it was fitted on with `" + std::string(name(model.input)) +
                                                     "`, or fit it again on " + std::string(name(kind))
                                               : "a model applies only to as many classes as it was fitted on"};
  const Calibrator* row = find(model.method);
  if (!row)
    return Error{.code = Errc::bad_input,
                 .what = "method '" + foreign(model.method) + "' is not known",
                 .remedy = "`tare list` names them all"};
  auto map = row->load(model);
  if (!map || !other_form) return map;
  return std::unique_ptr<Map>(std::make_unique<OtherForm>(*std::move(map), kind, columns));
}

void apply_rows(const Map& map, Reals values, std::size_t columns, std::size_t first, std::span<double> out,
                int threads) {
  constexpr std::size_t near = 16384;  // numbers that stay in the second cache, with what becomes of them
  const std::size_t n = out.size() / columns, chunk = std::max<std::size_t>(1, near / columns);
  numeric::parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    const std::size_t from = c * chunk, count = std::min(chunk, n - from);
    const Reals in = rows_of(values, columns, first + from, count);
    map.apply(in, out.subspan(from * columns, count * columns));
    exclude_masked(in, columns, out.subspan(from * columns, count * columns));
  });
}

Result<Predictions> applied(const Model& model, const Predictions& p, int threads) {
  if (!p.matrix && !p.confidences)
    return Error{.code = Errc::unsupported,
                 .what = "a state holds no rows that the map could be applied to",
                 .remedy = "give the rows"};
  const auto map = map_for(model, p);
  if (!map) return map.error();
  const std::size_t columns = p.matrix ? p.matrix->columns() : 1;
  const auto out = std::make_shared<std::vector<double>>(p.n * columns);
  apply_rows(**map, p.matrix ? p.matrix->values() : p.confidences->score(), columns, 0, *out, threads);
  Predictions made = p;  // its owners keep labels and weights
  made.owners.push_back(out);
  if (p.matrix) {
    const auto view =
        multiclass_view(Kind::probs, std::span<const double>(*out), columns, p.matrix->label(), p.matrix->weight());
    if (!view) return view.error();
    made.kind = Kind::probs;
    made.matrix = *view;
  } else {
    const auto view = binary_view(std::span<const double>(*out), p.confidences->label(), p.confidences->weight());
    if (!view) return view.error();
    made.confidences = *view;
  }
  return made;
}

void apply_to_both(const Map& map, const Reals& values, std::span<double> out, int threads) {
  constexpr std::size_t chunk = 16384;
  const std::size_t n = out.size() / 2;
  numeric::parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    const std::size_t first = c * chunk, count = std::min(chunk, n - first);
    std::vector<double> one(count);
    map.apply(rows_of(values, 1, first, count), one);
    double* const to = out.data() + 2 * first;
    for (std::size_t i = 0; i < count; ++i) {
      to[2 * i] = 1 - one[i];
      to[2 * i + 1] = one[i];
    }
  });
}

}  // namespace tare::detail::fit
