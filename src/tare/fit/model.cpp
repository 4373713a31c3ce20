// The saved form of a calibrator: one JSON object, no code. Files of every released format keep loading; a change that
// an older reader would misread gets a new number. Format 2 is format 1 with the rates of zeros.hpp, which tare 0.1.0
// would not apply; a model without them is still written as format 1.
//
//   {"tare": "0.1.0", "format": 1, "method": ..., "k": 10, "columns": 10, "input": "logits" | "probs" | "confidences",
//    "parameters": {name: number | text | list of numbers | list of lists}, "fit": {...}}
#include <algorithm>
#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>

#include <tare/version.hpp>
#include "tare/fit/spec.hpp"

namespace tare::inner::fit {
namespace {

using nlohmann::json;

constexpr std::size_t newest_format = 2;
constexpr const char* refit = "fit it again, or fetch the file again: it is not as tare saved it";

struct Name {
  const char* text;
  int value;
};
constexpr std::array kinds{Name{"logits", static_cast<int>(Kind::logits)}, Name{"probs", static_cast<int>(Kind::probs)},
                           Name{"confidences", static_cast<int>(Kind::confidences)}};
constexpr std::array statuses{Name{"converged", static_cast<int>(FitStatus::converged)},
                              Name{"at_bound", static_cast<int>(FitStatus::at_bound)},
                              Name{"unbounded", static_cast<int>(FitStatus::unbounded)},
                              Name{"iteration_limit", static_cast<int>(FitStatus::iteration_limit)}};

template <class Names>
std::string name_of(const Names& names, int value) {
  for (const Name& n : names)
    if (n.value == value) return n.text;
  assert(false);
  return {};
}

// Writing: numbers in the shortest form that reads back as the same double, one line per list.

std::string text(const Parameter& parameter) {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::vector<std::vector<double>>>) {
          std::string out = "[";
          for (std::size_t i = 0; i < value.size(); ++i) out += (i ? ",\n      " : "") + json(value[i]).dump();
          return out + "]";
        } else {
          return json(value).dump(-1, ' ', false, json::error_handler_t::replace);
        }
      },
      parameter);
}

json optional(const std::optional<double>& x) { return x && std::isfinite(*x) ? json(*x) : json(); }

std::string quoted(const std::string& s) { return json(s).dump(-1, ' ', false, json::error_handler_t::replace); }

// Reading: every step says what it expected and where.

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  [[nodiscard]] Error error(const std::string& what, const std::string& hint = refit) const {
    return {.code = Errc::bad_input,
            .what = foreign(what),
            .place = {.array = source_, .spelled = source_},
            .remedy = hint};
  }

  [[nodiscard]] Result<const json*> field(const json& object, const char* name, const char* where = "") const {
    const auto at = object.find(name);
    if (at == object.end()) return error("'" + std::string(where) + name + "' is missing");
    return &*at;
  }

  [[nodiscard]] Result<std::string> word(const json& object, const char* name, const char* where = "") const {
    const auto at = field(object, name, where);
    if (!at) return at.error();
    if (!(*at)->is_string()) return error("'" + std::string(where) + name + "' is not a text");
    return (*at)->get<std::string>();
  }

  [[nodiscard]] Result<std::size_t> count(const json& object, const char* name, std::size_t most,
                                          const char* where = "") const {
    const auto at = field(object, name, where);
    if (!at) return at.error();
    if (!(*at)->is_number_unsigned() || (*at)->get<std::uint64_t>() > most)
      return error("'" + std::string(where) + name + "' is " + shown(**at) + ", not a whole number up to " +
                   std::to_string(most));
    return (*at)->get<std::size_t>();
  }

  template <class Names>
  [[nodiscard]] Result<int> choice(const json& object, const char* name, const Names& names,
                                   const char* where = "") const {
    const auto at = word(object, name, where);
    if (!at) return at.error();
    std::string known;
    for (const Name& n : names) {
      if (*at == n.text) return n.value;
      known += (known.empty() ? "" : ", ") + std::string(n.text);
    }
    return error("'" + std::string(where) + name + "' is " + shown(json(*at)) + ", not one of " + known);
  }

  static std::string shown(const json& value) {
    std::string out = value.is_structured() ? std::string(value.type_name())
                                            : value.dump(-1, ' ', true, json::error_handler_t::replace);
    constexpr std::size_t longest = 60;
    return out.size() > longest ? out.substr(0, longest) + "..." : out;
  }

  // Also finds what a parser would only notice by running out of memory.
  [[nodiscard]] std::optional<Error> too_deep(std::string_view text) const {
    constexpr int deepest = 16;
    int depth = 0;
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (inside) {
        if (c == '\\')
          ++i;
        else
          inside = c != '"';
        continue;
      }
      if (c == '"') inside = true;
      if (c == ']' || c == '}') --depth;
      if ((c == '[' || c == '{') && ++depth > deepest)
        return error("byte " + std::to_string(i) + ": nested deeper than a saved calibrator ever is");
    }
    return std::nullopt;
  }

 private:
  std::string source_;
};

Result<json> parsed(std::string_view text, const Reader& reader) {
  if (auto deep = reader.too_deep(text)) return *std::move(deep);
  try {
    json out = json::parse(text);
    if (!out.is_object()) return reader.error("this is not a JSON object", "name a file that `tare fit` saved");
    return out;
  } catch (const json::parse_error& e) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(e.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    return reader.error("line " + std::to_string(line) + " (byte " + std::to_string(e.byte) + ") is not JSON",
                        e.byte >= text.size() ? "the file seems to be cut off; fetch or fit it again"
                                              : "name a file that `tare fit` saved");
  } catch (const json::exception&) {
    return reader.error("a number is too large for a double");
  } catch (const std::bad_alloc&) {
    return reader.error("it does not fit into memory");
  }
}

Result<std::vector<double>> numbers(const json& value, const std::string& name, const Reader& reader) {
  std::vector<double> out;
  out.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value[i].is_number())
      return reader.error("parameter '" + name + "' holds " + Reader::shown(value[i]) + " at position " +
                          std::to_string(i) + ", not a number");
    out.push_back(value[i].get<double>());
  }
  return out;
}

Result<Parameter> parameter(const json& value, const std::string& name, const Reader& reader) {
  if (value.is_string()) return Parameter(value.get<std::string>());
  if (value.is_number()) return Parameter(value.get<double>());
  if (!value.is_array())
    return reader.error("parameter '" + name + "' is " + Reader::shown(value) +
                        ", not a number, a text or a list of numbers");
  if (value.empty() || !value[0].is_array()) {
    auto list = numbers(value, name, reader);
    if (!list) return list.error();
    return Parameter(*std::move(list));
  }
  std::vector<std::vector<double>> lists;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value[i].is_array())
      return reader.error("parameter '" + name + "' holds " + Reader::shown(value[i]) + " at position " +
                          std::to_string(i) + ", not a list");
    auto list = numbers(value[i], name, reader);
    if (!list) return list.error();
    lists.push_back(*std::move(list));
  }
  return Parameter(std::move(lists));
}

std::optional<Error> read_parameters(const json& object, const Reader& reader, Model& model) {
  const auto at = reader.field(object, "parameters");
  if (!at) return at.error();
  if (!(*at)->is_object()) return reader.error("'parameters' is not an object");
  for (const auto& [name, value] : (*at)->items()) {
    auto p = parameter(value, name, reader);
    if (!p) return p.error();
    model.parameters.insert_or_assign(name, *std::move(p));
  }
  return std::nullopt;
}

std::optional<Error> read_report(const json& object, const Reader& reader, FitReport& report) {
  const auto fit = reader.field(object, "fit");
  if (!fit) return fit.error();
  if (!(*fit)->is_object()) return reader.error("'fit' is not an object");
  const auto status = reader.choice(**fit, "status", statuses, "fit.");
  if (!status) return status.error();
  report.status = static_cast<FitStatus>(*status);
  const auto iterations = reader.count(**fit, "iterations", 1'000'000'000, "fit.");
  if (!iterations) return iterations.error();
  report.iterations = static_cast<int>(*iterations);
  for (const auto& [name, to] : {std::pair{"gradient", &report.gradient}, std::pair{"nll_before", &report.nll_before},
                                 std::pair{"nll_after", &report.nll_after}}) {
    const auto at = reader.field(**fit, name, "fit.");
    if (!at) return at.error();
    if (!(*at)->is_null() && !(*at)->is_number())
      return reader.error("'fit." + std::string(name) + "' is " + Reader::shown(**at) + ", not a number or null");
    if ((*at)->is_number()) *to = (*at)->get<double>();
  }
  auto note = reader.word(**fit, "note", "fit.");
  if (!note) return note.error();
  report.note = *std::move(note);
  return std::nullopt;
}

// What has to be right before anything else can be judged: the format, the method, the shape of the input.
std::optional<Error> read_head(const json& object, const Reader& reader, Model& model) {
  const auto version = reader.count(object, "format", 1'000'000);
  if (!version) return version.error();
  if (*version < 1 || *version > newest_format)
    return reader.error("format " + std::to_string(*version) + " is not known to tare " TARE_VERSION,
                        "this tare reads formats 1 and 2; a newer tare wrote the file, and can read it");
  auto method = reader.word(object, "method");
  if (!method) return method.error();
  if (!find(*method)) {
    std::string known;
    for (const Calibrator& row : all()) known += (known.empty() ? "" : ", ") + std::string(row.name);
    return reader.error("method " + Reader::shown(json(*method)) + " is not known", "the methods are " + known);
  }
  model.method = *std::move(method);
  const auto k = reader.count(object, "k", 100'000'000), columns = reader.count(object, "columns", 100'000'000);
  if (!k) return k.error();
  if (!columns) return columns.error();
  if (*k < 2 || (*columns != *k && !(*columns == 1 && *k == 2)))
    return reader.error("'k' is " + std::to_string(*k) + " and 'columns' is " + std::to_string(*columns) +
                        ": there are two or more classes, and a column for each, or one for two");
  model.k = *k;
  model.columns = *columns;
  const auto input = reader.choice(object, "input", kinds);
  if (!input) return input.error();
  model.input = static_cast<Kind>(*input);
  if (model.input == Kind::confidences && model.columns != 1)
    return reader.error("'columns' is " + std::to_string(*columns) + ", and confidences have one");
  return std::nullopt;
}

}  // namespace

std::string to_json(const Model& model) {
  std::string out = "{\n  \"tare\": \"" TARE_VERSION "\",\n  \"format\": " +
                    std::to_string(model.parameters.contains("certain_rate") ? 2 : 1);
  out += ",\n  \"method\": " + quoted(model.method);
  out += ",\n  \"k\": " + std::to_string(model.k) + ",\n  \"columns\": " + std::to_string(model.columns);
  out += ",\n  \"input\": " + quoted(name_of(kinds, static_cast<int>(model.input)));
  out += ",\n  \"parameters\": {";
  const char* separator = "\n    ";
  for (const auto& [name, value] : model.parameters) {
    out += separator + quoted(name) + ": " + text(value);
    separator = ",\n    ";
  }
  const FitReport& fit = model.fit;
  out += "\n  },\n  \"fit\": {\n    \"status\": " + quoted(name_of(statuses, static_cast<int>(fit.status)));
  out += ",\n    \"iterations\": " + std::to_string(fit.iterations);
  out += ",\n    \"gradient\": " + optional(fit.gradient).dump();
  out += ",\n    \"nll_before\": " + optional(fit.nll_before).dump();
  out += ",\n    \"nll_after\": " + optional(fit.nll_after).dump();
  return out + ",\n    \"note\": " + quoted(fit.note) + "\n  }\n}\n";
}

Result<Model> from_json(std::string_view text, std::string_view source) {
  const Reader reader(source);
  const auto object = parsed(text, reader);
  if (!object) return object.error();
  Model model;
  if (auto e = read_head(*object, reader, model)) return *std::move(e);
  if (auto e = read_parameters(*object, reader, model)) return *std::move(e);
  if (auto e = read_report(*object, reader, model.fit)) return *std::move(e);
  const auto map = find(model.method)->load(model);  // judges every parameter
  if (!map) return reader.error(sentence(map.error()), map.error().remedy);
  return model;
}

}  // namespace tare::inner::fit
