#include "tare/read/llm/answers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tare/read/convert.hpp"
#include "tare/read/llm/json.hpp"
#include "tare/read/pick.hpp"
#include "tare/read/roles.hpp"
#include "tare/read/source.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read::llm {
namespace {

using Names = std::vector<std::string>;

std::size_t place_of(const Names& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

Error which_column(const std::string& file, const Names& names, const std::string& what, const std::string& remedy) {
  return {.code = Errc::bad_option,
          .what = what + "; it holds " + listed(names),
          .place = file_place(file),
          .remedy = remedy};
}

Result<std::size_t> id_column(const std::string& file, const Names& names, const std::string& asked) {
  for (const std::string& name : asked.empty() ? Names{"custom_id", "id"} : Names{asked, "id"})
    if (const std::size_t at = place_of(names, name); at < names.size()) return at;
  return which_column(
      file, names, asked.empty() ? "no column is named custom_id or id" : "no column is named " + read::quoted(asked),
      "name the column of ids: `id` " + read::quoted(names.empty() ? "NAME" : names[0]));
}

Result<std::size_t> label_column(const std::string& file, const Names& names, const std::string& asked,
                                 std::size_t id) {
  const std::string remedy = "name the column of right answers: `answers` " + foreign(file) + ":COLUMN";
  if (!asked.empty()) {
    const std::size_t at = place_of(names, asked);
    if (at < names.size()) return at;
    return which_column(file, names, "no column is named " + read::quoted(asked), remedy);
  }
  if (names.size() == 2) return 1 - id;
  for (const char* name : {"answer", "answers", "correct_answer", "answer_key"})
    if (const std::size_t at = place_of(names, name); at < names.size()) return at;
  for (const Known known : {Known::well, Known::often}) {
    const auto found = matches(names, Role::labels, "", true, known);
    if (found.size() == 1 && found[0].members.size() == 1) return found[0].members[0];
  }
  return which_column(file, names, "which column holds the right answers?", remedy);
}

// Each cell as a text; numbers as short as they can be.
Result<std::vector<std::string>> cells(const Array& column) {
  std::vector<std::string> out;
  if (column.dtype == DType::word) {
    const auto codes = to_labels(column);
    if (!codes) return codes.error();
    for (const std::int32_t code : codes->values)
      out.push_back(code < 0 ? std::string() : (*column.words)[static_cast<std::size_t>(code)]);
    return out;
  }
  const auto m = to_matrix(column);
  if (!m) return m.error();
  if (m->k != 1)
    return Error{.code = Errc::bad_input,
                 .what = "a row of numbers where one value was expected",
                 .place = file_place(column.name),
                 .remedy = "ids and right answers are one value in each row"};
  for (std::size_t i = 0; i < m->n; ++i) out.push_back(std::isnan(m->values[i]) ? std::string() : shown(m->values[i]));
  return out;
}

}  // namespace

Result<Answers> Answers::open(const Reading& reading) {
  Answers out;
  out.file_ = file_of(reading.answers);
  const std::string asked =
      out.file_.size() < reading.answers.size() ? reading.answers.substr(out.file_.size() + 1) : std::string();
  const auto source = Source::open(out.file_);
  if (!source) return source.error();
  const Names& names = source->names();
  if (!source->is_table())
    return Error{.code = Errc::bad_option,
                 .what = "is no table of ids and right answers",
                 .place = file_place(out.file_),
                 .remedy = "pass `answers` a .csv or .jsonl file"};
  const auto id = id_column(out.file_, names, reading.id);
  if (!id) return id.error();
  const auto label = label_column(out.file_, names, asked, *id);
  if (!label) return label.error();
  if (*id == *label)
    return which_column(out.file_, names, "ids and right answers are in one column",
                        "name another: `answers` " + foreign(out.file_) + ":COLUMN");
  const auto columns = source->read(std::vector<CsvGroup>{{{*id}, true}, {{*label}, true}}, {.missing = true});
  if (!columns) return columns.error();
  const auto ids = cells((*columns)[0]), labels = cells((*columns)[1]);
  if (!ids) return ids.error();
  if (!labels) return labels.error();
  // "007" and 7 are one id where all ids are numbers
  out.numbers_ =
      std::all_of(ids->begin(), ids->end(), [](const std::string& one) { return number_in(one).has_value(); });
  for (std::size_t i = 0; i < ids->size(); ++i) {
    const bool empty = (*ids)[i].empty() || (*labels)[i].empty();
    if (empty || !out.label_of_.try_emplace(out.key_of((*ids)[i]), Label{(*labels)[i]}).second)
      return Error{.code = Errc::bad_input,
                   .what = (*ids)[i].empty() ? "has no id"
                           : empty           ? "has no right answer"
                                             : "id " + read::quoted((*ids)[i]) + " is there twice",
                   .place = (*columns)[empty && !(*ids)[i].empty() ? 1 : 0].place_of(i, {}, ""),
                   .remedy = "each question needs one id and one right answer"};
  }
  return out;
}

std::string Answers::key_of(const std::string& id) const {
  const auto value = numbers_ ? number_in(id) : std::nullopt;
  return value ? shown(*value) : id;
}

const std::string* Answers::take(const std::string& id) {
  const auto at = label_of_.find(key_of(id));
  if (at == label_of_.end()) return nullptr;
  taken_ += !at->second.taken;
  at->second.taken = true;
  return &at->second.text;
}

std::string Answers::one_left() const {
  std::string out;  // the first in the alphabet, so that the message is always the same
  for (const auto& [id, label] : label_of_)
    if (!label.taken && (out.empty() || id < out)) out = id;
  return out;
}

}  // namespace tare::detail::read::llm
