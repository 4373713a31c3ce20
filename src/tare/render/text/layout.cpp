#include "tare/render/text/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "tare/core/clean.hpp"

namespace tare::detail::render {
namespace {

constexpr double too_long = 1e15;  // from here on doubles do not even know their ones

// For what plain digits cannot show.
std::optional<std::string> in_words(double x) {
  if (std::isnan(x)) return "undefined";
  if (std::isinf(x)) return x > 0 ? "infinite" : "minus infinite";
  if (std::abs(x) >= too_long) return fmt::format("{:.4g}", x);
  return std::nullopt;
}

bool looks_like_zero(std::string_view digits) { return digits.find_first_not_of("+-0.") == std::string_view::npos; }

}  // namespace

std::string paint(std::string_view text, Ink ink, bool colour) {
  if (!colour || ink == Ink::plain || text.empty()) return std::string(text);
  const int code = ink == Ink::dim ? 2 : ink == Ink::bold ? 1 : ink == Ink::green ? 32 : ink == Ink::yellow ? 33 : 31;
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

std::size_t display_width(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string printable(std::string_view untrusted) { return clean(untrusted); }

std::string wrap(std::string_view paragraph, int width, std::string_view indent) {
  const std::size_t limit = static_cast<std::size_t>(std::max(width, 20));
  std::string out, line(indent);
  bool empty = true;
  while (!paragraph.empty()) {
    const auto space = std::min(paragraph.find(' '), paragraph.size());
    const auto word = paragraph.substr(0, space);
    if (!empty && display_width(line) + 1 + display_width(word) > limit) {
      out += line + "\n";
      line = indent;
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
    paragraph.remove_prefix(std::min(space + 1, paragraph.size()));
  }
  if (!empty) out += line + "\n";
  for (auto at = out.find(no_break); at != std::string::npos; at = out.find(no_break, at)) out.replace(at, 2, " ");
  return out;
}

std::string Table::str(bool colour, int room) const {
  std::vector<std::size_t> width(columns_.size(), 0);  // 0: nothing in this column
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], display_width(row[c].text));
  for (std::size_t c = 0; c < width.size(); ++c)
    if (width[c] != 0) width[c] = std::max(width[c], display_width(columns_[c].title));
  std::string gap = "  ";
  const auto taken = [&] {
    std::size_t sum = 0;
    for (const std::size_t w : width) sum += w == 0 ? 0 : w + (sum == 0 ? 0 : gap.size());
    return sum;
  };
  for (std::size_t c = columns_.size(); c-- > 0 && taken() > static_cast<std::size_t>(room);)
    if (columns_[c].spare) width[c] = 0;
  if (taken() > static_cast<std::size_t>(room)) gap = " ";

  const auto line = [&](const auto& cell_at, std::size_t cells) {
    std::string out, pad;
    for (std::size_t c = 0; c < cells; ++c) {
      if (width[c] == 0) continue;
      const Cell cell = cell_at(c);
      const std::string fill(width[c] - display_width(cell.text), ' ');
      if (columns_[c].right) pad += fill;
      if (!cell.text.empty()) {
        out += pad + paint(cell.text, cell.ink, colour);
        pad.clear();
      }
      if (!columns_[c].right) pad += fill;
      pad += gap;  // written only when something follows: no trailing blanks
    }
    return out + "\n";
  };
  std::string out = line([&](std::size_t c) { return Cell{columns_[c].title, Ink::bold}; }, columns_.size());
  for (const auto& row : rows_) out += line([&](std::size_t c) { return row[c]; }, row.size());
  return out;
}

std::string grouped(double whole) {
  if (auto words = in_words(whole)) return *words;
  if (whole > 0 && whole < 0.001) return fmt::format("{:.3g}", whole);  // weights may be counted in any unit
  std::string digits = fmt::format("{:.3f}", whole);
  const std::size_t point = digits.size() - 4;
  if (digits.ends_with(".000")) digits.resize(point);
  for (std::size_t i = point; i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string general(double x, int digits) {
  return std::isfinite(x) ? fmt::format("{:.{}g}", x, digits) : in_words(x).value();
}

std::string visible(double x, int digits) {
  const std::string out = fixed(x, digits);
  return x != 0 && looks_like_zero(out) ? fmt::format("{:.2g}", x) : out;
}

std::string percent(double fraction, int digits) { return visible(100 * fraction, digits); }

std::string signed_percent(double fraction, int digits) { return signed_number(100 * fraction, digits); }

std::string signed_number(double x, int digits, bool exact) {
  if (auto words = in_words(x)) return (std::isfinite(x) && x > 0 ? "+" : "") + *words;
  const std::string out = fmt::format("{:+.{}f}", x, digits);
  if (!looks_like_zero(out)) return out;
  return exact && x != 0 ? fmt::format("{:+.1e}", x) : "+" + out.substr(1);
}

std::string fixed(double x, int digits) {
  if (auto words = in_words(x)) return *words;
  const std::string out = fmt::format("{:.{}f}", x, digits);
  return out.starts_with('-') && looks_like_zero(out) ? out.substr(1) : out;
}

}  // namespace tare::detail::render
