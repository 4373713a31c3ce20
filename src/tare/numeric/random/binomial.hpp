// Many binomial distributions, each drawn again and again: what redrawing labels needs.
//
// Variance up to 4096 (128 where each is drawn a few dozen times only, and a table would cost more than it saves):
// inversion, from a table of the distribution function in units of 2^-64
// with a guide that starts the search (Chen and Asau 1974); one 64-bit word per draw. The table
// leaves out values less likely than 2^-70 of the mode; beyond that it is as exact as doubles.
// Larger variance: the rejection method of Hormann 1993 (BTRD), from Boost.Random; the cost
// depends on neither n nor p. By hand up to there: Boost.Random would set each distribution up for every draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/numeric/random/rng.hpp"

namespace tare::detail::numeric {

enum class Draws { many, few };

class Binomials {
 public:
  explicit Binomials(Draws draws = Draws::many) : draws_(draws) {}
  void add(std::uint64_t n, double p);  // p in [0, 1]
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  // out[r * size() + i]: a draw of distribution i for replicate first + r, r < replicates. It uses word i
  // of the replicate's stream, so neither the other distributions nor the split of the
  // replicates into calls has an influence.
  void draw(std::uint64_t seed, std::uint32_t stream, std::uint32_t first, std::size_t replicates,
            std::span<std::uint64_t> out) const;

 private:
  struct Entry {
    std::uint64_t n = 0;
    double p = 0;
    std::uint64_t low = 0;  // the value of the table's first line
    std::size_t table = 0;  // first line in tables_
    std::size_t guide = 0;  // first line in guides_
    unsigned shift = 0;     // word >> shift is the line of the guide; 0: no table
  };
  void add_table(Entry& entry);
  [[nodiscard]] std::uint64_t pick(const Entry& entry, std::uint64_t word) const;

  Draws draws_;
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> tables_;  // line k: the largest word that gives low + k
  std::vector<std::uint16_t> guides_;
};

}  // namespace tare::detail::numeric
