#include "recipe.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "tare/core/names.hpp"
#include "tare/fit/spec.hpp"
#include "tare/render/code/code.hpp"

namespace tare::detail::python {
namespace {

Recipe recipe_of(const Model& model) { return value_or_raise(fit::find(model.method)->recipe(model)); }

void put(const Recipe::Tempered& map, nb::dict& out) {
  out["form"] = "tempered";
  out["v"] = map.v;
  out["weights"] = map.weights;
}

void put(const Recipe::Affine& map, nb::dict& out) {
  out["form"] = "affine";
  out["features"] = std::string(detail::name(map.features));
  out["w"] = map.w;
  out["b"] = map.b;
}

void put(const Recipe::Curves& map, nb::dict& out) {
  out["form"] = "curves";
  out["shape"] = std::string(detail::name(map.shape));
  nb::list curves;
  for (const Recipe::Curve& c : map.curve) {
    nb::dict curve;
    curve["a"] = c.a;
    curve["b"] = c.b;
    curve["c"] = c.c;
    curve["x"] = c.x;
    curve["y"] = c.y;
    curves.append(curve);
  }
  out["curves"] = curves;
}

std::string about(const Model& model) { return render::about(model, fit::find(model.method)->title); }

}  // namespace

nb::dict recipe(const Model& model) {
  const Recipe made = recipe_of(model);
  nb::dict out;
  out["input"] = std::string(detail::name(made.input));
  out["columns"] = made.columns;
  out["fill"] = nb::none();
  if (made.fill) {
    nb::dict fill;
    fill["certain"] = made.fill->certain;
    fill["partial"] = made.fill->partial;
    fill["keep_top"] = made.fill->keep_top;
    out["fill"] = fill;
  }
  std::visit([&](const auto& map) { put(map, out); }, made.map);
  return out;
}

std::string header(const Model& model, const std::string& name) {
  return value_or_raise(render::cpp_header(recipe_of(model), {.name = name, .about = about(model)}));
}

std::string sql(const Model& model, const std::string& score) {
  return value_or_raise(render::sql_expression(recipe_of(model), {.score = score, .about = about(model)}));
}

}  // namespace tare::detail::python
