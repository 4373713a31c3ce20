#include "tare/state/file.hpp"

#include <zlib.h>

#include <algorithm>

#include "tare/numeric/exact/fixed.hpp"

namespace tare::detail::state {
namespace {

constexpr std::uint16_t plain_version = 1, group_version = 2;  // the second has the group behind the header
constexpr std::size_t tail_bytes = 4;

Error wrong(std::string what) {
  return {.code = Errc::bad_input,
          .what = "these bytes are no state: " + std::move(what),
          .place = {.array = "bytes"},
          .remedy = "give what was saved, whole"};
}

Result<std::string> deflated(const std::string& raw) {
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<unsigned char*>(out.data()), &size, reinterpret_cast<const unsigned char*>(raw.data()),
                static_cast<uLong>(raw.size()), 6) != Z_OK)
    return Error{.code = Errc::out_of_memory, .what = "there is not enough memory to save the state"};
  out.resize(size);
  return out;
}

// Fields in the order of the file.
struct Head {
  std::uint16_t version = 0;
  std::uint8_t reduction = 0;  // 0 not known, 1 top_label, 2 positive, 3 classwise
  std::uint32_t most = 0, bins = 0;
  std::uint64_t rows = 0, classes = 0;
  MatrixScores scores = {};
  std::uint32_t parts = 0;

  template <class Field>
  void each(const Field& field) {
    field(version), field(reduction), field(most), field(bins), field(rows), field(classes);
    field(scores.mass), field(scores.infinite), field(scores.log.sum), field(scores.log.squares);
    field(scores.square.sum), field(scores.square.squares), field(parts);
  }
};

struct PartHead {
  std::uint8_t fine = 0, step = 0;
  u128 mass = 0;
  std::uint32_t cells = 0;
  std::uint64_t raw = 0;     // bytes of the columns
  std::uint64_t packed = 0;  // and deflated

  template <class Field>
  void each(const Field& field) {
    field(fine), field(step), field(mass), field(cells), field(raw), field(packed);
  }
};

template <class Fields>
std::size_t bytes_of() {
  std::size_t out = 0;
  Fields().each([&](const auto& x) { out += bytes_of_number(x); });
  return out;
}

template <class Fields>
void put_fields(Fields fields, std::string& to) {
  fields.each([&](const auto& x) { put(x, to); });
}

// False where the bytes end before.
template <class Fields>
bool take_fields(Fields& fields, std::string_view& from) {
  if (from.size() < bytes_of<Fields>()) return false;
  fields.each([&](auto& x) { take(x, from); });
  return true;
}

void put_text(std::string_view text, std::string& to) {
  put(static_cast<std::uint32_t>(text.size()), to);
  to += text;
}

// Nothing where the bytes end before, or where it is longer than a name may be.
std::optional<std::string> take_text(std::string_view& from) {
  std::uint32_t size = 0;
  if (from.size() < bytes_of_number(size)) return std::nullopt;
  take(size, from);
  if (size > longest_group || size > from.size()) return std::nullopt;
  std::string out(from.substr(0, size));
  from.remove_prefix(size);
  return out;
}

// What is wrong with a header, before anything is allocated for it; null: nothing.
const char* fault(const Head& head) {
  if (head.reduction > 3) return "its header has unknown marks";
  if (head.most > options::cells.most) return "it claims more cells than a state has";
  if (head.bins > static_cast<std::uint32_t>(options::bins.most)) return "it claims more bins than a state has";
  const bool of_classes = head.reduction == 3 && head.rows > 0;
  if (head.parts == 0 || head.parts != (of_classes ? head.classes : 1))
    return "it has not as many parts as its reduction wants";
  if (head.classes > most_classes) return "it claims more classes than labels can name";
  if (head.reduction == 2 && head.rows > 0 && head.classes > 2) return "it has more classes than its reduction";
  if (head.rows > most_mass) return "it claims more rows than a state takes";
  if (!head.scores.can_be()) return "no rows have its sums of losses";
  return nullptr;
}

const char* fault(const PartHead& head, std::size_t most, std::size_t left) {
  if (head.step < last_step || head.step > exact_step) return "it has no such step of cells";
  if (head.fine > 1) return "its header has unknown marks";
  if (head.cells > most) return "it claims more cells than a state has";
  if (head.packed > left) return "they end within a part";
  if (head.raw > most_cell_bytes * head.cells) return "it claims more bytes than its cells have";
  if (head.raw > 1100 * (head.packed + 64)) return "it claims more bytes than it can hold";
  return nullptr;
}

// As few rows as can have made these cells: one for each score and for each outcome.
std::uint64_t fewest_rows(const Body& body) {
  std::uint64_t out = 0;
  for (const Cell& cell : body.cells) out += cell.only == many || (cell.hits != 0 && cell.hits != cell.mass) ? 2 : 1;
  return out;
}

// What is wrong with all parts together; null: nothing. A row is a hit of one class.
const char* fault(const Head& head, const std::vector<State>& parts) {
  u128 hits = 0;
  for (const State& part : parts) {
    const Body body = part.body();
    if (part.fine_mass() != parts.front().fine_mass()) return "its classes have different masses";
    if (fewest_rows(body) > head.rows) return "its cells are of more rows than it has";
    for (const Cell& cell : body.cells) hits += body.fine ? cell.hits : cell.hits << fine_bits;
  }
  const u128 mass = parts.front().fine_mass();
  if (head.reduction == 3 && hits != mass) return "its rows are not hits of one class each";
  if (head.scores.mass > mass) return "its sums of losses are of more rows than it has";
  return nullptr;
}

// Where no cell has several scores each is a cell by itself: the finest step.
bool is_finest(const Body& body) {
  return body.step == exact_step || std::ranges::any_of(body.cells, [](const Cell& cell) { return cell.only == many; });
}

Result<void> put_part(const State& state, std::string& to) {
  const Body body = state.body();
  const std::string columns = to_columns(body, state.shape().bins);
  const auto packed = deflated(columns);
  if (!packed) return packed.error();
  put_fields(PartHead{.fine = body.fine,
                      .step = static_cast<std::uint8_t>(body.step),
                      .mass = body.mass,
                      .cells = static_cast<std::uint32_t>(body.cells.size()),
                      .raw = columns.size(),
                      .packed = packed->size()},
             to);
  to += *packed;
  return {};
}

Result<State> take_part(const Shape& shape, std::string_view& from) {
  PartHead head;
  if (!take_fields(head, from)) return wrong("they end within the header of a part");
  if (const char* what = fault(head, shape.most, from.size())) return wrong(what);
  std::string columns(head.raw, '\0');
  auto size = static_cast<uLongf>(head.raw);
  auto used = static_cast<uLong>(head.packed);
  if (uncompress2(reinterpret_cast<unsigned char*>(columns.data()), &size,
                  reinterpret_cast<const unsigned char*>(from.data()), &used) != Z_OK ||
      size != head.raw || used != head.packed)
    return wrong("their cells cannot be unpacked");
  from.remove_prefix(head.packed);
  Body body{.step = head.step, .fine = head.fine == 1};
  if (const char* what = from_columns(columns, head.cells, shape, body)) return wrong(what);
  if (body.mass != head.mass) return wrong("their masses do not add up");
  if (!is_finest(body)) return wrong("its cells are coarser than need be");
  return State(shape, std::move(body));
}

}  // namespace

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

void seal(std::string& bytes) { put(crc_of(bytes), bytes); }

Result<std::string> to_bytes(const Running& state) {
  const Source& source = state.source();
  std::string out(magic);
  put_fields(
      Head{.version = source.group ? group_version : plain_version,
           .reduction = static_cast<std::uint8_t>(source.reduction ? static_cast<int>(*source.reduction) + 1 : 0),
           .most = static_cast<std::uint32_t>(state.shape().most),
           .bins = static_cast<std::uint32_t>(state.shape().bins),
           .rows = source.rows,
           .classes = source.classes,
           .scores = state.scores(),
           .parts = static_cast<std::uint32_t>(state.parts().size())},
      out);
  if (source.group) {
    put_text(source.group->column, out);
    put_text(source.group->name, out);
  }
  for (const State& part : state.parts())
    if (const auto done = put_part(part, out); !done) return done.error();
  seal(out);
  return out;
}

Result<Running> from_bytes(std::string_view bytes) {
  if (bytes.substr(0, 8) == "TARESTA1")
    return wrong("an older version of tare wrote them, which kept sums over bins only");
  if (bytes.substr(0, 8) != magic) return wrong("they do not begin like one");
  std::string_view from = bytes.substr(magic.size());
  Head head;
  if (from.size() < tail_bytes || !take_fields(head, from) || from.size() < tail_bytes)
    return wrong("they end within the header");
  if (head.version != plain_version && head.version != group_version)
    return wrong("their version is " + std::to_string(head.version) + ", known are 1 and 2");
  std::string_view tail = bytes.substr(bytes.size() - tail_bytes);
  std::uint32_t crc = 0;
  take(crc, tail);
  if (crc_of(bytes.substr(0, bytes.size() - tail_bytes)) != crc) return wrong("they are damaged, or not all there");
  from.remove_suffix(tail_bytes);
  if (const char* what = fault(head)) return wrong(what);
  Source source{.rows = head.rows, .classes = head.classes};
  if (head.reduction > 0) source.reduction = static_cast<Reduction>(head.reduction - 1);
  if (head.version == group_version) {
    auto column = take_text(from), name = take_text(from);
    if (!column || !name) return wrong("the name of their group is too long, or not all there");
    source.group = GroupOf{*std::move(column), *std::move(name)};
  }
  const auto empty = State::make(static_cast<int>(head.bins), head.most);
  if (!empty) return wrong(empty.error().what);
  std::vector<State> parts;
  for (std::uint32_t i = 0; i < head.parts; ++i) {
    auto part = take_part(empty->shape(), from);
    if (!part) return part.error();
    parts.push_back(*std::move(part));
  }
  if (!from.empty()) return wrong("there is something behind them");
  if (const char* what = fault(head, parts)) return wrong(what);
  return Running(source, std::move(parts), head.scores);
}

}  // namespace tare::detail::state
