// Lines of {"custom_id": ..., "response": {"status_code": 200, "body": {"choices": [...]}}, "error": null}.
// https://platform.openai.com/docs/guides/batch, https://docs.vllm.ai (run_batch)
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tare/read/convert.hpp"
#include "tare/read/llm/json.hpp"
#include "tare/read/llm/llm.hpp"
#include "tare/read/llm/tokens.hpp"
#include "tare/read/pick.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read::llm {
namespace {

// The right answers of a second file, by the ids of the questions.
class Answers {
 public:
  // Of reading.answers: a table FILE, or FILE:COLUMN, with a column of ids (reading.id, else custom_id or id).
  static Result<Answers> open(const Reading& reading);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::size_t size() const { return label_of_.size(); }
  // Null where there is none. Says whom nobody asked for.
  const std::string* take(const std::string& id);
  [[nodiscard]] std::size_t left() const { return label_of_.size() - taken_; }
  [[nodiscard]] std::string one_left() const;

 private:
  struct Label {
    std::string text = {};
    bool taken = false;
  };
  [[nodiscard]] std::string key_of(const std::string& id) const;

  std::string file_;
  bool numbers_ = false;  // the ids are written as numbers: 7 is 007
  std::size_t taken_ = 0;
  std::unordered_map<std::string, Label> label_of_;
};

using Names = std::vector<std::string>;

std::size_t place_of(const Names& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

Error which_column(const std::string& file, const Names& names, const std::string& what, const std::string& remedy) {
  return bad_file(file, what + "; it holds " + listed(names), remedy, Errc::bad_option);
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

Result<Answers> Answers::open(const Reading& reading) {
  Answers out;
  out.file_ = file_of(reading.answers);
  const std::string asked =
      out.file_.size() < reading.answers.size() ? reading.answers.substr(out.file_.size() + 1) : std::string();
  const auto source = Source::open(out.file_);
  if (!source) return source.error();
  const Names& names = source->names();
  if (!source->is_table())
    return bad_file(out.file_, "is no table of ids and right answers", "pass `answers` a .csv or .jsonl file",
                    Errc::bad_option);
  const auto id = id_column(out.file_, names, reading.id);
  if (!id) return id.error();
  const auto label = label_column(out.file_, names, asked, *id);
  if (!label) return label.error();
  if (*id == *label)
    return which_column(out.file_, names, "ids and right answers are in one column",
                        "name another: `answers` " + foreign(out.file_) + ":COLUMN");
  const auto columns = source->read(std::vector<CsvGroup>{{{*id}, true}, {{*label}, true}}, {.missing = true});
  if (!columns) return columns.error();
  const auto ids = texts_of((*columns)[0]), labels = texts_of((*columns)[1]);
  if (!ids) return ids.error();
  if (!labels) return labels.error();
  // "007" and 7 are one id where all ids are numbers
  out.numbers_ =
      std::all_of(ids->begin(), ids->end(), [](const std::string& one) { return number_in(one).has_value(); });
  for (std::size_t i = 0; i < ids->size(); ++i) {
    const bool empty = (*ids)[i].empty() || (*labels)[i].empty();
    if (empty || !out.label_of_.try_emplace(out.key_of((*ids)[i]), Label{(*labels)[i]}).second)
      return bad_input((*columns)[empty && !(*ids)[i].empty() ? 1 : 0].place_of(i, {}, ""),
                       (*ids)[i].empty() ? "has no id"
                       : empty           ? "has no right answer"
                                         : "id " + read::quoted((*ids)[i]) + " is there twice",
                       "each question needs one id and one right answer");
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

const char* const ask_for_logprobs =
    "ask for them in each request: \"logprobs\": true, \"top_logprobs\": 20; for completions \"logprobs\": 20";

// The older interface: {"tokens": ["A"], "token_logprobs": [-0.1], "top_logprobs": [{"A": -0.1, "B": -2.5}]}.
std::vector<TokenPlace> completion_places(const Json& logprobs) {
  std::vector<TokenPlace> out;
  const Json* tops = logprobs.member("top_logprobs");
  const Json* tokens = logprobs.member("tokens");
  for (std::size_t i = 0; tops && i < tops->items.size(); ++i) {
    TokenPlace place;
    const Json& top = tops->items[i];
    for (std::size_t j = 0; j < top.names.size(); ++j)
      if (const auto value = number_in(top.items[j])) place.top.push_back({top.names[j], *value});
    const Json* chosen = tokens ? tokens->item(i) : nullptr;
    place.chosen.text = word_in(chosen);
    out.push_back(std::move(place));
  }
  return out;
}

// The tokens of the first answer; none where the body holds no logprobs.
std::vector<TokenPlace> places_of(const Json* body) {
  const Json* logprobs = below(body, {"choices", "0", "logprobs"});
  const Json* content = below(logprobs, {"content"});
  if (const Json* output = below(body, {"output"}))  // of the interface `responses`
    for (const Json& item : output->items)
      if (const Json* found = below(&item, {"content", "0", "logprobs"})) content = found;
  if (!content || !content->is_list()) return logprobs ? completion_places(*logprobs) : std::vector<TokenPlace>();
  std::vector<TokenPlace> out;
  for (const Json& entry : content->items) {
    auto place = token_place(entry);
    if (!place) return {};
    out.push_back(*std::move(place));
  }
  return out;
}

// The first token that is more than blanks.
const TokenPlace* first_of(const std::vector<TokenPlace>& places) {
  const auto at = std::find_if(places.begin(), places.end(), [](const TokenPlace& p) {
    return p.chosen.text.find_first_not_of(" \t\r\n") != std::string::npos;
  });
  return at == places.end() ? places.empty() ? nullptr : &places.front() : &*at;
}

struct BatchLine {
  std::string id = {}, model = {};
  std::vector<double> probs = {};  // empty: there are none, and `fault` says why
  std::size_t missing = 0;
  Error fault = {};
};

const char* const left_out = "ask again, or leave out such rows: `drop_missing`";

// What went wrong with the request itself; empty: nothing.
std::string failure_of(const Json& response, const Json& error) {
  const Json* status = response.member("status_code");
  const bool failed = status && status->is(Json::Kind::number) && status->number != 200;
  if (response.is_object() && !failed && error.is(Json::Kind::null)) return {};
  const Json* message = below(&error, {"message"});
  if (!message) message = below(&response, {"body", "error", "message"});
  return "the request failed" + (failed ? " with status " + status->text : std::string()) +
         (message && message->is_text() ? ": " + shown(message->text) : std::string());
}

Result<BatchLine> batch_line(JsonDocument& line, const Options& options) {
  Json id, response, error;
  const bool read = each_member(line, [&](std::string_view name, JsonValue& value) {
    Json* const to = name == "custom_id" ? &id : name == "response" ? &response : name == "error" ? &error : nullptr;
    if (!to) return check_json(value);
    *to = {};
    return parse(value, *to);
  });
  if (!read) return bad_input("is not a JSON object", "the line is cut short or damaged; copy the file again");
  BatchLine out{.id = word_in(&id)};
  if (out.id.empty()) return bad_input("has no custom_id", "each line of batch results has one");
  if (const std::string failure = failure_of(response, error); !failure.empty()) {
    out.fault = bad_input(failure, left_out);
    return out;
  }
  const Json* body = response.member("body");
  out.model = word_in(below(body, {"model"}));
  const auto places = places_of(body);
  const TokenPlace* place = first_of(places);
  if (!place || place->top.empty())
    return bad_input(place ? "the answer has no top_logprobs" : "the answer has no logprobs", ask_for_logprobs);
  auto found = shares(*place, options);
  if (!found) return found.error();
  out.missing = found->missing;
  out.probs = std::move(found->probs);
  if (out.probs.empty())
    out.fault = bad_input("none of the options " + listed(options.names()) +
                              " is among the likely first tokens; the answer begins with " +
                              read::quoted(place->chosen.text.empty() ? place->top[0].text : place->chosen.text),
                          "let the model answer with the option alone, or leave out such rows: `drop_missing`");
  return out;
}

class BatchTable {
 public:
  BatchTable(const std::string& file, const Reading& reading, std::optional<Answers> answers)
      : file_(file), reading_(reading), options_(reading.options), answers_(std::move(answers)) {}

  Result<void> add(JsonDocument& object, std::size_t line) {
    auto row = batch_line(object, options_);
    if (!row) return row.error();
    if (const auto [at, fresh] = line_of_.try_emplace(row->id, line); !fresh)
      return bad_input("id " + read::quoted(row->id) + " was in line " + std::to_string(at->second) + " before",
                       "each request has its own custom_id");
    if (row->probs.empty() && !reading_.drop_missing) return row->fault;
    with_missing_ += !row->probs.empty() && row->missing > 0;
    row->probs.resize(options_.size(), std::numeric_limits<double>::quiet_NaN());
    probs_.insert(probs_.end(), row->probs.begin(), row->probs.end());
    lines_->add(id_.size(), line);
    id_.add(row->id);
    model_.add(row->model);
    if (answers_) {
      const std::string* label = answers_->take(row->id);
      labels_.add(label ? *label : std::string());
      if (!label && unknown_++ == 0) first_unknown_ = row->id;
    }
    return {};
  }

  Result<Records> finish() && {
    const std::size_t n = id_.size();
    if (n == 0) return bad_file(file_, "has no lines", "these are no batch results");
    if (const auto joined = check_join(); !joined) return joined.error();
    Records out{.format = "batch",
                .where_labels_are = "name the right answers: `answers` KEY.csv with a column custom_id"};
    if (with_missing_ > 0)
      out.notes.push_back(std::to_string(with_missing_) + " of " + std::to_string(n) +
                          " rows lack an option among the likely tokens; it gets a share of what these leave");
    if (answers_ && answers_->left() > 0)
      out.notes.push_back(std::to_string(answers_->left()) + " right answers belong to no line");
    const Filling fill{out, file_, lines_};
    Array probs = array_of(std::move(probs_), DType::f8, {n, options_.size()});
    probs.classes = options_.names();
    fill.add("probs", std::move(probs));
    if (answers_) add_labels(fill);
    fill.add_words("id", std::move(id_));
    fill.add_words("model", std::move(model_));
    return out;
  }

 private:
  Result<void> check_join() const {
    if (!answers_ || reading_.drop_missing) return {};
    const auto some = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " id" : " ids"); };
    if (unknown_ > 0)
      return bad_file(file_,
                      some(unknown_) + " of " + std::to_string(id_.size()) + " have no right answer in " +
                          foreign(answers_->file()) + ", such as " + read::quoted(first_unknown_),
                      "name the column of ids with `id`, or leave out such rows: `drop_missing`");
    if (answers_->left() > 0)
      return bad_file(answers_->file(),
                      some(answers_->left()) + " of " + std::to_string(answers_->size()) + " have no line in " +
                          foreign(file_) + ", such as " + read::quoted(answers_->one_left()),
                      "are there more files of results? Rows that are not there are accepted with `drop_missing`");
    return {};
  }

  // Names of options, or their numbers.
  void add_labels(const Filling& fill) {
    const auto& words = labels_.words();
    const bool named = std::any_of(words.begin(), words.end(), [&](const auto& w) { return options_.find(w); });
    const bool whole = std::all_of(words.begin(), words.end(), [](const auto& w) {
      const auto value = number_in(w);
      return value && *value == std::floor(*value) && std::abs(*value) < 0x1p31;
    });
    const Array codes = std::move(labels_).array();
    if (named || !whole) {
      fill.add("labels", codes);
      return;
    }
    std::vector<double> numbers(codes.rows());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = codes.code(i) < 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : *number_in((*codes.words)[static_cast<std::size_t>(codes.code(i))]);
    fill.add("labels", numbers_of(std::move(numbers)));
  }

  const std::string& file_;
  const Reading& reading_;
  Options options_;
  std::optional<Answers> answers_;
  std::vector<double> probs_;
  LogWords id_, model_, labels_;
  std::unordered_map<std::string, std::size_t> line_of_;
  std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
  std::size_t with_missing_ = 0, unknown_ = 0;
  std::string first_unknown_;
};

}  // namespace

Result<Records> batch(std::span<const std::byte> bytes, const std::string& file, const Reading& reading) {
  if (reading.options.size() < 2)
    return bad_file(file,
                    "holds tokens of a language model, and " + std::string(reading.options.empty() ? "no" : "one") +
                        " option to look for among them was named",
                    "name the options as the model answers: `options` A,B,C,D", Errc::bad_option);
  const Options options(reading.options);
  for (std::size_t i = 0; i < options.size(); ++i)
    if (options.find(reading.options[i]) != i)
      return bad_option("options", in_quotes(reading.options[i]), "is there twice", "name each option once");
  std::optional<Answers> answers;
  if (!reading.answers.empty()) {
    auto opened = Answers::open(reading);
    if (!opened) return opened.error();
    answers = *std::move(opened);
  }
  return read_lines(bytes, file, BatchTable(file, reading, std::move(answers)));
}

}  // namespace tare::detail::read::llm
