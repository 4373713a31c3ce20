#include "tare/state/cells.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "state/state_rows.hpp"
#include "support/folders.hpp"
#include "tare/numeric/order/bins.hpp"

namespace {

using namespace tare::detail::state;
using tare::detail::testing::state_rows;

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out(1);
  for (const char c : line)
    if (c == ',')
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

u128 whole(const std::string& digits) {
  u128 out = 0;
  for (const char c : digits) out = 10 * out + static_cast<unsigned>(c - '0');
  return out;
}

Body body(const tare::detail::testing::Rows& rows, const Shape& shape) {
  return body_of(std::span<const double>(rows.score), rows.label, rows.weight, shape, exact_step);
}

// The definition in rational numbers: tests/golden/state_reference.py.
TEST(cells, are_those_of_the_reference) {
  std::ifstream file(tare::detail::testing::source_dir() + "/tests/golden/state.csv");
  std::string line;
  Body now;
  std::size_t at = 0, cases = 0;
  while (std::getline(file, line)) {
    const auto f = fields(line);
    if (f[0] == "case") {
      EXPECT_EQ(at, now.cells.size());
      const Shape shape{.most = std::stoul(f[3]), .bins = std::stoul(f[4])};
      now = body(state_rows(f[1], std::stoul(f[2])), shape);
      SCOPED_TRACE(line);
      EXPECT_EQ(now.step, std::stoi(f[5]));
      at = 0;
      ++cases;
      continue;
    }
    ASSERT_LT(at, now.cells.size()) << line;
    const Cell& cell = now.cells[at++];
    EXPECT_TRUE(cell.mass == whole(f[1]) && cell.hits == whole(f[2]) && cell.score == whole(f[3])) << line;
    EXPECT_EQ(cell.only, f[4].empty() ? many : std::strtod(f[4].c_str(), nullptr)) << line;
  }
  EXPECT_EQ(at, now.cells.size());
  EXPECT_EQ(cases, 9U);
}

TEST(cells, a_coarser_place_is_the_place_of_every_score_inside) {
  for (const char* recipe : {"special", "small", "large", "uniform"})
    for (const double p : state_rows(recipe, 300).score)
      for (int from = 52; from > last_step; --from)
        for (const int to : {from - 1, last_step}) {
          EXPECT_EQ(coarser_place(place_of(p, from), from - to), place_of(p, to)) << p << ' ' << from << ' ' << to;
        }
}

TEST(cells, places_rise_with_the_score) {
  for (const char* recipe : {"special", "small", "large", "uniform"}) {
    auto p = state_rows(recipe, 1000).score;
    std::sort(p.begin(), p.end());
    for (int step = last_step; step <= exact_step; ++step)
      for (std::size_t i = 1; i < p.size(); ++i) ASSERT_LE(place_of(p[i - 1], step), place_of(p[i], step)) << p[i];
  }
}

// Ends belong to the cell, and their outer neighbours do not.
TEST(cells, ends_are_the_first_and_the_last_score_inside) {
  for (const char* recipe : {"special", "small", "large", "uniform"})
    for (const double p : state_rows(recipe, 300).score)
      for (const int step : {last_step, 7, 20, 44})
        for (const std::size_t bins : {1U, 15U}) {
          const auto bin = [&](double x) {
            return static_cast<std::uint32_t>(tare::detail::numeric::width_bin(x, bins));
          };
          const auto inside = [&](double x) { return place_of(x, step) == place_of(p, step) && bin(x) == bin(p); };
          const Ends ends = ends_of(place_of(p, step), bin(p), step, bins);
          if (!inside(std::nextafter(p, 0)) && !inside(std::nextafter(p, 1))) continue;  // one double only
          EXPECT_TRUE(inside(ends.low) && inside(ends.high)) << p << ' ' << step << ' ' << bins;
          EXPECT_FALSE(ends.low > 0 && inside(std::nextafter(ends.low, -1))) << p << ' ' << step << ' ' << bins;
          EXPECT_FALSE(ends.high < 1 && inside(std::nextafter(ends.high, 2))) << p << ' ' << step << ' ' << bins;
        }
}

// At the last step no set of scores has more than 256 cells less the bins that a state of 256 cells may have.
TEST(cells, the_last_step_always_fits) {
  std::vector<std::uint64_t> places;
  for (int e = 0; e <= 1074; ++e)
    for (int m = 0; m < 64; ++m) {
      const double q = std::ldexp(1 + m / 64.0, -e);
      if (q > 0.5) continue;
      places.push_back(place_of(q, last_step));
      places.push_back(place_of(1 - q, last_step));
    }
  std::sort(places.begin(), places.end());
  EXPECT_LE(std::unique(places.begin(), places.end()) - places.begin(), 128);
}

}  // namespace
