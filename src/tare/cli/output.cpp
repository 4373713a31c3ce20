#include "tare/cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "tare/core/clean.hpp"
#include "tare/core/errors.hpp"
#include "tare/core/lower.hpp"

namespace tare::detail::cli {
namespace {

// Text for terminals and locales that know no more than ASCII: every other character becomes one that looks like it.
constexpr std::pair<std::string_view, char> looks[] = {
    {"█", '#'}, {"▓", '='}, {"░", '.'}, {"▒", ':'}, {"┃", '|'}, {"│", '|'}, {"─", '-'},     {"━", '-'},
    {"╌", '-'}, {"┄", '-'}, {"┆", ':'}, {"┌", '+'}, {"┐", '+'}, {"└", '+'}, {"┘", '+'},     {"├", '+'},
    {"┤", '+'}, {"┬", '+'}, {"┴", '+'}, {"┼", '+'}, {"╵", '|'}, {"╷", '|'}, {"●", '*'},     {"○", 'o'},
    {"■", '#'}, {"□", 'o'}, {"▲", '^'}, {"△", '^'}, {"▼", 'v'}, {"◆", '@'}, {"◇", 'o'},     {"×", 'x'},
    {"▸", '>'}, {"→", '>'}, {"←", '<'}, {"–", '-'}, {"—", '-'}, {"−", '-'}, {"·", '.'},     {"•", '*'},
    {"…", '~'}, {"≈", '~'}, {"≤", '<'}, {"≥", '>'}, {"±", '~'}, {"²", '2'}, {"’", '\''},    {"‘", '\''},
    {"“", '"'}, {"”", '"'}, {"ä", 'a'}, {"ö", 'o'}, {"ü", 'u'}, {"é", 'e'}, {"\u00a0", ' '}};

// LC_ALL, LC_CTYPE or LANG, whichever is set first, names C, POSIX or a character set that is not UTF-8.
bool wants_ascii() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (!value || *value == '\0') continue;
    const std::string text = lower(value);
    return text.find("utf-8") == std::string::npos && text.find("utf8") == std::string::npos;
  }
  return false;
}

// One character for each, so that columns stay where they are; ? for what looks like nothing.
std::string ascii(std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (byte < 0x80) {
      out += utf8[at++];
      continue;
    }
    std::size_t length = 1;
    while (at + length < utf8.size() && (static_cast<unsigned char>(utf8[at + length]) & 0xC0U) == 0x80U) ++length;
    const std::string_view one = utf8.substr(at, length);
    const auto* const found =
        std::find_if(std::begin(looks), std::end(looks), [&](const auto& look) { return look.first == one; });
    out += found == std::end(looks) ? '?' : found->second;
    at += length;
  }
  return out;
}

}  // namespace

using write::write_all;

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string cleaned(std::string_view answer, Format format, bool colours) {
  if (format == Format::text) return wants_ascii() ? ascii(clean_lines(answer, colours)) : clean_lines(answer, colours);
  return format == Format::json ? clean_json(answer) : std::string(answer);
}

// What is written, in words, and the endings by which people mean it, the usual one first. In the order of Format.
struct Written {
  std::string_view name, endings;
};
constexpr Written formats[] = {{"text", ".txt .text .log .md"},
                               {"JSON", ".json"},
                               {"HTML", ".html .htm"},
                               {"SVG", ".svg"},
                               {"PNG", ".png"},
                               {"a .npy array", ".npy"},
                               {"a state", ".state"},
                               {"a running watch", ".watch"},
                               {"an .npz archive", ".npz"},
                               {"a table", ".csv"},
                               {"a header of C++", ".hpp .h .hh .hxx"},
                               {"SQL", ".sql"}};
// Endings of what tare does not write. One that is nowhere here says nothing about the format.
constexpr std::string_view others =
    ".tsv .pdf .ps .eps .jpg .jpeg .gif .webp .bmp .tif .tiff .tex .doc .docx .xls .xlsx .xml .yaml .yml .toml .pkl "
    ".pickle .pt .pth .mat .h5 .hdf5 .onnx .joblib .arrow .zip .gz .tar .parquet .feather .sqlite .py .ipynb";

bool is_among(std::string_view endings, const std::string& ending) {
  return (" " + std::string(endings) + " ").find(" " + ending + " ") != std::string::npos;
}

bool same_file(const struct stat& a, const std::string& other) {
  struct stat b {};
  return ::stat(other.c_str(), &b) == 0 && S_ISREG(b.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Where neither is there yet: another output may be among the inputs.
bool same_place(const std::string& path, const std::string& other) {
  std::error_code ignored;
  const auto place = [&](const std::string& name) { return std::filesystem::weakly_canonical(name, ignored); };
  return !other.empty() && !std::filesystem::exists(other, ignored) && place(path) == place(other);
}

}  // namespace

std::string ending_of(const std::string& path) { return lower(std::filesystem::path(path).extension().string()); }

void hold_standard_streams() {
  for (int stream = 0; stream < 3; ++stream)
    if (::fcntl(stream, F_GETFD) < 0) {
      // Opened the wrong way round on purpose: using the stream still fails.
      [[maybe_unused]] const int held = ::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
}

bool print(std::string_view answer, Format format) {
  if (write_all(STDOUT_FILENO, cleaned(answer, format, terminal().colour)) || errno == EPIPE) return true;
  talk(fmt::format("error: cannot write the answer: {}\nhint: is the disk full, or standard output closed?\n",
                   std::strerror(errno)));
  return false;
}

void talk(std::string_view words) { write_all(STDERR_FILENO, cleaned(words, Format::text, false)); }
void draw(std::string_view progress) { write_all(STDERR_FILENO, progress); }

render::TextOptions terminal() {
  const bool tty = ::isatty(STDOUT_FILENO) == 1;
  int width = std::atoi(environment("COLUMNS").c_str());
  winsize size{};
  if (width <= 0 && tty && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width <= 0) width = 80;
  const bool colour = tty && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  return {.width = std::clamp(width, 60, 160), .colour = colour};
}

Result<bool> check_not_input(const std::string& path, const std::vector<std::string>& inputs) {
  const bool standard = path.empty() || path == "-";
  struct stat status {};
  const bool there = standard ? ::fstat(STDOUT_FILENO, &status) == 0 : ::stat(path.c_str(), &status) == 0;
  if (there && !S_ISREG(status.st_mode)) return true;
  for (const std::string& input : inputs)
    if (there ? same_file(status, input == "-" ? "/dev/stdin" : input) : !standard && same_place(path, input))
      return bad_option(standard ? "standard output is " + foreign(input) + ", one of the inputs"
                                 : "cannot write " + foreign(path) + ": it is " +
                                       (input == path ? "" : foreign(input) + ", ") + "one of the inputs",
                        "give another name");
  return true;
}

Result<bool> check_ending(const std::string& path, Format format) {
  const std::string ending = ending_of(path);
  const Written& written = formats[static_cast<std::size_t>(format)];
  const auto means = [&](Format other) { return is_among(formats[static_cast<std::size_t>(other)].endings, ending); };
  const bool known =
      is_among(others, ending) || std::any_of(std::begin(formats), std::end(formats),
                                              [&](const Written& w) { return is_among(w.endings, ending); });
  if (ending.empty() || !known || means(format)) return true;
  if (format == Format::json && means(Format::text)) return true;  // JSON is text
  const bool text = format == Format::text;
  const std::string_view add = text && means(Format::json)  ? "add --json, or "
                               : text && means(Format::csv) ? "add --csv, or "
                                                            : "";
  return bad_option(
      fmt::format("cannot write {}: its name ends in {}, but {} is written", foreign(path), ending, written.name),
      fmt::format("{}end the name in {}", add, written.endings.substr(0, written.endings.find(' '))));
}

Result<Output> Output::open(const std::string& path, Format format, const std::vector<std::string>& inputs) {
  if (const auto fine = check_not_input(path, inputs); !fine) return fine.error();
  Output out(format);
  if (path.empty() || path == "-") return out;
  if (const auto fine = check_ending(path, format); !fine) return fine.error();
  auto file = write::WholeFile::open(path);
  if (!file) return file.error();
  out.file_.emplace(*std::move(file));
  return out;
}

render::TextOptions Output::style() const {
  render::TextOptions out = terminal();
  if (is_file()) out.colour = false;
  return out;
}

Result<int> Output::write(std::string_view answer) {
  if (const auto fine = append(answer); !fine) return fine.error();
  return finish();
}

Result<bool> Output::append(std::string_view piece) {
  const bool bytes = format_ == Format::npy || format_ == Format::npz || format_ == Format::state;
  if (is_file()) return file_->append(bytes ? piece : std::string_view(cleaned(piece, format_, false)));
  if (write_all(STDOUT_FILENO, bytes ? piece : std::string_view(cleaned(piece, format_, terminal().colour))) ||
      errno == EPIPE)
    return true;
  return failure(Errc::io, std::string("cannot write the answer: ") + std::strerror(errno),
                 "is the disk full, or standard output closed?");
}

Result<int> Output::finish() {
  if (!is_file()) return 0;
  const auto fine = file_->finish();
  if (!fine) return fine.error();
  return 0;
}

}  // namespace tare::detail::cli
