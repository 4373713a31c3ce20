// Networks of the data folder, and calibrators fitted to them.
#include <filesystem>

#include "tare/core/options.hpp"
#include "tare/fit/run.hpp"
#include "tare/paper/truths.hpp"
#include "tare/read/dataset.hpp"

namespace tare::detail::paper {

std::vector<NamedNetwork> networks(const Settings& settings, const Context& context) {
  std::vector<NamedNetwork> out;
  for (const Settings& s : settings.list("networks")) {
    const std::string name = s.text("network");
    NamedNetwork network{.labels = {}, .file = (std::filesystem::path(context.data) / (name + ".npz")).string()};
    if (const auto* members = std::get_if<std::vector<Member>>(&s.value().is))
      for (const Member& m : *members) {
        if (const auto* x = std::get_if<double>(&m.value.is)) network.labels.emplace_back(m.key, *x);
        if (const auto* text = std::get_if<std::string>(&m.value.is)) network.labels.emplace_back(m.key, *text);
      }
    out.push_back(std::move(network));
  }
  if (out.empty()) settings.wrong("'networks' must name at least one network");
  return out;
}

Result<Predictions> fold_of(const NamedNetwork& network, const std::string& split, const Context& context) {
  return read::all_rows({.files = {network.file}, .split = split}, context.threads);
}

std::vector<NamedMethod> methods(const Settings& settings) {
  std::vector<NamedMethod> out;
  const Value* list = settings.value().find("methods");
  const auto* entries = list ? std::get_if<std::vector<Value>>(&list->is) : nullptr;
  if (!entries || entries->empty()) settings.wrong("'methods' must be a list of names or objects");
  for (std::size_t i = 0; entries && i < entries->size(); ++i) {
    NamedMethod m;
    if (const auto* name = std::get_if<std::string>(&(*entries)[i].is)) {
      m.name = m.method = *name;
    } else {
      const Settings s((*entries)[i], settings.place() + ".methods");
      m.method = s.text("method");
      m.name = s.text("name", m.method);
      m.bins = static_cast<int>(s.number("bins", options::bins.usual));
      const std::string binning = s.text("binning", "width");
      if (binning != "width" && binning != "mass") s.wrong("'binning' is width or mass");
      m.binning = binning == "mass" ? numeric::Binning::mass : numeric::Binning::width;
      m.step = s.flag("step");
      if (!s.problem().empty()) settings.wrong(s.problem());
    }
    if (m.method != "uncalibrated" && !fit::find(m.method)) settings.wrong(sentence(fit::unknown_method(m.method)));
    out.push_back(std::move(m));
  }
  return out;
}

Result<Predictions> recalibrated(const NamedMethod& method, const Predictions& validation, const Predictions& test,
                                 const Context& context, Model* model) {
  if (method.method == "uncalibrated") return test;
  const fit::Calibrator* row = fit::find(method.method);
  auto fitted =
      fit::run(*row, validation,
               {.bins = method.bins, .binning = method.binning, .step = method.step, .threads = context.threads});
  if (!fitted) return fitted.error();
  const auto map = fit::map_for(*fitted, test);
  if (!map) return map.error();
  const MulticlassView& in = *test.matrix;
  auto probs = std::make_shared<std::vector<double>>(in.size() * in.columns());
  fit::apply_rows(**map, in.values(), in.columns(), 0, *probs, context.threads);
  const auto view =
      multiclass_view(Kind::probs, std::span<const double>(*probs), in.columns(), in.label(), in.weight());
  if (!view) return view.error();
  Predictions out{.kind = Kind::probs,
                  .n = test.n,
                  .k = test.k,
                  .matrix = *view,
                  .confidences = {},
                  .source = test.source,
                  .class_names = test.class_names,
                  .owners = test.owners};
  out.owners.push_back(probs);
  if (model) *model = *std::move(fitted);
  return out;
}

Result<Frame> over_recalibrations(const Settings& settings, const Context& context, const AddRecalibration& add) {
  const auto all = networks(settings, context);
  const auto candidates = methods(settings);
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto validation = fold_of(all[i], "val", context), test = fold_of(all[i], "test", context);
    if (!validation) return validation.error();
    if (!test) return test.error();
    for (std::size_t m = 0; m < candidates.size(); ++m) {
      if (context.cancel && context.cancel->load()) return interrupted();
      if (context.progress) context.progress("", i * candidates.size() + m, all.size() * candidates.size());
      Model model;
      const auto output = recalibrated(candidates[m], *validation, *test, context, &model);
      if (!output) return output.error();
      const auto added = add({all[i], candidates[m], *test, *output, model}, out);
      if (!added) return added.error();
    }
  }
  return out;
}

}  // namespace tare::detail::paper
