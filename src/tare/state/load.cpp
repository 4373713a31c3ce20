#include "tare/state/load.hpp"

#include <cstdlib>

#include "tare/platform/platform.hpp"
#include "tare/read/mapped_file.hpp"
#include "tare/read/text.hpp"
#include "tare/state/file.hpp"
#include "tare/state/sample.hpp"
#include "tare/state/sql.hpp"

namespace tare::detail::state {
namespace {

Result<Running> named(Result<Running> state, const std::string& path) {
  if (state) return state;
  Error error = state.error();
  error.place = read::file_place(path);
  return error;
}

double affordable_bytes() {
  if (const char* given = std::getenv("TARE_MEMORY")) return std::strtod(given, nullptr);
  return 0.5 * static_cast<double>(platform::physical_memory());
}

Result<Predictions> through_a_state(const read::Dataset& data, int threads) {
  auto state = Running::make({});
  if (!state) return state.error();
  const auto about = data.read_pieces([&](const Predictions& rows) { return state->add(rows, threads); }, threads);
  if (!about) return about.error();
  auto out = predictions_of(*state, data.source());
  if (!out) return out;
  Summed summed = *out->summed;
  summed.note = "the rows do not fit into memory and went through a state" +
                (summed.note.empty() ? std::string(", which loses nothing here") : ": " + summed.note);
  out->summed = std::make_shared<const Summed>(std::move(summed));
  out->used = data.used();
  out->notes = about->notes;
  out->dropped = about->dropped;
  return out;
}

}  // namespace

bool names_a_state(const std::string& path) { return path.ends_with(".state"); }

Result<Running> read_state(const std::string& path) {
  const auto file = read::MappedFile::open(path);
  if (!file) return file.error();
  return named(from_bytes((*file)->text()), path);
}

std::optional<Result<Running>> state_in(const read::Dataset& data) {
  const read::Source* alone = data.alone();
  if (alone == nullptr) return std::nullopt;
  if (const read::StateBytes* state = alone->state()) return named(from_bytes(state->bytes), alone->name());
  return read_cells(*alone);
}

Result<Predictions> load(const read::Dataset& data, int threads) {
  if (const auto state = state_in(data)) return *state ? predictions_of(**state, data.source()) : (*state).error();
  // groups need the rows
  return !data.has_groups() && data.labelled() && data.bytes_needed() > affordable_bytes()
             ? through_a_state(data, threads)
             : data.read(threads);
}

}  // namespace tare::detail::state
