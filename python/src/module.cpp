// The extension module: the library's functions by their words. What they mean to a Python user (keywords, result
// objects, estimators) is in python/tare/*.py.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>

#include <tare/version.hpp>
#include "common.hpp"
#include "tare/analysis/compare.hpp"
#include "tare/cli/run.hpp"
#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/core/palette.hpp"
#include "tare/fit/spec.hpp"
#include "tare/infer/tests/statistic.hpp"
#include "tare/measure/spec.hpp"
#include "tare/simulate/truth.hpp"
#include "tare/write/whole_file.hpp"

namespace tare::detail::python {
namespace {

using Clock = std::chrono::steady_clock;
thread_local std::atomic<bool> stopped = false;
thread_local Clock::time_point asked = {};

// Signals are delivered to Python's main thread, when it asks. Ten times a second is enough.
bool ask_python() {
  if (stopped) return true;
  const auto now = Clock::now();
  if (now - asked < std::chrono::milliseconds(100)) return false;
  asked = now;
  const nb::gil_scoped_acquire lock;
  stopped = PyErr_CheckSignals() != 0;
  return stopped;
}

nb::str str(std::string_view s) { return nb::str(s.data(), s.size()); }

// Options of data that have no table, or are not typed there.
constexpr std::string_view of_data = " file class_names group group-bins cells step run_length output ";

// How a file is read is entries of reading=; of the older ones messages speak as of keywords.
constexpr std::string_view of_logs = " options answers id filter scorer confidence_from length_normalized ";

// An option in Python: max_iterations=.
std::string keyword(std::string_view option) {
  static const std::string of_calls = [] {
    std::string out = " ";
    for (const auto& [call, table] : options_of_calls())
      for (const nb::handle entry : table) out += nb::cast<std::string>(entry["known"]) + " ";
    return out;
  }();
  const std::string word = " " + std::string(option) + " ";
  if (of_logs.find(word) != std::string_view::npos) return "reading[\"" + std::string(option) + "\"]";
  const bool known = of_data.find(word) != std::string_view::npos || of_calls.find(word) != std::string::npos;
  return known ? python_name(option) + "=" : "";
}

void raise(Error error) {
  if (error.place.spelled.empty() && !error.place.row) error.place.spelled = python_name(error.place.array);
  const nb::object exception =
      nb::module_::import_("tare._errors")
          .attr("made")(clean(sentence(error, keyword)), str(name(error.code)), clean(advice(error, keyword)));
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
}

nb::list words(std::string_view text) {
  nb::list out;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    out.append(str(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

template <class Row>
nb::dict described(const Row& row) {
  nb::dict out;
  out["name"] = str(row.name);
  out["title"] = str(row.title);
  out["summary"] = str(row.summary);
  out["citation"] = str(row.citation);
  return out;
}

nb::dict drawn(const Style& look) {
  nb::dict out;
  out["colour"] = str(look.colour.light);
  out["dark"] = str(look.colour.dark);
  out["mark"] = str(name(look.mark));
  out["dash"] = str(look.dash);
  return out;
}

// Colours by what they stand for, and the looks of series that are no estimators.
nb::dict pictures() {
  nb::dict colours;
  for (const palette::Role& role : palette::roles) {
    nb::dict both;
    both["light"] = str(role.colour.light);
    both["dark"] = str(role.colour.dark);
    colours[str(role.name)] = both;
  }
  nb::list series;
  for (const Style& look : palette::series) series.append(drawn(look));
  nb::dict out;
  out["colours"] = colours;
  out["series"] = series;
  return out;
}

// The tables that the command line walks, too.
nb::dict tables() {
  nb::list estimators, tests, calibrators, models;
  for (const measure::Estimator& row : measure::all()) {
    nb::dict d = described(row);
    nb::list norms;
    for (const int norm : {1, 2})
      if (has_norm(row, norm)) norms.append(norm);
    d["norms"] = norms;
    d["bins"] = row.uses_bins;
    d["error"] = row.is_error;
    d["estimand"] = str(row.estimand);
    d["score"] = row.unit == Unit::score;
    d["reference"] = row.roles.reference;
    d["headline"] = row.roles.headline;
    d["monotone"] = row.roles.monotone;
    d["reported"] = row.roles.headline || row.roles.mean_gap;
    d["usual_norm"] = usual_norm(row);
    d["look"] = drawn(style_of_estimator(row.name));
    estimators.append(d);
  }
  for (const infer::Test& row : infer::all_tests()) tests.append(described(row));
  for (const fit::Calibrator& row : fit::all()) {
    nb::dict d = described(row);
    d["options"] = words(row.options);
    d["keeps_top_label"] = row.keeps_top_label;
    calibrators.append(d);
  }
  for (const simulate::PublishedModel& row : simulate::models()) models.append(str(row.name));
  nb::list statistics;
  for (const std::string_view name : infer::default_statistics()) statistics.append(str(name));
  nb::dict out;
  out["estimators"] = estimators;
  out["tests"] = tests;
  out["calibrators"] = calibrators;
  out["models"] = models;
  out["options"] = options_of_calls();
  out["statistics"] = statistics;
  out["palette"] = pictures();
  return out;
}

int run_program(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const nb::gil_scoped_release released;  // and no watch: the program has its own ways with Ctrl-C
  return cli::run(static_cast<int>(words.size()), argv.data());
}

}  // namespace

Unlocked::Unlocked() : cancel_scope_(ask_python) {
  stopped = false;
  asked = Clock::now();
}

const std::atomic<bool>& Unlocked::stop() { return stopped; }

Progress progress_of(const nb::object& callable) {
  if (callable.is_none()) return {};
  struct Told {  // shared: copies are made without the lock
    nb::object callable;
    Clock::time_point last = {};
  };
  const auto told = std::make_shared<Told>(Told{.callable = callable});
  return [told](std::string_view stage, std::size_t done, std::size_t total) {
    const auto now = Clock::now();
    if (done < total && now - told->last < std::chrono::milliseconds(100)) return;
    told->last = now;
    const nb::gil_scoped_acquire lock;
    try {
      told->callable(str(stage), done, total);
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("progress of tare");
    }
  };
}

}  // namespace tare::detail::python

NB_MODULE(_tare, m) {
  using namespace tare::detail::python;
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Failure& failure) {
      raise(failure.error);
    }
  });
  m.attr("version") = TARE_VERSION;
  m.def("tables", tables);
  m.def("clean", [](const std::string& text) { return tare::detail::clean(text); });
  m.def("run", run_program);
  m.def("write_file", [](const std::string& path, const std::string& text) {
    value_or_raise(tare::detail::write::write_file(path, text));
  });
  m.def("write_file", [](const std::string& path, const nb::bytes& bytes) {
    value_or_raise(tare::detail::write::write_file(path, {bytes.c_str(), bytes.size()}));
  });
  bind_calls(m);
  bind_model(m);
  bind_arrow(m);
  bind_state(m);
  bind_stream(m);
  bind_pictures(m);
  bind_watch(m);
}
