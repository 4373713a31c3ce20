#include "tare/read/jsonl.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tare/read/columns.hpp"
#include "tare/read/json_text.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

Error no_objects(const std::string& name, bool empty) {
  return {.code = Errc::bad_input,
          .what = empty ? "the file is empty" : "does not begin with a JSON object",
          .place = file_place(name),
          .remedy = "write one object per line: {\"label\": 2, \"probs\": [0.2, 0.3, 0.5]}"};
}

}  // namespace

Result<bool> Jsonl::check_head(std::span<const std::byte> head, bool all, const std::string& name) {
  constexpr std::size_t most_blanks = std::size_t{1} << 20;
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.size() < 3 && !all) return false;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos)
    return text[first] == '{' || text[first] == '[' ? Result<bool>(true) : no_objects(name, false);
  if (all || text.size() > most_blanks) return no_objects(name, true);
  return false;
}

Result<Jsonl> Jsonl::open(std::span<const std::byte> bytes, const std::string& name,
                          std::shared_ptr<const void> owner) {
  Jsonl out;
  out.name_ = name;
  out.owner_ = std::move(owner);
  out.body_ = reinterpret_cast<const char*>(bytes.data());
  out.end_ = out.body_ + bytes.size();
  if (std::string_view(out.body_, bytes.size()).starts_with("\xef\xbb\xbf")) out.body_ += 3;
  while (out.end_ != out.body_ && std::string_view(" \t\r\n").find(out.end_[-1]) != std::string_view::npos) --out.end_;
  JsonText in{out.body_, out.end_};
  out.array_ = in.take('[');
  if (out.array_) {
    out.body_line_ += static_cast<std::size_t>(std::count(out.body_, in.at, '\n'));
    out.body_ = in.at;
  }
  const Error wrong = no_objects(name, in.done());
  if (!in.take('{')) return wrong;
  std::unordered_set<std::string> known;
  do {
    std::string key;
    if (!in.text(key) || !in.take(':') || !in.skip_value()) return wrong;
    if (!known.insert(key).second) return wrong;
    out.names_.push_back(std::move(key));
  } while (in.take(','));
  if (!in.take('}')) return wrong;
  out.look_at_members();
  return out;
}

namespace {

// Numbers by their value, then texts: the same order whatever that of the objects in the file.
bool is_before(const std::string& a, const std::string& b) {
  if (is_count(a) != is_count(b)) return is_count(a);
  return is_count(a) && a.size() != b.size() ? a.size() < b.size() : a < b;
}

// The names of an object; `in` moves behind it.
bool names_of_object(JsonText& in, std::vector<std::string>& out) {
  std::string name;
  if (!in.take('{')) return false;
  if (in.take('}')) return true;
  do {
    if (!in.text(name) || !in.take(':') || !in.skip_value()) return false;
    out.push_back(name);
  } while (in.take(','));
  return in.take('}');
}

}  // namespace

// Members that the first object lacks a value of are looked up in the next ones.
void Jsonl::look_at_members() {
  constexpr int most_objects = 64;
  members_.resize(names_.size());
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t i = 0; i < names_.size(); ++i) place.emplace(names_[i], i);
  std::vector<char> seen(names_.size(), 0);
  JsonText in{body_, end_};
  std::string key;
  for (int object = 0; object < most_objects && in.take('{'); ++object) {
    do {
      if (!in.text(key) || !in.take(':')) return;
      const auto at = place.find(key);
      const char next = in.peek();
      if (at == place.end() || seen[at->second] || next == 'n') {
        if (!in.skip_value()) return;
        continue;
      }
      JsonMember& member = members_[at->second];
      seen[at->second] = 1;
      member.scalar = next != '[' && next != '{';
      if (next == '{' ? !names_of_object(in, member.classes) : !in.skip_value()) return;
      std::sort(member.classes.begin(), member.classes.end(), is_before);
    } while (in.take(','));
    if (!in.take('}') || std::count(seen.begin(), seen.end(), 0) == 0) return;
    in.take(',');
  }
}

bool Jsonl::is_end(const TablePlace& place) const {
  JsonText in{place.at, end_};
  return in.done() || (array_ && in.peek() == ']');
}

}  // namespace tare::inner::read
