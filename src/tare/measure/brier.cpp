// Brier score, the mean squared difference (1/n) sum (s - y)^2, or, given the full matrix, (1/n) sum_i sum_k (p_ik - [k
// = label_i])^2 (range 0 to 2), and its decomposition over b bins of equal width: reliability - resolution +
// uncertainty + within_bin. Brier 1950; Murphy 1973; the last term, which makes the identity exact when scores vary
// inside a bin: Stephenson, Coelho and Jolliffe 2008.
#include "tare/measure/estimators.hpp"

#include <algorithm>
#include <limits>

#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::detail::measure {
namespace {

using numeric::BinSums;

struct BrierParts {
  double reliability = 0;  // sum_k (n_k/n) (f_k - a_k)^2: small is good
  double resolution = 0;   // sum_k (n_k/n) (a_k - a)^2: large is good
  double uncertainty = 0;  // a (1 - a): of the data, not of the model

  void add(std::span<const numeric::BinSums> bins) {
    numeric::BinSums all;
    for (const auto& bin : bins) all.merge(bin);
    const double a = all.mean_label();
    for (const auto& bin : bins) {
      if (bin.mass == 0) continue;
      const double share = static_cast<double>(bin.mass) / static_cast<double>(all.mass);
      const double gap = bin.mean_score() - bin.mean_label();
      const double lift = bin.mean_label() - a;
      reliability += share * gap * gap;
      resolution += share * lift * lift;
    }
    uncertainty += a * (1 - a);
  }

  // within_bin: the variance of the scores inside the bins less twice their covariance with the
  // labels there. It is what the other three leave of the score, and is computed as that, so the
  // four add up to the score to the last bit or two.
  [[nodiscard]] std::vector<Component> of(double brier) const {
    return {{"reliability", reliability},
            {"resolution", resolution},
            {"uncertainty", uncertainty},
            {"within_bin", brier - (reliability - resolution + uncertainty)}};
  }
};

// Classes whose bins are kept at one time: memory does not grow with n, and little with k.
constexpr std::size_t most_cells = std::size_t{1} << 18;

constexpr std::size_t chunk_rows = 256;

// Probabilities of all classes, for a few rows at a time.
class Probabilities {
 public:
  explicit Probabilities(const MulticlassView& view) : view_(view), k_(view.classes()), rows_(chunk_rows * k_) {}

  // Of the rows from .. to - 1, at most chunk_rows, one after the other.
  std::span<const double> operator()(std::size_t from, std::size_t to) {
    const std::size_t columns = view_.columns();
    view_.values().visit([&](auto values) {
      const auto z = values.subspan(from * columns, (to - from) * columns);
      if (view_.kind() == Kind::logits)
        softmax(z, to - from);
      else if (columns == 1)
        for (std::size_t i = 0; i < z.size(); ++i) pair(i, 1 - static_cast<double>(z[i]), static_cast<double>(z[i]));
      else
        std::ranges::copy(z, rows_.begin());
    });
    return std::span<const double>(rows_).first((to - from) * k_);
  }

 private:
  template <class T>
  void softmax(std::span<const T> z, std::size_t n) {
    const std::size_t columns = view_.columns();
    numeric::softmax_rows(z, columns, {},
                          {.confidence = top_.data(), .complement = rest_.data(), .argmax = at_.data()});
    if (columns == 1) {
      for (std::size_t i = 0; i < n; ++i) at_[i] == 1 ? pair(i, rest_[i], top_[i]) : pair(i, top_[i], rest_[i]);
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const T* row = z.data() + i * k_;
      const auto m = static_cast<double>(row[at_[i]]);
      for (std::size_t j = 0; j < k_; ++j) rows_[i * k_ + j] = static_cast<double>(row[j]) - m;
    }
    numeric::exp_all(std::span<double>(rows_).first(n * k_));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < k_; ++j) rows_[i * k_ + j] *= top_[i];
  }
  void pair(std::size_t i, double zero, double one) {
    rows_[2 * i] = zero;
    rows_[2 * i + 1] = one;
  }

  const MulticlassView& view_;
  std::size_t k_;
  std::vector<double> rows_;
  std::array<double, chunk_rows> top_{}, rest_{};
  std::array<std::int32_t, chunk_rows> at_{};
};

struct Sums {
  numeric::Moments loss{4};   // a row's score is at most 2, or a little more where it does not quite sum to 1
  std::vector<BinSums> bins;  // of each class of the block, b in a row
};

// numeric::width_bin with its edges at hand, and without branches: most classes have tiny probabilities,
// but which ones is what no processor can predict.
class WidthBins {
 public:
  explicit WidthBins(std::size_t b)
      : b_(static_cast<double>(b)), last_(b - 1), edge_(b + 1, std::numeric_limits<double>::quiet_NaN()) {
    for (std::size_t j = 1; j < b; ++j) edge_[j] = numeric::width_edge(j, b);  // none before the first, after the last
  }
  std::size_t operator()(double p) const {
    // at most one off; what is no probability, should somebody write to the rows, is in some bin
    std::size_t j = std::min(static_cast<std::size_t>(static_cast<std::int64_t>(p * b_)), last_);
    j -= static_cast<std::size_t>(p <= edge_[j]);
    j += static_cast<std::size_t>(p > edge_[j + 1]);
    return j;
  }

 private:
  double b_;
  std::size_t last_;
  std::vector<double> edge_;
};

double square_of(std::span<const double> row, std::size_t label) {
  double out = 0;
  for (std::size_t c = 0; c < row.size(); ++c) out += c == label ? (1 - row[c]) * (1 - row[c]) : row[c] * row[c];
  return out;
}

// One pass over the rows from .. to - 1 for the classes first .. last - 1.
void accumulate(const MulticlassView& view, std::size_t from, std::size_t to, std::size_t first, std::size_t last,
                std::size_t b, std::uint64_t unit, Sums& out) {
  const std::size_t k = view.classes();
  const WidthBins bin_of(b);
  out.bins.resize((last - first) * b);
  Probabilities probabilities(view);
  for (std::size_t i = from; i < to; i += chunk_rows) {
    const std::size_t n = std::min(chunk_rows, to - i);
    const auto p = probabilities(i, i + n);
    for (std::size_t r = 0; r < n; ++r) {
      const double* row = p.data() + r * k;
      const auto label = static_cast<std::size_t>(view.label()[i + r]);
      const std::uint64_t mass = view.weight().empty() ? 1 : numeric::to_mass(view.weight()[i + r], unit);
      out.loss.add(square_of({row, k}, label), mass);
      for (std::size_t c = first; c < last; ++c) {
        BinSums& bin = out.bins[(c - first) * b + bin_of(row[c])];
        bin.mass += mass;
        bin.hits += c == label ? mass : 0;
        bin.score += static_cast<numeric::u128>(numeric::to_fixed(row[c])) * mass;
      }
    }
  }
}

}  // namespace

numeric::Moments square_loss(const numeric::Ordered& data) {
  numeric::Moments out;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    const double s = data.score(g);
    const std::uint64_t hits = data.hits(g);
    out.add((1 - s) * (1 - s), hits);
    out.add(s * s, data.mass(g) - hits);
  }
  return out;
}

void square_losses(const MulticlassView& view, std::size_t first, std::span<double> out) {
  const std::size_t k = view.classes();
  Probabilities probabilities(view);
  for (std::size_t i = 0; i < out.size(); i += chunk_rows) {
    const std::size_t n = std::min(chunk_rows, out.size() - i);
    const auto p = probabilities(first + i, first + i + n);
    for (std::size_t r = 0; r < n; ++r)
      out[i + r] = square_of(p.subspan(r * k, k), static_cast<std::size_t>(view.label()[first + i + r]));
  }
}

Result<Estimate> brier(const Sample& sample, const Options& options) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  const numeric::Ordered& data = sample.ordered();
  const numeric::Moments loss = square_loss(data);
  BrierParts parts;
  parts.add(numeric::width_bins(data, *b));
  return Estimate{
      .value = loss.mean(), .se = loss.se(data.unit()), .bins = options.bins, .parts = parts.of(loss.mean())};
}

Result<Estimate> brier_matrix(const MulticlassView& view, const Options& options, int threads) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  const std::size_t n = view.size(), k = view.classes();
  const std::uint64_t unit = numeric::mass_unit(view.weight());
  const std::size_t block = std::max<std::size_t>(most_cells / *b, 1);
  const auto ranges = static_cast<std::size_t>(std::max(threads, 1));

  numeric::Moments loss;
  BrierParts parts;
  for (std::size_t first = 0; first < k; first += block) {
    const std::size_t last = std::min(first + block, k);
    std::vector<Sums> sums(ranges);
    numeric::parallel_for(ranges, threads, [&](std::size_t r) {
      accumulate(view, n * r / ranges, n * (r + 1) / ranges, first, last, *b, unit, sums[r]);
    });
    for (std::size_t r = 1; r < ranges; ++r) {
      sums[0].loss.merge(sums[r].loss);
      for (std::size_t j = 0; j < sums[0].bins.size(); ++j) sums[0].bins[j].merge(sums[r].bins[j]);
    }
    loss = sums[0].loss;
    for (std::size_t c = 0; c < last - first; ++c)
      parts.add(std::span<const BinSums>(sums[0].bins).subspan(c * *b, *b));
  }
  return Estimate{.value = loss.mean(), .se = loss.se(unit), .bins = options.bins, .parts = parts.of(loss.mean())};
}

constinit const Estimator brier_estimator{
    {.name = "brier",
     .title = "Brier score",
     .summary = "mean squared error of the probabilities; rewards sharpness and calibration together",
     .citation = "Brier 1950; Murphy 1973; Stephenson et al. 2008",
     .uses_bins = true,
     .is_error = false,
     .unit = Unit::score,
     .interval = normal_interval,
     .roles = {.quoted_score = true}},
    {.run = brier, .run_matrix = brier_matrix}};

}  // namespace tare::detail::measure
