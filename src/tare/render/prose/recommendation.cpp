#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

// What the first of two methods gains over the second, with its interval: losses are better when lower.
std::string gained(const Difference& d) {
  const CriterionInfo& info = about(d.criterion);
  if (!std::isfinite(d.value)) return fmt::format("an infinite {}", info.abbreviation);
  const auto number = [&](double x) { return signed_number(-x * info.factor, info.digits, d.change != Change::noise); };
  return fmt::format("{} in {} [{}, {}]", number(d.value), info.abbreviation, number(d.high), number(d.low));
}

const MethodResult* method(const Comparison& c, std::string_view name) {
  for (const MethodResult& m : c.methods)
    if (m.method == name) return &m;
  return nullptr;
}

// What the test rows say about the choice, which was made without them; nothing where there are none.
std::string on_test_rows(const Comparison& c) {
  const Winner& w = c.winner;
  if (c.cross_validated) return {};
  const bool left = w.method == "uncalibrated";
  const MethodResult* chosen = method(c, left ? w.best : w.method);
  const Difference* d = chosen ? difference(*chosen, w.criterion, "uncalibrated") : nullptr;
  std::string out;
  if (d && left)
    out = fmt::format(" On the test rows {} gains {}, {}.", w.best, gained(*d),
                      d->change == Change::better  ? "which disagrees: there the gain is real"
                      : d->change == Change::worse ? "so it is worse there"
                                                   : "which is also within noise");
  else if (d)
    out = fmt::format(" On the test rows {} {} {}{}.", w.method, d->change == Change::better ? "also gains" : "gains",
                      gained(*d),
                      d->change == Change::better  ? ""
                      : d->change == Change::worse ? ", which disagrees: it is worse there"
                                                   : ", which is within noise");
  const MethodResult* better = nullptr;  // than the choice, beyond noise
  const Difference* by = nullptr;
  for (const MethodResult& m : c.methods)
    if (const Difference* o = left ? nullptr : difference(m, w.criterion, w.method);
        o && o->change == Change::better && (!by || o->value < by->value))
      better = &m, by = o;
  if (better) out += fmt::format(" There {} is better than {}: {}.", better->method, w.method, gained(*by));
  return out;
}

}  // namespace

std::string recommendation(const Comparison& c) {
  const Winner& w = c.winner;
  if (!w.gain)
    return fmt::format("Leave the model as it is: no calibrator has a lower {} ({}).", about(w.criterion).abbreviation,
                       w.how);
  if (w.gain->change != Change::better)
    return fmt::format(
               "Leave the model as it is: the best calibrator, {}, gains {}, {} ({}).", w.best, gained(*w.gain),
               w.gain->high < 0 ? "no more than the best of so many can gain by chance" : "which is within noise",
               w.how) +
           on_test_rows(c);
  std::string out = fmt::format("Recommended: {}, which gains {} over leaving the model as it is ({}).", w.method,
                                gained(*w.gain), w.how);
  if (w.best != w.method) out += fmt::format(" {} has a lower loss, but a less certain gain.", w.best);
  if (w.lead)
    out += fmt::format(" The lead of {} over {}, which is simpler, is within noise: {}.", w.method, w.lead->against,
                       gained(*w.lead));
  return out + on_test_rows(c);
}

std::vector<std::string> method_notes(const MethodResult& m) {
  std::vector<std::string> out;
  if (!m.reason.empty()) out.push_back("not fitted: " + m.reason);
  if (!m.fit.note.empty()) out.push_back(m.fit.note);
  if (m.nll_infinite_rows > 0)
    out.push_back(grouped(m.nll_infinite_rows) + " rows gave probability 0 to what happened, so its NLL is infinite");
  return out;
}

}  // namespace tare::detail::render
