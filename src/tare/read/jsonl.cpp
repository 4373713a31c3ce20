#include "tare/read/jsonl.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tare/read/columns.hpp"
#include "tare/read/json.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

Error no_objects(const std::string& name, bool empty) {
  return {.code = Errc::bad_input,
          .what = empty ? "the file is empty" : "does not begin with a JSON object",
          .place = file_place(name),
          .remedy = one_object_per_line};
}

// Numbers by their value, then texts: the same order whatever that of the objects in the file.
bool is_before(const std::string& a, const std::string& b) {
  if (is_count(a) != is_count(b)) return is_count(a);
  return is_count(a) && a.size() != b.size() ? a.size() < b.size() : a < b;
}

// The members of the first object, and what the first that has a value of each says about it.
class FirstObjects {
 public:
  bool look_at(JsonDocument& object, bool first) {
    return each_member(object, [&](std::string_view key, JsonValue& value) {
      auto at = place_.find(std::string(key));
      if (first) {
        if (at != place_.end()) return false;  // twice
        at = place_.emplace(key, names.size()).first;
        names.emplace_back(key);
        members.emplace_back();
        seen_.push_back(0);
      }
      const char next = first_letter(token_of(value));
      if (at == place_.end() || seen_[at->second] || next == 'n') return check_json(value);
      JsonMember& member = members[at->second];
      seen_[at->second] = 1;
      member.scalar = next != '[' && next != '{';
      if (next != '{') return check_json(value);
      const bool read = each_member(value, [&](std::string_view name, JsonValue& inner) {
        member.classes.emplace_back(name);
        return check_json(inner);
      });
      std::sort(member.classes.begin(), member.classes.end(), is_before);
      return read;
    });
  }
  [[nodiscard]] bool know_all() const { return std::count(seen_.begin(), seen_.end(), 0) == 0; }

  std::vector<std::string> names;
  std::vector<JsonMember> members;

 private:
  std::unordered_map<std::string, std::size_t> place_;
  std::vector<char> seen_;
};

}  // namespace

Result<bool> Jsonl::check_head(std::span<const std::byte> head, bool all, const std::string& name) {
  constexpr std::size_t most_blanks = std::size_t{1} << 20;
  if (head.size() < 3 && !all) return false;
  const std::string_view text = text_of(head);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos)
    return text[first] == '{' || text[first] == '[' ? Result<bool>(true) : no_objects(name, false);
  if (all || text.size() > most_blanks) return no_objects(name, true);
  return false;
}

Result<Jsonl> Jsonl::open(std::span<const std::byte> bytes, const std::string& name,
                          std::shared_ptr<const void> owner) {
  constexpr int most_objects = 64;
  const std::string_view text = trimmed(text_of(bytes));
  JsonObjects objects(text, name, one_object_per_line);
  Jsonl out;
  out.name_ = name;
  out.owner_ = std::move(owner);
  out.array_ = objects.array();
  out.body_ = objects.at();
  out.body_line_ = objects.line();
  out.end_ = text.data() + text.size();
  if (!objects.more()) return no_objects(name, objects.at() == out.end_);
  FirstObjects first;
  for (int i = 0; i < most_objects && objects.more() && (i == 0 || !first.know_all()); ++i) {
    bool fine = false;
    const auto read = objects.read(1, [&](JsonReader& reader, std::size_t) -> Result<void> {
      fine = first.look_at(reader.document(), i == 0);
      return fine ? Result<void>() : no_objects(name, false);
    });
    if (i == 0 && !fine) return objects.is_utf8() ? no_objects(name, false) : read.error();
    if (!read) break;  // where it is read the fault has a line
  }
  if (first.names.empty()) return no_objects(name, false);
  out.names_ = std::move(first.names);
  out.members_ = std::move(first.members);
  return out;
}

bool Jsonl::is_end(const TablePlace& place) const {
  const char* const next = skip_space(place.at, end_);
  return next == end_ || (array_ && *next == ']');
}

}  // namespace tare::detail::read
