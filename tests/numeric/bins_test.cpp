#include "tare/numeric/order/bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "numeric/samples.hpp"
#include "tare/numeric/order/bin_walk.hpp"

namespace {

using namespace tare::detail::numeric;
using tare::detail::testing::drawn;
using tare::detail::testing::edges;
using tare::detail::testing::Scored;
using tare::detail::testing::shapes;

// (a, b] against the edges, one after the other.
std::size_t bin_by_search(double x, std::size_t b) {
  for (std::size_t j = 1; j < b; ++j)
    if (x <= static_cast<double>(j) / static_cast<double>(b)) return j - 1;
  return b - 1;
}

// 2^-46 units by another road than to_fixed: llrint rounds to nearest, ties to even.
std::uint64_t units(double x) { return static_cast<std::uint64_t>(std::llrint(std::ldexp(x, 46))); }

void add(BinSums& bin, double x, std::uint64_t mass, std::uint64_t hits) {
  if (bin.mass == 0) bin.first = x;
  bin.first = std::min(bin.first, x);
  bin.last = std::max(bin.last, x);
  bin.mass += mass;
  bin.hits += hits;
  bin.score += static_cast<u128>(units(x)) * mass;
}

template <class T>
std::vector<BinSums> width_by_search(const Scored<T>& r, std::size_t b) {
  std::vector<BinSums> bins(b);
  for (std::size_t i = 0; i < r.score.size(); ++i) {
    const auto x = std::abs(static_cast<double>(r.score[i]));
    add(bins[bin_by_search(x, b)], x, 1, r.mark[i]);
  }
  return bins;
}

// The rule word by word: ranks, whole groups, the bin of the middle rank.
template <class T>
std::vector<BinSums> mass_by_ranks(const Scored<T>& r, std::size_t b) {
  const std::size_t n = r.score.size();
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::sort(rows.begin(), rows.end(), [&](std::size_t x, std::size_t y) { return r.score[x] < r.score[y]; });
  std::vector<BinSums> bins(b);
  for (std::size_t first = 0, last = 0; first < n; first = last + 1) {
    last = first;
    while (last + 1 < n && !(r.score[rows[first]] < r.score[rows[last + 1]])) ++last;
    auto& bin = bins[(first + last) * b / (2 * n)];
    for (std::size_t i = first; i <= last; ++i)
      add(bin, std::abs(static_cast<double>(r.score[rows[i]])), 1, r.mark[rows[i]]);
  }
  return bins;
}

void expect_same(const std::vector<BinSums>& have, const std::vector<BinSums>& want, bool ends,
                 const std::string& what) {
  ASSERT_EQ(have.size(), want.size()) << what;
  for (std::size_t j = 0; j < want.size(); ++j) {
    const bool same = have[j].mass == want[j].mass && have[j].hits == want[j].hits && have[j].score == want[j].score &&
                      (!ends || (have[j].first == want[j].first && have[j].last == want[j].last));
    ASSERT_TRUE(same) << what << ": bin " << j << " of " << want.size() << " has mass " << have[j].mass << ", hits "
                      << have[j].hits << ", first " << have[j].first << ", last " << have[j].last << "; not mass "
                      << want[j].mass << ", hits " << want[j].hits << ", first " << want[j].first << ", last "
                      << want[j].last;
  }
}

template <class T>
class bins : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(bins, Types);

std::vector<std::size_t> all_bin_counts() {
  std::vector<std::size_t> out(100);
  std::iota(out.begin(), out.end(), std::size_t{1});
  out.push_back(1000);
  out.push_back(1001);
  return out;
}

TYPED_TEST(bins, of_equal_width_are_right_at_every_edge_and_beside_it) {
  for (const std::size_t b : all_bin_counts()) {
    auto r = edges<TypeParam>(b);
    for (const double x : r.score) ASSERT_EQ(width_bin(std::abs(x), b), bin_by_search(std::abs(x), b)) << x << " " << b;
    expect_same(width_bins(order(r.reals(), r.mark), b), width_by_search(r, b), false, "sorted");
    expect_same(width_bins(r.reals(), r.mark, {}, b), width_by_search(r, b), false, "few rows");
    while (r.score.size() < 3000) {  // enough for the vector path
      r.score.insert(r.score.end(), r.score.begin(), r.score.end());
      r.mark.insert(r.mark.end(), r.mark.begin(), r.mark.end());
    }
    expect_same(width_bins(r.reals(), r.mark, {}, b), width_by_search(r, b), false, "many rows");
  }
}

TYPED_TEST(bins, of_equal_width_agree_with_a_search_whatever_the_scores) {
  for (const auto& r : shapes<TypeParam>(10'007, 1))
    for (const std::size_t b : {1U, 2U, 7U, 15U, 100U, 127U, 128U, 1000U}) {
      const auto want = width_by_search(r, b);
      expect_same(width_bins(r.reals(), r.mark, {}, b), want, false, r.name);
      expect_same(width_bins(order(r.reals(), r.mark), b), want, false, r.name + ", sorted");
    }
}

TYPED_TEST(bins, of_equal_mass_agree_with_the_rule_of_ranks_on_all_small_samples) {
  std::mt19937_64 rng(5);
  for (std::size_t n = 1; n <= 20; ++n)
    for (int repeat = 0; repeat < 40; ++repeat) {
      const std::uint64_t levels = 1 + rng() % (2 * n);
      Scored<TypeParam> r{"small", {}, {}};
      for (std::size_t i = 0; i < n; ++i) {
        r.score.push_back(static_cast<TypeParam>(rng() % levels) / static_cast<TypeParam>(levels));
        r.mark.push_back(rng() % 2);
      }
      for (std::size_t b = 1; b <= 25; ++b) {
        const auto want = mass_by_ranks(r, b);
        expect_same(mass_bins(order(r.reals(), r.mark), b), want, true, r.name);
        expect_same(mass_bins(r.reals(), r.mark, {}, b), want, true, r.name + ", rows");
        expect_same(width_bins(r.reals(), r.mark, {}, b), width_by_search(r, b), false, "small, width");
      }
    }
}

TYPED_TEST(bins, of_equal_mass_agree_with_the_rule_of_ranks_without_sorting) {
  for (const auto& r : shapes<TypeParam>(60'013, 2)) {
    const auto sorted = order(r.reals(), r.mark);
    for (const std::size_t b : {1U, 2U, 3U, 15U, 16U, 100U, 999U, 2000U}) {
      const auto want = mass_by_ranks(r, b);
      expect_same(mass_bins(r.reals(), r.mark, {}, b), want, true, r.name);
      expect_same(mass_bins(sorted, b), want, true, r.name + ", sorted");
    }
  }
}

// A cell of the selection that begins exactly where a bin begins, groups at p = 0 and p = 1 that
// straddle a boundary, scores below 2^-54.
TYPED_TEST(bins, of_equal_mass_hold_at_the_seams_of_the_selection) {
  const std::size_t n = 60'000;
  const std::vector<Scored<TypeParam>> cases = {
      drawn<TypeParam>("halves", n, 1, [](double, std::size_t i) { return i < 30'000 ? 0.25 : 0.75; }),
      drawn<TypeParam>("cells", n, 2, [](double u, std::size_t i) { return (i < 30'000 ? 0.25 : 0.5) + u / 1024; }),
      drawn<TypeParam>("tiny", n, 3, [](double u, std::size_t) { return std::ldexp(u, -52); }),
      drawn<TypeParam>("near 1", n, 4, [](double u, std::size_t) { return 1 - std::ldexp(u, -50); }),
      drawn<TypeParam>("zeros", n, 5, [](double u, std::size_t i) { return i % 3 == 0 ? 0 : std::ldexp(u, -60); }),
      drawn<TypeParam>("around 1/2", n, 6, [](double u, std::size_t) { return 0.5 + (u - 0.5) * 1e-3; }),
      drawn<TypeParam>("ends", n, 7, [](double u, std::size_t i) { return i % 5 < 2    ? 1
                                                                          : i % 5 == 2 ? 0
                                                                                       : u; }),
  };
  for (const auto& r : cases)
    for (const std::size_t b : {1U, 2U, 4U, 15U, 60U}) {
      expect_same(mass_bins(r.reals(), r.mark, {}, b), mass_by_ranks(r, b), true, r.name);
      expect_same(width_bins(r.reals(), r.mark, {}, b), width_by_search(r, b), false, r.name);
    }
}

TYPED_TEST(bins, do_not_depend_on_threads_or_row_order) {
  std::mt19937_64 rng(3);
  for (auto& r : shapes<TypeParam>(140'001, 3)) {
    const auto width = width_bins(r.reals(), r.mark, {}, 15), mass = mass_bins(r.reals(), r.mark, {}, 15);
    for (const int threads : {2, 3}) {
      expect_same(width_bins(r.reals(), r.mark, {}, 15, threads), width, false, r.name);
      expect_same(mass_bins(r.reals(), r.mark, {}, 15, threads), mass, true, r.name);
    }
    std::vector<std::size_t> rows(r.score.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::shuffle(rows.begin(), rows.end(), rng);
    Scored<TypeParam> other{r.name, {}, {}};
    for (const std::size_t i : rows) {
      other.score.push_back(r.score[i]);
      other.mark.push_back(r.mark[i]);
    }
    expect_same(width_bins(other.reals(), other.mark, {}, 15), width, false, r.name + ", shuffled");
    expect_same(mass_bins(other.reals(), other.mark, {}, 15), mass, true, r.name + ", shuffled");
  }
}

TYPED_TEST(bins, count_a_row_of_weight_3_as_three_rows) {
  for (const auto& r : shapes<TypeParam>(2'000, 4)) {
    std::vector<double> weight;
    Scored<TypeParam> repeated{r.name, {}, {}};
    for (std::size_t i = 0; i < r.score.size(); ++i) {
      weight.push_back(static_cast<double>(i % 4));
      repeated.score.insert(repeated.score.end(), i % 4, r.score[i]);
      repeated.mark.insert(repeated.mark.end(), i % 4, r.mark[i]);
    }
    for (const std::size_t b : {1U, 15U, 100U}) {
      expect_same(width_bins(r.reals(), r.mark, weight, b), width_by_search(repeated, b), false, r.name);
      expect_same(mass_bins(r.reals(), r.mark, weight, b), mass_by_ranks(repeated, b), true, r.name);
      expect_same(mass_bins(order(r.reals(), r.mark, weight), b), mass_by_ranks(repeated, b), true, r.name);
    }
  }
}

// 0.1 0.3 | 0.5 0.5 0.5 | 0.9: the middle rank 3 of the group is the first of the upper half.
TEST(mass_bins_by_hand, a_group_goes_to_the_bin_of_its_middle_rank) {
  const Scored<double> r{"", {0.5, 0.1, 0.5, 0.9, 0.3, 0.5}, {1, 0, 0, 1, 0, 1}};
  const auto two = mass_bins(r.reals(), r.mark, {}, 2);
  EXPECT_EQ(two[0].mass, 2U);
  EXPECT_EQ(two[0].hits, 0U);
  EXPECT_EQ(two[0].last, 0.3);
  EXPECT_EQ(two[1].mass, 4U);
  EXPECT_EQ(two[1].hits, 3U);
  EXPECT_EQ(two[1].first, 0.5);
  EXPECT_NEAR(two[1].mean_score(), 0.6, 1e-14);
  EXPECT_EQ(two[1].mean_label(), 0.75);
}

// The rule for weights, word by word: every unit of mass is a row of its own, with a rank of its own.
std::vector<BinSums> mass_by_fine_ranks(const Scored<double>& r, const std::vector<double>& weight, std::uint64_t unit,
                                        std::size_t b) {
  std::map<double, std::pair<std::uint64_t, std::uint64_t>> groups;  // score: mass, hits
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const auto mass = static_cast<std::uint64_t>(std::llrint(weight[i] * static_cast<double>(unit)));
    groups[r.score[i]].first += mass;
    groups[r.score[i]].second += r.mark[i] ? mass : 0;
    n += mass;
  }
  std::vector<BinSums> bins(b);
  std::uint64_t first = 0;
  for (const auto& [score, group] : groups) {
    if (group.first == 0) continue;
    const std::uint64_t last = first + group.first - 1;
    add(bins[static_cast<std::size_t>(static_cast<u128>(first + last) * b / (2 * static_cast<u128>(n)))], score,
        group.first, group.second);
    first = last + 1;
  }
  return bins;
}

TEST(mass_bins_by_hand, four_rows_of_a_quarter_are_two_bins_of_two) {
  const Scored<double> r{"", {0.1, 0.2, 0.3, 0.4}, {0, 0, 1, 1}};
  const std::vector<double> weight(4, 0.25);
  const auto two = mass_bins(r.reals(), r.mark, weight, 2);
  EXPECT_EQ(two[0].mass, two[1].mass);
  EXPECT_EQ(two[0].last, 0.2);
  EXPECT_EQ(two[1].first, 0.3);
  const auto four = mass_bins(r.reals(), r.mark, weight, 4);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(four[j].first, r.score[j]);
}

// The same through every function that finds a bin.
void expect_the_rule(const Scored<double>& r, const std::vector<double>& weight, std::size_t b) {
  const Ordered data = order(r.reals(), r.mark, weight);
  ASSERT_GE(data.unit(), std::uint64_t{1} << 20);
  const auto want = mass_by_fine_ranks(r, weight, data.unit(), b);
  expect_same(mass_bins(data, b), want, true, "sorted");
  expect_same(mass_bins(r.reals(), r.mark, weight, b), want, true, "rows");
  const BinWalk walk(data, Binning::mass, b);
  for (std::size_t g = 0; g < data.groups(); ++g) {
    const BinSums& bin = want[walk.bin_of(g)];
    ASSERT_TRUE(bin.mass > 0 && bin.first <= data.score(g) && data.score(g) <= bin.last) << g << " of " << b;
    const GroupRange range = walk.around(g);
    ASSERT_EQ(data.mass_before(range.to) - data.mass_before(range.from), bin.mass);
  }
}

TEST(mass_bins_of_weights, agree_with_the_ranks_of_units) {
  std::mt19937_64 rng(11);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::size_t n = 1 + rng() % 30;
    const std::uint64_t levels = 1 + rng() % (2 * n);
    Scored<double> r{"", {}, {}};
    std::vector<double> weight;
    for (std::size_t i = 0; i < n; ++i) {
      r.score.push_back(static_cast<double>(rng() % levels) / static_cast<double>(levels));
      r.mark.push_back(rng() % 2);
      const double whole[] = {0x1p-20, 1.0 / 512, 0.25, 0.1, 1, 2.5, 1e6, 0};
      weight.push_back(repeat % 2 == 0 ? whole[rng() % 8] : whole[rng() % 3 + 1]);
    }
    weight[0] = 0.3;  // one that is not whole
    for (const std::size_t b : {1U, 2U, 3U, 7U, 15U, 20U, 100U}) expect_the_rule(r, weight, b);
  }
}

// Many small groups, few bins, and many bins: the ways of finding a bin differ.
TEST(mass_bins_of_weights, agree_with_the_ranks_of_units_on_many_rows) {
  const auto r = drawn<double>("", 3000, 12, [](double u, std::size_t) { return u; });
  std::vector<double> weight;
  for (std::size_t i = 0; i < 3000; ++i) weight.push_back(static_cast<double>(1 + i % 5) / 1024);
  for (const std::size_t b : {2U, 15U, 100U, 1000U, 5000U}) expect_the_rule(r, weight, b);
}

// Fractional weights have no unit: a common factor leaves every bin its rows.
TEST(mass_bins_of_weights, do_not_depend_on_a_common_factor) {
  std::mt19937_64 rng(13);
  for (int repeat = 0; repeat < 100; ++repeat) {
    Scored<double> r{"", {}, {}};
    std::vector<double> weight;
    for (std::size_t i = 0; i < 25; ++i) {
      r.score.push_back(static_cast<double>(rng() % 40) / 40);
      r.mark.push_back(rng() % 2);
      weight.push_back(static_cast<double>(1 + rng() % 7));
    }
    const auto lasts = [&](double factor, std::size_t b) {
      std::vector<double> scaled = weight;
      for (double& w : scaled) w *= factor;
      std::vector<double> out;
      for (const BinSums& bin : mass_bins(r.reals(), r.mark, scaled, b)) out.push_back(bin.mass > 0 ? bin.last : -1);
      return out;
    };
    for (const std::size_t b : {2U, 3U, 8U, 15U})
      for (const double factor : {0.5, 0.25, 0x1p-10, 8.0 + 0x1p-10, 1024.5})
        EXPECT_EQ(lasts(factor, b), lasts(0x1p-12, b)) << factor << " " << b;
  }
}

}  // namespace
