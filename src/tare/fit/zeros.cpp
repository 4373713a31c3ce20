#include "tare/fit/zeros.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/rows/rows.hpp"
#include "tare/numeric/contains.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::fit {
namespace {

using numeric::u128;

constexpr const char* certain_name = "certain_rate";
constexpr const char* partial_name = "zero_rate";

template <class T>
bool nothing(T p) {
  return rows::is_nothing(static_cast<double>(p));
}

// One column holds the probability of class 1; its other class has the rest.
template <class T>
std::size_t zeros_of(std::span<const T> row) {
  if (row.size() == 1) return nothing(row[0]) || row[0] == 1;
  return static_cast<std::size_t>(std::count_if(row.begin(), row.end(), nothing<T>));
}
template <class T>
bool has_exact_zero(std::span<const T> row) {
  return std::find(row.begin(), row.end(), T{0}) != row.end() || (row.size() == 1 && row[0] == 1);
}
template <class T>
bool excluded(std::span<const T> row, std::int32_t label) {
  return row.size() == 1 ? (label == 1 ? nothing(row[0]) : row[0] == 1) : nothing(row[static_cast<std::size_t>(label)]);
}

// Is there a probability that is nothing, or, where it stands alone, 1? Probabilities are in the order of their bits.
template <class T>
bool any_certain(std::span<const T> values, bool alone) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits something = std::bit_cast<Bits>(T{0x1p-53}), one = std::bit_cast<Bits>(T{1});
  const Bits most = alone ? one - 1 : one;
  return numeric::any_has_highest_bit(values, [most](T p) {
    const Bits bits = std::bit_cast<Bits>(p);
    return (bits - something) | (most - bits);
  });
}

struct Tally {
  u128 rows = 0, wrong = 0;  // mass
  void add(std::uint64_t mass, bool is_wrong) {
    rows += mass;
    wrong += is_wrong ? mass : 0;
  }
  void merge(const Tally& other) {
    rows += other.rows;
    wrong += other.wrong;
  }
};

struct Count {
  Tally certain, partial;
  bool exact = false;  // a 0 is among them
};

template <class T>
Count count_rows(std::span<const T> values, const MulticlassView& view, std::span<const std::uint64_t> mass,
                 std::size_t first, std::size_t end) {
  const std::size_t columns = view.columns();
  Count out;
  const auto here = values.subspan(first * columns, (end - first) * columns);
  if (!any_certain(here, columns == 1)) return out;
  for (std::size_t i = first; i < end; ++i) {
    const std::uint64_t m = mass.empty() ? 1 : mass[i];
    if (m == 0) continue;
    const auto row = values.subspan(i * columns, columns);
    const std::size_t zeros = zeros_of(row);
    if (zeros == 0) continue;
    out.exact = out.exact || has_exact_zero(row);
    (zeros + 1 >= columns ? out.certain : out.partial).add(m, excluded(row, view.label()[i]));
  }
  return out;
}

double rate_of(const Tally& t, std::uint64_t unit) {
  const auto rows = [&](u128 mass) { return static_cast<double>(mass) / static_cast<double>(unit); };
  return (rows(t.wrong) + 0.5) / (rows(t.rows) + 1);
}

}  // namespace

std::optional<ZeroRates> zero_rates(const MulticlassView& view, int threads) {
  if (view.kind() == Kind::logits) return std::nullopt;
  constexpr std::size_t chunk = 4096;
  const std::size_t n = view.size(), chunks = (n + chunk - 1) / chunk;
  const std::vector<double> weight = counted_weights(view.weight());
  const std::uint64_t unit = numeric::mass_unit(weight);
  std::vector<std::uint64_t> mass(weight.size());  // whole numbers: their sums are exact
  std::transform(weight.begin(), weight.end(), mass.begin(), [&](double w) { return numeric::to_mass(w, unit); });
  std::vector<Count> parts(chunks);
  view.values().visit([&](auto values) {
    numeric::parallel_for(chunks, threads, [&](std::size_t c) {
      numeric::stop_if_asked();
      parts[c] = count_rows(values, view, mass, c * chunk, std::min(n, (c + 1) * chunk));
    });
  });
  Count all;
  for (const Count& p : parts) {
    all.certain.merge(p.certain);
    all.partial.merge(p.partial);
    all.exact = all.exact || p.exact;
  }
  if (!all.exact) return std::nullopt;
  const bool certain = all.certain.rows > 0, partial = all.partial.rows > 0;
  return ZeroRates{rate_of(certain ? all.certain : all.partial, unit),
                   rate_of(partial ? all.partial : all.certain, unit)};
}

std::vector<double> fill_zeros(const Reals& in, std::size_t columns, const ZeroRates& rates, bool keep_top) {
  return in.visit([&](auto values) {
    std::vector<double> out(values.begin(), values.end());
    for (std::size_t i = 0; i < out.size(); i += columns)
      rows::fill_zeros(out.data() + i, columns, rates.certain, rates.partial, keep_top);
    return out;
  });
}

Result<Model> fit_filled(const MulticlassView& view, const Options& options, FitFunction fit, bool keep_top) {
  const auto rates = zero_rates(view, options.threads);
  if (!rates) return fit(view, options);
  const std::vector<double> values = fill_zeros(view.values(), view.columns(), *rates, keep_top);
  const auto filled =
      multiclass_view(view.kind(), std::span<const double>(values), view.columns(), view.label(), view.weight(),
                      2 * row_sum_tolerance_float16);  // the view itself was checked before
  if (!filled) return filled.error();
  auto model = fit(*filled, options);
  if (!model) return model;
  model->parameters[certain_name] = rates->certain;
  if (view.columns() > 2) model->parameters[partial_name] = rates->partial;
  return with_nll_before(*std::move(model), view, options);
}

Result<Recipe> filled_recipe(const Model& model, RecipeFunction recipe, bool keep_top) {
  auto out = recipe(model);
  if (!out || !model.parameters.contains(certain_name)) return out;
  constexpr Bounds open{std::numeric_limits<double>::min(), 1 - 0x1p-53};
  const auto certain = number(model, certain_name, open);
  if (!certain) return certain.error();
  const auto partial = model.columns > 2 ? number(model, partial_name, open) : certain;
  if (!partial) return partial.error();
  out->fill = Recipe::Fill{*certain, *partial, keep_top};
  return out;
}

}  // namespace tare::detail::fit
