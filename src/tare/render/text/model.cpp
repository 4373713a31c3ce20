#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/core/names.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::render {
namespace {

constexpr int chart_rows = 13;

// A name and its value, whose further lines stand below its first.
std::string labelled(std::string_view name, std::string_view value, int width) {
  const std::string head = fmt::format("{:<12} ", printable(name));
  return head + wrap(printable(value), width, std::string(head.size(), ' ')).substr(head.size());
}

std::string fit_line(const FitReport& fit) {
  std::string out(name(fit.status));
  if (fit.gradient) out += fmt::format(", {} iterations, gradient {:.1e}", fit.iterations, *fit.gradient);
  const auto shown = [](const std::optional<double>& x) { return x ? general(*x, 6) : "infinite"; };
  if (fit.nll_before || fit.nll_after)
    out += fmt::format("; NLL {} -> {} on the rows of the fit", shown(fit.nll_before), shown(fit.nll_after));
  return out;
}

// `*` is the map, `.` what would change nothing.
std::string curve_chart(const std::vector<double>& curve) {
  const auto columns = static_cast<double>(curve.size());
  std::vector<std::string> grid(chart_rows, std::string(curve.size(), ' '));
  const auto row_of = [](double y) {
    return chart_rows - 1 - std::clamp(static_cast<int>(y * chart_rows), 0, chart_rows - 1);
  };
  for (std::size_t i = 0; i < curve.size(); ++i) {
    grid[static_cast<std::size_t>(row_of((static_cast<double>(i) + 0.5) / columns))][i] = '.';
    grid[static_cast<std::size_t>(row_of(curve[i]))][i] = '*';
  }
  std::string out;
  for (int r = 0; r < chart_rows; ++r) {
    const char* mark = r == 0 ? "100%" : r == chart_rows / 2 ? " 50%" : r == chart_rows - 1 ? "  0%" : "    ";
    out += fmt::format("  {} |{}\n", mark, grid[static_cast<std::size_t>(r)]);
  }
  out += fmt::format("       +{}\n", std::string(curve.size(), '-'));
  return out + fmt::format("        0%{:>{}}\n", "100%", static_cast<int>(curve.size()) - 2);
}

// Shades of the size, two columns each; what is negative is marked.
std::string matrix_chart(const ModelDescription& shown) {
  constexpr std::string_view shades = " .:-=+*#%@";
  double largest = 0;
  for (const double w : shown.matrix) largest = std::max(largest, std::abs(w));
  std::string out;
  for (std::size_t r = 0; r < shown.side; ++r) {
    out += "  ";
    for (std::size_t c = 0; c < shown.side; ++c) {
      const double w = shown.matrix[r * shown.side + c];
      const double size = largest > 0 ? std::abs(w) / largest : 0;
      const char shade = shades[std::min<std::size_t>(9, static_cast<std::size_t>(size * 10))];
      out += fmt::format("{}{}", w < 0 && shade != ' ' ? '-' : ' ', shade);
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string text(const ModelDescription& shown, const TextOptions& options) {
  const Model& m = shown.model;
  std::string out = labelled("method", fmt::format("{} ({})", m.method, shown.title), options.width);
  out += labelled("input",
                  fmt::format("{} of {} classes{}", name(m.input), m.k, m.columns == 1 ? ", one number per row" : ""),
                  options.width);
  out += labelled("fit", fit_line(m.fit), options.width);
  for (const auto& [fact, value] : shown.facts) out += labelled(fact, value, options.width);
  for (const auto& [key, value] : m.provenance) {
    std::string words = key == "data" ? "data hash" : key;
    std::ranges::replace(words, '_', ' ');
    out += labelled(words, value, options.width);
  }
  if (!m.fit.note.empty()) out += wrap("note: " + printable(m.fit.note), options.width);
  if (!shown.matrix.empty())
    out += "\n" +
           wrap(fmt::format("Its matrix, {}{}largest entries darkest, negative ones with a minus:",
                            shown.centered ? "each row and column less its mean, " : "",
                            shown.block > 1 ? fmt::format("means of {0} x {0} entries, ", shown.block) : ""),
                options.width) +
           "\n" + matrix_chart(shown);
  out +=
      "\n" + wrap(m.columns == 1
                      ? "What it makes of a score (*); dots would change nothing:"
                      : fmt::format("What it makes of the probability of class {}, the others sharing the rest{} (*); "
                                    "dots would change nothing:",
                                    shown.shown_class, shown.centered ? ", of logits that sum to 0" : ""),
                  options.width);
  return out + "\n" + curve_chart(shown.curve);
}

}  // namespace tare::detail::render
