// Probabilities of options from the most likely tokens at one place of a model's answer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/llm/json.hpp"

namespace tare::detail::read::llm {

struct Token {
  std::string text = {};
  double logprob = 0;
};

// A place of the answer: the token that was written, and what else was likely.
struct TokenPlace {
  Token chosen = {};
  std::vector<Token> top = {};  // with the chosen one
};

// Of {"token", "logprob", "top_logprobs": [{"token", "logprob"}]}; nothing where it is something else.
std::optional<TokenPlace> token_place(const Json& entry);

// A token without blanks, the marks of tokenizers for them (Ġ, ▁, Ċ) and brackets, quotes and points around it.
std::string_view bare(std::string_view token);

// The options as they are looked for among tokens.
class Options {
 public:
  explicit Options(std::vector<std::string> names);
  // A, B, C, ...: as many.
  static Options letters(std::size_t count);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  // As it is, else in other capitals, where only one option is meant.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view token) const;

 private:
  std::vector<std::string> names_, lower_;
};

struct Shares {
  std::vector<double> probs = {};  // one per option, with sum 1; empty: no token is an option
  std::size_t missing = 0;         // options that no token stands for
};

// Tokens that mean the same option are added up. What no listed token has, 1 - their sum, is shared by the missing
// options, each no more likely than the least likely listed token; then all are divided by their sum.
Result<Shares> shares(const TokenPlace& place, const Options& options);

}  // namespace tare::detail::read::llm
