// Calibrators: fitted, applied, and as the JSON that the command line saves.
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "common.hpp"
#include "recipe.hpp"
#include "tare/core/names.hpp"
#include "tare/fit/run.hpp"
#include "tare/fit/temperature.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::python {
namespace {

using namespace nb::literals;

Model fit_model(const std::string& method, const nb::dict& data, const nb::dict& given, const nb::object& threads) {
  const bool labelled =
      data.contains("labels") || data.contains("correct") || data.contains("state") || data.contains("file");
  const GivenFold fold(data, labelled);
  const fit::Calibrator* row = fit::find(method);
  if (!row) throw Failure{fit::unknown_method(method)};
  auto options = given_options<fit::Options>(fit_options, given);
  options.threads = threads_of(threads);
  options.unlabelled = !labelled;
  return unlocked([&]() -> Result<Model> {
    const auto predictions = fold.load(options.threads);
    if (!predictions) return predictions.error();
    return fit::run(*row, *predictions, options);
  });
}

// `out` has the shape of the input, or two columns where that has one: the façade made it so.
void apply_model(const Model& model, const nb::dict& data, nb::ndarray<double, nb::device::cpu, nb::c_contig> out,
                 const nb::object& threads) {
  const GivenFold fold(data, false);
  const std::span<double> to(out.data(), out.size());
  const int workers = threads_of(threads);
  unlocked([&]() -> Result<bool> {
    const auto predictions = fold.load(workers);
    if (!predictions) return predictions.error();
    const auto map = fit::map_for(model, *predictions);
    if (!map) return map.error();
    const std::size_t columns = predictions->matrix ? predictions->matrix->columns() : 1;
    const bool both = columns == 1 && to.size() == 2 * predictions->n;
    if (to.size() != predictions->n * columns && !both)
      return Error{Errc::bad_input, "the output has " + std::to_string(to.size()) + " numbers, not " +
                                        std::to_string(predictions->n * columns)};
    const Reals values = predictions->matrix ? predictions->matrix->values() : predictions->confidences->score();
    if (both)
      fit::apply_to_both(**map, values, to, workers);
    else
      fit::apply_rows(**map, values, columns, 0, to, workers);
    return true;
  });
}

Model load_model(const std::string& text, const std::string& source) {
  Model model = value_or_raise(fit::from_json(text, source));
  const fit::Calibrator* row = fit::find(model.method);
  if (!row) throw Failure{fit::unknown_method(model.method)};
  value_or_raise(row->load(model));  // checks every parameter
  return model;
}

nb::object python_of(const Parameter& parameter) {
  return std::visit([](const auto& value) { return nb::cast(value); }, parameter);
}

nb::dict parameters(const Model& model) {
  nb::dict out;
  for (const auto& [key, value] : model.parameters) out[key.c_str()] = python_of(value);
  return out;
}

nb::dict report(const Model& model) {
  const FitReport& fit = model.fit;
  nb::dict out;
  out["status"] = std::string(name(fit.status));
  out["iterations"] = fit.iterations;
  out["gradient"] = fit.gradient;
  out["nll_before"] = fit.nll_before;
  out["nll_after"] = fit.nll_after;
  out["seconds"] = fit.seconds;
  out["note"] = fit.note;
  return out;
}

void add_rows(numeric::TemperedPass& pass, const nb::dict& data, const nb::object& threads) {
  const GivenFold fold(data, true);
  const int workers = threads_of(threads);
  unlocked([&]() -> Result<bool> {
    const auto predictions = fold.load(workers);
    if (!predictions) return predictions.error();
    pass.add(fit::logit_rows(*predictions->matrix), workers);
    return true;
  });
}

constexpr std::string_view pass_kind = "TAREPASS";

nb::bytes pass_bytes(const numeric::TemperedPass& pass) {
  std::string out(pass_kind);
  out.append(reinterpret_cast<const char*>(&pass), sizeof pass);
  return nb::bytes(out.data(), out.size());
}

numeric::TemperedPass load_pass(const nb::bytes& bytes) {
  const std::string_view given(bytes.c_str(), bytes.size());
  numeric::TemperedPass out;
  if (given.size() != pass_kind.size() + sizeof out || !given.starts_with(pass_kind))
    throw nb::value_error("not the bytes of a pass");
  std::memcpy(&out, given.data() + pass_kind.size(), sizeof out);
  return out;
}

nb::dict pass_found(const numeric::TemperedPass& pass) {
  const numeric::TemperedNll nll = pass.nll();
  nb::dict out;
  out["rows"] = pass.rows;
  out["loss"] = nll.loss;
  out["slope"] = nll.slope;
  out["curvature"] = nll.curvature;
  out["range"] = pass.range;
  out["all_right"] = pass.all_right;
  return out;
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Model>(m, "Model")
      .def_prop_ro("method", [](const Model& model) { return model.method; })
      .def_prop_ro("classes", [](const Model& model) { return model.k; })
      .def_prop_ro("columns", [](const Model& model) { return model.columns; })
      .def_prop_ro("input", [](const Model& model) { return std::string(name(model.input)); })
      .def_prop_ro("parameters", parameters)
      .def_prop_ro("report", report)
      .def_prop_ro("provenance", [](const Model& model) { return model.provenance; })
      .def("json", [](const Model& model) { return fit::to_json(model); })
      .def("recipe", recipe)
      .def("header", header, "name"_a)
      .def("sql", sql, "score"_a)
      .def("apply", apply_model, "data"_a, "out"_a, "threads"_a.none());
  // A pass of a temperature over rows that come in parts; the bytes are for the same version on the same kind of
  // machine.
  nb::class_<numeric::TemperedPass>(m, "TemperedPass")
      .def("__init__", [](numeric::TemperedPass* self, double v) { new (self) numeric::TemperedPass{.v = v}; })
      .def("add", add_rows, "data"_a, "threads"_a.none())
      .def("merge", &numeric::TemperedPass::merge)
      .def("bytes", pass_bytes)
      .def("found", pass_found);
  m.def("load_pass", load_pass);
  m.def("fit", fit_model, "method"_a, "data"_a, "options"_a, "threads"_a.none());
  m.def("load", load_model, "text"_a, "source"_a);
}

}  // namespace tare::detail::python
