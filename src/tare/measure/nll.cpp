// Negative log-likelihood (log loss), natural logarithm, a mean over rows: of the labels given
// the scores, -(1/n) sum [y ln s + (1-y) ln(1-s)], or, given the full matrix, -(1/n) sum ln p_label
// (Guo et al. 2017, Eq. 6, divided by n). Nothing is clipped: where a row gives probability 0 to
// what happened the mean is infinite, and that is said instead of a number that depends on an epsilon.
#include "tare/measure/estimators.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::detail::measure {
namespace {

// "3 rows", "1 row", "2.5 rows" (weights)
std::string rows_of(std::uint64_t mass, std::uint64_t unit) {
  std::string count = std::to_string(mass / unit);
  if (mass % unit != 0) {
    count = std::to_string(static_cast<double>(mass) / static_cast<double>(unit));
    count.erase(count.find_last_not_of('0') + 1);
  }
  return count + (count == "1" ? " row" : " rows");
}

constexpr std::size_t loss_rows = 4096;

struct Total {
  numeric::Moments moments;
  double largest = 0;
  std::uint64_t infinite = 0;  // mass
};

// Sums what does not exceed the bound, and says what it would have to be.
Total total(const MulticlassView& view, double bound, std::uint64_t unit, int threads) {
  const std::size_t n = view.size(), chunks = (n + loss_rows - 1) / loss_rows;
  std::vector<Total> parts(chunks, Total{numeric::Moments(bound)});
  numeric::parallel_for(chunks, threads, [&](std::size_t c) {
    const std::size_t first = c * loss_rows;
    std::vector<double> loss(std::min(loss_rows, n - first));
    log_losses(view, first, loss);
    for (std::size_t i = 0; i < loss.size(); ++i) {
      const std::uint64_t mass = view.weight().empty() ? 1 : numeric::to_mass(view.weight()[first + i], unit);
      if (std::isinf(loss[i])) {
        parts[c].infinite += mass;
        continue;
      }
      parts[c].largest = std::max(parts[c].largest, loss[i]);
      if (loss[i] <= bound) parts[c].moments.add(loss[i], mass);
    }
  });
  Total out = parts[0];
  for (std::size_t c = 1; c < chunks; ++c) {
    out.moments.merge(parts[c].moments);
    out.largest = std::max(out.largest, parts[c].largest);
    out.infinite += parts[c].infinite;
  }
  return out;
}

}  // namespace

Error infinite_nll(std::uint64_t mass, std::uint64_t unit, const std::string& where) {
  const std::string rows = rows_of(mass, unit);
  return {.code = Errc::undefined,
          .what = rows + (mass == unit ? " gives" : " give") + " probability 0 to what happened" + where +
                  ": the mean log loss is infinite",
          .remedy =
              "logits do not round to probability 0 or 1; pass those if you have them (a million below the largest "
              "counts as probability 0, too)"};
}

void log_losses(const MulticlassView& view, std::size_t first, std::span<double> out) {
  const std::size_t k = view.columns();
  const auto label = view.label().subspan(first, out.size());
  view.values().visit([&](auto values) {
    const auto rows = values.subspan(first * k, out.size() * k);
    if (view.kind() == Kind::logits) {
      numeric::softmax_rows(rows, k, label, {.nll = out.data()});
      for (double& loss : out)
        if (!(loss < numeric::infinite_loss)) loss = std::numeric_limits<double>::infinity();
      return;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto j = static_cast<std::size_t>(label[i]);
      if (k == 1)
        out[i] = j == 1 ? hit_loss(static_cast<double>(rows[i])) : miss_loss(static_cast<double>(rows[i]));
      else
        out[i] = hit_loss(static_cast<double>(rows[i * k + j]));
    }
  });
}

// above 1/2 the difference is exact
double miss_loss(double s) { return s > 0.5 ? -std::log(1 - s) : -std::log1p(-s); }
double hit_loss(double s) { return -std::log(s); }

LogLoss log_loss(const numeric::Ordered& data) {
  const std::size_t groups = data.groups();
  // The loss of a hit falls with the score and that of a miss rises, so two groups know the largest.
  double largest = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    if (data.hits(g) == 0 || data.score(g) == 0) continue;
    largest = hit_loss(data.score(g));
    break;
  }
  for (std::size_t g = groups; g-- > 0;) {
    if (data.hits(g) == data.mass(g) || data.score(g) == 1) continue;
    largest = std::max(largest, miss_loss(data.score(g)));
    break;
  }
  LogLoss out{.moments = numeric::Moments(largest > 0 ? numeric::power_of_two_above(largest) : 1)};
  for (std::size_t g = 0; g < groups; ++g) {
    const double s = data.score(g);
    const std::uint64_t hits = data.hits(g), misses = data.mass(g) - hits;
    if (hits != 0 && s == 0)
      out.hits_at_zero += hits;
    else if (hits != 0)
      out.moments.add(hit_loss(s), hits);
    if (misses != 0 && s == 1)
      out.misses_at_one += misses;
    else if (misses != 0)
      out.moments.add(miss_loss(s), misses);
  }
  return out;
}

Result<Estimate> nll(const Sample& sample, const Options&) {
  const numeric::Ordered& data = sample.ordered();
  const LogLoss loss = log_loss(data);
  if (!loss.finite()) {
    std::string where;
    if (loss.hits_at_zero != 0) where += "score 0 with label 1";
    if (loss.misses_at_one != 0) where += std::string(where.empty() ? "" : ", ") + "score 1 with label 0";
    return infinite_nll(loss.hits_at_zero + loss.misses_at_one, data.unit(), " (" + where + ")");
  }
  return Estimate{.value = loss.moments.mean(), .se = loss.moments.se(data.unit())};
}

Result<Estimate> nll_matrix(const MulticlassView& view, const Options&, int threads) {
  const std::uint64_t unit = numeric::mass_unit(view.weight());
  double bound = 64;  // enough for all but absurd logits; those, and tiny losses, take a second pass
  Total sum = total(view, bound, unit, threads);
  if (sum.infinite != 0) return infinite_nll(sum.infinite, unit, "");
  if (sum.largest > 0 && (sum.largest > bound || sum.largest < 0x1p-20)) {
    bound = numeric::power_of_two_above(sum.largest);
    sum = total(view, bound, unit, threads);
  }
  return Estimate{.value = sum.moments.mean(), .se = sum.moments.se(unit)};
}

constinit const Estimator nll_estimator{{.name = "nll",
                                         .title = "negative log-likelihood",
                                         .summary = "mean log loss; rewards sharpness and calibration together",
                                         .citation = "Good 1952; Guo et al. 2017, Eq. 6",
                                         .is_error = false,
                                         .unit = Unit::score,
                                         .interval = normal_interval,
                                         .roles = {.quoted_score = true}},
                                        {.run = nll, .run_matrix = nll_matrix}};

}  // namespace tare::detail::measure
