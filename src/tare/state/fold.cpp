#include "tare/state/fold.hpp"

#include <filesystem>

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
  const auto bytes = (*file)->bytes();
  auto out = from_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
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

Result<Predictions> fold(const read::Fold& names, int threads) {
  read::Fold alone;
  alone.file = names.file;
  if (names == alone)
    if (const auto cells = read_table_of_cells(names.file))
      return *cells ? predictions_of(**cells, names.file) : Result<Predictions>(cells->error());
  if (!names_a_state(names.file)) return read::fold(names, threads);
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
