#include "tare/numeric/order/pav.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace {

using tare::detail::numeric::i128;
using tare::detail::numeric::pooled_rows;
using tare::detail::numeric::ScoreBlock;

// Another algorithm: the rates are the slopes of the greatest convex minorant of the running totals (rows, hits), found
// as the lower convex hull of these points. Corners on a straight line are none.
template <class T>
std::vector<ScoreBlock> blocks_by_hull(const std::vector<T>& score, const std::vector<std::uint8_t>& mark) {
  std::vector<std::pair<double, std::uint8_t>> rows;
  for (std::size_t i = 0; i < score.size(); ++i) rows.emplace_back(static_cast<double>(score[i]), mark[i]);
  std::sort(rows.begin(), rows.end());
  struct Point {
    std::int64_t rows, hits;
    double before, after;  // the scores on either side
  };
  std::vector<Point> total{{0, 0, 0, rows.front().first}};
  std::int64_t hits = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    hits += rows[i].second;
    if (i + 1 < rows.size() && rows[i + 1].first == rows[i].first) continue;
    total.push_back(
        {static_cast<std::int64_t>(i) + 1, hits, rows[i].first, i + 1 < rows.size() ? rows[i + 1].first : 0});
  }
  std::vector<Point> hull;
  for (const Point& c : total) {
    const auto is_corner = [&](const Point& a, const Point& b) {  // left turn at b
      return static_cast<i128>(b.rows - a.rows) * (c.hits - a.hits) >
             static_cast<i128>(b.hits - a.hits) * (c.rows - a.rows);
    };
    while (hull.size() > 1 && !is_corner(hull[hull.size() - 2], hull.back())) hull.pop_back();
    hull.push_back(c);
  }
  std::vector<ScoreBlock> out;
  for (std::size_t i = 1; i < hull.size(); ++i)
    out.push_back({hull[i - 1].after, hull[i].before, static_cast<std::uint64_t>(hull[i].rows - hull[i - 1].rows),
                   static_cast<std::uint64_t>(hull[i].hits - hull[i - 1].hits)});
  return out;
}

template <class T>
void expect_the_hull(const std::vector<T>& score, const std::vector<std::uint8_t>& mark) {
  const auto expected = blocks_by_hull(score, mark);
  const auto found = pooled_rows(std::span<const T>(score), mark);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t b = 0; b < found.size(); ++b) {
    EXPECT_EQ(found[b].first, expected[b].first);
    EXPECT_EQ(found[b].last, expected[b].last);
    EXPECT_EQ(found[b].mass, expected[b].mass);
    EXPECT_EQ(found[b].hits, expected[b].hits);
  }
}

template <class T>
void expect_the_hull_for(std::size_t n, const std::function<double(double)>& score_of,
                         const std::function<double(double)>& rate_of) {
  std::mt19937_64 rng(n);
  std::uniform_real_distribution<double> uniform;
  std::vector<T> score(n);
  std::vector<std::uint8_t> mark(n);
  for (std::size_t i = 0; i < n; ++i) {
    score[i] = static_cast<T>(score_of(uniform(rng)));
    mark[i] = uniform(rng) < rate_of(static_cast<double>(score[i]));
  }
  expect_the_hull(score, mark);
}

constexpr std::size_t many = 200'000;  // enough for cells

TEST(pav_rows, threads_find_the_same_blocks) {
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> score(900'001);
  std::vector<std::uint8_t> mark(score.size());
  for (std::size_t i = 0; i < score.size(); ++i) {
    score[i] = std::sqrt(uniform(rng));
    mark[i] = uniform(rng) < 0.3 + 0.5 * score[i];
  }
  const auto one = pooled_rows(std::span<const double>(score), mark, 1);
  for (const int threads : {2, 3, 7}) {
    const auto some = pooled_rows(std::span<const double>(score), mark, threads);
    ASSERT_EQ(some.size(), one.size());
    for (std::size_t b = 0; b < one.size(); ++b) {
      EXPECT_EQ(some[b].first, one[b].first);
      EXPECT_EQ(some[b].last, one[b].last);
      EXPECT_EQ(some[b].mass, one[b].mass);
      EXPECT_EQ(some[b].hits, one[b].hits);
    }
  }
}

TEST(pav_rows, few_rows_pool_to_the_hull) {
  for (const std::size_t n : {1U, 2U, 7U, 1000U})
    expect_the_hull_for<double>(
        n, [](double u) { return u; }, [](double p) { return p; });
}

TEST(pav_rows, many_rows_pool_to_the_hull) {
  const auto same = [](double u) { return u; };
  const auto piled = [](double u) { return 1 - std::pow(u, 20.9); };
  const auto both_ends = [](double u) { return u < 0.5 ? std::pow(2 * u, 30) : 1 - std::pow(2 - 2 * u, 30); };
  const auto rounded = [](double u) { return std::round(u * 50) / 50; };
  for (const std::function<double(double)>& shape :
       {std::function<double(double)>(same), {piled}, {both_ends}, {rounded}}) {
    expect_the_hull_for<double>(many, shape, same);
    expect_the_hull_for<float>(many, shape, same);
  }
}

TEST(pav_rows, rates_of_any_course_pool_to_the_hull) {
  const auto same = [](double u) { return u; };
  for (const std::function<double(double)>& rate : {std::function<double(double)>([](double p) { return 1 - p; }),
                                                    {[](double) { return 0.5; }},
                                                    {[](double) { return 0.0; }},
                                                    {[](double) { return 1.0; }},
                                                    {[](double p) { return p > 0.3 ? 1.0 : 0.0; }},
                                                    {[](double p) { return std::floor(p * 40) / 40; }},
                                                    {[](double p) { return 0.5 + 0.4 * std::sin(40 * p); }}})
    expect_the_hull_for<double>(many, same, rate);
}

TEST(pav_rows, equal_scores_are_one_group) {
  expect_the_hull(std::vector<double>(many, 0.3), std::vector<std::uint8_t>(many, 1));
  std::vector<float> ends(many);
  std::vector<std::uint8_t> mark(many);
  for (std::size_t i = 0; i < many; ++i) {
    ends[i] = i % 3 == 0 ? 0.0F : 1.0F;
    mark[i] = i % 7 == 0;
  }
  expect_the_hull(ends, mark);
}

}  // namespace
