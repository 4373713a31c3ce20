#include "tare/state/sample.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tare/platform/platform.hpp"
#include "tare/read/mapped_file.hpp"
#include "tare/read/text.hpp"
#include "tare/state/file.hpp"
#include "tare/state/sql.hpp"

namespace tare::detail::state {
namespace {

// Masses of 64 bits are enough from here on: whole weights stay exact, of others the last bits go once there are more
// than 2^52 units of them.
int dropped_bits(const Body& body) {
  if (!body.fine) return 0;
  const bool whole = std::ranges::all_of(
      body.cells, [](const Cell& c) { return static_cast<std::uint64_t>(c.mass | c.hits) << (64 - fine_bits) == 0; });
  int out = whole ? fine_bits : 0;
  while (out < fine_bits / 2 && body.mass >> out >= u128{1} << 52) ++out;
  return out;
}

double mean_of(const Cell& cell, const Ends& ends) {
  const double mean = static_cast<double>(cell.score) / (static_cast<double>(cell.mass) * numeric::score_scale);
  return std::clamp(mean, ends.low, ends.high);
}

// A binary problem with the memory that its view looks at.
struct Problem {
  std::vector<double> score = {}, weight = {};
  std::vector<std::uint8_t> label = {};
};

// A hit and a miss for each cell that has some.
std::shared_ptr<const Problem> problem_of(const numeric::Ordered& data) {
  auto out = std::make_shared<Problem>();
  const auto unit = static_cast<double>(data.unit());
  for (std::size_t g = 0; g < data.groups(); ++g)
    for (const std::uint8_t label : {std::uint8_t{0}, std::uint8_t{1}})
      if (const std::uint64_t mass = label == 1 ? data.hits(g) : data.mass(g) - data.hits(g); mass > 0) {
        out->score.push_back(data.score(g));
        out->weight.push_back(static_cast<double>(mass) / unit);
        out->label.push_back(label);
      }
  return out;
}

std::string note_of(double width, std::size_t cells) {
  std::array<char, 32> known{};
  std::snprintf(known.data(), known.size(), "%.1g", width);
  return "there were more different scores than cells: scores are known to within " + std::string(known.data()) + " (" +
         std::to_string(cells) + " cells), and the numbers are those of scores moved by less than that";
}

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

Grouped grouped(const Body& body, const Shape& shape) {
  Grouped out;
  const int drop = dropped_bits(body);
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  for (auto* v : {&mass, &hits}) v->reserve(body.cells.size());
  score.reserve(body.cells.size());
  for (const Cell& cell : body.cells) {
    const auto kept = static_cast<std::uint64_t>(cell.mass >> drop);
    if (kept == 0) continue;
    const auto marked = static_cast<std::uint64_t>(cell.hits >> drop);
    mass.push_back(kept);
    hits.push_back(marked);
    if (cell.only != many) {
      score.push_back(cell.only);
      continue;
    }
    const Ends ends = ends_of(cell.place, cell.bin, body.step, shape.bins);
    score.push_back(mean_of(cell, ends));
    out.exact = false;
    out.width = std::max(out.width, ends.high - ends.low);
  }
  out.ordered = numeric::Ordered(std::move(score), mass, hits, std::uint64_t{1} << (body.fine ? fine_bits - drop : 0));
  return out;
}

Result<Predictions> predictions_of(const Running& state, const std::string& source) {
  const Source& from = state.source();
  if (from.rows == 0) return Error{.code = Errc::undefined, .what = "no rows were added", .place = {.array = source}};
  Predictions out;
  out.kind = Kind::confidences;
  out.k = from.classes;
  out.source = source;
  Summed summed{.rows = from.rows, .reduction = from.reduction.value_or(Reduction::top_label)};
  double width = 0;
  std::size_t cells = 0;
  std::vector<BinaryView> views;
  for (const State& part : state.parts()) {
    const Body body = part.body();
    const Grouped data = grouped(body, part.shape());
    if (data.ordered.groups() == 0)
      return Error{.code = Errc::undefined, .what = "no rows with a weight were added", .place = {.array = source}};
    const auto problem = problem_of(data.ordered);
    const auto view = binary_view(std::span<const double>(problem->score), problem->label, problem->weight);
    if (!view) return view.error();
    views.push_back(*view);
    out.owners.push_back(problem);
    out.n += view->size();
    if (data.width > width) {
      width = data.width;
      cells = body.cells.size();
    }
    summed.weighted = part.fine_mass() != u128{from.rows} << fine_bits;
    if (state.scores().mass == part.fine_mass()) {
      summed.nll = state.scores().nll();
      summed.brier = state.scores().brier();
    }
  }
  if (width > 0) summed.note = note_of(width, cells);
  if (summed.reduction == Reduction::classwise) {
    summed.classes = std::move(views);
  } else if (summed.reduction == Reduction::positive) {
    const auto labels = std::make_shared<std::vector<std::int32_t>>(views[0].label().begin(), views[0].label().end());
    out.owners.push_back(labels);
    out.kind = Kind::probs;
    out.matrix = two_class_view(views[0], *labels);
  } else {
    out.confidences = views[0];
  }
  out.summed = std::make_shared<const Summed>(std::move(summed));
  return out;
}

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
