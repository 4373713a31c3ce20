#include "tare/read/llm/inspect_sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tare/core/lower.hpp"
#include "tare/read/llm/tokens.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read::llm {
namespace {

constexpr std::size_t most_letters = 26;
const char* const leave_out = "leave out such rows with `drop_missing`";

SampleFault wrong_for_all(std::string what, std::string remedy) {
  return {{.code = Errc::bad_input, .what = std::move(what), .remedy = std::move(remedy)}, false};
}
SampleFault wrong_here(std::string what, std::string remedy) {
  return {{.code = Errc::bad_input, .what = std::move(what), .remedy = std::move(remedy)}, true};
}

bool is_kept(std::string_view name) {
  static const std::vector<std::string_view> kept = {"id", "epoch", "choices", "scores", "metadata", "store", "error"};
  return std::find(kept.begin(), kept.end(), name) != kept.end();
}

// "C", "I", "P" and "N" are 1, 0, 0.5 and 0 in Inspect's own metrics, and so are yes and no, true and false.
std::optional<double> value_of(const Json& value) {
  if (value.is(Json::Kind::boolean) || value.is(Json::Kind::number)) return value.number;
  if (!value.is_text()) return std::nullopt;
  if (value.text == "C") return 1;
  if (value.text == "I" || value.text == "N") return 0;
  if (value.text == "P") return 0.5;
  const std::string word = lower(value.text);
  if (word == "yes" || word == "true") return 1;
  if (word == "no" || word == "false") return 0;
  return number_in(value.text);
}

std::optional<SampleFault> score_of(const Json& sample, const Reading& reading, const Json*& out) {
  const Json* scores = sample.member("scores");
  if (!scores || !scores->is_object() || scores->items.empty())
    return wrong_here("was not scored", std::string("score the log with `inspect score`, or ") + leave_out);
  if (!reading.scorer.empty())
    out = scores->member(reading.scorer);
  else if (scores->items.size() == 1)
    out = &scores->items[0];
  if (out) return std::nullopt;
  return wrong_for_all(
      (reading.scorer.empty() ? "has several scores: " : "has no score " + read::quoted(reading.scorer) + "; it has ") +
          listed(scores->names),
      "say whose verdict counts: `scorer` " + read::quoted(scores->names[0]));
}

std::optional<SampleFault> correct_of(const Json& score, InspectRow& out) {
  const Json* value = score.member("value");
  if (value && (value->is_list() || value->is_object()))
    return wrong_for_all("its score is " + std::string(value->is_list() ? "a list" : "an object") + ", not one value",
                         "name another score with `scorer`: a hit is C or 1, a miss I or 0");
  const auto number = value ? value_of(*value) : std::nullopt;
  if (!number)
    return wrong_here(
        "its score " + (value ? read::quoted(value->text) : std::string()) + " is neither right nor wrong", leave_out);
  if (*number != 0 && *number != 1)
    return wrong_here("its score " +
                          (value->is_text() ? read::quoted(value->text) + " (partly right)" : shown(*number)) +
                          " is neither a hit nor a miss",
                      leave_out);
  out.no_answer = value->text == "N";
  out.correct = *number;
  return std::nullopt;
}

std::optional<SampleFault> named_number(const Json& sample, const Reading& reading, InspectRow& out) {
  const Json* value = at_path(sample, reading.confidence_from);
  const auto number = value ? number_in(*value) : std::nullopt;
  if (number) {
    out.confidence = *number;
    return std::nullopt;
  }
  return wrong_here((value ? "holds no number at " : "holds nothing at ") + read::quoted(reading.confidence_from),
                    "`confidence_from` is a path into the sample, such as scores.NAME.metadata.confidence or "
                    "metadata.confidence; " +
                        std::string(leave_out));
}

// The last token that is the answer; of choices that were shuffled for the model, the last that is any option.
const Json* answer_token(const Json& content, const Options& options, std::optional<std::size_t> answer) {
  for (std::size_t i = content.items.size(); i-- > 0;) {
    const Json* token = content.items[i].member("token");
    const auto option = token && token->is_text() ? options.find(token->text) : std::nullopt;
    if (option && (!answer || option == answer)) return &content.items[i];
  }
  return nullptr;
}

std::optional<SampleFault> options_of(const Json& sample, const Reading& reading, std::vector<std::string>& out) {
  const Json* choices = sample.member("choices");
  const std::size_t count = choices && choices->is_list() ? choices->items.size() : 0;
  out = reading.options;
  if (out.size() > 1) return std::nullopt;
  if (count < 2 || count > most_letters)
    return wrong_for_all(count < 2 ? "has no choices" : "has more than 26 choices",
                         "name the options as the model answers, `options` yes,no, or a number in the log: "
                         "`confidence_from` scores.NAME.metadata.confidence");
  out = Options::letters(count).names();
  return std::nullopt;
}

std::optional<SampleFault> from_logprobs(const Json& sample, const Json& score, const Reading& reading,
                                         InspectRow& out) {
  const Json* content = below(&sample, {"output", "choices", "0", "logprobs", "content"});
  if (!content || content->items.empty())
    return wrong_here("holds no logprobs, so there is no confidence in it",
                      "record them: `inspect eval TASK --logprobs --top-logprobs 20`; or name a number in the log: "
                      "`confidence_from` scores.NAME.metadata.confidence");
  std::vector<std::string> names;
  if (auto fault = options_of(sample, reading, names)) return fault;
  const Options options(std::move(names));
  const Json* answered = score.member("answer");
  const bool shuffled = word_in(score.member("explanation")).starts_with("Choices were shuffled");
  const std::string answer = word_in(answered);
  const auto option = shuffled || answer.empty() ? std::nullopt : options.find(answer);
  const Json* token = answer.empty() || shuffled || option ? answer_token(*content, options, option) : nullptr;
  const auto place = token ? token_place(*token) : std::nullopt;
  if (!place)
    return wrong_here(answer.empty() ? "no token of its answer is an option: " + listed(options.names())
                                     : "its answer " + read::quoted(answer) +
                                           " is no single token that is an option: " + listed(options.names()),
                      leave_out);
  if (place->top.empty()) {
    out.confidence = std::exp(std::min(place->chosen.logprob, 0.0));
    out.token_alone = true;
    return std::nullopt;
  }
  const auto found = shares(*place, options);
  if (!found) return SampleFault{found.error(), false};
  const auto chosen = options.find(place->chosen.text);
  if (found->probs.empty() || !chosen) return wrong_here("its answer has probability 0", leave_out);
  out.confidence = found->probs[*chosen];
  out.missing_option = found->missing > 0;
  return std::nullopt;
}

}  // namespace

bool parse_sample(JsonDocument& sample, Json& out) {
  out.kind = Json::Kind::object;
  return each_member(sample, [&](std::string_view name, JsonValue& value) {
    const bool output = name == "output" && first_letter(token_of(value)) == '{';
    if (!output && !is_kept(name)) return check_json(value);
    if (out.member(name)) return false;  // twice
    out.names.emplace_back(name);
    Json& to = out.items.emplace_back();
    if (!output) return parse(value, to);
    to.kind = Json::Kind::object;
    return each_member(value, [&](std::string_view inner, JsonValue& choices) {
      if (inner != "choices") return check_json(choices);
      to.names.emplace_back(inner);
      return parse(choices, to.items.emplace_back());
    });
  });
}

std::optional<SampleFault> inspect_row(const Json& sample, const Reading& reading, InspectRow& out) {
  if (const Json* error = sample.member("error"); error && error->is_object()) {
    const std::string why = word_in(error->member("message"));
    return wrong_here("ended with an error" + (why.empty() ? "" : ": " + shown(why)),
                      std::string("run it again with `inspect eval-retry`, or ") + leave_out);
  }
  const Json* score = nullptr;
  if (auto fault = score_of(sample, reading, score)) return fault;
  if (auto fault = correct_of(*score, out)) return fault;
  if (!reading.confidence_from.empty()) return named_number(sample, reading, out);
  return from_logprobs(sample, *score, reading, out);
}

}  // namespace tare::detail::read::llm
