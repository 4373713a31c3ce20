// The table of kinds. To add one: write its function and its test, then its line here.
#include "tare/paper/study.hpp"

#include <algorithm>
#include <filesystem>

namespace tare::detail::paper {

std::span<const StudyKind> kinds() {
  static constexpr std::array rows{
      StudyKind{"bias", "estimators on samples of known truth: mean, bias, spread by truth, n and bins", bias_study},
      StudyKind{"distribution", "the values of one estimator over many samples, and one of the samples",
                distribution_study},
      StudyKind{"detection", "how often a test at a given level misses a given true error", detection_study},
      StudyKind{"curves", "densities of scores and calibration curves of known truths", curves_study},
      StudyKind{"fits", "Beta distributions and calibration curves fitted to networks", fits_study},
      StudyKind{"choice", "which calibrator an estimator would choose, and which the fitted truth", choice_study},
      StudyKind{"recalibration", "calibrators on networks: ECE, MCE, NLL, error", recalibration_study},
      StudyKind{"bins", "reliability diagrams and confidence histograms of networks", bins_study},
      StudyKind{"records", "training runs that were recorded", records_study},
      StudyKind{"timing", "seconds that fitting a calibrator takes", timing_study},
  };
  return rows;
}

const StudyKind* find_kind(std::string_view name) {
  const auto all = kinds();
  const auto at = std::ranges::find(all, name, &StudyKind::name);
  return at == all.end() ? nullptr : &*at;
}

// Numbers that were recorded while networks were trained: a table of the data folder, with columns computed from it.
// Guo et al. 2017, Figures 2 and 3.

namespace {

// a column times a number plus a number, or the number inside a name: resnet110 has 110 layers
Cell derived(const Frame& frame, std::size_t row, const Settings& s) {
  if (s.has("digits_of")) {
    std::string digits;
    for (const char c : text_of(frame.at(row, s.text("digits_of"))))
      if (c >= '0' && c <= '9') digits += c;
    return digits.empty() ? Cell() : Cell(std::stod(digits.substr(0, 9)));
  }
  const double* x = frame.number(row, s.text("from"));
  return x ? Cell(*x * s.number("times", 1) + s.number("plus", 0)) : Cell();
}

}  // namespace

Result<Frame> records_study(const Settings& settings, const Context& context) {
  const std::string path = (std::filesystem::path(context.data) / settings.text("file")).string();
  const auto extra = settings.list("columns");
  const auto where = Where::parse(settings.text("where", ""));
  if (!where) settings.wrong(sentence(where.error()));
  if (!settings.problem().empty()) return settings.error();
  const auto text = read_file(path);
  if (!text)
    return Error{.code = Errc::io,
                 .what = "cannot read " + foreign(path),
                 .remedy = "set TARE_DATA to the folder that holds it"};
  const auto all = Frame::from_csv(*text, path);
  if (!all) return all.error();
  Frame out;
  for (const std::size_t r : where->rows(*all)) {
    Cells cells;
    for (const std::string& column : all->columns()) cells.emplace_back(column, all->at(r, column));
    for (const Settings& s : extra) cells.emplace_back(s.text("name"), derived(*all, r, s));
    out.add(cells);
  }
  if (!settings.problem().empty()) return settings.error();
  return out;
}

}  // namespace tare::detail::paper
