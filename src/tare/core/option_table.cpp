#include "tare/core/option_table.hpp"

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/core/result.hpp"

namespace tare::detail {
namespace {

// For std::visit: the types as they stand in the variant, because a template fits all others better.
template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : "|") + word;
  return out;
}

template <class T>
Result<void> check_range(const OptionEntry& entry, T value) {
  const auto* range = std::get_if<const Option<T>*>(&entry.range);
  return range ? in_range(**range, value) : Result<void>();
}

Result<void> check_each(const OptionEntry& entry, const auto& values) {
  for (const auto value : values)
    if (const auto fine = check_range(entry, value); !fine) return fine;
  return {};
}

bool is_among(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string OptionEntry::flag() const {
  std::string out = !more.flag.empty() ? more.flag : on() ? "no-" + name : name;
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

std::string OptionEntry::type() const {
  if (!more.type.empty()) return more.type;
  if (!words.empty()) return joined(words);
  return std::visit(
      Cases{[](bool*) { return ""; }, [](int*) { return "N"; }, [](std::size_t*) { return "N"; },
            [](std::optional<std::size_t>*) { return "N"; }, [](std::vector<std::string>*) { return "A,B"; },
            [](std::vector<std::size_t>*) { return "N,N"; }, [](std::vector<double>*) { return "X,X,..."; },
            [](std::string*) { return "TEXT"; }, [](const auto&) { return "X"; }},
      value);
}

std::string OptionEntry::usual() const {
  if (!more.usual.empty()) return more.usual;
  return std::visit(
      Cases{[](int* to) { return std::to_string(*to); }, [](std::size_t* to) { return std::to_string(*to); },
            [](double* to) { return number_text(*to); }, [](std::string* to) { return *to; },
            [](std::vector<int>* to) { return to->size() == 1 ? std::to_string(to->front()) : "both"; },
            [this](const Chosen& to) { return words[to.get()]; }, [](const auto&) { return std::string(); }},
      value);
}

OptionTable OptionTable::only(std::initializer_list<std::string_view> names) const {
  OptionTable out = *this;
  std::erase_if(out.entries_, [&](const OptionEntry& entry) { return !is_among(names, entry.name); });
  return out;
}

OptionTable OptionTable::without(std::initializer_list<std::string_view> names) const {
  OptionTable out = *this;
  std::erase_if(out.entries_, [&](const OptionEntry& entry) { return is_among(names, entry.name); });
  return out;
}

OptionTable OptionTable::headed(const std::string& heading) const {
  OptionTable out = *this;
  for (OptionEntry& entry : out.entries_) entry.heading = heading;
  return out;
}

const OptionEntry* OptionTable::find(std::string_view name) const {
  const auto at = std::find_if(begin(), end(), [&](const OptionEntry& entry) { return entry.name == name; });
  return at == end() ? nullptr : &*at;
}

void OptionTable::add(OptionEntry entry) {
  entry.heading = heading_;
  entries_.push_back(std::move(entry));
}

std::vector<int> norms_of(std::string_view word) {
  if (word == "both") return {1, 2};
  return {word == "1" ? 1 : 2};
}

std::optional<Reduction> reduction_of(std::string_view word) {
  for (const Reduction r : {Reduction::top_label, Reduction::positive, Reduction::classwise})
    if (word == name(r)) return r;
  return std::nullopt;
}

std::size_t place_of(const OptionEntry& entry, std::string_view word) {
  return static_cast<std::size_t>(std::find(entry.words.begin(), entry.words.end(), word) - entry.words.begin());
}

Result<void> check(const OptionTable& table) {
  for (const OptionEntry& entry : table) {
    const auto fine = std::visit(
        Cases{[&](int* to) { return check_range(entry, *to); },
              [&](std::size_t* to) { return check_range(entry, *to); },
              [&](double* to) { return check_range(entry, *to); },
              [&](std::optional<double>* to) { return *to ? check_range(entry, **to) : Result<void>(); },
              [&](std::optional<std::size_t>* to) { return *to ? check_range(entry, **to) : Result<void>(); },
              [&](std::vector<int>* to) { return check_each(entry, *to); },
              [&](std::vector<std::size_t>* to) { return check_each(entry, *to); },
              [](const auto&) { return Result<void>(); }},
        entry.value);
    if (!fine) return fine;
  }
  return {};
}

void copy(const OptionTable& from, OptionTable to) {
  for (const OptionEntry& target : to) {
    const OptionEntry* source = from.find(target.name);
    if (!source) continue;
    std::visit(
        [](const auto& a, const auto& b) {
          if constexpr (!std::is_same_v<decltype(a), decltype(b)>)
            return;
          else if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(a)>>)
            *b = *a;
          else
            b.set(a.get());
        },
        source->value, target.value);
  }
}

}  // namespace tare::detail
