#include "tare/infer/resample/null.hpp"

#include <bit>

#include "tare/infer/resample/ticker.hpp"
#include "tare/numeric/random/rng.hpp"

namespace tare::detail::infer {
namespace {

constexpr std::uint32_t stream_of_rows = 0x4000'0000;  // away from the streams of single classes

std::size_t most_replicates(std::span<const JointClass> classes) {
  std::size_t out = 0;
  for (const auto& c : classes)
    for (const ResampledChoice& line : c.lines) out = std::max(out, line.resamples);
  return out;
}

// First cells of the classes in one long row of hits, and their number at the end.
std::vector<std::size_t> offsets_of(std::span<const JointClass> classes) {
  std::vector<std::size_t> out{0};
  for (const auto& c : classes) out.push_back(out.back() + c.null.cells.ordered.groups());
  return out;
}

// A place for every row that depends on what the row says, not on where it stands: its rank by a hash of its numbers.
// Rows of equal numbers are interchangeable. So the order of rows changes no draw.
std::vector<std::size_t> places_of(const MulticlassView& view) {
  const std::size_t n = view.size(), k = view.columns();
  std::vector<std::pair<std::uint64_t, std::size_t>> key(n);
  view.values().visit([&](auto values) {
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t hash = 0;
      for (const auto x : values.subspan(i * k, k)) {
        hash = (hash ^ std::bit_cast<std::uint64_t>(static_cast<double>(x))) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 32;
      }
      key[i] = {hash, i};
    }
  });
  std::ranges::sort(key);
  std::vector<std::size_t> out(n);
  for (std::size_t rank = 0; rank < n; ++rank) out[key[rank].second] = rank;
  return out;
}

// hits[r * cells + offset + cell] for the replicates first .. first + count - 1
void draw_rows(const MulticlassView& view, std::span<const std::size_t> place, std::span<const JointClass> classes,
               std::span<const std::size_t> offset, std::uint64_t seed, std::size_t first, std::size_t count,
               std::span<std::uint64_t> hits) {
  std::vector<double> below(classes.size());
  for (std::size_t i = 0; i < view.size(); ++i) {
    cumulative_probabilities(view, i, below);
    for (std::size_t r = 0; r < count; ++r) {
      const auto words = numeric::random_block(seed, stream_of_rows, static_cast<std::uint32_t>(first + r), place[i]);
      const double u = numeric::to_uniform(numeric::join(words[0], words[1])) * below.back();
      // The last class with a probability, should rounding carry u to the total.
      const auto at = std::min(std::ranges::upper_bound(below, u), std::ranges::lower_bound(below, below.back()));
      const auto y = static_cast<std::size_t>(at - below.begin());
      ++hits[r * offset.back() + offset[y] + classes[y].cell_of_row[i]];
    }
  }
}

}  // namespace

void cumulative_probabilities(const MulticlassView& view, std::size_t row, std::span<double> out) {
  const std::size_t k = view.columns();
  view.values().visit([&](auto values) {
    const auto x = values.subspan(row * k, k);
    const bool logits = view.kind() == Kind::logits;
    if (k == 1) {
      const auto p = static_cast<double>(x[0]);
      const double one = logits ? 1 / (1 + std::exp(-p)) : p;
      out[0] = logits ? 1 / (1 + std::exp(p)) : 1 - p;
      out[1] = out[0] + one;
      return;
    }
    const auto largest = static_cast<double>(*std::ranges::max_element(x));
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const auto v = static_cast<double>(x[j]);
      sum += logits ? std::exp(v - largest) : v;
      out[j] = sum;
    }
  });
}

std::vector<NullValues> joint_values(const MulticlassView& view, std::span<const JointClass> classes,
                                     std::uint64_t seed, int threads, const Progress& progress) {
  std::vector<NullValues> out;
  for (const auto& c : classes) out.push_back(empty_values(c.lines));
  const std::size_t replicates = most_replicates(classes);
  if (replicates == 0) return out;
  const auto offset = offsets_of(classes);
  const auto place = places_of(view);
  const std::size_t cells = offset.back();
  const std::size_t chunk = std::clamp<std::size_t>((std::size_t{1} << 22) / cells, 1, 16);  // at most 32 MB of hits
  const Ticker ticker(progress, "noise floors of classes", replicates);
  numeric::parallel_for((replicates + chunk - 1) / chunk, threads, [&](std::size_t c) {
    const std::size_t first = c * chunk, count = std::min(chunk, replicates - first);
    std::vector<std::uint64_t> hits(count * cells);
    draw_rows(view, place, classes, offset, seed, first, count, hits);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t k = 0; k < classes.size(); ++k)
        run_replicate(classes[k].null, std::span(hits).subspan(r * cells + offset[k], offset[k + 1] - offset[k]),
                      classes[k].lines, first + r, out[k]);
      ticker.done();
    }
  });
  return out;
}

}  // namespace tare::detail::infer
