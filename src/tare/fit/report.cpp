#include "tare/fit/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/rows/map.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::detail::fit {
namespace {

struct Loss {
  static constexpr double most = numeric::infinite_loss;
  numeric::ExactSum sum;       // of weight * loss, where finite
  numeric::ExactSum infinite;  // weight of the rows with infinite loss
  void add(double loss, double weight) {
    if (weight == 0) return;
    if (loss < most)
      sum.add(loss, weight);
    else
      infinite.add(weight);
  }
  void add_rows(double loss, std::uint64_t rows) {  // each of weight 1
    if (loss < most)
      sum.add_mass(loss, static_cast<std::int64_t>(rows));
    else
      infinite.add(static_cast<double>(rows));
  }
  void merge(const Loss& other) {
    sum.merge(other.sum);
    infinite.merge(other.infinite);
  }
};

// -ln of the probability of the label in a row of probabilities; one column is that of class 1.
template <class T>
double loss_of(std::span<const T> row, std::int32_t label) {
  if (row.size() > 1) return -std::log(static_cast<double>(row[static_cast<std::size_t>(label)]));
  const auto p = static_cast<double>(row[0]);
  return label == 1 ? -std::log(p) : p > 0.5 ? -std::log(1 - p) : -std::log1p(-p);
}

struct Block {
  Reals in;
  std::span<const std::int32_t> label;
  std::span<const double> weight;
  std::size_t columns = 0;
  Kind kind = Kind::logits;
  [[nodiscard]] double weight_of(std::size_t i) const { return weight.empty() ? 1 : weight[i]; }
};

void add_before(const Block& b, Loss& loss) {
  b.in.visit([&](auto values) {
    std::vector<double> nll(b.label.size());
    if (b.kind == Kind::logits)
      numeric::softmax_rows(values, b.columns, b.label, {.nll = nll.data()});
    else
      for (std::size_t i = 0; i < nll.size(); ++i)
        nll[i] = loss_of(values.subspan(i * b.columns, b.columns), b.label[i]);
    for (std::size_t i = 0; i < nll.size(); ++i) loss.add(nll[i], b.weight_of(i));
  });
}

void add_after(const Block& b, const Map& map, Loss& loss) {
  std::vector<double> out(b.label.size() * b.columns);
  map.apply(b.in, out);
  exclude_masked(b.in, b.columns, out);
  for (std::size_t i = 0; i < b.label.size(); ++i)
    loss.add(loss_of(std::span<const double>(out).subspan(i * b.columns, b.columns), b.label[i]), b.weight_of(i));
}

// The mean, or nothing and a note.
std::optional<double> mean(const Loss& loss, double total, const char* when, std::string& note) {
  const double infinite = loss.infinite.value();
  if (infinite == 0) return loss.sum.value() / total;
  note += (note.empty() ? "" : "; ") + std::string("NLL ") + when + " is infinite: " + number_text(infinite) +
          (infinite == 1 ? " row gives" : " rows give") + " probability 0 to what happened";
  return std::nullopt;
}

// Calls body(block, part) for blocks of rows, and adds up the parts.
template <class Body>
std::pair<Loss, Loss> over_blocks(const MulticlassView& view, int threads, const Body& body) {
  const std::size_t n = view.size(), columns = view.columns();
  const std::size_t rows = std::clamp<std::size_t>(65536 / columns, 1, 4096);
  const std::size_t chunks = (n + rows - 1) / rows;
  std::vector<std::pair<Loss, Loss>> parts(chunks);
  numeric::parallel_for(chunks, threads, [&](std::size_t c) {
    const std::size_t first = c * rows, count = std::min(rows, n - first);
    body(Block{rows_of(view.values(), columns, first, count), view.label().subspan(first, count),
               view.weight().empty() ? view.weight() : view.weight().subspan(first, count), columns, view.kind()},
         parts[c]);
  });
  std::pair<Loss, Loss> out;
  for (const auto& part : parts) {
    out.first.merge(part.first);
    out.second.merge(part.second);
  }
  return out;
}

}  // namespace

std::string class_list(const std::vector<std::size_t>& classes) {
  constexpr std::size_t most = 5;
  std::string out = classes.size() == 1 ? "class " : "classes ";
  for (std::size_t i = 0; i < std::min(most, classes.size()); ++i) out += (i ? ", " : "") + std::to_string(classes[i]);
  if (classes.size() > most) out += " and " + std::to_string(classes.size() - most) + " more";
  return out;
}

double total_weight(std::size_t rows, std::span<const double> weight) {
  if (weight.empty()) return static_cast<double>(rows);
  numeric::ExactSum total;
  for (const double w : weight) total.add(w);
  return total.value();
}

FitReport merged(std::span<const Outcome> outcomes) {
  FitReport out;
  std::map<std::string, std::vector<std::size_t>> notes;
  for (std::size_t j = 0; j < outcomes.size(); ++j) {
    const Outcome& o = outcomes[j];
    out.status = std::max(out.status, o.status);  // in the order of how bad they are
    out.iterations = std::max(out.iterations, o.iterations);
    if (o.gradient) out.gradient = std::max(out.gradient.value_or(0), *o.gradient);
    if (!o.note.empty()) notes[o.note].push_back(j);
  }
  for (const auto& [note, classes] : notes)
    out.note += (out.note.empty() ? "" : "; ") + (outcomes.size() == 1 ? "" : class_list(classes) + ": ") + note;
  return out;
}

Model model_of(const MulticlassView& view, std::string_view method) {
  return {.method = std::string(method), .k = view.classes(), .columns = view.columns(), .input = view.kind()};
}

Recipe recipe_of(const Model& model, std::variant<Recipe::Tempered, Recipe::Affine, Recipe::Curves> map) {
  return {.input = model.input, .columns = model.columns, .map = std::move(map)};
}

Result<Model> with_nll(Model model, const MulticlassView& view, Result<Recipe> (*recipe)(const Model&),
                       const Options& options) {
  if (!options.losses) return model;
  const auto made = recipe(model);
  if (!made) return made.error();
  const auto map = make_map(*made);
  const auto [before, after] = over_blocks(view, options.threads, [&](const Block& block, std::pair<Loss, Loss>& part) {
    add_before(block, part.first);
    add_after(block, *map, part.second);
  });
  const double weight = total_weight(view.size(), view.weight());
  model.fit.nll_before = mean(before, weight, "before", model.fit.note);
  model.fit.nll_after = mean(after, weight, "after", model.fit.note);
  return model;
}

Model with_nll(Model model, const MulticlassView& view, std::span<const MappedRows> rows, const Options& options) {
  if (!options.losses) return model;
  Loss after;
  for (const MappedRows& r : rows) {
    const std::array<double, 2> both{1 - r.probability, r.probability};
    const auto row = std::span<const double>(both).last(view.columns());
    if (r.hits > 0) after.add_rows(loss_of(row, 1), r.hits);
    if (r.misses > 0) after.add_rows(loss_of(row, 0), r.misses);
  }
  model = with_nll_before(std::move(model), view, options);
  model.fit.nll_after = mean(after, total_weight(view.size(), view.weight()), "after", model.fit.note);
  return model;
}

Model with_nll_before(Model model, const MulticlassView& view, const Options& options) {
  if (!options.losses) return model;
  const auto loss = over_blocks(view, options.threads,
                                [](const Block& block, std::pair<Loss, Loss>& part) { add_before(block, part.first); });
  model.fit.nll_before = mean(loss.first, total_weight(view.size(), view.weight()), "before", model.fit.note);
  return model;
}

}  // namespace tare::detail::fit
