// What to ask, and what to type, where names say too little.
#include <algorithm>

#include "tare/core/lower.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/dataset.hpp"
#include "tare/read/label_words.hpp"
#include "tare/read/pick.hpp"
#include "tare/read/roles.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

constexpr std::size_t most_different = 12;

// What the first rows of a file look like, column by column: for questions and hints, never for an answer.
struct Sniffed {
  std::vector<std::string> cells = {};      // of a column of single values
  bool numbers = false;                     // every cell is one
  bool in_unit = false;                     // and lies in [0, 1]
  std::vector<double> values = {};          // where they are numbers
  std::vector<std::string> different = {};  // up to a dozen
};

void look_at(Sniffed& column) {
  column.numbers = !column.cells.empty();
  column.in_unit = true;
  for (const std::string& cell : column.cells) {
    double value = 0;
    if (is_missing(cell)) continue;
    if (std::find(column.different.begin(), column.different.end(), cell) == column.different.end() &&
        column.different.size() < most_different)
      column.different.push_back(cell);
    if (parse_spelled(cell, ';', false, value) != Parsed::number) {
      column.numbers = false;
      break;
    }
    column.values.push_back(value);
    column.in_unit = column.in_unit && value >= 0 && value <= 1;
  }
  column.in_unit = column.in_unit && column.numbers;
}

// Where a member is one value per row.
std::vector<std::string> cells_of(const Array& a, std::size_t rows) {
  if (a.shape.size() != 1 || a.rows() == 0) return {};
  auto out = texts_of(a, rows);
  return out ? *std::move(out) : std::vector<std::string>();
}

// The first rows, as many as `rows`; one entry per name, empty where a member is not one value per row.
std::vector<Sniffed> sniffed(const Source& source, std::size_t rows = 2000) {
  constexpr std::size_t bytes_of_a_cell = 24, most_columns = 4096;
  std::vector<Sniffed> out(source.names().size());
  if (out.size() > most_columns) return out;
  std::vector<CsvGroup> groups;
  for (std::size_t i = 0; i < out.size(); ++i)
    groups.push_back(CsvGroup{.columns = {i}, .words = true, .may_miss = true});
  if (const TextTable* table = source.table()) {
    TablePlace at = table->begin();
    if (table->is_end(at)) return out;
    const auto arrays = table->read(groups, {}, at, rows == 1 ? 1 : rows * out.size() * bytes_of_a_cell);
    for (std::size_t i = 0; arrays && i < out.size(); ++i) out[i].cells = cells_of((*arrays)[i], rows);
  } else {
    for (std::size_t i = 0; i < out.size(); ++i)
      if (const auto array = source.read(std::span(groups).subspan(i, 1)))
        out[i].cells = cells_of(array->front(), rows);
  }
  for (Sniffed& column : out) look_at(column);
  return out;
}

}  // namespace

Result<Match> columns_of_classes(const Source& table, std::size_t label_column) {
  const auto& names = table.names();
  const auto labels = table.read(std::vector{CsvGroup{.columns = {label_column}, .words = true, .may_miss = true}});
  if (!labels) return labels.error();
  if (!labels->front().words) return Match{};
  Match out;
  const std::vector<Sniffed> columns = sniffed(table, 1);
  for (std::size_t i = 0; i < names.size() && i < columns.size(); ++i)
    if (i != label_column && !is_index_column(names[i]) && columns[i].numbers) out.members.push_back(i);
  for (const std::string& word : *labels->front().words) {
    const auto at = std::find(names.begin(), names.end(), word);
    const auto place = static_cast<std::size_t>(at - names.begin());
    if (std::find(out.members.begin(), out.members.end(), place) == out.members.end()) return Match{};
  }
  if (out.members.size() < 2) return Match{};
  for (const std::size_t i : out.members) out.class_names.push_back(names[i]);
  out.spelled = typed(names, out.members);
  return out;
}

namespace {

// Does it give rows? Of a long table the first ones are tried.
bool works(const Way& way, const std::string& file, LabelRule rule, Files& files) {
  constexpr std::size_t bytes = std::size_t{1} << 22;
  Fold fold = way.fold;
  fold.groups.clear();
  fold.files = {file};
  const auto data = Dataset::sample(fold, rule, files, bytes);
  return data.has_value();
}

std::string typed_options(const Fold& base, const Fold& fold) {
  std::string out;
  const auto add = [&](const std::string& name, const std::string& value) {
    out += (out.empty() ? "" : " ") + name + (value.empty() ? "" : " '" + shown(value) + "'");
  };
  for (const Role r : all_roles)
    if (given(fold, r) != given(base, r)) add(option(r), given(fold, r));
  if (fold.reading.positive != base.reading.positive) add("`positive`", fold.reading.positive);
  return out;
}

Fold with(Fold fold, const std::vector<std::pair<Role, std::string>>& roles) {
  for (const auto& [role, name] : roles) {
    given(fold, role) = name;
    fold.members.erase(role);
  }
  return fold;
}

bool contains_any(const std::string& name, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const char* part) { return name.find(part) != name.npos; });
}

// How much a name sounds like a probability, or like what happened.
int sounds_like_score(const std::string& name) {
  return contains_any(name, {"prob", "score", "conf"})           ? 3
         : contains_any(name, {"pred", "forecast", "win", "p_"}) ? 2
                                                                 : 0;
}
int sounds_like_label(const std::string& name) {
  if (contains_any(name, {"outcome", "label", "truth", "true", "target", "actual", "correct"})) return 3;
  return contains_any(name, {"result", "won", "hit", "class", "event", "died", "diagnosis", "default", "gold"}) ? 2 : 0;
}
bool sounds_like_hits(const std::string& name) { return contains_any(name, {"correct", "is_right", "hit", "accura"}); }

// "prob1" beside "prob1_outcome".
std::vector<Way> ways_of_pairs(const Fold& base, const std::vector<std::string>& names) {
  std::vector<Way> out;
  for (const std::string& score : names)
    for (const char* end : {"_outcome", "_label", "_result", "_true", "_actual", "_hit"})
      for (const std::string& label : names)
        if (lower(label) == lower(score) + end)
          out.push_back({with(base, {{Role::probs, score}, {Role::labels, label}}),
                         shown(score) + " is the probability that " + shown(label) + " is 1"});
  return out;
}

struct Candidate {
  std::size_t column = 0;
  int sound = 0;
};

std::vector<Candidate> sorted(std::vector<Candidate> all) {
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.sound > b.sound; });
  return all;
}

// A column of numbers in [0, 1] with one of two values.
std::vector<Way> ways_of_columns(const Fold& base, const std::vector<std::string>& names,
                                 const std::vector<Sniffed>& columns) {
  constexpr std::size_t most = 4;
  std::vector<Candidate> scores, labels;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = lower(names[i]);
    if (columns[i].cells.empty() || is_index_column(name)) continue;
    const bool two = !columns[i].different.empty() && columns[i].different.size() <= 2;
    if (columns[i].in_unit && (!two || sounds_like_score(name) > 0)) scores.push_back({i, sounds_like_score(name)});
    if (two && sounds_like_score(name) < 3) labels.push_back({i, sounds_like_label(name)});
  }
  std::vector<Way> out;
  for (const Candidate& s : sorted(scores))
    for (const Candidate& l : sorted(labels)) {
      if (s.column == l.column || out.size() >= most) continue;
      const std::string &score = names[s.column], &label = names[l.column];
      const bool hits = sounds_like_hits(lower(label));
      out.push_back(
          {with(base, {{hits ? Role::confidences : Role::probs, score}, {hits ? Role::correct : Role::labels, label}}),
           hits ? shown(score) + " is the confidence of the prediction, " + shown(label) + " says if it was right"
                : shown(score) + " is the probability of class 1"});
    }
  return out;
}

// Several columns of numbers whose rows sum to 1, and one more.
std::vector<Way> ways_of_matrix(const Fold& base, const std::vector<std::string>& names,
                                const std::vector<Sniffed>& columns) {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (columns[i].in_unit && !is_index_column(names[i])) members.push_back(i);
  std::vector<Way> out;
  for (std::size_t last = names.size(); last-- > 0;) {
    if (columns[last].cells.empty() || is_index_column(names[last])) continue;
    std::vector<std::size_t> others;
    for (const std::size_t i : members)
      if (i != last) others.push_back(i);
    if (others.size() < 2) continue;
    out.push_back({with(base, {{Role::probs, typed(names, others)}, {Role::labels, names[last]}}), ""});
    if (out.size() == 3) break;
  }
  return out;
}

}  // namespace

std::string ways_to_type(const Fold& base, const std::vector<Way>& ways, const std::string& file, LabelRule rule,
                         Files& files) {
  constexpr std::size_t most = 3;
  std::string out;
  std::size_t shown = 0;
  for (const Way& way : ways) {
    if (shown == most || !works(way, file, rule, files)) continue;
    ++shown;
    out += (out.empty() ? "" : "; or ") + typed_options(base, way.fold) +
           (way.means.empty() ? "" : " (" + way.means + (way.against.empty() ? "" : ", but " + way.against) + ")");
  }
  return out;
}

std::vector<Way> suggested_ways(const Fold& base, const Source& source) {
  const auto& names = source.names();
  const std::vector<Sniffed> columns = sniffed(source);
  std::vector<Way> out = ways_of_pairs(base, names);
  for (auto& some : {ways_of_columns(base, names, columns), ways_of_matrix(base, names, columns)})
    out.insert(out.end(), some.begin(), some.end());
  for (const Role r : all_roles)  // what was said stays
    if (is_given(base, r)) std::erase_if(out, [&](const Way& way) { return given(way.fold, r) != given(base, r); });
  return out;
}

namespace {

// Is the text class 1, of two? -1: it is something else.
int class_of(const std::string& text, const std::vector<std::string>& different) {
  if (const auto number = whole_number(text)) return *number == 0 || *number == 1 ? static_cast<int>(*number) : -1;
  if (const int truth = truth_of(text); truth >= 0) return truth;
  return different.size() == 2 ? -2 : -1;
}

// What the rows say against "the number is the probability of class 1".
std::string against_probability(const Sniffed& score, const Sniffed& predicted) {
  if (predicted.different.size() > 2) return "there are more than two different predictions";
  double rows = 0, other = 0;
  for (std::size_t i = 0; i < std::min(score.values.size(), predicted.cells.size()); ++i) {
    const int one = class_of(predicted.cells[i], predicted.different);
    if (one < 0) continue;
    ++rows;
    other += (score.values[i] > 0.5) != (one == 1);
  }
  return other > 0 ? "the prediction disagrees with it being above 0.5 in " + percent(other / rows) + " of the rows"
                   : "";
}

// What the rows say against "the number is the confidence of the prediction".
std::string against_confidence(const Sniffed& score, const Sniffed& predicted) {
  if (predicted.different.size() > 2 || score.values.empty()) return {};
  const auto below = std::count_if(score.values.begin(), score.values.end(), [](double x) { return x < 0.5; });
  if (below == 0) return {};
  return "it is below 0.5 in " + percent(static_cast<double>(below) / static_cast<double>(score.values.size())) +
         " of the rows, which the confidence in one of two classes cannot be";
}

struct Columns {
  std::string score = {}, predicted = {}, truth = {};
};

// The two ways to read a score beside a prediction.
std::vector<Way> two_ways(const Fold& names, const Source& source, const Columns& of) {
  const std::vector<Sniffed> columns = sniffed(source);
  const auto at = [&](const std::string& name) -> const Sniffed& {
    return columns[static_cast<std::size_t>(std::find(source.names().begin(), source.names().end(), name) -
                                            source.names().begin())];
  };
  return {{with(names, {{Role::probs, of.score}, {Role::labels, of.truth}}),
           shown(of.score) + " is the probability of class 1", against_probability(at(of.score), at(of.predicted))},
          {with(names, {{Role::confidences, of.score}, {Role::predictions, of.predicted}, {Role::labels, of.truth}}),
           shown(of.score) + " is the confidence of the prediction " + shown(of.predicted),
           against_confidence(at(of.score), at(of.predicted))}};
}

bool is_single(const Pick& pick) {
  if (pick.match.members.size() != 1 || !pick.match.class_names.empty()) return false;
  if (pick.source->is_table()) return !sniffed(*pick.source, 1)[pick.match.members[0]].cells.empty();
  const auto array = pick.source->read(std::vector{CsvGroup{.columns = pick.match.members}});
  return array && array->front().shape.size() == 1;
}

// A column that may hold predictions, beside the labels: by its name, or `label` where the user named another.
std::string prediction_beside(const Source& source, const std::string& labels, bool asked) {
  if (const auto p = by_role(source, {Role::predictions}, Role::predictions, ""); p && *p) return (*p)->match.spelled;
  for (const std::string& name : source.names())
    if (asked && name != labels && may_be_predicted(name)) return name;
  return {};
}

}  // namespace

std::optional<Error> question_about(const Fold& names, const Picks& picks, LabelRule rule, Files& files) {
  const auto main = picks.main();
  const auto& labels = picks[Role::labels];
  if (!main || is_given(names, *main) || !labels || is_given(names, Role::predictions)) return std::nullopt;
  const Source& source = *picks[*main]->source;
  if (labels->source != &source || labels->match.members.size() != 1) return std::nullopt;
  const std::string& label = labels->match.spelled;
  std::string truth;
  if (!is_given(names, Role::labels) && may_be_predicted(label))
    for (const std::string& name : source.names())
      if (is_truth(name)) truth = name;
  const Columns of{picks[*main]->match.spelled,
                   truth.empty() ? prediction_beside(source, label, is_given(names, Role::labels)) : label,
                   truth.empty() ? label : truth};
  if (of.predicted.empty()) return std::nullopt;
  const bool single = *main == Role::probs && is_single(*picks[*main]);
  std::vector<Way> ways;
  if (single) ways = two_ways(names, source, of);
  if (!truth.empty()) {
    const std::string& score = of.score;
    ways.push_back({with(names, {{*main, score}, {Role::labels, label}}), shown(label) + " is what happened"});
    if (!single)
      ways.push_back({with(names, {{*main, score}, {Role::labels, truth}}), shown(truth) + " is what happened"});
    if (*main == Role::confidences) ways = {};
  }
  if (ways.empty()) return std::nullopt;
  const std::string typed = ways_to_type(names, ways, source.path(), rule, files);
  return bad_file(source.name(),
                  single ? "is " + read::quoted(of.score) +
                               " the probability of class 1, or the confidence of the "
                               "prediction " +
                               read::quoted(of.predicted) + "?"
                         : "is " + read::quoted(label) + " what happened, or " + read::quoted(truth) + "?",
                  typed.empty() ? "say it: `probs` NAME `labels` NAME, or `confidences` NAME `predictions` NAME "
                                  "`labels` NAME"
                                : "say it: " + typed);
}

}  // namespace tare::detail::read
