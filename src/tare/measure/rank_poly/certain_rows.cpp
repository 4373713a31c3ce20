#include "tare/measure/rank_poly/certain_rows.hpp"

#include <cmath>

#include "tare/numeric/special.hpp"

namespace tare::detail::measure {
namespace {

constexpr double tail = 0.025;

// Groups from .. to-1, where the label is expected.
CertainRows certain(const numeric::Ordered& data, std::size_t from, std::size_t to, bool label) {
  if (from == to) return {};
  const auto mass = static_cast<double>(data.mass_before(to) - data.mass_before(from));
  const auto hits = static_cast<double>(data.hits_before(to) - data.hits_before(from));
  CertainRows out{.share = mass / static_cast<double>(data.total_mass()),
                  .rows = mass / static_cast<double>(data.unit()),
                  .wrong = (label ? mass - hits : hits) / static_cast<double>(data.unit())};
  for (std::size_t g = from; g < to; ++g)
    out.doubt += static_cast<double>(data.mass(g)) / mass * (label ? 1 - data.score(g) : data.score(g));
  return out;
}

// Groups from .. to-1 alone. Beyond `few` of them neighbours are gathered into cells of about equal mass: the scores of
// a cell are as good as equal, and the cost does not grow with the rows.
numeric::Ordered between(const numeric::Ordered& data, std::size_t from, std::size_t to) {
  constexpr std::size_t few = 65'536, most = 8'192;
  std::vector<std::size_t> cut{from};
  if (to - from <= few) {
    while (cut.back() < to) cut.push_back(cut.back() + 1);
    return numeric::gather(data, cut);
  }
  const auto mass = data.mass_totals().first(to + 1);
  const std::uint64_t all = mass[to] - mass[from];
  for (std::uint64_t j = 1; j <= most; ++j) {
    const std::uint64_t end = mass[from] + all / most * j + all % most * j / most;
    const auto at = std::lower_bound(mass.begin() + static_cast<std::ptrdiff_t>(cut.back()), mass.end(), end);
    const auto g = static_cast<std::size_t>(at - mass.begin());
    if (g > cut.back()) cut.push_back(g);
  }
  return numeric::gather(data, cut);
}

double power(double x, int norm) { return norm == 2 ? x * x : x; }
double root(double x, int norm) { return norm == 2 ? std::sqrt(x) : x; }

}  // namespace

BothEnds certain_rows(const numeric::Ordered& data) {
  const auto scores = data.scores();
  const auto index = [&](auto at) { return static_cast<std::size_t>(at - scores.begin()); };
  BothEnds out{.first = index(std::ranges::upper_bound(scores, certain_within)),
               .last = index(std::ranges::lower_bound(scores, 1 - certain_within))};
  out.rows = {certain(data, 0, out.first, false), certain(data, out.last, data.groups(), true)};
  return out;
}

double least_wrong(double wrong, double rows) {
  return wrong > 0 ? numeric::quick::ibeta_inv(wrong, rows - wrong + 1, tail) : 0;
}

RowParts parts_of(const Sample& sample) {
  const numeric::Ordered& data = sample.ordered();
  const auto [first, last, ends] = certain_rows(data);
  RowParts out;
  for (const CertainRows& rows : ends)
    if (rows.share > 0) out.certain.push_back(rows);
  if (out.certain.empty() || first >= last) return out;
  out.others.emplace(between(data, first, last));
  out.others_share =
      static_cast<double>(data.mass_before(last) - data.mass_before(first)) / static_cast<double>(data.total_mass());
  return out;
}

PartEnds ends_of(const CertainRows& rows, int norm) {
  const double n = rows.rows, k = rows.wrong;
  PartEnds out{.share = rows.share};
  if (norm == 2 && n > 1) out.value = std::sqrt(std::max(k * (k - 1), 0.0) / (n * (n - 1)));
  if (norm == 1 && k > 1) out.value = k / n;
  // A few wrong ones are due where scores are not quite certain.
  if (k > 0) out.low = std::clamp(least_wrong(k, n) - rows.doubt, 0.0, out.value);
  if (k < n) out.high = numeric::quick::ibeta_inv(k + 1, n - k, 1 - tail);
  return out;
}

ValueInterval joined(std::span<const PartEnds> parts, int norm) {
  double value = 0, down = 0, up = 0;
  bool clear = false;
  for (const PartEnds& p : parts) {
    const double v = power(p.value, norm);
    value += p.share * v;
    down += std::pow(p.share * (v - power(p.low, norm)), 2);
    up += std::pow(p.share * (power(p.high, norm) - v), 2);
    clear = clear || p.low > 0;
  }
  return {clear ? root(std::max(value - std::sqrt(down), 0.0), norm) : 0,
          std::min(root(value + std::sqrt(up), norm), 1.0)};
}

double bounded(const Sample& sample, double end, int norm) {
  if (end <= 0.5) return end;  // the bound is at least that
  const numeric::Ordered& data = sample.ordered();
  double sum = 0;
  for (std::size_t g = 0; g < data.groups(); ++g)
    sum += static_cast<double>(data.mass(g)) * power(std::max(data.score(g), 1 - data.score(g)), norm);
  return std::min(end, root(sum / static_cast<double>(data.total_mass()), norm));
}

bool too_few(const Sample& sample) { return sample.ordered().weight() < 5; }

PartEnds unknown_ends(const Sample& sample, int norm) { return {.high = bounded(sample, 1, norm)}; }

std::vector<Flip> surest_rows(const numeric::Ordered& data) {
  constexpr std::uint64_t rows = 2;
  std::vector<Flip> out;
  std::size_t above = data.groups(), miss = 0;  // the next hits are in the group before `above`
  for (std::uint64_t left = std::min(rows * data.unit(), data.total_mass()); left > 0;) {
    while (above > 0 && data.hits(above - 1) == 0) --above;
    while (miss < data.groups() && data.hits(miss) == data.mass(miss)) ++miss;
    const bool hit = above > 0 && (miss == data.groups() || 1 - data.score(above - 1) <= data.score(miss));
    const std::size_t g = hit ? --above : miss++;
    out.push_back({g, std::min(left, hit ? data.hits(g) : data.mass(g) - data.hits(g)), hit});
    left -= out.back().mass;
  }
  return out;
}

}  // namespace tare::detail::measure
