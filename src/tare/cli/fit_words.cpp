#include "tare/cli/fit_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tare/answer/input_info.hpp"
#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"

namespace tare::inner::cli {
namespace {

std::string shown_nll(const std::optional<double>& x) { return x ? fmt::format("{:.6g}", *x) : "infinite"; }

// "shares  0.9, 0.1 -> 0.62, 0.38", of the classes, before and after; of many classes the first ones.
std::string shares_line(const Model& model) {
  const auto listed = [&](const char* name) {
    const auto& shares = std::get<std::vector<double>>(model.parameters.at(name));
    std::string out;
    for (std::size_t c = 0; c < std::min<std::size_t>(shares.size(), 10); ++c)
      out += fmt::format("{}{:.4g}", c ? ", " : "", shares[c]);
    return shares.size() > 10 ? out + ", ..." : out;
  };
  if (!model.parameters.contains("prior") || !model.parameters.contains("shares")) return {};
  return "shares  " + listed("prior") + " -> " + listed("shares") + "\n";
}

}  // namespace

std::string fit_summary(const Model& model, const fit::Calibrator& row, const Predictions& data, bool labelled,
                        const std::string& saved) {
  const FitReport& fit = model.fit;
  std::string out = fmt::format("method  {} ({})\n", model.method, row.title);
  out += fmt::format("data    {}: n = {}, K = {}, {}\n", clean(data.source),
                     answer::input_info(data, Reduction::top_label).n, model.k, name(model.input));
  out += fmt::format("status  {}", name(fit.status));
  if (fit.gradient) out += fmt::format(", {} iterations, gradient {:.1e}", fit.iterations, *fit.gradient);
  out += "\n" + shares_line(model);
  out += labelled ? fmt::format("NLL     {} -> {}\n", shown_nll(fit.nll_before), shown_nll(fit.nll_after))
                  : "NLL     not known without labels\n";
  return out + "saved   " + (saved.empty() ? "nowhere; -o FILE saves it" : clean(saved)) + "\n";
}

std::string fit_advice(const Model& model) {
  if (model.fit.status == FitStatus::converged || model.fit.note.empty())
    return model.fit.note.empty() ? "" : "note: " + model.fit.note + "\n";
  std::string out = "warning: " + std::string(name(model.fit.status)) + ": " + clean(model.fit.note) + "\n";
  if (model.fit.status == FitStatus::unbounded)
    out += "hint: the map works, but more validation rows or a method with fewer parameters would settle it\n";
  if (model.fit.status == FitStatus::iteration_limit) out += "hint: raise --max-iterations\n";
  return out;
}

}  // namespace tare::inner::cli
