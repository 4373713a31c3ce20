// A running watch over saved states: what the command line keeps in a .watch file.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <tuple>

#include "common.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/text.hpp"
#include "tare/watch/watch.hpp"

namespace tare::detail::python {
namespace {

using namespace nb::literals;

// For callers of any thread, as a state is.
struct SharedWatch {
  explicit SharedWatch(watch::Watch made) : watch(std::move(made)) {}
  watch::Watch watch;
  mutable std::mutex busy = {};
};
using Made = std::unique_ptr<SharedWatch>;

std::string_view text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

Made make(const nb::bytes& reference, const std::string& name, const nb::dict& given) {
  const auto options = given_options<WatchOptions>(watch_options, given);
  return std::make_unique<SharedWatch>(unlocked([&] { return watch::Watch::make(text_of(reference), name, options); }));
}

Made load(const nb::bytes& bytes) {
  return std::make_unique<SharedWatch>(unlocked([&] { return watch::from_bytes(text_of(bytes), "bytes"); }));
}

void add(SharedWatch& shared, const nb::bytes& day, const std::string& name) {
  unlocked([&]() -> Result<bool> {
    const std::lock_guard lock(shared.busy);
    if (const auto done = shared.watch.add(text_of(day), name); !done) return done.error();
    return true;
  });
}

// JSON, text and the picture, which is empty before the first day.
std::tuple<std::string, std::string, std::string> report(const SharedWatch& shared) {
  const WatchReport out = unlocked([&]() -> Result<WatchReport> {
    const std::lock_guard lock(shared.busy);
    return shared.watch.report();
  });
  const auto picture = render::watch_svg(out);
  return {render::json(out), render::text(out, {.all = true}), picture ? *picture : std::string()};
}

nb::bytes bytes(const SharedWatch& shared) {
  const std::string out = unlocked([&]() -> Result<std::string> {
    const std::lock_guard lock(shared.busy);
    return watch::to_bytes(shared.watch);
  });
  return nb::bytes(out.data(), out.size());
}

}  // namespace

void bind_watch(nb::module_& m) {
  nb::class_<SharedWatch>(m, "Watch").def("add", add, "day"_a, "name"_a).def("report", report).def("bytes", bytes);
  m.def("make_watch", make, "reference"_a, "name"_a, "options"_a);
  m.def("load_watch", load, "bytes"_a);
}

}  // namespace tare::detail::python
