// Lines of {"custom_id": ..., "response": {"status_code": 200, "body": {"choices": [...]}}, "error": null}.
// https://platform.openai.com/docs/guides/batch, https://docs.vllm.ai (run_batch)
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "tare/read/llm/answers.hpp"
#include "tare/read/llm/columns.hpp"
#include "tare/read/llm/llm.hpp"
#include "tare/read/llm/tokens.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read::llm {
namespace {

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

Error batch_error(std::string what, std::string remedy) {
  return {.code = Errc::bad_input, .what = std::move(what), .remedy = std::move(remedy)};
}

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
  if (!read) return batch_error("is not a JSON object", "the line is cut short or damaged; copy the file again");
  BatchLine out{.id = word_in(&id)};
  if (out.id.empty()) return batch_error("has no custom_id", "each line of batch results has one");
  if (const std::string failure = failure_of(response, error); !failure.empty()) {
    out.fault = batch_error(failure, left_out);
    return out;
  }
  const Json* body = response.member("body");
  out.model = word_in(below(body, {"model"}));
  const auto places = places_of(body);
  const TokenPlace* place = first_of(places);
  if (!place || place->top.empty())
    return batch_error(place ? "the answer has no top_logprobs" : "the answer has no logprobs", ask_for_logprobs);
  auto found = shares(*place, options);
  if (!found) return found.error();
  out.missing = found->missing;
  out.probs = std::move(found->probs);
  if (out.probs.empty())
    out.fault = batch_error("none of the options " + listed(options.names()) +
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
    if (!row) return located(row.error(), line);
    if (const auto [at, fresh] = line_of_.try_emplace(row->id, line); !fresh)
      return located(
          batch_error("id " + read::quoted(row->id) + " was in line " + std::to_string(at->second) + " before",
                      "each request has its own custom_id"),
          line);
    if (row->probs.empty() && !reading_.drop_missing) return located(row->fault, line);
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
    if (n == 0)
      return Error{.code = Errc::bad_input,
                   .what = "has no lines",
                   .place = file_place(file_),
                   .remedy = "these are no batch results"};
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
  [[nodiscard]] Error located(Error error, std::size_t line) const {
    error.place = line_place(file_, line);
    return error;
  }

  Result<void> check_join() const {
    if (!answers_ || reading_.drop_missing) return {};
    const auto some = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " id" : " ids"); };
    if (unknown_ > 0)
      return Error{.code = Errc::bad_input,
                   .what = some(unknown_) + " of " + std::to_string(id_.size()) + " have no right answer in " +
                           foreign(answers_->file()) + ", such as " + read::quoted(first_unknown_),
                   .place = file_place(file_),
                   .remedy = "name the column of ids with `id`, or leave out such rows: `drop_missing`"};
    if (answers_->left() > 0)
      return Error{
          .code = Errc::bad_input,
          .what = some(answers_->left()) + " of " + std::to_string(answers_->size()) + " have no line in " +
                  foreign(file_) + ", such as " + read::quoted(answers_->one_left()),
          .place = file_place(answers_->file()),
          .remedy = "are there more files of results? Rows that are not there are accepted with `drop_missing`"};
    return {};
  }

  // Names of options, or their numbers.
  void add_labels(const Filling& fill) {
    const auto& words = labels_.words();
    const bool named = std::any_of(words.begin(), words.end(), [&](const auto& w) { return options_.find(w); });
    if (named) {
      fill.add("labels", std::move(labels_).array());
      return;
    }
    const bool whole = std::all_of(words.begin(), words.end(), [](const auto& w) {
      const auto value = number_in(w);
      return value && *value == std::floor(*value) && std::abs(*value) < 0x1p31;
    });
    Array codes = std::move(labels_).array();
    if (!whole) {
      fill.add("labels", std::move(codes));
      return;
    }
    std::vector<double> numbers(codes.rows());
    const auto* code = reinterpret_cast<const std::int32_t*>(codes.data);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = code[i] < 0 ? std::numeric_limits<double>::quiet_NaN()
                               : *number_in((*codes.words)[static_cast<std::size_t>(code[i])]);
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
    return Error{.code = Errc::bad_option,
                 .what = "holds tokens of a language model, and " +
                         std::string(reading.options.empty() ? "no" : "one") +
                         " option to look for among them was named",
                 .place = file_place(file),
                 .remedy = "name the options as the model answers: `options` A,B,C,D"};
  const Options options(reading.options);
  for (std::size_t i = 0; i < options.size(); ++i)
    if (options.find(reading.options[i]) != i)
      return Error{.code = Errc::bad_option,
                   .what = "is there twice",
                   .place = {.array = "options"},
                   .value = in_quotes(reading.options[i]),
                   .remedy = "name each option once"};
  std::optional<Answers> answers;
  if (!reading.answers.empty()) {
    auto opened = Answers::open(reading);
    if (!opened) return opened.error();
    answers = *std::move(opened);
  }
  BatchTable table(file, reading, std::move(answers));
  JsonObjects lines(text_of(bytes), file, "the file is cut short or damaged; copy or write it again");
  const auto done = lines.read(
      bytes.size(), [&](JsonReader& reader, std::size_t line) { return table.add(reader.document(), line); });
  if (!done) return done.error();
  return std::move(table).finish();
}

}  // namespace tare::detail::read::llm
