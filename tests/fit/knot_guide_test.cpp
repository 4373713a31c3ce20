#include "tare/fit/steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/drawn.hpp"

namespace {

using tare::detail::fit::KnotGuide;

// Knots anywhere, piled up at 1, on edges of parts, or none: the places of the standard library.
TEST(knot_guide, finds_what_a_search_among_all_finds) {
  tare::detail::testing::SplitMix rng(1);
  for (const std::size_t n : {0u, 1u, 2u, 7u, 100u, 5000u}) {
    for (const int kind : {0, 1, 2}) {
      std::vector<double> x;
      for (std::size_t i = 0; i < n; ++i) {
        const double u = rng.uniform();
        x.push_back(kind == 0 ? u : kind == 1 ? 1 - u * u * u * u * 1e-3 : std::floor(64 * u) / 64);
      }
      if (n > 1) x[0] = 0, x[1] = 1;
      std::sort(x.begin(), x.end());
      x.erase(std::unique(x.begin(), x.end()), x.end());
      const KnotGuide guide(x);
      std::vector<double> scores{0, 1, 0x1p-60, 1 - 0x1p-53, 0.5, -1, 2};
      for (std::size_t i = 0; i < 2000; ++i) scores.push_back(rng.uniform());
      for (const double knot : x) scores.insert(scores.end(), {knot, std::nextafter(knot, 0), std::nextafter(knot, 1)});
      for (const double s : scores) {
        EXPECT_EQ(guide.lower(x, s), static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), s) - x.begin()))
            << s;
        EXPECT_EQ(guide.upper(x, s), static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), s) - x.begin()))
            << s;
      }
      std::erase_if(scores, [](double s) { return s < 0 || s > 1; });
      std::vector<std::uint32_t> lower(scores.size()), upper(scores.size());
      // What was a score when it was checked, and is none any more: some place that exists.
      std::vector<double> wild{-1, 2, 1e308, -1e308, INFINITY, -INFINITY, NAN};
      guide.lower(std::span<const double>(wild), lower.data());
      guide.upper(std::span<const double>(wild), upper.data());
      for (std::size_t i = 0; i < wild.size(); ++i) EXPECT_LE(std::max(lower[i], upper[i]), x.size()) << wild[i];
      guide.lower(std::span<const double>(scores), lower.data());
      guide.upper(std::span<const double>(scores), upper.data());
      for (std::size_t i = 0; i < scores.size(); ++i) {
        EXPECT_EQ(lower[i], std::lower_bound(x.begin(), x.end(), scores[i]) - x.begin()) << scores[i];
        EXPECT_EQ(upper[i], std::upper_bound(x.begin(), x.end(), scores[i]) - x.begin()) << scores[i];
      }
    }
  }
}

}  // namespace
