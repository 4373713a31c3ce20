#include "tare/read/safetensors.hpp"

#include <bit>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "tare/read/json.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

constexpr std::size_t longest_header = std::size_t{100} << 20;  // the limit of the format's own reader

Error bad_tensors(const std::string& name, const std::string& what) {
  return bad_file(name, what, "the file is cut short, damaged or no .safetensors file; write it again with save_file");
}

std::size_t little_endian(std::span<const std::byte> bytes) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < 8; ++i) out |= std::to_integer<std::size_t>(bytes[i]) << (8 * i);
  return out;
}

std::optional<DType> type_of(std::string_view word) {
  constexpr std::pair<std::string_view, DType> known[] = {
      {"BOOL", DType::boolean}, {"U8", DType::u1},  {"I8", DType::i1},  {"U16", DType::u2}, {"I16", DType::i2},
      {"U32", DType::u4},       {"I32", DType::i4}, {"U64", DType::u8}, {"I64", DType::i8}, {"F16", DType::f2},
      {"BF16", DType::bf2},     {"F32", DType::f4}, {"F64", DType::f8}};
  for (const auto& [name, type] : known)
    if (name == word) return type;
  return std::nullopt;
}

bool whole_numbers(JsonValue& value, std::vector<std::size_t>& out) {
  constexpr double most = 0x1p53;
  constexpr std::size_t longest = 64;
  out.clear();
  return each_item(value, [&out](JsonValue& item) {
    double number = 0;
    if (!json_number(token_of(item), number) || !(number >= 0 && number <= most) || out.size() == longest) return false;
    out.push_back(static_cast<std::size_t>(number));
    return static_cast<double>(out.back()) == number;
  });
}

}  // namespace

Result<bool> check_tensors_magic(std::span<const std::byte> head, const std::string& name) {
  if (head.size() < 9) return bad_tensors(name, "is cut short after " + std::to_string(head.size()) + " bytes");
  const std::size_t length = little_endian(head);
  if (length > longest_header || std::to_integer<char>(head[8]) != '{')
    return bad_tensors(name, "is not a .safetensors file (no header of JSON after eight bytes)");
  return true;
}

Result<Tensors> Tensors::open(std::span<const std::byte> bytes, const std::string& name,
                              std::shared_ptr<const void> owner) {
  if (const auto fine = check_tensors_magic(bytes, name); !fine) return fine.error();
  const std::size_t length = little_endian(bytes);
  if (length > bytes.size() - 8)
    return bad_tensors(name, "claims a header of " + std::to_string(length) + " bytes but the file ends after " +
                                 std::to_string(bytes.size()));
  Tensors out;
  out.name_ = name;
  out.owner_ = std::move(owner);
  out.data_ = bytes.subspan(8 + length);
  const char* const start = reinterpret_cast<const char*>(bytes.data()) + 8;
  const std::string_view header = trimmed({start, length});
  std::unordered_set<std::string> seen;
  std::string twice;
  JsonReader reader;
  const auto entry_of = [](JsonValue& value, Entry& entry) {
    std::vector<std::size_t> offsets;
    const bool read = each_member(value, [&](std::string_view key, JsonValue& inner) {
      return key == "dtype"          ? json_text(token_of(inner), entry.type)
             : key == "shape"        ? whole_numbers(inner, entry.shape)
             : key == "data_offsets" ? whole_numbers(inner, offsets)
                                     : check_json(inner);
    });
    if (!read || offsets.size() != 2 || entry.type.empty()) return false;
    entry.begin = offsets[0];
    entry.end = offsets[1];
    return true;
  };
  const auto array = [&](std::string_view key, JsonValue& value) {
    if (key == "__metadata__") return check_json(value);
    if (!entry_of(value, out.entries_.emplace_back())) return false;
    out.names_.emplace_back(key);
    if (!seen.emplace(key).second) twice = key;
    return twice.empty();
  };
  const bool read =
      reader.open(start, start + header.size()) && each_member(reader.document(), array) && reader.at_end();
  if (!twice.empty()) return bad_tensors(name, "holds two arrays named " + read::quoted(twice));
  if (!read) return bad_tensors(name, "its header is not one that safetensors writes");
  if (out.names_.empty())
    return bad_file(name, "holds no arrays", "write it with save_file({\"logits\": z, \"labels\": y}, path)");
  return out;
}

Result<Array> Tensors::read(std::size_t index) const {
  const Entry& entry = entries_[index];
  const std::string name = name_ + ":" + names_[index];
  const auto type = type_of(entry.type);
  if (!type)
    return bad_file(name, "element type " + read::quoted(entry.type) + " is not read",
                    "save it as float32, bfloat16, float16 or an integer type: tensor.float()", Errc::unsupported);
  std::size_t bytes = size_of(*type);
  bool fits = entry.begin <= entry.end && entry.end <= data_.size();
  for (const std::size_t s : entry.shape) {
    fits = fits && (s == 0 || bytes <= std::numeric_limits<std::size_t>::max() / s);
    bytes *= s;
  }
  const bool empty_rows = Array{.shape = entry.shape}.has_empty_rows();
  const bool swapped = std::endian::native == std::endian::big && size_of(*type) > 1;
  Array out{.dtype = *type, .swapped = swapped, .shape = entry.shape, .owner = owner_, .name = name};
  if (!fits || empty_rows || bytes != entry.end - entry.begin)
    return bad_tensors(name, "shape " + out.shape_text() + " does not fit the bytes " + std::to_string(entry.begin) +
                                 " to " + std::to_string(entry.end) + " of " + std::to_string(data_.size()));
  out.data = data_.data() + entry.begin;
  return out;
}

}  // namespace tare::detail::read
