#include "tare/render/json/json_parts.hpp"
#include "tare/render/pictures/picture.hpp"
#include "tare/render/svg/marks.hpp"

namespace tare::detail::render {
namespace {

Json to_json(const PictureAxis& a) {
  return {{"title", a.title}, {"low", a.low}, {"high", a.high}, {"log", a.log}, {"factor", a.factor}};
}

Json to_json(const Stroke& s) { return {{"colour", s.colour.light}, {"width", s.width}, {"dash", s.dash}}; }

Json to_json(const Dot& d) {
  return {{"colour", d.look.colour.light}, {"mark", name(d.look.mark)}, {"dash", d.look.dash}, {"radius", d.radius}};
}

Json colour_or_null(const std::optional<Colour>& c) { return c ? Json(c->light) : Json(); }

Json to_json(const PictureMark& m) {
  return {{"label", or_null(m.label)},
          {"x", m.x},
          {"y", m.y},
          {"low", m.low},
          {"high", m.high},
          {"area", colour_or_null(m.area)},
          {"line", m.line ? to_json(*m.line) : Json()},
          {"dot", m.dot ? to_json(*m.dot) : Json()},
          {"size", m.size}};
}

Json to_json(const PictureRule& r) {
  return {{"label", or_null(r.label)}, {"at", r.at},
          {"vertical", r.vertical},    {"line", to_json(r.line)},
          {"low", or_null(r.low)},     {"high", or_null(r.high)},
          {"area", r.area.light}};
}

Json to_json(const PicturePanel& p) {
  Json rules = Json::array(), marks = Json::array(), notes = Json::array();
  for (const PictureRule& r : p.rules) rules.push_back(to_json(r));
  for (const PictureMark& m : p.marks) marks.push_back(to_json(m));
  for (const PictureNote& n : p.notes) notes.push_back({{"x", n.x}, {"y", n.y}, {"words", n.words}});
  return {{"title", p.title}, {"x", to_json(p.x)}, {"y", to_json(p.y)},
          {"rules", rules},   {"marks", marks},    {"notes", notes}};
}

}  // namespace

Json to_json(const Picture& picture) {
  Json panels = Json::array();
  for (const PicturePanel& p : picture.panels) panels.push_back(to_json(p));
  return {{"title", picture.title},
          {"about", picture.about},
          {"source", picture.input.source},
          {"n", picture.input.n},
          {"panels", panels}};
}

}  // namespace tare::detail::render
