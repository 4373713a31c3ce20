#include "tare/core/suggest.hpp"

#include <algorithm>

#include "tare/core/lower.hpp"

namespace tare::inner {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known, const std::string& otherwise) {
  if (typed.size() > 40) return otherwise;
  const std::string word = lower(typed);
  std::string containing;  // "sweep" may mean sweep_ew or sweep_em
  if (word.size() >= 3)
    for (const auto& k : known)
      if (lower(k).find(word) != std::string::npos) containing += (containing.empty() ? "" : " or ") + k;
  if (!containing.empty()) return "did you mean " + containing + "?";
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edit_distance(word, lower(a)) < edit_distance(word, lower(b));
  });
  // A third of the word may be wrong; beyond that the guess is noise.
  if (nearest == known.end() || 3 * edit_distance(word, lower(*nearest)) > nearest->size() + 2) return otherwise;
  return "did you mean " + *nearest + "?";
}

}  // namespace tare::inner
