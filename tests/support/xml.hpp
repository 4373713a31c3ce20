// Is it XML? Enough of a parser for what we write.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace tare::detail::testing {

// Tags open and close in order, attributes are quoted, every & begins an entity: what a strict parser would insist on.
inline std::string fault_in(const std::string& text) {
  static const std::regex tag("<(/?)([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+=\"[^\"<>]*\")*)(/?)>");
  static const std::regex entity("&(amp|lt|gt|quot|#39);");
  std::vector<std::string> open;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::smatch match;
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
    constexpr auto here = std::regex_constants::match_continuous;
    if (text[at] == '&' && !std::regex_search(from, text.end(), match, entity, here)) return "a bare &";
    if (text[at] != '<') continue;
    if (!std::regex_search(from, text.end(), match, tag, here)) return "no tag: " + text.substr(at, 60);
    if (match[1].length() == 0 && match[4].length() == 0) open.push_back(match[2]);
    if (match[1].length() > 0) {
      if (open.empty() || open.back() != match[2]) return "unexpected </" + match[2].str() + ">";
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> stays open";
}

}  // namespace tare::detail::testing
