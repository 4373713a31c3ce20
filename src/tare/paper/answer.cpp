#include "tare/paper/answer.hpp"

#include <tare/version.hpp>
#include "tare/render/json/json_text.hpp"

namespace tare::inner::paper {

using render::Json;

std::string json(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items)
    list.push_back(Json{{"name", item.name}, {"group", item.group}, {"title", item.title}});
  return Json{{"tare", TARE_VERSION}, {"command", "paper"}, {"items", list}}.indented();
}

std::string json(const std::vector<Exhibit>& exhibits, const Answered& how) {
  Json claims = Json::array(), missing = Json::array();
  for (const Exhibit& e : exhibits) {
    if (!e.problem.empty()) missing.push_back(Json{{"item", e.name}, {"problem", e.problem}});
    for (const Claim& c : e.claims)
      claims.push_back(Json{{"item", e.name},
                            {"id", c.id},
                            {"verdict", name(c.verdict)},
                            {"text", c.text},
                            {"found", c.found},
                            {"rule", c.rule}});
  }
  return Json{{"tare", TARE_VERSION}, {"command", "paper"}, {"seed", how.seed},       {"quick", how.quick},
              {"index", how.index},   {"claims", claims},   {"not_computed", missing}}
      .indented();
}

}  // namespace tare::inner::paper
