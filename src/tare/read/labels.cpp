#include "tare/read/labels.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tare/core/lower.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

using Labels = Column<std::int32_t>;

// The class names as whole numbers, if they all are.
std::optional<std::vector<std::int64_t>> as_numbers(const std::vector<std::string>& names) {
  std::vector<std::int64_t> out;
  for (const std::string& s : names) {
    std::int64_t v = 0;
    const auto r = std::from_chars(s.data(), s.data() + s.size(), v);
    if (r.ec != std::errc{} || r.ptr != s.data() + s.size()) return std::nullopt;
    out.push_back(v);
  }
  return out;
}

Error unknown_class(const Array& labels, std::size_t row, const std::string& value,
                    const std::vector<std::string>& names) {
  return {.code = Errc::bad_input,
          .what = "but the columns are for " + listed(names),
          .place = labels.place_of(row, {}, "label"),
          .value = value,
          .remedy = "labels must be the names of the columns after their common beginning"};
}

// The meaning of each word, applied to the rows; the first row whose word has none (-1) is the error of `wrong`.
template <class Wrong>
Result<Labels> translated(const Array& a, const std::vector<std::int32_t>& meaning, int threads, const Wrong& wrong) {
  const auto code = to_labels(a, threads);
  if (!code) return code.error();
  std::vector<std::int32_t> out(code->values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto w = static_cast<std::size_t>(code->values[i]);
    if (meaning[w] < 0) return wrong(i, w);
    out[i] = meaning[w];
  }
  return owned(std::move(out));
}

// The name, as it is; else the only one that differs from it in capitals alone.
std::int32_t index_of(const std::vector<std::string>& names, const std::string& word) {
  const auto at = std::find(names.begin(), names.end(), word);
  if (at != names.end()) return static_cast<std::int32_t>(at - names.begin());
  std::int32_t found = -1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (lower(names[i]) != lower(word)) continue;
    if (found >= 0) return -1;
    found = static_cast<std::int32_t>(i);
  }
  return found;
}

// By the names of the classes, else by the whole names of their columns.
Result<Labels> words_to_labels(const Array& a, const std::vector<std::string>& names,
                               const std::vector<std::string>& columns, int threads) {
  if (names.empty())
    return Error{.code = Errc::bad_input,
                 .what = "not a class index",
                 .place = a.place_of(0, {}, "label"),
                 .value = in_quotes((*a.words)[0]),
                 .remedy =
                     "labels are whole numbers counted from 0, or the names of columns p_NAME in a table; "
                     "`class_names` A,B,C names the columns in their order"};
  std::vector<std::int32_t> meaning;
  for (const std::string& word : *a.words) {
    meaning.push_back(index_of(names, word));
    if (meaning.back() < 0 && columns.size() == names.size()) meaning.back() = index_of(columns, word);
  }
  return translated(a, meaning, threads,
                    [&](std::size_t i, std::size_t w) { return unknown_class(a, i, in_quotes((*a.words)[w]), names); });
}

// Which of two words is class 1, where everybody would say the same.
int usual_meaning(const std::string& word) {
  static constexpr std::array<std::pair<std::string_view, int>, 35> known = {{
      {"1", 1},         {"true", 1},     {"t", 1},       {"yes", 1},     {"y", 1},      {"positive", 1}, {"pos", 1},
      {"hit", 1},       {"win", 1},      {"won", 1},     {"correct", 1}, {"right", 1},  {"success", 1},  {"pass", 1},
      {"passed", 1},    {"+", 1},        {"+1", 1},      {"0", 0},       {"false", 0},  {"f", 0},        {"no", 0},
      {"n", 0},         {"negative", 0}, {"neg", 0},     {"miss", 0},    {"loss", 0},   {"lose", 0},     {"lost", 0},
      {"incorrect", 0}, {"wrong", 0},    {"failure", 0}, {"fail", 0},    {"failed", 0}, {"-", 0},        {"-1", 0},
  }};
  for (const auto& [name, meaning] : known)
    if (name == word) return meaning;
  return -1;
}

// Two words for a single column. True and false need no note.
Result<Labels> binary_words(const Array& a, int threads, std::vector<std::string>& notes) {
  std::vector<std::int32_t> meaning;
  std::array<std::string, 2> word;
  for (const std::string& w : *a.words) {
    meaning.push_back(usual_meaning(lower(w)));
    if (meaning.back() >= 0) word[static_cast<std::size_t>(meaning.back())] = w;
  }
  auto out = translated(a, meaning, threads, [&](std::size_t i, std::size_t w) {
    return Error{.code = Errc::bad_input,
                 .what = "which is neither 0 nor 1",
                 .place = a.place_of(i, {}, "label"),
                 .value = in_quotes((*a.words)[w]),
                 .remedy = "say which label is class 1: `positive` " + read::quoted((*a.words)[w])};
  });
  const std::string one = lower(word[1]);
  if (out && !one.empty() && one != "true" && one != "1") notes.push_back("labels: '" + word[1] + "' is class 1");
  return out;
}

// One 1 in each row of zeros.
Result<Labels> one_hot(const Array& a, const std::vector<std::string>& names, std::size_t k, int threads) {
  const auto m = to_matrix(a, threads);
  if (!m) return m.error();
  std::vector<std::int32_t> place(m->k);
  for (std::size_t j = 0; j < place.size(); ++j) place[j] = static_cast<std::int32_t>(j);
  if (a.columns.size() == m->k && names.size() == m->k) {  // each column is about one class: by name, if all are known
    std::vector<std::size_t> all(m->k);
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
    const auto about = class_names_of(a.columns, all);
    std::vector<std::int32_t> by_name;
    for (const std::string& name : about) by_name.push_back(index_of(names, name));
    if (std::find(by_name.begin(), by_name.end(), -1) == by_name.end()) place = by_name;
  }
  std::vector<std::int32_t> out(m->n);
  for (std::size_t i = 0; i < m->n; ++i) {
    std::size_t ones = 0, zeros = 0;
    for (std::size_t j = 0; j < m->k; ++j) {
      const double x = m->values[i * m->k + j];
      ones += x == 1;
      zeros += x == 0;
      if (x == 1) out[i] = place[j];
    }
    if (m->k != k || ones != 1 || zeros + 1 != m->k) return to_labels(a, threads).error();
  }
  return owned(std::move(out));
}

// Is it this label, in words or as a number?
Result<Labels> is_positive(const Array& a, const std::string& positive, int threads) {
  std::vector<std::int32_t> out;
  bool found = false;
  const auto value = to_labels(a, threads);
  if (!value) return value.error();
  std::int64_t wanted = 0;
  const auto number = std::from_chars(positive.data(), positive.data() + positive.size(), wanted);
  if (a.dtype != DType::word && (number.ec != std::errc{} || number.ptr != positive.data() + positive.size()))
    return Error{.code = Errc::bad_option,
                 .what = "but the labels are numbers",
                 .place = {.array = "positive"},
                 .value = in_quotes(positive),
                 .remedy = "name one of them"};
  if (a.dtype == DType::word) wanted = index_of(*a.words, positive);
  for (const std::int32_t v : value->values) {
    out.push_back(v == wanted);
    found = found || v == wanted;
  }
  if (!found)
    return Error{.code = Errc::bad_option,
                 .what = "which is no label" + (a.words ? "; the labels are " + listed(*a.words) : ""),
                 .place = {.array = "positive"},
                 .value = in_quotes(positive),
                 .remedy = "name the label that is class 1"};
  return owned(std::move(out));
}

// A column of numbers is one of words where a number is missing: then that is what is wrong.
std::optional<Error> missing_label(const Array& a) {
  std::size_t missing = a.words->size();
  for (std::size_t w = 0; w < a.words->size(); ++w) {
    const std::string& word = (*a.words)[w];
    if (is_missing(word))
      missing = std::min(missing, w);
    else if (!as_numbers({word}))
      return std::nullopt;
  }
  if (missing == a.words->size()) return std::nullopt;
  const auto code = to_labels(a);
  if (!code) return code.error();
  const auto at = std::find(code->values.begin(), code->values.end(), static_cast<std::int32_t>(missing));
  return Error{.code = Errc::bad_input,
               .what = "which is missing",
               .place = a.place_of(static_cast<std::size_t>(at - code->values.begin()), {}, "label"),
               .value = in_quotes((*a.words)[missing]),
               .remedy = "fill it, or leave out such rows: `drop_missing`"};
}

// Texts that are all whole numbers, as these.
Array as_numbers(const Array& a, const std::vector<std::int64_t>& meaning) {
  const auto out = std::make_shared<std::vector<std::int64_t>>();
  const auto code = to_labels(a);
  for (std::size_t i = 0; i < a.items() && code; ++i)
    out->push_back(meaning[static_cast<std::size_t>(code->values[i])]);
  Array plain = a;
  plain.dtype = DType::i8;
  plain.data = reinterpret_cast<const std::byte*>(out->data());
  plain.owner = out;
  return code ? plain : a;
}

const std::vector<std::string>& columns_of(const Parts& parts) {
  return (parts[Role::logits] ? *parts[Role::logits] : *parts[Role::probs]).columns;
}

Result<Labels> shifted(const Labels& labels, int first) {
  std::vector<std::int32_t> out;
  for (const std::int32_t v : labels.values) out.push_back(v - first);
  return owned(std::move(out));
}

}  // namespace

bool counts_from_zero(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] != std::to_string(i)) return false;
  return true;
}

// Where the columns are named p_1, p_2, p_3, a label 3 means the third of them: a label is the name of its column, if
// the names are numbers at all.
Result<Labels> class_indices(const Parts& parts, const std::vector<std::string>& names, std::size_t k, int threads,
                             std::vector<std::string>& notes) {
  Array a = *parts[Role::labels];
  const Reading& reading = parts.reading;
  if (a.dtype == DType::word)
    if (const auto meaning = as_numbers(*a.words)) a = as_numbers(a, *meaning);
  if (!parts.labelled) return to_labels(a, threads);
  if (a.dtype != DType::word && a.shape.size() == 2 && a.shape[1] > 1 && k > 1) return one_hot(a, names, k, threads);
  if (!reading.positive.empty() && k == 1) return is_positive(a, reading.positive, threads);
  if (a.dtype == DType::word)
    if (auto missing = missing_label(a)) return *std::move(missing);
  if (a.dtype == DType::word)
    return k == 1 ? binary_words(a, threads, notes) : words_to_labels(a, names, columns_of(parts), threads);
  const auto numbers = as_numbers(names);
  auto labels = to_labels(a, threads);
  if (!labels) return labels;
  if (!numbers || counts_from_zero(names)) {
    if (!numbers && reading.class_names.empty())
      notes.push_back("the columns are named " + shown(names.front()) + " to " + shown(names.back()) +
                      ", and the labels are numbers: " + std::to_string(reading.first_label) + " is taken for " +
                      shown(names.front()) + ", the first column");
    return reading.first_label == 0 ? labels : shifted(*labels, reading.first_label);
  }
  std::unordered_map<std::int64_t, std::int32_t> index;
  for (std::size_t c = 0; c < numbers->size(); ++c) index.emplace((*numbers)[c], static_cast<std::int32_t>(c));
  std::vector<std::int32_t> out(labels->values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto at = index.find(labels->values[i]);
    if (at == index.end()) return unknown_class(a, i, std::to_string(labels->values[i]), names);
    out[i] = at->second;
  }
  return owned(std::move(out));
}

Result<Column<std::uint8_t>> equal_labels(const Array& predictions, const Array& labels, int threads) {
  const bool words = labels.dtype == DType::word;
  if (words != (predictions.dtype == DType::word)) {
    const Array& strange = words ? labels : predictions;
    return Error{
        .code = Errc::bad_input,
        .what = read::quoted((*strange.words)[0]) + " is a word, but " +
                (words ? foreign(predictions.name) + " holds predictions" : foreign(labels.name) + " holds labels") +
                " in numbers",
        .place = strange.place_of(0, {}, ""),
        .remedy = "predictions and labels must both be class indices or both be names"};
  }
  const auto p = to_labels(predictions, threads), y = to_labels(labels, threads);
  if (!p) return p.error();
  if (!y) return y.error();
  std::vector<std::int32_t> meaning;  // the label's code of each word among the predictions
  if (words)
    for (const std::string& word : *predictions.words) {
      const auto at = std::find(labels.words->begin(), labels.words->end(), word);
      meaning.push_back(at == labels.words->end() ? -1 : static_cast<std::int32_t>(at - labels.words->begin()));
    }
  std::vector<std::uint8_t> hit(y->values.size());
  for (std::size_t i = 0; i < hit.size(); ++i)
    hit[i] = (words ? meaning[static_cast<std::size_t>(p->values[i])] : p->values[i]) == y->values[i];
  return owned(std::move(hit));
}

Result<std::vector<std::string>> given_class_names(const std::string& text) {
  constexpr std::size_t most = std::size_t{1} << 24;
  std::vector<std::string> out;
  std::ifstream in(text, std::ios::binary);
  const bool file = in.peek() != std::ifstream::traits_type::eof();
  std::string all = text;
  if (file) {
    all.resize(most);
    in.read(all.data(), static_cast<std::streamsize>(most));
    all.resize(static_cast<std::size_t>(in.gcount()));
  }
  for (std::size_t from = 0; from < all.size();) {
    const std::size_t end = std::min(file ? all.find('\n', from) : all.find(',', from), all.size());
    std::string name = all.substr(from, end - from);
    if (!name.empty() && name.back() == '\r') name.pop_back();
    out.push_back(std::move(name));
    from = end + 1;
  }
  return out;
}

}  // namespace tare::inner::read
