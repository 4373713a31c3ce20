#include <algorithm>

#include "tare/render/table/tables.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::render {
namespace {

std::string legend(const ModelTable& models, bool with_rows, int width) {
  const std::string rows =
      with_rows ? "" : grouped(static_cast<double>(models.models.front().test.input.n)) + " rows each. ";
  const std::string differences =
      models.same_rows ? "*: the difference to the first line is real. The rows are the same in all files, so "
                         "differences of the squared error and of Brier have paired intervals, which hold for all "
                         "lines at once, and these do not contain 0."
                       : "Differences between lines are not judged: " + models.reason + ".";
  return wrap(rows +
                  "In percent, but for Brier. Error: the estimated true mean gap, with its interval; the smallest "
                  "first.",
              width) +
         wrap(differences, width);
}

}  // namespace

std::string text(const ModelTable& models, const TextOptions& options) {
  const InputInfo& first = models.models.front().test.input;
  const bool with_rows = std::any_of(models.models.begin(), models.models.end(),
                                     [&](const ModelLine& line) { return line.test.input.n != first.n; });
  const Table table = text_table(models_table(models, Reader::terminal));
  std::string out = table.str(options.colour, options.width) + "\n" + legend(models, with_rows, options.width);
  const bool alike = std::all_of(models.models.begin(), models.models.end(),
                                 [&](const ModelLine& line) { return line.test.input.used == first.used; });
  for (const ModelLine& line : models.models)
    if (!line.test.input.used.empty() && (!alike || &line == &models.models.front()))
      out += wrap((alike ? "" : printable(line.test.input.source) + ": ") + printable(line.test.input.used),
                  options.width);
  for (const ModelLine& line : models.models)
    if (!line.test.input.note.empty())
      out += wrap("Note on " + printable(line.test.input.source) + ": " + line.test.input.note + ".", options.width);
  return out;
}

}  // namespace tare::detail::render
