#include "tare/state/file.hpp"

#include <zlib.h>

#include <algorithm>

#include "tare/numeric/exact/fixed.hpp"
#include "tare/state/bytes.hpp"
#include "tare/state/columns.hpp"

namespace tare::inner::state {
namespace {

constexpr std::string_view magic = "TARESTAT";
constexpr std::uint16_t version = 1;
constexpr std::size_t head_bytes = 8 + 2 + 1 + 1 + 1 + 4 + 4 + 8 + 8 + 16 + 16 + 16 + 4 + 8;
constexpr std::size_t tail_bytes = 4;

Error wrong(std::string what) {
  return {.code = Errc::bad_input,
          .what = "these bytes are no state: " + std::move(what),
          .place = {.array = "bytes"},
          .remedy = "give what was saved, whole"};
}

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
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
  std::uint8_t fine = 0, step = 0, reduction = 0;  // reduction: 0 not known, 1 top_label, 2 positive
  std::uint32_t most = 0, bins = 0;
  std::uint64_t rows = 0, classes = 0;
  u128 mass = 0, squares = 0, hit_scores = 0;
  std::uint32_t cells = 0;
  std::uint64_t raw = 0;  // bytes of the columns

  template <class Field>
  void each(const Field& field) {
    field(version), field(fine), field(step), field(reduction), field(most), field(bins), field(rows), field(classes);
    field(mass), field(squares), field(hit_scores), field(cells), field(raw);
  }
};

// What is wrong with the header, before anything is allocated for it; null: nothing.
const char* fault(const Head& head, std::size_t packed) {
  if (head.step < last_step || head.step > exact_step) return "it has no such step of cells";
  if (head.fine > 1 || head.reduction > 2) return "its header has unknown marks";
  if (head.most > options::cells.most || head.cells > head.most) return "it claims more cells than a state has";
  if (head.bins > static_cast<std::uint32_t>(options::bins.most)) return "it claims more bins than a state has";
  if (head.raw > most_cell_bytes * head.cells) return "it claims more bytes than its cells have";
  if (head.raw > 1100 * (std::uint64_t{packed} + 64)) return "it claims more bytes than it can hold";
  return nullptr;
}

// Sums over all rows that cells bound, or decide.
const char* fault(const Body& body) {
  u128 score = 0, squares = 0, hit_scores = 0;
  bool several = false;
  for (const Cell& cell : body.cells) {
    score += cell.score;
    several = several || cell.only == many;
    squares += numeric::to_fixed(cell.only * cell.only) * cell.mass;  // of no use where there are several
    hit_scores += numeric::to_fixed(std::max(cell.only, 0.0)) * cell.hits;
  }
  if (several) return body.squares <= score + body.mass && body.hit_scores <= score ? nullptr : "its sums do not fit";
  if (body.step != exact_step) return "its cells are coarser than need be";
  return body.squares == squares && body.hit_scores == hit_scores ? nullptr : "its sums do not fit";
}

}  // namespace

Result<std::string> to_bytes(const State& state, const Source& source) {
  const Body body = state.body();
  const std::string columns = to_columns(body, state.shape().bins);
  const auto packed = deflated(columns);
  if (!packed) return packed.error();
  Head head{.version = version,
            .fine = body.fine,
            .step = static_cast<std::uint8_t>(body.step),
            .reduction = static_cast<std::uint8_t>(source.reduction ? static_cast<int>(*source.reduction) + 1 : 0),
            .most = static_cast<std::uint32_t>(state.shape().most),
            .bins = static_cast<std::uint32_t>(state.shape().bins),
            .rows = source.rows,
            .classes = source.classes,
            .mass = body.mass,
            .squares = body.squares,
            .hit_scores = body.hit_scores,
            .cells = static_cast<std::uint32_t>(body.cells.size()),
            .raw = columns.size()};
  std::string out(magic);
  head.each([&](auto x) { put(x, out); });
  out += *packed;
  put(crc_of(out), out);
  return out;
}

Result<Saved> from_bytes(std::string_view bytes) {
  if (bytes.substr(0, 8) == "TARESTA1")
    return wrong("an older version of tare wrote them, which kept sums over bins only");
  if (bytes.substr(0, 8) != magic) return wrong("they do not begin like one");
  if (bytes.size() < head_bytes + tail_bytes) return wrong("they end within the header");
  Head head;
  std::size_t at = magic.size();
  head.each([&](auto& x) {
    x = taken<std::remove_reference_t<decltype(x)>>(bytes, at);
    at += sizeof(x);
  });
  if (head.version != version) return wrong("their version is " + std::to_string(head.version) + ", known is 1");
  if (crc_of(bytes.substr(0, bytes.size() - tail_bytes)) != taken<std::uint32_t>(bytes, bytes.size() - tail_bytes))
    return wrong("they are damaged, or not all there");
  const std::string_view packed = bytes.substr(head_bytes, bytes.size() - head_bytes - tail_bytes);
  if (const char* what = fault(head, packed.size())) return wrong(what);
  const auto made = State::make(static_cast<int>(head.bins), head.most);
  if (!made) return wrong(made.error().what);

  std::string columns(head.raw, '\0');
  auto size = static_cast<uLongf>(head.raw);
  auto used = static_cast<uLong>(packed.size());
  if (uncompress2(reinterpret_cast<unsigned char*>(columns.data()), &size,
                  reinterpret_cast<const unsigned char*>(packed.data()), &used) != Z_OK ||
      size != head.raw || used != packed.size())
    return wrong("their cells cannot be unpacked");
  Body body{.step = head.step, .fine = head.fine == 1, .squares = head.squares, .hit_scores = head.hit_scores};
  if (const char* what = from_columns(columns, head.cells, made->shape(), body)) return wrong(what);
  if (body.mass != head.mass) return wrong("their masses do not add up");
  if (const char* what = fault(body)) return wrong(what);
  Source source{.rows = head.rows, .classes = head.classes};
  if (head.reduction > 0) source.reduction = static_cast<Reduction>(head.reduction - 1);
  return Saved{source, State(made->shape(), std::move(body))};
}

}  // namespace tare::inner::state
