// From the saved form of a calibrator (model_writer.cpp) to the calibrator: every step says what it expected and where.
#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/fit/spec.hpp"
#include "tare/read/mapped_file.hpp"

namespace tare::detail::fit {
namespace {

using nlohmann::json;

constexpr std::size_t newest_format = 2;
constexpr const char* refit = "fit it again, or fetch the file again: it is not as tare saved it";

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

  template <class T>
  [[nodiscard]] Result<T> choice(const json& object, const char* name, std::initializer_list<T> choices,
                                 const char* where = "") const {
    const auto at = word(object, name, where);
    if (!at) return at.error();
    std::string known;
    for (const T choice : choices) {
      if (*at == detail::name(choice)) return choice;
      known += (known.empty() ? "" : ", ") + std::string(detail::name(choice));
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
  const auto status = reader.choice(
      **fit, "status", {FitStatus::converged, FitStatus::at_bound, FitStatus::unbounded, FitStatus::iteration_limit},
      "fit.");
  if (!status) return status.error();
  report.status = *status;
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
  const auto input = reader.choice(object, "input", {Kind::logits, Kind::probs, Kind::confidences});
  if (!input) return input.error();
  model.input = *input;
  if (model.input == Kind::confidences && model.columns != 1)
    return reader.error("'columns' is " + std::to_string(*columns) + ", and confidences have one");
  return std::nullopt;
}

// Optional, and judged by nobody: what is no text is left out.
void read_provenance(const json& object, Model& model) {
  const auto at = object.find("provenance");
  if (at == object.end() || !at->is_object()) return;
  for (const auto& [key, value] : at->items())
    if (value.is_string()) model.provenance[key] = value.get<std::string>();
}

}  // namespace

Result<Model> from_json(std::string_view text, std::string_view source) {
  const Reader reader(source);
  const auto object = parsed(text, reader);
  if (!object) return object.error();
  Model model;
  if (auto e = read_head(*object, reader, model)) return *std::move(e);
  if (auto e = read_parameters(*object, reader, model)) return *std::move(e);
  if (auto e = read_report(*object, reader, model.fit)) return *std::move(e);
  read_provenance(*object, model);
  const auto map = find(model.method)->load(model);  // judges every parameter
  if (!map) return reader.error(sentence(map.error()), map.error().remedy);
  return model;
}

Result<Model> read_model(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  // What is read may have no end; a model is a JSON object.
  const auto check = [&](std::span<const std::byte> head, bool) -> Result<bool> {
    constexpr std::size_t enough = 65536;
    const auto first =
        std::find_if(head.begin(), head.end(), [](std::byte b) { return b != std::byte{' '} && b != std::byte{'\n'}; });
    if (first == head.end() && head.size() < enough) return false;
    if (first != head.end() && *first == std::byte{'{'}) return true;
    return Error{.code = Errc::bad_input,
                 .what = foreign(name) + ": is not a model",
                 .remedy = "name a file that `tare fit` saved"};
  };
  const auto file = read::MappedFile::open(path, check);
  if (!file) return file.error();
  const auto bytes = (*file)->bytes();
  if (const auto fine = check(bytes.first(std::min<std::size_t>(bytes.size(), 65536)), true); !fine)
    return fine.error();
  return from_json((*file)->text(), name);
}

}  // namespace tare::detail::fit
