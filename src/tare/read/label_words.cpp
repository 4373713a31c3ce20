#include "tare/read/label_words.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

#include "tare/core/lower.hpp"
#include "tare/read/assemble.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {

int truth_of(std::string_view text) {
  static constexpr std::pair<std::string_view, int> known[] = {
      {"1", 1},        {"true", 1},    {"t", 1},    {"yes", 1},     {"y", 1},     {"positive", 1}, {"pos", 1},
      {"hit", 1},      {"win", 1},     {"won", 1},  {"correct", 1}, {"right", 1}, {"success", 1},  {"pass", 1},
      {"passed", 1},   {"+", 1},       {"0", 0},    {"false", 0},   {"f", 0},     {"no", 0},       {"n", 0},
      {"negative", 0}, {"neg", 0},     {"miss", 0}, {"loss", 0},    {"lose", 0},  {"lost", 0},     {"incorrect", 0},
      {"wrong", 0},    {"failure", 0}, {"fail", 0}, {"failed", 0},  {"-", 0},
  };
  const std::string word = lower(text);
  for (const auto& [name, meaning] : known)
    if (name == word) return meaning;
  return -1;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  double value = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  if (text.empty() || parse_number(at, end, value) != Parsed::number || at != end) return std::nullopt;
  if (!(std::abs(value) < 0x1p31) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

bool counts_from_zero(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] != std::to_string(i)) return false;
  return true;
}

LabelWords::LabelWords(const std::vector<std::string>& names, const std::vector<std::string>& columns, std::size_t k,
                       const Reading& reading)
    : k_(k), first_label_(reading.first_label), positive_(k == 1 ? reading.positive : std::string()) {
  bool numbers = !names.empty();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    exact_.emplace(names[i], index);
    const auto [at, fresh] = lower_.emplace(lower(names[i]), index);
    if (!fresh) at->second = -1;
    const auto number = whole_number(names[i]);
    numbers = numbers && number;
    if (number) by_number_.emplace(*number, index);
  }
  numbers_ = numbers;
  numbered_ = numbers && !counts_from_zero(names);
  if (columns.size() == names.size())  // by the whole names of the columns, too
    for (std::size_t i = 0; i < columns.size(); ++i) exact_.emplace(columns[i], static_cast<std::int64_t>(i));
}

bool LabelWords::is_positive(const std::string& word) const {
  if (lower(word) == lower(positive_)) return true;
  const auto a = whole_number(word), b = whole_number(positive_);
  return a && b && *a == *b;
}

std::optional<std::int64_t> LabelWords::of(std::int64_t number) const {
  if (!numbered_) return number - first_label_;
  const auto at = by_number_.find(number);
  return at == by_number_.end() ? std::nullopt : std::optional(at->second);
}

LabelMeaning LabelWords::of(const std::string& word) const {
  if (!positive_.empty()) {
    const bool yes = is_positive(word);
    return !yes && is_missing(word) ? LabelMeaning{LabelForm::missing} : LabelMeaning{LabelForm::truth, yes};
  }
  const auto number = whole_number(word);
  if (k_ > 1 && !(number && numbers_)) {
    if (const auto at = exact_.find(word); at != exact_.end()) return {LabelForm::name, at->second};
    if (const auto at = lower_.find(lower(word)); at != lower_.end() && at->second >= 0)
      return {LabelForm::name, at->second};
  }
  if (number) {
    const auto index = of(*number);
    return index ? LabelMeaning{LabelForm::number, *index} : LabelMeaning{};
  }
  if (is_missing(word)) return {LabelForm::missing};
  if (const int truth = truth_of(word); k_ == 1 && truth >= 0) return {LabelForm::truth, truth};
  return {};
}

// Labels as class indices.
namespace {

using Labels = Column<std::int32_t>;

template <class T>
Column<T> owned(std::vector<T> values) {
  auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  return {*kept, kept};
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
    const LabelWords by(names, {}, m->k, {});
    std::vector<std::int32_t> by_name;
    for (const std::string& name : about)
      by_name.push_back(static_cast<std::int32_t>(by.of(name).form == LabelForm::name ? by.of(name).index : -1));
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

// Where a word first stands.
std::size_t first_row(const Array& a, std::size_t word) {
  const auto codes = to_labels(a);
  if (!codes) return 0;
  const auto at = std::find(codes->values.begin(), codes->values.end(), static_cast<std::int32_t>(word));
  return static_cast<std::size_t>(at - codes->values.begin());
}

// Of which of two labels the scores are larger: told, not decided by.
std::string larger_scores(const Array& a, const Matrix& m) {
  const auto codes = to_labels(a);
  if (!codes || a.words->size() != 2 || m.k != 1) return {};
  std::array<double, 2> sum{}, rows{};
  for (std::size_t i = 0; i < codes->values.size(); ++i) {
    const auto w = static_cast<std::size_t>(codes->values[i]);
    sum[w] += m.values[i];
    ++rows[w];
  }
  if (rows[0] == 0 || rows[1] == 0) return {};
  const std::size_t higher = sum[1] / rows[1] > sum[0] / rows[0] ? 1 : 0;
  return "; the numbers are larger where the label is " + read::quoted((*a.words)[higher]);
}

// A text that is no label of a single column.
Error neither_0_nor_1(const Array& a, const Matrix& m, std::size_t word) {
  std::string remedy = "say which label is class 1, the one whose probability is given: ";
  for (std::size_t w = 0; w < std::min<std::size_t>(a.words->size(), 3); ++w)
    remedy += (w ? " or " : "") + ("`positive` " + read::quoted((*a.words)[w]));
  return bad_value(a.place_of(first_row(a, word), {}, "label"), in_quotes((*a.words)[word]), "which is neither 0 nor 1",
                   remedy + larger_scores(a, m));
}

// As numbers are shown, or as texts are.
std::string label_shown(const std::string& word) { return is_number(word) ? shortened(word) : in_quotes(word); }

Error no_class(const Array& a, std::size_t row, const std::string& value, const std::vector<std::string>& names) {
  if (counts_from_zero(names))
    return bad_value(
        a.place_of(row, {}, "label"), value, "not a class index",
        "labels are whole numbers counted from 0, or the names of columns p_NAME in a table; `class_names` "
        "A,B,C names the columns in their order");
  return bad_value(a.place_of(row, {}, "label"), value, "but the columns are for " + listed(names),
                   "labels must be the names of the columns after their common beginning");
}

Error missing_label(const Array& a, std::size_t word) {
  return bad_value(a.place_of(first_row(a, word), {}, "label"), in_quotes((*a.words)[word]), "which is missing",
                   "fill it, or leave out such rows: `drop_missing`");
}

// Numbers and names of classes side by side: one of them is not what it seems.
std::optional<Error> two_forms(const Array& a, std::size_t word, LabelForm form, ReadLog& log) {
  std::string& own = form == LabelForm::number ? log.number_label : log.name_label;
  const std::string& other = form == LabelForm::number ? log.name_label : log.number_label;
  if (own.empty()) own = (*a.words)[word];
  if (other.empty()) return std::nullopt;
  return bad_value(a.place_of(first_row(a, word), {}, "label"), in_quotes((*a.words)[word]),
                   form == LabelForm::number
                       ? "a number, but other labels are names of classes, such as " + read::quoted(other)
                       : "the name of a class, but other labels are numbers, such as " + read::quoted(other),
                   "write all labels in one way");
}

void remember(const std::string& word, ReadLog& log) {
  constexpr std::size_t most = 13;
  if (log.labels.size() < most && std::find(log.labels.begin(), log.labels.end(), word) == log.labels.end())
    log.labels.push_back(word);
}

// Texts: what each of them means, applied to the rows.
Result<Labels> from_words(const Array& a, const LabelWords& words, const std::vector<std::string>& names,
                          const Matrix& m, int threads, ReadLog& log) {
  std::vector<std::int32_t> meaning;
  for (std::size_t w = 0; w < a.words->size(); ++w) {
    const std::string& word = (*a.words)[w];
    const LabelMeaning found = words.of(word);
    remember(word, log);
    if (found.form == LabelForm::missing) return missing_label(a, w);
    if (found.form == LabelForm::unknown)
      return m.k == 1 ? neither_0_nor_1(a, m, w) : no_class(a, first_row(a, w), label_shown(word), names);
    if (m.k > 1)
      if (auto wrong = two_forms(a, w, found.form, log)) return *std::move(wrong);
    if (m.k == 1 && log.positive.empty() && found.form == LabelForm::truth && found.index == 1 && lower(word) != "true")
      log.class_one = word;
    if (!log.positive.empty() && found.index == 1) log.positive_seen = true;
    meaning.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(found.index, -1, 0x7fffffff)));
  }
  const auto code = to_labels(a, threads);
  if (!code) return code.error();
  std::vector<std::int32_t> out(code->values.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = meaning[static_cast<std::size_t>(code->values[i])];
  return owned(std::move(out));
}

// Numbers of an array.
Result<Labels> from_numbers(const Array& a, const LabelWords& words, const std::vector<std::string>& names,
                            const Reading& reading, const Matrix& m, int threads, ReadLog& log) {
  auto labels = to_labels(a, threads);
  if (!labels) return labels;
  if (log.number_label.empty() && !labels->values.empty()) log.number_label = std::to_string(labels->values[0]);
  const bool positive = m.k == 1 && !reading.positive.empty();
  if (positive && !whole_number(reading.positive))
    return bad_option("positive", in_quotes(reading.positive), "but the labels are numbers", "name one of them");
  const std::int64_t wanted = whole_number(reading.positive).value_or(0);
  if (!positive && (names.empty() || counts_from_zero(names)) && reading.first_label == 0) return labels;
  std::vector<std::int32_t> out(labels->values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int32_t value = labels->values[i];
    const auto index = positive ? std::optional<std::int64_t>(value == wanted) : words.of(std::int64_t{value});
    if (!index) return no_class(a, i, std::to_string(value), names);
    if (positive && *index == 1) log.positive_seen = true;
    out[i] = static_cast<std::int32_t>(std::clamp<std::int64_t>(*index, -0x7fffffff, 0x7fffffff));
  }
  return owned(std::move(out));
}

const std::vector<std::string>& columns_of(const Parts& parts) {
  return (parts[Role::logits] ? *parts[Role::logits] : *parts[Role::probs]).columns;
}

}  // namespace

// Where the columns are named p_1, p_2, p_3, a label 3 means the third of them: a label is the name of its column, if
// the names are numbers at all.
Result<Labels> class_indices(const Parts& parts, const std::vector<std::string>& names, const Matrix& m, int threads,
                             ReadLog& log) {
  const Array& a = *parts[Role::labels];
  if (!parts.labelled) return to_labels(a, threads);
  if (a.dtype != DType::word && a.shape.size() == 2 && a.shape[1] > 1 && m.k > 1)
    return one_hot(a, names, m.k, threads);
  const LabelWords words(names, columns_of(parts), m.k, parts.reading);
  if (m.k == 1) log.positive = parts.reading.positive;
  auto out = a.dtype == DType::word ? from_words(a, words, names, m, threads, log)
                                    : from_numbers(a, words, names, parts.reading, m, threads, log);
  const bool numbers = std::all_of(names.begin(), names.end(), [](const std::string& s) { return whole_number(s); });
  if (out && m.k > 1 && !numbers && !log.number_label.empty() && parts.reading.class_names.empty() &&
      parts.reading.names.empty())
    log.taken_for = "the columns are named " + shown(names.front()) + " to " + shown(names.back()) +
                    ", and the labels are numbers: " + std::to_string(parts.reading.first_label) + " is taken for " +
                    shown(names.front()) + ", the first column";
  return out;
}

namespace {

// The numbers of words; nothing where one of them is none.
struct Compared {
  std::vector<std::optional<std::int64_t>> number = {};  // of each word
  std::span<const std::int32_t> code = {};               // of each row: a number, or a word
};

Compared compared(const Array& a, const Labels& codes) {
  Compared out{.code = codes.values};
  if (a.dtype == DType::word)
    for (const std::string& word : *a.words) out.number.push_back(whole_number(word));
  return out;
}

void remember_kinds(const Array& a, const Compared& of, std::string& number, std::string& word) {
  if (a.dtype != DType::word && number.empty() && !of.code.empty()) number = std::to_string(of.code[0]);
  for (std::size_t w = 0; w < of.number.size(); ++w) {
    std::string& to = of.number[w] ? number : word;
    if (to.empty()) to = (*a.words)[w];
  }
}

}  // namespace

// Numbers are compared by value, "1" and "1.0", and anything else by its text.
Result<Column<std::uint8_t>> equal_labels(const Array& predictions, const Array& labels, int threads, ReadLog& log) {
  const auto p = to_labels(predictions, threads), y = to_labels(labels, threads);
  if (!p) return p.error();
  if (!y) return y.error();
  const Compared predicted = compared(predictions, *p), truth = compared(labels, *y);
  remember_kinds(predictions, predicted, log.predicted_number, log.predicted_word);
  remember_kinds(labels, truth, log.true_number, log.true_word);
  const bool words_p = predictions.dtype == DType::word, words_y = labels.dtype == DType::word;
  std::unordered_map<std::string_view, std::int64_t> id;  // of a text that is no number; ids are below all numbers
  const auto key = [&](const Array& a, const Compared& of, std::size_t w) {
    if (of.number[w]) return *of.number[w];
    return id.try_emplace((*a.words)[w], -(std::int64_t{1} << 40) - static_cast<std::int64_t>(id.size())).first->second;
  };
  std::vector<std::int64_t> key_p, key_y;
  for (std::size_t w = 0; w < predicted.number.size(); ++w) key_p.push_back(key(predictions, predicted, w));
  for (std::size_t w = 0; w < truth.number.size(); ++w) key_y.push_back(key(labels, truth, w));
  std::vector<std::uint8_t> hit(y->values.size());
  for (std::size_t i = 0; i < hit.size(); ++i) {
    const std::int32_t a = predicted.code[i], b = truth.code[i];
    hit[i] = (words_p ? key_p[static_cast<std::size_t>(a)] : a) == (words_y ? key_y[static_cast<std::size_t>(b)] : b);
  }
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

}  // namespace tare::detail::read
