// The tables of options (core/call_options.hpp) as Python sees them: what each is, and its value out of a dict.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "common.hpp"
#include "tare/analysis/bias.hpp"
#include "tare/analysis/compare.hpp"
#include "tare/analysis/report.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/analysis/test.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::python {
namespace {

// Takes a value as python/tare/_options.py hands it over.
struct Reader {
  const OptionEntry& entry;
  nb::handle given;

  template <class T>
  [[nodiscard]] T number(nb::handle of) const {
    return number_of(*std::get<const Option<T>*>(entry.range), nb::cast<nb::int_>(of));
  }
  void operator()(int* to) const { *to = number<int>(given); }
  void operator()(std::size_t* to) const { *to = number<std::size_t>(given); }
  void operator()(std::optional<std::size_t>* to) const { *to = number<std::size_t>(given); }
  void operator()(std::optional<double>* to) const { *to = nb::cast<double>(given); }
  void operator()(std::vector<std::size_t>* to) const {
    to->clear();
    for (const nb::handle one : given) to->push_back(number<std::size_t>(one));
  }
  void operator()(std::optional<Reduction>* to) const { *to = reduction_of(nb::cast<std::string>(given)); }
  void operator()(const Chosen& to) const {
    const auto word = nb::cast<std::string>(given);
    const std::size_t at = place_of(entry, word);
    std::string words;
    for (const std::string& one : entry.words) words += (words.empty() ? "" : " or ") + one;
    if (at == entry.words.size())
      throw Failure{
          {.code = Errc::bad_option, .what = entry.name + " is '" + foreign(word) + "'", .remedy = "it is " + words}};
    to.set(at);
  }
  template <class T>
  void operator()(T* to) const {
    *to = nb::cast<T>(given);
  }
};

// Its kind for _options.py, and its default; None where there is none.
struct Described {
  const OptionEntry& entry;
  using Pair = std::pair<const char*, nb::object>;

  Pair operator()(const bool* to) const { return {"bool", nb::bool_(*to)}; }
  Pair operator()(const int* to) const {
    return {"int", entry.name == options::threads.name ? nb::object(nb::none()) : nb::int_(*to)};
  }
  Pair operator()(const std::size_t* to) const { return {"int", nb::int_(*to)}; }
  Pair operator()(const double* to) const { return {"float", nb::float_(*to)}; }
  Pair operator()(const std::optional<double>*) const { return {"float", nb::none()}; }
  Pair operator()(const std::optional<std::size_t>*) const { return {"int", nb::none()}; }
  Pair operator()(const std::string* to) const {
    return {"text", to->empty() ? nb::object(nb::none()) : nb::str(to->c_str())};
  }
  Pair operator()(const std::vector<std::string>*) const { return {"names", nb::none()}; }
  Pair operator()(const std::vector<std::size_t>*) const { return {"counts", nb::none()}; }
  Pair operator()(const std::vector<double>*) const { return {"reals", nb::none()}; }
  Pair operator()(const std::vector<int>*) const { return {"norms", nb::str(entry.usual().c_str())}; }
  Pair operator()(const std::optional<Reduction>*) const { return {"word", nb::none()}; }
  Pair operator()(const Chosen&) const { return {"word", nb::str(entry.usual().c_str())}; }
};

template <class Options, class Table>
nb::list described(const Table& table) {
  Options usual;
  nb::list out;
  for (const OptionEntry& entry : table(usual)) {
    if (entry.more.typed_only) continue;
    const auto [kind, value] = std::visit(Described{entry}, entry.value);
    nb::dict d;
    d["name"] = python_name(entry.name);
    d["known"] = entry.name;
    d["kind"] = kind;
    d["default"] = value;
    d["help"] = entry.help;
    d["words"] = entry.words;
    d["usual"] = entry.more.usual;
    out.append(d);
  }
  return out;
}

}  // namespace

// A word of the language has an underscore after it.
std::string python_name(std::string_view option) { return option == "lambda" ? "lambda_" : std::string(option); }

nb::dict options_of_calls() {
  nb::dict out;
  out["measure"] = described<analysis::SurveyOptions>(measure_options);
  out["test"] = described<analysis::TestOptions>(test_options);
  out["bbc"] = described<analysis::BiasOptions>(bias_options);
  out["truth"] = described<analysis::NamedTruth>(truth_options);
  out["compare"] = described<analysis::CompareOptions>(compare_options);
  out["report"] = described<analysis::ReportOptions>(report_options);
  out["fold"] = described<read::Fold>(fold_options);
  out["reading"] = described<read::Reading>(reading_options);
  out["fit"] = described<fit::Options>(fit_options);
  return out;
}

void read_options(const OptionTable& table, const nb::dict& given) {
  for (const OptionEntry& entry : table) {
    if (!given.contains(entry.name.c_str())) continue;
    const nb::object value = given[entry.name.c_str()];
    if (!value.is_none()) std::visit(Reader{entry, value}, entry.value);
  }
}

}  // namespace tare::detail::python
