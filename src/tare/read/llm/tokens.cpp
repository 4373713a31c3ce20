#include "tare/read/llm/tokens.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tare/core/lower.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read::llm {
namespace {

std::optional<Token> token_of(const Json& entry) {
  const Json* text = entry.member("token");
  const Json* logprob = entry.member("logprob");
  const auto value = logprob ? number_in(*logprob) : std::nullopt;
  if (!text || !text->is_text() || !value) return std::nullopt;
  return Token{text->text, *value};
}

void add_chosen(TokenPlace& place) {
  const bool listed =
      std::any_of(place.top.begin(), place.top.end(), [&](const Token& t) { return t.text == place.chosen.text; });
  if (!listed) place.top.push_back(place.chosen);
}

}  // namespace

std::optional<TokenPlace> token_place(const Json& entry) {
  const auto chosen = token_of(entry);
  if (!chosen) return std::nullopt;
  TokenPlace out{.chosen = *chosen};
  if (const Json* top = entry.member("top_logprobs"))
    for (const Json& one : top->items) {
      auto token = token_of(one);
      if (!token) return std::nullopt;
      out.top.push_back(*std::move(token));
    }
  if (!out.top.empty()) add_chosen(out);
  return out;
}

std::string_view bare(std::string_view token) {
  static constexpr std::string_view around[] = {" ", "\t", "\n", "\r", "\u0120", "\u010a", "\u2581", "(", ")",
                                                "[", "]",  ".",  ":",  "*",      "\"",     "'",      "`"};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view mark : around) {
      if (token.starts_with(mark)) {
        token.remove_prefix(mark.size());
        cut = true;
      }
      if (token.ends_with(mark)) {
        token.remove_suffix(mark.size());
        cut = true;
      }
    }
  }
  return token;
}

Options::Options(std::vector<std::string> names) : names_(std::move(names)) {
  for (const std::string& name : names_) lower_.push_back(lower(name));
}

Options Options::letters(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(std::string(1, static_cast<char>('A' + i)));
  return Options(std::move(names));
}

std::optional<std::size_t> Options::find(std::string_view token) const {
  const std::string_view text = bare(token);
  const auto place = [](const auto& all, const auto& at) { return static_cast<std::size_t>(at - all.begin()); };
  for (const std::string_view exact : {token, text})
    if (const auto at = std::find(names_.begin(), names_.end(), exact); at != names_.end()) return place(names_, at);
  const std::string small = lower(std::string(text));
  if (std::count(lower_.begin(), lower_.end(), small) != 1) return std::nullopt;
  return place(lower_, std::find(lower_.begin(), lower_.end(), small));
}

Result<Shares> shares(const TokenPlace& place, const Options& options) {
  constexpr double rounding = 1e-3;
  std::vector<double> mass(options.size(), 0);
  std::vector<char> found(options.size(), 0);
  double listed_mass = 0, least = 1;
  for (const Token& token : place.top) {
    if (!(token.logprob <= rounding))
      return bad_input("the logprob of token " + read::quoted(token.text) + " is " + shown(token.logprob) +
                           ", which no probability has",
                       "logprobs are natural logarithms of probabilities: 0 or less");
    const double p = std::exp(std::min(token.logprob, 0.0));
    listed_mass += p;
    least = std::min(least, p);
    if (const auto option = options.find(token.text)) {
      mass[*option] += p;
      found[*option] = 1;
    }
  }
  Shares out{.missing = static_cast<std::size_t>(std::count(found.begin(), found.end(), 0))};
  if (out.missing == options.size()) return out;
  if (out.missing > 0) {
    const double rest = std::max(0.0, 1 - listed_mass);
    const double each = std::min(rest / static_cast<double>(out.missing), least);
    for (std::size_t j = 0; j < mass.size(); ++j)
      if (!found[j]) mass[j] = each;
  }
  double sum = 0;
  for (const double p : mass) sum += p;
  if (!(sum > 0)) return out;
  for (double& p : mass) p /= sum;
  out.probs = std::move(mass);
  return out;
}

}  // namespace tare::detail::read::llm
