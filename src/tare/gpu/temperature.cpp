#include "tare/gpu/fit.hpp"

#include <chrono>
#include <cmath>

#include "tare/fit/temperature.hpp"
#include "tare/gpu/temper.hpp"

namespace tare::detail::gpu {
namespace {

using numeric::TemperedNll;

// Where the slope changes sign: between two v at which it is known, or beyond all of them.
struct Bracket {
  double low = 0, high = 0;
  TemperedNll at_low = {}, at_high = {};
  bool found = false;
};

// The root of the cubic in log v that has the slopes and their derivatives at both ends.
double inside(const Bracket& b) {
  const double x0 = std::log(b.low), h = std::log(b.high) - x0;
  const double f0 = b.at_low.slope, f1 = b.at_high.slope;
  const double d0 = b.at_low.curvature * b.low * h, d1 = b.at_high.curvature * b.high * h;
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double t = (low + high) / 2;
    const double f = f0 + t * (d0 + t * (3 * (f1 - f0) - 2 * d0 - d1 + t * (d0 + d1 - 2 * (f1 - f0))));
    (f < 0 ? low : high) = t;
  }
  return std::exp(x0 + h * (low + high) / 2);
}

// DeviceRows on a device: four temperatures at a time make the guess.
class DeviceSearch final : public fit::TemperatureSearch {
 public:
  DeviceSearch(Tempered& passes, int max_iterations) : TemperatureSearch(max_iterations), passes_(passes) {}

  Result<double> run() {
    const auto bracket = look();
    if (!bracket) return bracket.error();
    if (passes_.all_right()) {
      const double limit = at(highest).loss;
      return no_minimum(limit, 0.5 / passes_.rows());
    }
    if (bracket->found) return certified(inside(*bracket));
    return certified(bracket->at_low.slope >= 0 ? lowest : highest);
  }

 private:
  TemperedNll pass(double v) override { return passes_.one(v); }
  [[nodiscard]] double range() const override { return passes_.range(); }

  // Four temperatures at a time, each twice the one before, until one set has the root inside.
  Result<Bracket> look() {
    Tempered::Four v{0.25, 0.5, 1, 2};
    Bracket out;
    bool first = true;
    for (;;) {
      count_pass();
      const auto found = passes_.four(v);
      if (!found) return found.error();
      if (passes_.rows() == 0) return no_rows();
      if (first) report.nll_before = (*found)[2].loss;
      const bool above = (*found)[3].slope < 0, below = (*found)[0].slope >= 0;
      for (std::size_t t = 0; t + 1 < v.size(); ++t)
        if ((*found)[t].slope < 0 && (*found)[t + 1].slope >= 0)
          return Bracket{v[t], v[t + 1], (*found)[t], (*found)[t + 1], true};
      // between two sets
      if (!first && above && out.at_low.slope >= 0) return Bracket{v[3], out.low, (*found)[3], out.at_low, true};
      if (!first && below && out.at_high.slope < 0) return Bracket{out.high, v[0], out.at_high, (*found)[0], true};
      out = {v[0], v[3], (*found)[0], (*found)[3], false};
      first = false;
      const double factor = above ? 16 : 1.0 / 16;
      if (passes_.all_right() || v[0] * factor < lowest || v[3] * factor > highest) return out;
      for (double& x : v) x *= factor;
    }
  }

  Tempered& passes_;
};

}  // namespace

Result<Model> fit_temperature(const DeviceRows& rows, const Labels& labels, int max_iterations, Stream stream) {
  return guarded([&]() -> Result<Model> {
    if (const auto fine = readable(rows, labels); !fine) return fine.error();
    if (rows.kind != Kind::logits)
      return unsupported("on a GPU a temperature is fitted on logits, and these are probabilities",
                         "pass logits, or copy the array to the CPU");
    if (rows.n == 0 || labels.data == nullptr) return no_rows();
    const auto start = std::chrono::steady_clock::now();
    Tempered passes(rows, labels, stream);
    DeviceSearch search(passes, max_iterations);
    const auto v = search.run();
    if (!v) return v.error();
    Model model{.method = "temperature", .k = rows.k, .columns = rows.k, .input = Kind::logits};
    model.parameters["temperature"] = 1 / *v;
    model.fit = search.report;
    model.fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return model;
  });
}

}  // namespace tare::detail::gpu
