#include "tare/state/fold.hpp"

#include "tare/read/mapped_file.hpp"
#include "tare/read/text.hpp"
#include "tare/state/file.hpp"
#include "tare/state/sample.hpp"

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

Result<Predictions> fold(const read::Fold& names, int threads) {
  if (!names_a_state(names.file)) return read::fold(names, threads);
  read::Fold alone;
  alone.file = names.file;
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
