#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::render {
namespace {

bool differs(const ModelLine& line, Criterion criterion) {
  for (const Difference& d : line.differences)
    if (d.criterion == criterion) return d.change != Change::noise;
  return false;
}

std::string outcome_words(Outcome outcome) {
  std::string out(name(outcome));
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

// Names without what they have in common: the folder, and the ending with the half of the file.
std::vector<std::string> short_names(const ModelTable& models) {
  std::vector<std::string> out;
  for (const ModelLine& line : models.models) out.push_back(line.test.input.source);
  const auto common = [&](const auto& part) {
    const std::string first = part(out.front());
    const bool all = std::all_of(out.begin(), out.end(), [&](const std::string& s) { return part(s) == first; });
    return all ? first.size() : 0;
  };
  const std::size_t folder = common([](const std::string& s) { return s.substr(0, s.find_last_of('/') + 1); });
  const std::size_t ending =
      common([](const std::string& s) { return s.substr(std::min(s.find_last_of('.'), s.size())); });
  for (std::string& s : out)
    if (s.size() > folder + ending) s = s.substr(folder, s.size() - folder - ending);
  return out;
}

std::vector<Cell> row_of(const ModelLine& line, const std::string& shown_name, bool with_rows) {
  const Verdict& v = line.test.verdict;
  const auto mark = [&](Criterion criterion) { return std::string(differs(line, criterion) ? "*" : " "); };
  const std::string interval =
      v.mean.low && v.mean.high ? percent(*v.mean.low) + " to " + percent(*v.mean.high) : std::string();
  return {{printable(shown_name)},
          {with_rows ? grouped(static_cast<double>(line.test.input.n)) : ""},
          {percent(v.mean_score, 1)},
          {percent(v.mean_label, 1)},
          {(v.mean.value ? percent(*v.mean.value) : "n/a") + mark(Criterion::squared_error)},
          {interval},
          {line.brier ? fixed(*line.brier, 4) + mark(Criterion::brier) : ""},
          {outcome_words(v.outcome), v.outcome == Outcome::miscalibrated ? Ink::yellow : Ink::plain}};
}

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
  const bool top = first.reduction == Reduction::top_label;
  const bool with_rows = std::any_of(models.models.begin(), models.models.end(),
                                     [&](const ModelLine& line) { return line.test.input.n != first.n; });
  Table table({{"", false},
               {"n", true, true},
               {top ? "confidence" : "score", true, true},
               {top ? "accuracy" : "rate", true, true},
               {"error", true},
               {"95%", true},
               {"Brier", true, true},
               {"verdict", false}});
  const auto names = short_names(models);
  for (std::size_t i = 0; i < names.size(); ++i) table.add(row_of(models.models[i], names[i], with_rows));
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

}  // namespace tare::inner::render
