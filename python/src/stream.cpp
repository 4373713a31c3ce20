// Tables of any length, chunk by chunk into a running state. The interpreter's lock is not held meanwhile: whoever
// makes the chunks takes it where that needs Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "arrow.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::python {
namespace {

using namespace nb::literals;
using Names = std::vector<std::string>;
using read::Role;

// The columns of a role, and what they say about the classes ("cat" of p_cat).
struct Wanted {
  Role role;
  Names columns = {};
  Names classes = {};
};

Names names_of(const ArrowSchema& schema) {
  if (std::string_view(schema.format) != "+s")
    throw Failure{{.code = Errc::bad_input,
                   .what = "a single column is no table",
                   .remedy = "pass arrays by their keywords: `probs` and `labels`"}};
  Names out;
  for (std::int64_t c = 0; c < schema.n_children; ++c) out.emplace_back(schema.children[c]->name);
  return out;
}

std::size_t place_of(const Names& names, const std::string& wanted) {
  const auto at = std::find(names.begin(), names.end(), wanted);
  if (at == names.end())
    throw Failure{{.code = Errc::bad_input,
                   .what = "there is no column " + read::quoted(wanted) + ", only " + read::listed(names)}};
  return static_cast<std::size_t>(at - names.begin());
}

// Columns of one type, one after the other in memory.
read::Array side_by_side(const std::vector<read::Array>& columns) {
  read::Array out = columns.front();
  const std::size_t bytes = out.rows() * read::size_of(out.dtype);
  const auto all = std::make_shared<std::vector<std::byte>>(bytes * columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const read::Array& one = columns[c];
    if (one.dtype != out.dtype || one.shape.size() != 1)
      throw Failure{{.code = Errc::unsupported,
                     .what = "is not of the type of column " + read::quoted(out.name),
                     .place = {.array = one.name, .spelled = one.name},
                     .remedy = "columns of one matrix are numbers of one type"}};
    if (bytes > 0) std::memcpy(all->data() + c * bytes, one.data, bytes);
  }
  out.shape.push_back(columns.size());
  out.fortran = true;
  out.data = all->data();
  out.owner = all;
  return out;
}

read::Parts parts_of(const std::vector<Wanted>& wanted, const ArrowSchema& schema, const Chunk& chunk,
                     std::size_t first) {
  const Names names = names_of(schema);
  const ArrowArray& table = chunk->value;
  const auto column_named = [&](const std::string& name) {
    const std::size_t c = place_of(names, name);
    return column(*schema.children[c], *table.children[c],
                  {.offset = table.offset, .length = table.length, .first = first, .name = name}, chunk);
  };
  refuse_nulls(table, table.offset, {.length = table.length, .first = first, .name = "the table"});
  read::Parts out;
  for (const Wanted& one : wanted) {
    std::vector<read::Array> columns;
    for (const std::string& name : one.columns) columns.push_back(column_named(name));
    out[one.role] = columns.size() == 1 ? columns.front() : side_by_side(columns);
    if (!one.classes.empty()) out.class_names = one.classes;
  }
  return out;
}

std::vector<Wanted> wanted_of(const nb::dict& columns) {
  std::vector<Wanted> out;
  for (const Role role : read::all_roles)
    if (const std::string name(read::role_name(role)); columns.contains(name.c_str())) {
      auto [members, classes] = nb::cast<std::tuple<Names, Names>>(columns[name.c_str()]);
      out.push_back({role, std::move(members), std::move(classes)});
    }
  return out;
}

// Chunks before one with an error have been added.
void add_stream(SharedState& state, ArrowStream& stream, const nb::dict& columns, const nb::object& threads) {
  const std::vector<Wanted> wanted = wanted_of(columns);
  const int workers = threads_of(threads);
  unlocked([&]() -> Result<bool> {
    const ArrowSchema& schema = stream.schema();
    std::size_t first = 0;
    while (const Chunk chunk = stream.next()) {
      numeric::stop_if_asked();
      if (chunk->value.length == 0) continue;
      const auto rows = read::assemble(parts_of(wanted, schema, chunk, first), workers);
      if (!rows) return rows.error();
      const std::lock_guard lock(state.busy);
      if (const auto done = state.running.add(*rows, workers); !done) return done.error();
      first += rows->n;
    }
    return true;
  });
}

using Matched = std::tuple<Names, Names>;  // columns, classes

Matched matched(const Names& names, const read::Match& match) {
  Names out;
  for (const std::size_t i : match.members) out.push_back(names[i]);
  return {out, match.class_names};
}

}  // namespace

void bind_stream(nb::module_& m) {
  nb::class_<ArrowStream>(m, "Stream")
      .def("__init__", [](ArrowStream* self, nb::handle capsule) { new (self) ArrowStream(capsule, "the table"); })
      .def("names", [](ArrowStream& stream) { return names_of(stream.schema()); });
  m.def("add_stream", add_stream, "state"_a, "stream"_a, "columns"_a, "threads"_a.none());
  // The columns that a pattern names, and everything that could play a role.
  m.def("columns_named",
        [](const Names& names, const std::string& pattern) { return matched(names, read::named(names, pattern)); });
  m.def("columns_for", [](const Names& names, const std::string& role) {
    std::vector<Matched> out;
    for (const read::Known known : read::all_known) {
      for (const read::Match& match : read::matches(names, role_of(role), "", true, known))
        out.push_back(matched(names, match));
      if (!out.empty()) break;
    }
    return out;
  });
  // The arrays of a file that could play a role: their places.
  m.def("members_for", [](const Names& names, const std::string& role, const std::string& split) {
    std::vector<std::size_t> out;
    for (const read::Known known : {read::Known::well, read::Known::often}) {
      for (const read::Match& match : read::matches(names, role_of(role), split, false, known))
        out.insert(out.end(), match.members.begin(), match.members.end());
      if (!out.empty()) break;
    }
    return out;
  });
}

}  // namespace tare::detail::python
