#include "tare/read/npy.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "tare/read/text.hpp"
#include "tare/read/word_column.hpp"

namespace tare::detail::read {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t max_dimensions = 64;  // NumPy's own limit

std::string_view text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A reader of the one Python literal a header may hold: {'key': 'text' | True | False | (1, 2), ...}.
class Literal {
 public:
  explicit Literal(std::string_view rest) : rest_(rest) {}

  bool take(char c) {
    skip_space();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::optional<std::string_view> quoted() {
    skip_space();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    const auto inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return inside;
  }
  std::optional<bool> boolean() {
    skip_space();
    for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}})
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return value;
      }
    return std::nullopt;
  }
  std::optional<std::vector<std::size_t>> tuple() {
    if (!take('(')) return std::nullopt;
    std::vector<std::size_t> out;
    while (!take(')')) {
      skip_space();
      std::size_t value = 0;
      const auto r = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (r.ec != std::errc{} || out.size() == max_dimensions) return std::nullopt;
      rest_.remove_prefix(static_cast<std::size_t>(r.ptr - rest_.data()));
      take('L');  // Python 2 wrote long integers so
      out.push_back(value);
      if (!take(',')) {
        if (!take(')')) return std::nullopt;
        break;
      }
    }
    return out;
  }
  bool done() {
    skip_space();
    return rest_.empty();
  }

 private:
  void skip_space() {
    const std::size_t at = rest_.find_first_not_of(" \t\n\r");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
  }
  std::string_view rest_;
};

std::optional<DType> plain_type(std::string_view kind_and_size) {
  constexpr std::pair<std::string_view, DType> known[] = {{"b1", DType::boolean}, {"i1", DType::i1}, {"i2", DType::i2},
                                                          {"i4", DType::i4},      {"i8", DType::i8}, {"u1", DType::u1},
                                                          {"u2", DType::u2},      {"u4", DType::u4}, {"u8", DType::u8},
                                                          {"f2", DType::f2},      {"f4", DType::f4}, {"f8", DType::f8}};
  for (const auto& [word, type] : known)
    if (word == kind_and_size) return type;
  return std::nullopt;
}

Error unusable_type(const std::string& name, std::string_view descr) {
  Error e{.code = Errc::unsupported,
          .what = "element type '" + shown(descr.substr(0, 40)) + "' is not a plain number",
          .place = file_place(name),
          .remedy = "save it as float32, float64 or an integer type: np.save(f, a.astype(np.float32))"};
  const char kind = descr.size() > 1 ? descr[descr.find_first_of("<>|=") == 0 ? 1 : 0] : ' ';
  if (kind == 'O') {
    e.what = "holds pickled Python objects";
    e.remedy =
        "pickles can run code and are never read; save a plain array: np.save(f, np.asarray(a, dtype=np.float32))";
  }
  return e;
}

// "<U12" or "|S3": texts of so many letters.
bool set_text_type(Array& array, std::string_view descr) {
  constexpr std::size_t longest = 1 << 16;
  if (descr.size() < 3 || (descr[1] != 'U' && descr[1] != 'S')) return false;
  const char* const end = descr.data() + descr.size();
  const auto r = std::from_chars(descr.data() + 2, end, array.width);
  array.dtype = descr[1] == 'U' ? DType::utf32 : DType::bytes;
  return r.ec == std::errc{} && r.ptr == end && array.width > 0 && array.width <= longest;
}

// "<f4": byte order, kind, size.
Result<bool> set_type(Array& array, std::string_view descr) {
  constexpr char other_order = std::endian::native == std::endian::little ? '>' : '<';
  if (set_text_type(array, descr)) {
    array.swapped = array.dtype == DType::utf32 && descr[0] == other_order;
    return true;
  }
  const auto type = descr.size() == 3 ? plain_type(descr.substr(1)) : std::nullopt;
  if (!type) return unusable_type(array.name, descr);
  const char order = descr[0];
  if (order != '<' && order != '>' && order != '|' && order != '=') return unusable_type(array.name, descr);
  array.dtype = *type;
  array.swapped = order == other_order && size_of(*type) > 1;
  return true;
}

Error malformed(const std::string& name, const std::string& what) {
  return bad_file(name, what, "the file is damaged or not a .npy file; write it again with np.save");
}

Result<Array> parse_dict(std::string_view header, const std::string& name) {
  Literal in(header);
  Array out{.name = name};
  std::optional<std::string_view> descr;
  std::optional<bool> fortran;
  std::optional<std::vector<std::size_t>> shape;
  bool ok = in.take('{');
  while (ok && !in.take('}')) {
    const auto key = in.quoted();
    ok = key && in.take(':');
    if (!ok) break;
    if (*key == "descr" && !descr) {
      if (in.take('[') || in.take('('))
        return bad_file(name, "holds records, not plain numbers",
                        "save one plain array per file: np.save(f, a['logits'])", Errc::unsupported);
      ok = (descr = in.quoted()).has_value();
    } else if (*key == "fortran_order" && !fortran) {
      ok = (fortran = in.boolean()).has_value();
    } else if (*key == "shape" && !shape) {
      ok = (shape = in.tuple()).has_value();
    } else {
      ok = false;
    }
    if (ok && !in.take(',')) {
      ok = in.take('}');
      break;
    }
  }
  if (!ok || !descr || !fortran || !shape || !in.done())
    return malformed(name, "the header is not one np.save writes: " + shown(header));
  if (const auto typed = set_type(out, *descr); !typed) return typed.error();
  out.fortran = *fortran;
  out.shape = *std::move(shape);
  return out;
}

// Bytes that `shape` needs, unless they do not fit into a size_t.
std::optional<std::size_t> data_size(const Array& a) {
  std::size_t bytes = size_of(a.dtype) * std::max<std::size_t>(a.width, 1);
  if (std::find(a.shape.begin(), a.shape.end(), 0) != a.shape.end()) return 0;
  for (const std::size_t s : a.shape) {
    if (bytes > std::numeric_limits<std::size_t>::max() / s) return std::nullopt;
    bytes *= s;
  }
  return bytes;
}

}  // namespace

Result<bool> check_npy_magic(std::span<const std::byte> head, const std::string& name) {
  if (text(head).starts_with(magic)) return true;
  const bool zip = text(head).starts_with("PK");
  return bad_file(name, "is not a .npy file (it does not begin with \\x93NUMPY)",
                  zip ? "it is a zip archive: name it .npz" : "write it with np.save");
}

Result<NpyHeader> npy_header(std::span<const std::byte> head, std::size_t total, const std::string& name) {
  if (head.empty()) return malformed(name, "the file is empty");
  if (const auto fine = check_npy_magic(head, name); !fine) return fine.error();
  const auto byte = [&](std::size_t at) { return std::to_integer<std::size_t>(head[at]); };
  if (head.size() < 10) return malformed(name, "is cut short after " + std::to_string(total) + " bytes");
  const std::size_t major = byte(6);
  if (major < 1 || major > 3)
    return bad_file(name, ".npy version " + std::to_string(major) + " is unknown",
                    "versions 1 to 3 are read; write it with np.save", Errc::unsupported);
  const std::size_t start = major == 1 ? 10 : 12;
  if (head.size() < start) return malformed(name, "is cut short after " + std::to_string(total) + " bytes");
  const std::size_t length = byte(8) | byte(9) << 8 | (major == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > npy_header_limit)
    return malformed(name, "claims a header of " + std::to_string(length) + " bytes; a real one is shorter than " +
                               std::to_string(npy_header_limit));
  if (length > head.size() - start)
    return malformed(name, "claims a header of " + std::to_string(length) + " bytes but the file ends after " +
                               std::to_string(total));
  auto array = parse_dict(text(head.subspan(start, length)), name);
  if (!array) return array.error();
  if (array->has_empty_rows())
    return malformed(name, "claims shape " + array->shape_text() + ", rows without a number in them");
  const auto bytes = data_size(*array);
  const std::size_t there = total - start - length;
  if (!bytes || *bytes > there)
    return bad_file(name,
                    "claims shape " + array->shape_text() + ", which needs " +
                        (bytes ? std::to_string(*bytes) : std::string("more than 2^64")) + " bytes, but holds " +
                        std::to_string(there),
                    "the file is cut short or damaged; write or copy it again");
  if (*bytes < there)
    return bad_file(name,
                    "shape " + array->shape_text() + " needs " + std::to_string(*bytes) +
                        " bytes, but the file holds " + std::to_string(there),
                    "the file is damaged, or several arrays were saved into it; save each to a file of its own");
  return NpyHeader{*std::move(array), start + length, *bytes};
}

Result<Array> parse_npy(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner) {
  auto header = npy_header(bytes, bytes.size(), name);
  if (!header) return header.error();
  Array out = std::move(header->array);
  out.data = bytes.data() + header->offset;
  out.owner = std::move(owner);
  return words_of(std::move(out));
}

// Texts: a fixed number of letters each, filled up with zeros; bytes (|S3) or UTF-32 (<U3).
namespace {

std::uint32_t swapped(std::uint32_t x) { return x << 24 | (x & 0xFF00U) << 8 | (x >> 8 & 0xFF00U) | x >> 24; }

std::string text_at(const Array& a, std::size_t i) {
  const std::byte* const from = a.data + i * a.width * size_of(a.dtype);
  std::string out;
  if (a.dtype == DType::bytes) {
    out.assign(reinterpret_cast<const char*>(from), a.width);
    out.resize(out.find_last_not_of('\0') + 1);
    return out;
  }
  for (std::size_t c = 0; c < a.width; ++c) {
    std::uint32_t letter = 0;
    std::memcpy(&letter, from + 4 * c, 4);
    if (letter == 0) break;
    put_utf8(a.swapped ? swapped(letter) : letter, out);
  }
  return out;
}

}  // namespace

Array words_of(Array a) {
  if (a.dtype != DType::bytes && a.dtype != DType::utf32) return a;
  WordColumn words;
  for (std::size_t i = 0; i < a.items(); ++i) words.add(text_at(a, i));
  return std::move(words).put_into(std::move(a));
}

Result<Npz> Npz::open(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner) {
  auto members = zip_directory(bytes, name);
  if (!members) return members.error();
  Npz out;
  out.bytes_ = bytes;
  out.owner_ = std::move(owner);
  out.name_ = name;
  constexpr std::string_view suffix = ".npy";
  for (ZipMember& m : *members) {
    if (!m.name.ends_with(suffix)) continue;  // np.savez writes nothing else
    out.names_.push_back(m.name.substr(0, m.name.size() - suffix.size()));
    out.members_.push_back(std::move(m));
  }
  if (out.names_.empty()) return bad_file(name, "holds no arrays", "write it with np.savez");
  return out;
}

Result<Array> Npz::head(std::size_t index) const {
  const ZipMember& member = members_[index];
  const std::string name = name_ + ":" + names_[index];
  const auto raw = zip_raw(bytes_, member, name);
  if (!raw) return raw.error();
  const auto start = member.method == 0 ? Result<std::vector<std::byte>>(std::vector<std::byte>())
                                        : inflate_head(*raw, member, npy_header_limit + 12, name);
  if (!start) return start.error();
  auto header = npy_header(member.method == 0 ? *raw : std::span<const std::byte>(*start), member.unpacked, name);
  if (!header) return header.error();
  return std::move(header->array);
}

Result<Array> Npz::read(std::size_t index) const {
  const ZipMember& member = members_[index];
  const std::string name = name_ + ":" + names_[index];
  // The array's own header must ask for the memory the archive claims before it is given.
  if (const auto asks = head(index); !asks) return asks.error();
  const auto raw = zip_raw(bytes_, member, name);
  if (!raw) return raw.error();
  if (member.method == 0) {
    if (const auto intact = check_crc(*raw, member, name); !intact) return intact.error();
    return parse_npy(*raw, name, owner_);
  }
  const auto all = inflate_all(*raw, member, name);
  if (!all) return all.error();
  return parse_npy(all->bytes, name, all->owner);
}

}  // namespace tare::detail::read
