
#include <chrono>
#include <cmath>
#include <numeric>

#include "tare/fit/affine/affine.hpp"
#include "tare/gpu/fit.hpp"
#include "tare/gpu/temper.hpp"
#include "tare/numeric/solve/minimise.hpp"

namespace tare::detail::gpu {
namespace {

using numeric::Minimum;

// The inverse of the 2 by 2 block of each class; what has no curvature is left as it is.
class BlockInverse {
 public:
  explicit BlockInverse(const ScaledNll& nll) {
    const auto ww = nll.of_class(ScaledNll::curvature_ww), wb = nll.of_class(ScaledNll::curvature_wb),
               bb = nll.of_class(ScaledNll::curvature_bb);
    double largest = 0;
    for (const double b : bb) largest = std::max(largest, b);
    for (std::size_t c = 0; c < ww.size(); ++c) {
      const double damped = bb[c] + 1e-8 * largest, square = ww[c] * (1 + 1e-8) + 1e-8 * largest;
      const double determinant = square * damped - wb[c] * wb[c];
      inverse_.push_back({damped / determinant, -wb[c] / determinant, square / determinant});
    }
  }
  void operator()(std::span<double> r) const {
    const std::size_t k = inverse_.size();
    for (std::size_t c = 0; c < k; ++c) {
      const double w = r[c], b = r[k + c];
      r[c] = inverse_[c].ww * w + inverse_[c].wb * b;
      r[k + c] = inverse_[c].wb * w + inverse_[c].bb * b;
    }
  }

 private:
  struct Block {
    double ww, wb, bb;
  };
  std::vector<Block> inverse_ = {};
};

Minimum minimise(ScaledNll& nll, double counted, int limit, double enough, std::vector<double>& x) {
  const std::size_t k = x.size() / 2;
  const auto value = [&](std::span<const double> at, std::span<double> gradient) {
    const double out = nll(at, counted);
    const auto w = nll.of_class(ScaledNll::slope_w), b = nll.of_class(ScaledNll::slope_b);
    std::copy(w.begin(), w.end(), gradient.begin());
    std::copy(b.begin(), b.end(), gradient.begin() + static_cast<std::ptrdiff_t>(k));
    return out;
  };
  numeric::MinimiseOptions how{.gradient = 1e-10};
  how.stop = [=](std::span<const double>, double at) { return at <= enough; };
  Minimum m;
  int done = 0;
  for (int round = 50; done < limit; round *= 2) {  // the curvature at the start says little about the end
    nll(x, counted);
    const BlockInverse precondition(nll);
    how.max_iterations = std::min(round, limit - done);
    m = numeric::lbfgs(value, x, how, precondition);
    done += m.iterations;
    if (m.stop != Minimum::Stop::limit) break;
  }
  m.iterations = done;
  return m;
}

}  // namespace

Result<Model> fit_vector(const DeviceRows& rows, const Labels& labels, int max_iterations, Stream stream) {
  const auto begin = std::chrono::steady_clock::now();
  const auto start = fit_temperature(rows, labels, 0, stream);  // looks at every row, too
  if (!start) return start.error();
  return guarded([&]() -> Result<Model> {
    const std::size_t k = rows.k;
    std::vector<double> x(2 * k);
    std::fill_n(x.begin(), k, 1 / std::get<double>(start->parameters.at("temperature")));
    ScaledNll nll(rows, labels, stream);
    nll(x, 1);
    const auto count = nll.of_class(ScaledNll::share);
    const double counted = std::accumulate(count.begin(), count.end(), 0.0);
    fit::AffineOutlook outlook;
    for (std::size_t c = 0; c < k; ++c)
      if (count[c] == 0) outlook.missing.push_back(c);
    outlook.missing_unbounded = !outlook.missing.empty();
    const Minimum m = minimise(nll, counted, max_iterations > 0 ? max_iterations : 3000, 0.5 / counted, x);

    Model model{.method = "vector", .k = k, .columns = k, .input = Kind::logits};
    const double nll_after = nll(x, counted);
    const double centre =
        std::accumulate(x.begin() + static_cast<std::ptrdiff_t>(k), x.end(), 0.0) / static_cast<double>(k);
    for (std::size_t c = 0; c < k; ++c) x[k + c] -= centre;  // only differences matter
    model.parameters["w"] = std::vector<double>(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(k));
    model.parameters["b"] = std::vector<double>(x.begin() + static_cast<std::ptrdiff_t>(k), x.end());
    model.fit = {.iterations = m.iterations, .nll_before = start->fit.nll_before, .nll_after = nll_after};
    if (std::isfinite(m.gradient)) model.fit.gradient = m.gradient;
    fit::conclude(m, {.method = "vector", .diagonal = true}, outlook, model.fit);
    model.fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return model;
  });
}

}  // namespace tare::detail::gpu
