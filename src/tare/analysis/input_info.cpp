#include "tare/analysis/input_info.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "tare/core/errors.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::analysis {
namespace {

std::string text(double x) {
  if (x >= 1000) return std::to_string(std::llround(x));
  std::array<char, 40> buffer{};
  const auto r = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, std::chars_format::general, 4);
  return {buffer.data(), r.ptr};
}

}  // namespace

std::string weight_note(double total, std::size_t rows) {
  const auto n = static_cast<double>(rows);
  if (total >= n / 2) return {};
  return "the weights sum to " + text(total) + " over " + std::to_string(rows) +
         " rows: weights are frequencies, so these rows are as much evidence as " + text(total) +
         (text(total) == "1" ? " prediction" : " predictions") +
         "; if each row is one prediction, multiply the weights by " + text(n / total);
}

namespace {

// What the reader has to say, after what the weights mean.
void add_notes(const Predictions& predictions, InputInfo& out) {
  std::vector<std::string> notes = predictions.notes;
  if (predictions.dropped > 0)
    notes.insert(notes.begin(), std::to_string(predictions.dropped) + (predictions.dropped == 1 ? " row" : " rows") +
                                    " with missing values left out");
  for (std::string& note : notes) {
    if (!out.note.empty() && note[0] >= 'a' && note[0] <= 'z') note[0] = static_cast<char>(note[0] - 'a' + 'A');
    out.note += (out.note.empty() ? "" : out.note.ends_with('?') ? " " : ". ") + note;
  }
}

InputInfo info_of_rows(const Predictions& predictions, Reduction reduction) {
  InputInfo out{.n = predictions.n,
                .k = predictions.k,
                .kind = predictions.kind,
                .reduction = reduction,
                .source = predictions.source};
  if (const Summed* summed = predictions.summed.get()) {
    out.n = summed->rows;
    out.weighted = summed->weighted;
    const BinaryView* one = summed->classes.empty() ? nullptr : &summed->classes.front();
    for (const double w : one                  ? one->weight()
                          : predictions.matrix ? predictions.matrix->weight()
                                               : predictions.confidences->weight())
      out.total_weight += w;
    if (out.weighted) out.note = weight_note(out.total_weight, out.n);
    if (!summed->note.empty()) out.note += (out.note.empty() ? "" : "; ") + summed->note;
    return out;
  }
  const auto weight = predictions.matrix ? predictions.matrix->weight() : predictions.confidences->weight();
  out.weighted = !weight.empty();
  out.total_weight = static_cast<double>(predictions.n);
  if (out.weighted) {
    const std::uint64_t unit = numeric::mass_unit(weight);
    std::uint64_t mass = 0;
    std::size_t rows = 0;
    for (const double w : weight) {
      mass += numeric::to_mass(w, unit);
      rows += w > 0;
    }
    out.total_weight = static_cast<double>(mass) / static_cast<double>(unit);
    out.note = weight_note(out.total_weight, rows);
  }
  return out;
}

}  // namespace

InputInfo input_info(const Predictions& predictions, Reduction reduction) {
  InputInfo out = info_of_rows(predictions, reduction);
  out.used = predictions.used;
  add_notes(predictions, out);
  return out;
}

Result<BinaryData> binary_problem(const Predictions& predictions, Reduction reduction, int threads) {
  return reduction == Reduction::positive ? positive(predictions, threads) : top_label(predictions, threads);
}

Result<OneProblem> one_problem(const Predictions& predictions, std::optional<Reduction> asked, int threads,
                               const char* no_classes, const char* instead) {
  const auto reduction = choose_reduction(predictions, asked);
  if (!reduction) return reduction.error();
  if (*reduction == Reduction::classwise) return failure(Errc::unsupported, no_classes, instead);
  auto data = binary_problem(predictions, *reduction, threads);
  if (!data) return data.error();
  return OneProblem{*reduction, *std::move(data)};
}

}  // namespace tare::detail::analysis
