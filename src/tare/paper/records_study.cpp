// Numbers that were recorded while networks were trained: a table of the data folder, with columns computed from it.
// Guo et al. 2017, Figures 2 and 3.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tare/paper/study.hpp"

namespace tare::detail::paper {
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
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{.code = Errc::io,
                 .what = "cannot read " + foreign(path),
                 .remedy = "set TARE_DATA to the folder that holds it"};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto all = Frame::from_csv(text, path);
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
