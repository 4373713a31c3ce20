#include "tare/core/suggest.hpp"

#include <algorithm>
#include <utility>

#include "tare/core/lower.hpp"

namespace tare::detail {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three lines of the table are enough: a swap looks back by two.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        now[j] = i + j;
        continue;
      }
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::vector<std::string> nearest(std::string_view typed, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 40, many = 5;
  if (typed.size() > longest) return {};
  const std::string word = lower(typed);
  std::vector<std::string> containing;  // "sweep" may mean sweep_ew or sweep_em
  std::string best;
  std::size_t least = longest;
  for (const std::string& k : known) {
    if (k.size() > 2 * longest) continue;
    const std::string candidate = lower(k);
    if (word.size() >= 3 && candidate.find(word) != std::string::npos) containing.push_back(k);
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) best = k, least = distance;
  }
  if (!containing.empty() && containing.size() <= many) return containing;
  // A third of the word may be wrong; beyond that the guess is noise.
  if (best.empty() || 3 * least > best.size() + 2) return {};
  return {best};
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known, const std::string& otherwise) {
  std::string words;
  for (const std::string& k : nearest(typed, known)) words += (words.empty() ? "" : " or ") + k;
  return words.empty() ? otherwise : "did you mean " + words + "?";
}

}  // namespace tare::detail
