#include "tare/state/fold.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tare/platform/platform.hpp"
#include "tare/read/mapped_file.hpp"
#include "tare/read/text.hpp"
#include "tare/state/file.hpp"
#include "tare/state/sample.hpp"
#include "tare/state/sql.hpp"

namespace tare::inner::state {

bool names_a_state(const std::string& path) { return path.ends_with(".state"); }

Result<Running> read_state(const std::string& path) {
  const auto file = read::MappedFile::open(path);
  if (!file) return file.error();
  auto out = from_bytes((*file)->text());
  if (out) return out;
  Error error = out.error();
  error.place = read::file_place(path);
  return error;
}

std::optional<Result<Running>> read_table_of_cells(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;  // a pipe is read once
  const auto table = read::Source::open(path);
  if (!table || !is_table_of_cells(*table)) return std::nullopt;
  return read_cells(*table);
}

namespace {

double affordable_bytes() {
  if (const char* given = std::getenv("TARE_MEMORY")) return std::strtod(given, nullptr);
  return 0.5 * static_cast<double>(platform::physical_memory());
}

// Files that can be looked at twice and are too much for memory.
bool is_too_large(const read::Fold& names) {
  double bytes = 0;
  for (const std::string& file : read::files(names)) {
    std::error_code wrong;
    const auto size = std::filesystem::is_regular_file(file, wrong) ? std::filesystem::file_size(file, wrong) : 0;
    if (wrong || size == 0) return false;
    bytes += static_cast<double>(size);
  }
  if (64 * bytes < affordable_bytes()) return false;  // whatever they hold
  const auto needed = read::memory_needed(names);
  return needed && *needed > affordable_bytes();
}

constexpr std::size_t most_notes = 4;  // pieces say the same with other numbers

Result<Predictions> through_a_state(const read::Fold& names, int threads) {
  auto state = Running::make({});
  if (!state) return state.error();
  std::string source;
  std::vector<std::string> notes;
  std::size_t dropped = 0;
  const auto done = read::fold_pieces(
      names,
      [&](const Predictions& rows) {
        source = rows.source;
        dropped += rows.dropped;
        for (const std::string& note : rows.notes)
          if (notes.size() < most_notes && std::find(notes.begin(), notes.end(), note) == notes.end())
            notes.push_back(note);
        return state->add(rows, threads);
      },
      threads);
  if (!done) return done.error();
  auto out = predictions_of(*state, source);
  if (!out) return out;
  Summed summed = *out->summed;
  summed.note = "the rows do not fit into memory and went through a state" +
                (summed.note.empty() ? std::string(", which loses nothing here") : ": " + summed.note);
  out->summed = std::make_shared<const Summed>(std::move(summed));
  out->notes = std::move(notes);
  out->dropped = dropped;
  return out;
}

}  // namespace

Result<Predictions> fold(const read::Fold& names, int threads) {
  read::Fold alone;
  alone.file = names.file;
  if (names == alone)
    if (const auto cells = read_table_of_cells(names.file))
      return *cells ? predictions_of(**cells, names.file) : Result<Predictions>(cells->error());
  if (!names_a_state(names.file) && !names.groups.empty()) return read::fold(names, threads);  // groups need the rows
  if (!names_a_state(names.file))
    return is_too_large(names) ? through_a_state(names, threads) : read::fold(names, threads);
  if (names != alone)
    return Error{.code = Errc::bad_option,
                 .what = "a state has no arrays to name, and no halves",
                 .place = read::file_place(names.file),
                 .remedy = "give the .state file alone"};
  const auto state = read_state(names.file);
  if (!state) return state.error();
  return predictions_of(*state, names.file);
}

}  // namespace tare::inner::state
