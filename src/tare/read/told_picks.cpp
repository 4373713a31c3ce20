#include "tare/read/told_picks.hpp"

#include <algorithm>

namespace tare::inner::read {

std::string used_of(const Picks& picks) {
  std::string out = "scores: " + spelled(*picks[*picks.main()]);
  const auto add = [&](const char* what, const std::string& which) { out += std::string(" · ") + what + ": " + which; };
  if (picks[Role::predictions]) add("predictions", spelled(*picks[Role::predictions]));
  if (picks[Role::correct]) add("correct", spelled(*picks[Role::correct]));
  if (!picks[Role::correct]) add("labels", picks[Role::labels] ? spelled(*picks[Role::labels]) : "none");
  add("weights", picks[Role::weights] ? spelled(*picks[Role::weights]) : "none");
  if (picks.split) add("rows", picks.part + " alone");
  return out;
}

std::vector<std::string> names_of_sources(const Picks& picks) {
  std::vector<std::string> out;
  for (const Source* source : sources_of(picks)) {
    std::string split = picks.part;
    for (const Role r : all_roles)
      if (picks[r] && picks[r]->source == source && !picks[r]->split.empty())
        split = picks[r]->split.substr(0, picks[r]->split.size() - 1);
    out.push_back(source->name() + (split.empty() ? "" : " (" + split + ")"));
  }
  return out;
}

std::string told(const std::vector<std::string>& names, bool some) {
  constexpr std::size_t most = 3;
  const std::size_t shown = some ? std::min(names.size(), most) : names.size();
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += (i ? ", " : "") + names[i];
  return shown < names.size() ? out + " and " + std::to_string(names.size() - shown) + " more" : out;
}

double bytes_of(const Picks& picks) {
  constexpr double per_row = 48;    // score, label, weight, and their order
  constexpr double per_byte = 1.5;  // a number is about as long in text
  double rows = 0, text = 0;
  for (const Role r : all_roles) {
    if (!picks[r]) continue;
    const auto has = picks[r]->source->rows(picks[r]->match.members.at(0));
    if (has && *has) rows = std::max(rows, static_cast<double>(**has));
  }
  for (const Source* source : sources_of(picks)) text += static_cast<double>(source->table_bytes());
  return per_row * rows + per_byte * text;
}

}  // namespace tare::inner::read
