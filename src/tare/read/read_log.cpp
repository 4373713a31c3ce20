// What is told about the rows of a data set, and checked at its end.
#include <algorithm>
#include <cmath>

#include "tare/read/assemble.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

constexpr double fewest = 20;  // rows about which anything can look wrong

// Four standard errors below one in K: 1 of 30,000 models that only guess is.
std::string below_chance(const ReadLog& log) {
  const double chance = 1 / static_cast<double>(log.classes), right = log.right / log.looked_at;
  if (right >= chance - 4 * std::sqrt(chance * (1 - chance) / log.looked_at)) return {};
  return "the predicted class is right in " + percent(right) + " of the rows, less often than by chance (" +
         percent(chance) + "): " +
         (log.single ? "is the number about class 1, and not about class 0?"
                     : "are the columns in the order of the labels, and do labels count from 0? Where they count from "
                       "1: `first_label` 1");
}

// What predictions and labels would share, were they in no order: and yet the model is sure.
std::string in_another_order(const ReadLog& log) {
  constexpr double sure = 0.2;
  double chance = 0;
  for (std::size_t c = 0; c < log.classes; ++c)
    chance += log.predicted_count[c] / log.looked_at * (log.label_count[c] / log.looked_at);
  const double right = log.right / log.looked_at, confidence = log.confidence / log.looked_at;
  const double spread = std::sqrt(std::max(chance * (1 - chance), 0.0) / log.looked_at);
  if (chance > 0.9 || std::abs(right - chance) > 3 * spread || confidence - right < sure) return {};
  return "the predicted class is right in " + percent(right) + " of the rows, as labels in any other order would be, " +
         "and the mean confidence is " + percent(confidence) + ": are labels and predictions in the same order?";
}

std::string probabilities_as_logits(const ReadLog& log) {
  if (!log.logits || !log.all_sum_to_one || (log.single && log.looked_at < fewest)) return {};
  return log.single ? "every log-odds is between 0 and 1: if these are probabilities, declare them as `probs`"
                    : "every row of logits is between 0 and 1 and sums to 1: if these are probabilities, declare them "
                      "as `probs`";
}

std::string one_class_only(const ReadLog& log) {
  const auto classes = std::count_if(log.label_count.begin(), log.label_count.end(), [](double n) { return n > 0; });
  if (classes != 1 || log.looked_at < fewest) return {};
  const auto which = std::find_if(log.label_count.begin(), log.label_count.end(), [](double n) { return n > 0; });
  return "every label is class " + std::to_string(which - log.label_count.begin()) +
         ": rows of one class alone cannot show whether probabilities of it are right elsewhere";
}

std::string always_right(const ReadLog& log) {
  if (log.right < log.looked_at || log.looked_at < fewest) return {};
  return log.hits_only ? "every prediction is a hit"
                       : "every prediction is right: are the labels the predictions "
                         "themselves?";
}

std::vector<std::string> looks_of(const ReadLog& log) {
  if (log.looked_at == 0) return {};
  if (log.hits_only) return {always_right(log)};
  std::vector<std::string> out = {below_chance(log), one_class_only(log)};
  if (out[1].empty()) {
    out.push_back(always_right(log));
    if (out[0].empty() && log.looked_at >= fewest) out.push_back(in_another_order(log));
  }
  out.push_back(probabilities_as_logits(log));
  return out;
}

}  // namespace

std::vector<std::string> notes_of(const ReadLog& log) {
  std::vector<std::string> out;
  const auto add = [&](std::string sentence) {
    if (!sentence.empty()) out.push_back(std::move(sentence));
  };
  const auto rows = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " row" : " rows"); };
  if (log.rescaled > 0)
    add(rows(log.rescaled) + " of probabilities " + (log.rescaled == 1 ? "sums" : "sum") + " to 1 only up to " +
        shown(std::round(log.furthest * 1e6) / 1e6) + (log.asked ? "" : ", which rounding explains") +
        "; each was divided by its sum");
  if (log.clamped > 0)
    add(std::to_string(log.clamped) + (log.clamped == 1 ? " number" : " numbers") +
        " outside [0, 1] by at most 1e-5, which rounding explains, moved to the nearer end");
  if (log.largest_log_sum > 0.01)
    add("rows of log-probabilities do not cover all that can happen: their probabilities sum to 1 only up to " +
        shown(std::round(log.largest_log_sum * 1e4) / 1e4) + ", and were divided by their sums");
  if (!log.class_one.empty()) add("labels: '" + log.class_one + "' is class 1");
  add(log.taken_for);
  for (std::string& sentence : looks_of(log)) add(std::move(sentence));
  return out;
}

Result<void> check_end(const ReadLog& log) {
  if (!log.positive.empty() && !log.positive_seen && log.rows > 0)
    return bad_option("positive", in_quotes(log.positive),
                      "which is no label" + (log.labels.empty() ? "" : "; the labels are " + listed(log.labels)),
                      "name the label that is class 1");
  const bool words = log.predicted_number.empty() && log.true_word.empty();
  const bool numbers = log.predicted_word.empty() && log.true_number.empty();
  if (!words && !numbers) return {};
  const std::string &predicted = words ? log.predicted_word : log.predicted_number,
                    &truth = words ? log.true_number : log.true_word;
  if (predicted.empty() || truth.empty()) return {};
  return bad_input("predictions such as " + read::quoted(predicted) + " are " + (words ? "words" : "numbers") +
                       ", and labels such as " + read::quoted(truth) + " are " + (words ? "numbers" : "words"),
                   "predictions and labels must both be class indices or both be names");
}

}  // namespace tare::detail::read
