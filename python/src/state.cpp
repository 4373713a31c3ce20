// Running states: rows added, states merged, and the bytes that the command line reads, too. What is asked of a state
// goes through the calls that take predictions (GivenFold).
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "common.hpp"
#include "tare/core/names.hpp"
#include "tare/state/file.hpp"
#include "tare/state/sql.hpp"

namespace tare::detail::python {
namespace {

using namespace nb::literals;
using Made = std::unique_ptr<SharedState>;

Made made(state::Running running) { return std::make_unique<SharedState>(std::move(running)); }

Made make(std::size_t classes, const std::string& reduction, const nb::int_& bins,
          const std::optional<nb::int_>& cells) {
  state::RunningOptions options{
      .classes = classes, .reduction = reduction_of(reduction), .bins = number_of(options::bins, bins)};
  if (cells) options.cells = number_of(state::options::cells, *cells);
  return made(value_or_raise(state::Running::make(options)));
}

void add(SharedState& state, const nb::dict& data, const nb::object& threads) {
  const GivenFold fold(data, true);
  const int workers = threads_of(threads);
  unlocked([&]() -> Result<bool> {
    const auto rows = fold.load(workers);
    if (!rows) return rows.error();
    const std::lock_guard lock(state.busy);
    if (const auto done = state.running.add(*rows, workers); !done) return done.error();
    return true;
  });
}

Made copied(const SharedState& state) {
  return made(unlocked([&]() -> Result<state::Running> {
    const std::lock_guard lock(state.busy);
    return state.running;
  }));
}

void merge(SharedState& state, const SharedState& other) {
  unlocked([&]() -> Result<bool> {
    const auto both = [&](const state::Running& more) -> Result<bool> {
      if (const auto done = state.running.merge(more); !done) return done.error();
      return true;
    };
    if (&state == &other) {
      const std::lock_guard lock(state.busy);
      return both(state::Running(state.running));
    }
    const std::scoped_lock lock(state.busy, other.busy);
    return both(other.running);
  });
}

bool equal(const SharedState& a, const SharedState& b) {
  return &a == &b || unlocked([&]() -> Result<bool> {
    const std::scoped_lock lock(a.busy, b.busy);
    return a.running == b.running;
  });
}

nb::bytes bytes(const SharedState& state) {
  const std::string out = unlocked([&] {
    const std::lock_guard lock(state.busy);
    return state::to_bytes(state.running);
  });
  return nb::bytes(out.data(), out.size());
}

Made load(const nb::bytes& bytes) {
  return made(unlocked([&] { return state::from_bytes({bytes.c_str(), bytes.size()}); }));
}

// A row of the answer of the query for each number of an array.
Made load_cells(const nb::dict& table, const std::string& name, const nb::int_& cells) {
  using Column = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  state::CellTable of;
  std::vector<Column> kept;
  for (std::size_t c = 0; c < of.size(); ++c) {
    kept.push_back(nb::cast<Column>(table[std::string(state::cell_columns[c]).c_str()]));
    of[c] = {kept.back().data(), kept.back().size()};
    if (of[c].size() != of[0].size()) throw nb::value_error("columns of two lengths");
  }
  const std::size_t most = number_of(state::options::cells, cells);
  return made(unlocked([&] { return state::state_of_cells(of, name, most); }));
}

std::string cells_query(const std::string& score, const std::string& label, const std::string& table,
                        const std::vector<std::string>& by, const std::string& reduction, const nb::int_& bins,
                        const nb::int_& step, bool each_score) {
  return value_or_raise(state::cells_query({.score = score,
                                            .label = label,
                                            .table = table,
                                            .by = by,
                                            .bins = number_of(options::bins, bins),
                                            .step = number_of(state::options::sql_step, step),
                                            .each_score = each_score,
                                            .reduction = *reduction_of(reduction)}));
}

nb::dict described(const SharedState& state) {
  struct About {
    state::Source source;
    state::Shape shape;
    double weight;
  };
  const About about = unlocked([&]() -> Result<About> {
    const std::lock_guard lock(state.busy);
    const state::State& part = state.running.parts().front();
    return About{state.running.source(), part.shape(), static_cast<double>(part.fine_mass()) * 0x1p-40};
  });
  nb::dict out;
  out["rows"] = about.source.rows;
  out["classes"] = about.source.classes;
  out["reduction"] = about.source.reduction ? std::string(name(*about.source.reduction)) : std::string();
  out["bins"] = about.shape.bins;
  out["cells"] = about.shape.most;
  out["weight"] = about.weight;
  return out;
}

int step(const SharedState& state) {
  return unlocked([&]() -> Result<int> {
    const std::lock_guard lock(state.busy);
    return state.running.parts().front().body().step;
  });
}

}  // namespace

void bind_state(nb::module_& m) {
  nb::class_<SharedState>(m, "State")
      .def("add", add, "data"_a, "threads"_a.none())
      .def("merge", merge, "other"_a)
      .def("copy", copied)
      .def("bytes", bytes)
      .def("described", described)
      .def("step", step)
      .def("equal", equal, "other"_a);
  m.def("make_state", make, "classes"_a, "reduction"_a, "bins"_a, "cells"_a.none());
  m.def("load_state", load, "bytes"_a);
  m.def("load_cells", load_cells, "table"_a, "name"_a, "cells"_a);
  m.def("cells_query", cells_query, "score"_a, "label"_a, "table"_a, "by"_a, "reduction"_a, "bins"_a, "step"_a,
        "each_score"_a);
}

}  // namespace tare::detail::python
