#include "tare/fit/rows/map.hpp"

#include <algorithm>
#include <vector>

#include "tare/fit/beta.hpp"
#include "tare/fit/isotonic.hpp"
#include "tare/fit/rows/kernels.hpp"
#include "tare/fit/rows/rows.hpp"
#include "tare/fit/scaling_binning.hpp"
#include "tare/fit/zeros.hpp"
#include "tare/numeric/contains.hpp"

namespace tare::detail::fit {
namespace {

void subtract_log_sums(double* x, std::size_t n, std::size_t k) {
  constexpr std::size_t block = 64;
  rows::RowFacts facts[block];
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t count = std::min(block, n - first);
    rows::facts_of_rows(x + first * k, count, k, true, false, facts);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < k; ++j) x[(first + i) * k + j] -= facts[i].log_normaliser;
  }
}

class TemperedMap final : public Map {
 public:
  TemperedMap(const Recipe& recipe, Recipe::Tempered map)
      : columns_(recipe.columns), probabilities_(recipe.input != Kind::logits), map_(std::move(map)) {}

  void apply(Reals in, std::span<double> out) const override {
    tempered_softmax(in, columns_, probabilities_, map_.v, out);
    if (map_.weights.empty()) return;
    std::vector<double> plain(in.size());
    tempered_softmax(in, columns_, probabilities_, 1, plain);
    for (std::size_t i = 0; i < out.size(); i += columns_)
      rows::mix(map_.weights.data(), plain.data() + i, columns_, out.data() + i);
  }

 private:
  std::size_t columns_;
  bool probabilities_;
  Recipe::Tempered map_;
};

class AffineMap final : public Map {
 public:
  AffineMap(const Recipe& recipe, Recipe::Affine map)
      : columns_(recipe.columns), k_(feature_count(columns_)), kind_(recipe.input), map_(std::move(map)) {
    if (columns_ == 1 || map_.w.size() <= k_) return;
    by_feature_.resize(k_ * k_);
    for (std::size_t c = 0; c < k_; ++c)
      for (std::size_t j = 0; j < k_; ++j) by_feature_[j * k_ + c] = map_.w[c * k_ + j];
  }

  void apply(Reals in, std::span<double> out) const override {
    if (columns_ == 1) return apply_column(in, out);
    const std::size_t n = in.size() / columns_;
    std::vector<double> x(block * k_), u(block * k_);
    for (std::size_t first = 0; first < n; first += block) {
      const std::size_t count = std::min(block, n - first);
      fill_features(rows_of(in, columns_, first, count), columns_, kind_, map_.features, x, k_);
      combine(x.data(), count, u.data());
      rows::softmax_rows(u.data(), count, k_);
      std::copy_n(u.data(), count * k_, out.data() + first * k_);
    }
  }

 private:
  static constexpr std::size_t block = 64;  // rows that share a look at the matrix

  void apply_column(const Reals& in, std::span<double> out) const {
    const rows::ColumnMap map(map_);
    in.visit([&](auto x) { rows::affine_column(x.data(), x.size(), kind_ != Kind::logits, map, out.data()); });
  }

  void combine(const double* x, std::size_t count, double* u) const {
    if (!by_feature_.empty()) return rows::affine_rows(x, count, k_, by_feature_.data(), map_.b.data(), u);
    for (std::size_t i = 0; i < count; ++i)
      rows::affine(x + i * k_, k_, map_.w.data(), map_.w.size(), map_.b.data(), u + i * k_);
  }

  std::size_t columns_, k_;
  Kind kind_;
  Recipe::Affine map_;
  std::vector<double> by_feature_ = {};  // a full matrix, transposed
};

class FilledMap final : public Map {
 public:
  FilledMap(std::unique_ptr<Map> map, std::size_t columns, const Recipe::Fill& fill)
      : map_(std::move(map)), columns_(columns), fill_(fill) {}
  void apply(Reals in, std::span<double> out) const override {
    const std::vector<double> filled = fill_zeros(in, columns_, {fill_.certain, fill_.partial}, fill_.keep_top);
    map_->apply(std::span<const double>(filled), out);
  }

 private:
  std::unique_ptr<Map> map_;
  std::size_t columns_;
  Recipe::Fill fill_;
};

template <class Make>
std::unique_ptr<Map> curve_map(const Recipe& recipe, const Recipe::Curves& curves, const Make& make) {
  using Curve = decltype(make(curves.curve[0]));
  std::vector<Curve> out;
  for (const Recipe::Curve& c : curves.curve) out.push_back(make(c));
  const Scale scale = of_log_odds(curves.shape) ? Scale::log_odds : Scale::probability;
  return std::make_unique<OneVsRestMap<Curve>>(recipe.input, recipe.columns, scale, std::move(out));
}

Sigmoid sigmoid_of(const Recipe::Curve& c) { return {.a = c.a, .b = c.b}; }
Steps steps_of(const Recipe::Curve& c) { return {.edges = c.x, .values = c.y, .guide = KnotGuide(c.x)}; }

std::unique_ptr<Map> map_of(const Recipe& recipe, const Recipe::Curves& curves) {
  using Curve = Recipe::Curve;
  using Shape = Recipe::Shape;
  switch (curves.shape) {
    case Shape::sigmoid:
      return curve_map(recipe, curves, sigmoid_of);
    case Shape::beta:
      return curve_map(recipe, curves, [](const Curve& c) { return BetaCurve{.a = c.a, .b = c.b, .c = c.c}; });
    case Shape::steps:
      return curve_map(recipe, curves, steps_of);
    case Shape::sigmoid_steps:
      return curve_map(recipe, curves,
                       [](const Curve& c) { return ScalingBinning{.scaling = sigmoid_of(c), .bins = steps_of(c)}; });
    case Shape::linear:
    case Shape::stairs:
      break;
  }
  return curve_map(recipe, curves, [&](const Curve& c) {
    Isotonic out{.x = c.x, .y = c.y, .step = curves.shape == Shape::stairs};
    out.prepare_map();
    return out;
  });
}
std::unique_ptr<Map> map_of(const Recipe& recipe, const Recipe::Tempered& map) {
  return std::make_unique<TemperedMap>(recipe, map);
}
std::unique_ptr<Map> map_of(const Recipe& recipe, const Recipe::Affine& map) {
  return std::make_unique<AffineMap>(recipe, map);
}

}  // namespace

void tempered_softmax(const Reals& in, std::size_t k, bool probabilities, double v, std::span<double> out) {
  in.visit([&](auto x) { rows::tempered_rows(x.data(), x.size() / k, k, probabilities, v, out.data()); });
}

std::size_t feature_count(std::size_t columns) { return std::max<std::size_t>(columns, 2); }

void fill_features(const Reals& in, std::size_t columns, Kind kind, Features features, std::span<double> out,
                   std::size_t stride) {
  const bool probs = kind != Kind::logits, exact = features == Features::exact_logarithms && probs;
  in.visit([&](auto values) {
    const std::size_t n = values.size() / columns;
    if (columns > 1 && !exact && stride == columns) {
      rows::features_of_logits(values.data(), values.size(), probs, out.data());
      if (features == Features::log_probabilities && !probs) subtract_log_sums(out.data(), n, columns);
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto* row = values.data() + i * columns;
      double* to = out.data() + i * stride;
      if (features == Features::log_probabilities)
        rows::log_features(row, columns, probs, to);
      else if (exact)
        rows::exact_log_features(row, columns, to);
      else
        rows::logit_features(row, columns, probs, to);
    }
  });
}

std::unique_ptr<Map> make_map(const Recipe& recipe) {
  auto map = std::visit([&](const auto& form) { return map_of(recipe, form); }, recipe.map);
  if (!recipe.fill) return map;
  return std::make_unique<FilledMap>(std::move(map), recipe.columns, *recipe.fill);
}

Result<std::unique_ptr<Map>> Calibrator::load(const Model& model) const {
  const auto made = recipe(model);
  if (!made) return made.error();
  return make_map(*made);
}

static_assert(rows::masked_logit == detail::masked_logit);

void exclude_masked(const Reals& in, std::size_t columns, std::span<double> out) {
  if (columns == 1) return;
  in.visit([&](auto values) {
    using T = typename decltype(values)::value_type;
    if (!numeric::any_is(values, [](T z) { return z == static_cast<T>(detail::masked_logit); })) return;
    for (std::size_t at = 0; at < values.size(); at += columns)
      rows::exclude_masked(values.data() + at, columns, out.data() + at);
  });
}

}  // namespace tare::detail::fit
