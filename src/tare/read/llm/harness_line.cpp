#include "tare/read/llm/harness_line.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tare/read/text.hpp"

namespace tare::detail::read::llm {
namespace {

// ["-1.37", "False"], or [-1.37, false] of older versions.
std::optional<double> loglik_of(const Json& entry) {
  if (!entry.is_list() || entry.items.size() != 2) return std::nullopt;
  const Json& greedy = entry.items[1];
  const bool flag = greedy.is(Json::Kind::boolean) ||
                    (greedy.is(Json::Kind::number) && (greedy.number == 0 || greedy.number == 1)) ||
                    greedy.text == "True" || greedy.text == "False";
  return flag ? number_in(entry.items[0]) : std::nullopt;
}

Result<std::vector<double>> logliks(const Json& resps) {
  std::vector<double> out;
  for (const Json& entry : resps.items) {
    const auto value = loglik_of(entry);
    if (!value)
      return bad_input("filtered_resps holds no log-likelihoods of options: the task generates text",
                       "there are no probabilities in it; run a task of output_type multiple_choice with the "
                       "harness's option log_samples");
    if (std::isnan(*value) || *value == HUGE_VAL)
      return bad_input("the log-likelihood of option " + std::to_string(out.size()) + " is " + shown(*value),
                       "run the task again: a log-likelihood is a finite number");
    out.push_back(*value);
  }
  if (out.size() < 2)
    return bad_input(out.empty() ? "filtered_resps is empty" : "has one continuation only, nothing to choose from",
                     "only tasks of output_type multiple_choice have probabilities of options");
  return out;
}

struct Request {
  std::string context, continuation;
};

// [[context, continuation], ...], or {"gen_args_0": {"arg_0": context, "arg_1": continuation}, ...}.
std::vector<Request> requests_of(const Json& arguments, std::size_t count) {
  constexpr std::size_t few = 1000;  // to be searched for each by each, where they are in another order
  std::vector<Request> out;
  const auto named = [&](std::size_t i) -> const Json* {
    const std::string name = "gen_args_" + std::to_string(i);
    if (i < arguments.names.size() && arguments.names[i] == name) return &arguments.items[i];
    return arguments.names.size() <= few ? arguments.member(name) : nullptr;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Json* one = arguments.is_list() ? arguments.item(i) : named(i);
    if (!one) return {};
    const Json* context = one->is_list() ? one->item(0) : one->member("arg_0");
    const Json* continuation = one->is_list() ? one->item(1) : one->member("arg_1");
    if (!context || !continuation || !context->is_text() || !continuation->is_text()) return {};
    out.push_back({context->text, continuation->text});
  }
  return out;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\n") == text.npos; }

// Are these the texts of the options: each continuation is one of them behind the same blanks?
bool are_options(const Json& list, const std::vector<Request>& requests) {
  if (!list.is_list() || list.items.size() != requests.size()) return false;
  std::string_view delimiter;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::string_view whole = requests[i].continuation, text = list.items[i].text;
    if (!list.items[i].is_text() || !whole.ends_with(text)) return false;
    const std::string_view before = whole.substr(0, whole.size() - text.size());
    if (!is_blank(before) || (i > 0 && before != delimiter)) return false;
    delimiter = before;
  }
  return true;
}

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> out;
  for (const Json& item : list.items) out.push_back(item.text);
  return out;
}

// The harness writes the option behind a delimiter, mostly a blank: the document tells which part is the option.
std::vector<std::string> options_of(const Json& doc, const std::vector<Request>& requests) {
  for (const Json& member : doc.items) {
    if (are_options(member, requests)) return texts_of(member);
    for (const Json& inner : member.items)
      if (are_options(inner, requests)) return texts_of(inner);
  }
  std::vector<std::string> out;
  for (const Request& r : requests) out.push_back(r.continuation);
  const auto same_blank = [&](const std::string& s) {
    return !s.empty() && is_blank(s.substr(0, 1)) && s[0] == out[0][0];
  };
  if (!out.empty() && !out[0].empty() && std::all_of(out.begin(), out.end(), same_blank))
    for (std::string& s : out) s.erase(0, 1);
  return out;
}

// Conditional log-likelihoods, then as many of the options alone.
bool has_mutual_half(const Json& line_acc, const std::vector<Request>& requests, std::size_t count) {
  if (count % 2 != 0 || count < 4) return false;
  if (!line_acc.is(Json::Kind::null)) return true;
  if (requests.size() != count) return false;
  for (std::size_t i = 0; i < count / 2; ++i) {
    const Request &with = requests[i], &alone = requests[count / 2 + i];
    if (with.context.empty() || !alone.context.empty() || with.continuation != alone.continuation) return false;
  }
  return true;
}

std::optional<std::size_t> place_in(const std::vector<std::string>& texts, const std::string& text) {
  const auto at = std::find(texts.begin(), texts.end(), text);
  return at == texts.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - texts.begin()));
}

// By the options, else by a list of the document with as many texts, else by a letter: A is the first.
std::optional<std::size_t> by_text_of(const std::string& target, const std::vector<std::string>& options,
                                      const Json& doc, std::size_t k) {
  if (const auto at = place_in(options, target)) return at;
  if (!target.empty() && is_blank(target.substr(0, 1)))
    if (const auto at = place_in(options, target.substr(1))) return at;
  const auto in_list = [&](const Json& list) -> std::optional<std::size_t> {
    if (!list.is_list() || list.items.size() != k) return std::nullopt;
    const std::vector<std::string> texts = texts_of(list);
    return std::count(texts.begin(), texts.end(), target) == 1 ? place_in(texts, target) : std::nullopt;
  };
  for (const Json& member : doc.items) {
    if (const auto at = in_list(member)) return at;
    for (const Json& inner : member.items)
      if (const auto at = in_list(inner)) return at;
  }
  const auto letter = target.size() == 1 ? static_cast<std::size_t>(target[0] - 'A') : k;
  return letter < k ? std::optional(letter) : std::nullopt;
}

std::optional<std::size_t> index_in(const std::string& text, std::size_t k) {
  const auto value = number_in(text);
  if (!value || *value < 0 || *value != std::floor(*value) || !(*value < static_cast<double>(k))) return std::nullopt;
  return static_cast<std::size_t>(*value);
}

// A number, a text, or a list of numbers, which a newer version writes as a text: "[0, 2]".
Result<void> find_target(const Json& given, const Json& doc, HarnessLine& out) {
  const std::size_t k = out.loglik.size();
  Json list;
  if (given.is_text() && given.text.starts_with('[')) {
    if (!parse(given.text, list)) list = {};
  }
  const Json& several = given.is_list() ? given : list;
  if (several.is_list() && several.items.size() != 1)
    return bad_input(std::to_string(several.items.size()) + " options are right",
                     "calibration over options needs one right option for each question");
  const Json& one = several.is_list() ? several.items[0] : given;
  out.target = word_in(&one);
  out.by_index = index_in(out.target, k);
  if (!one.is(Json::Kind::number)) out.by_text = by_text_of(out.target, out.options, doc, k);
  if (out.by_index || out.by_text || out.options_are_contexts()) return {};
  return bad_input("target " + read::quoted(out.target) + " is none of the " + std::to_string(k) + " options" +
                       (out.options.empty() ? "" : ": " + listed(out.options)),
                   "the target is the number of an option, counted from 0, or its text");
}

std::optional<double> number_of(const Json& value) {
  return value.is(Json::Kind::boolean) ? std::optional(value.number) : number_in(value);
}

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Members of the line that are used.
struct Given {
  Json id, doc, target, arguments, filtered, filter, hash, task, acc, acc_norm, mutual;
  Json* of(std::string_view name) {
    return name == "doc_id"            ? &id
           : name == "doc"             ? &doc
           : name == "target"          ? &target
           : name == "arguments"       ? &arguments
           : name == "filtered_resps"  ? &filtered
           : name == "filter"          ? &filter
           : name == "doc_hash"        ? &hash
           : name == "task_name"       ? &task
           : name == "acc"             ? &acc
           : name == "acc_norm"        ? &acc_norm
           : name == "acc_mutual_info" ? &mutual
                                       : nullptr;
  }
};

}  // namespace

bool HarnessLine::options_are_contexts() const {
  if (options.size() < 2 || std::adjacent_find(options.begin(), options.end(), std::not_equal_to<>()) != options.end())
    return false;
  return std::adjacent_find(contexts.begin(), contexts.end(), std::not_equal_to<>()) != contexts.end();
}

Result<HarnessLine> harness_line(JsonDocument& line) {
  Given given;
  const bool read = each_member(line, [&](std::string_view name, JsonValue& value) {
    Json* const to = given.of(name);
    if (!to) return check_json(value);
    *to = {};
    return parse(value, *to);
  });
  if (!read) return bad_input("is not a JSON object", "the line is cut short or damaged; copy the file again");
  HarnessLine out{.id = word_in(&given.id),
                  .hash = word_in(&given.hash),
                  .filter = word_in(&given.filter),
                  .task = word_in(&given.task),
                  .subject = word_in(given.doc.member("subject")),
                  .category = word_in(given.doc.member("category"))};
  auto values = logliks(given.filtered);
  if (!values) return values.error();
  auto requests = requests_of(given.arguments, values->size());
  out.mutual = has_mutual_half(given.mutual, requests, values->size());
  if (out.mutual) {
    values->resize(values->size() / 2);
    if (!requests.empty()) requests.resize(values->size());
  }
  out.loglik = *std::move(values);
  out.options = options_of(given.doc, requests);
  for (Request& r : requests) out.contexts.push_back(std::move(r.context));
  out.acc = number_of(given.acc);
  out.acc_norm = number_of(given.acc_norm);
  if (out.acc && *out.acc != 0 && *out.acc != 1)
    return bad_input("acc is " + shown(*out.acc) + ", neither 0 nor 1: more than one option counts as right",
                     "calibration over options needs one right option for each question (truthfulqa_mc1, not "
                     "truthfulqa_mc2)");
  if (const auto found = find_target(given.target, given.doc, out); !found) return found.error();
  return out;
}

std::size_t best(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

Result<std::vector<double>> length_normalized(const HarnessLine& line) {
  if (line.options.size() != line.loglik.size())
    return bad_input("has no arguments with the text of each option, whose length is wanted",
                     "leave out `length_normalized`, or run the harness again with log_samples");
  if (line.options_are_contexts())
    return bad_input("the options stand in the context, and all continue in the same way",
                     "leave out `length_normalized`: there are no lengths to divide by");
  std::vector<double> out(line.loglik);
  for (std::size_t j = 0; j < out.size(); ++j) {
    const std::size_t length = letters(line.options[j]);
    if (length == 0)
      return bad_input("option " + std::to_string(j) + " has no letters", "leave out `length_normalized`");
    out[j] /= static_cast<double>(length);
  }
  return out;
}

}  // namespace tare::detail::read::llm
