// Step functions on [0, 1]: what histogram, bbq and scaling_binning leave behind. Values between edges,
// intervals (a, b] as everywhere, 0 in the first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tare/core/recipe.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/rows/kernels.hpp"

namespace tare::detail::fit {

// Many scores are looked up so many at a time: their places stay in the nearest cache.
inline constexpr std::size_t knot_block = 512;

// Calls body(scores, place of the first) for blocks of scores.
template <class T, class Body>
void for_blocks(std::span<const T> score, const Body& body) {
  for (std::size_t from = 0; from < score.size(); from += knot_block)
    body(score.subspan(from, std::min(knot_block, score.size() - from)), from);
}

// Where a score falls among ascending numbers in [0, 1]. The unit interval is cut into equal parts, and each knows the
// numbers before it: a search looks at those of one part only. For many scores it takes as many steps for each, none of
// which is a branch: a processor that guesses them would be wrong half of the time.
class KnotGuide {
 public:
  KnotGuide() = default;  // for none: it searches among all
  explicit KnotGuide(std::span<const double> x) {
    // Pairs of knots may be as close as scores are: more parts than these would tell few of them apart.
    const std::size_t least = std::clamp<std::size_t>(std::bit_ceil(2 * x.size()), 16, most_parts);
    const std::size_t most = std::min(most_parts, 16 * least);
    std::size_t crowd = 0;
    for (parts_ = least;; parts_ *= 2) {
      crowd = divide(x);
      if (crowd <= 3 || parts_ >= most) break;
    }
    steps_ = static_cast<int>(std::bit_width(crowd));
    knots_.assign(x.begin(), x.end());
    knots_.insert(knots_.end(), std::size_t{1} << steps_, std::numeric_limits<double>::quiet_NaN());
  }

  // std::lower_bound and std::upper_bound, as places.
  [[nodiscard]] std::size_t lower(std::span<const double> x, double score) const {
    const auto [from, to] = part(x, score);
    return static_cast<std::size_t>(std::lower_bound(from, to, score) - x.begin());
  }
  [[nodiscard]] std::size_t upper(std::span<const double> x, double score) const {
    const auto [from, to] = part(x, score);
    return static_cast<std::size_t>(std::upper_bound(from, to, score) - x.begin());
  }

  // The same for many scores in [0, 1], among the numbers that it was made of.
  template <class T>
  void lower(std::span<const T> score, std::uint32_t* place) const {
    find(score, place, [](double knot, double s) { return knot < s; });
  }
  template <class T>
  void upper(std::span<const T> score, std::uint32_t* place) const {
    find(score, place, [](double knot, double s) { return knot <= s; });
  }

 private:
  static constexpr std::size_t most_parts = std::size_t{1} << 16;

  using Place = std::span<const double>::iterator;
  struct Segment {
    Place from, to;
  };
  [[nodiscard]] Segment part(std::span<const double> x, double score) const {
    if (first_.empty() || !(score >= 0 && score <= 1)) return {x.begin(), x.end()};
    const std::size_t b = std::min(parts_ - 1, static_cast<std::size_t>(score * static_cast<double>(parts_)));
    return {x.begin() + first_[b], x.begin() + first_[b + 1]};
  }

  // Fills first_, and says how many knots the fullest part has.
  std::size_t divide(std::span<const double> x) {
    first_.resize(parts_ + 1);
    std::uint32_t crowd = 0;
    for (std::size_t b = 0, i = 0; b < parts_; ++b) {
      while (i < x.size() && x[i] < static_cast<double>(b) / static_cast<double>(parts_)) ++i;
      first_[b] = static_cast<std::uint32_t>(i);
      if (b > 0) crowd = std::max(crowd, first_[b] - first_[b - 1]);
    }
    first_[parts_] = static_cast<std::uint32_t>(x.size());
    return std::max(crowd, first_[parts_] - first_[parts_ - 1]);
  }

  template <class T, class Before>
  void find(std::span<const T> score, std::uint32_t* place, const Before& before) const {
    switch (steps_) {
      case 0:
      case 1:
        return find_in<1>(score, place, before, 1);
      case 2:
        return find_in<2>(score, place, before, 2);
      default:
        return find_in<0>(score, place, before, steps_);
    }
  }

  // known: the number of steps, or 0 for `steps` of them.
  template <int known, class T, class Before>
  void find_in(std::span<const T> score, std::uint32_t* place, const Before& before, int steps) const {
    const double* const x = knots_.data();
    const std::uint32_t* const first = first_.data();
    const std::size_t n = score.size();
    const T* const s = score.data();
    rows::find_parts(s, n, parts_, place);
    for (std::size_t i = 0; i < n; ++i) {
      const auto one = static_cast<double>(s[i]);
      std::size_t at = first[place[i]];
      for (int step = known > 0 ? known : steps; step-- > 0;)
        at += static_cast<std::size_t>(before(x[at + (std::size_t{1} << step) - 1], one)) << step;
      place[i] = static_cast<std::uint32_t>(at);
    }
  }

  std::size_t parts_ = 0;  // a power of two: the product with a score is exact
  int steps_ = 0;          // 2^steps is more than the knots of the fullest part
  std::vector<std::uint32_t> first_;
  std::vector<double> knots_;  // and NaN, which is before nothing, where a step may look beyond the last
};

// Where two neighbouring bins meet: half-way between the last score of one and the first of the next. The
// result e has lower <= e < upper, so that both scores fall on their own side even when they are adjacent doubles.
double half_way(double lower, double upper);

struct Steps {
  std::vector<double> edges = {};  // ascending; one less than values
  std::vector<double> values = {};
  KnotGuide guide = {};

  [[nodiscard]] std::size_t index(double score) const { return guide.lower(edges, score); }
  double operator()(double score) const { return values[index(score)]; }
  // Of many scores, with a guide.
  template <class T>
  void map(std::span<const T> score, std::span<double> out) const {
    for_blocks(score, [&](std::span<const T> some, std::size_t from) {
      std::array<std::uint32_t, knot_block> place;
      guide.lower(some, place.data());
      for (std::size_t i = 0; i < some.size(); ++i) out[from + i] = values[place[i]];
    });
  }

  // The next value to the right of `edge`; equal neighbours become one step.
  void append(double edge, double value) {
    if (!values.empty()) {
      if (values.back() == value) return;
      edges.push_back(edge);
    }
    values.push_back(value);
  }
};

// The parameters `edges` and `values`, one list per problem.
void save(const std::vector<Steps>& steps, Model& model);
Result<Recipe> steps_recipe(const Model& model, Recipe::Shape shape);

}  // namespace tare::detail::fit
