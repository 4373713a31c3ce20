#include "tare/state/width_state.hpp"

#include <algorithm>
#include <cmath>

#include "tare/measure/binned.hpp"
#include "tare/state/bytes.hpp"

namespace tare::inner::state {

using numeric::u128;

Result<WidthState> WidthState::make(int bins) {
  const auto b = measure::checked_bins({.bins = bins});
  if (!b) return b.error();
  return WidthState(*b);
}

void WidthState::add(BinaryView rows, int threads) {
  const auto weight = rows.weight();
  if (std::all_of(weight.begin(), weight.end(), [](double w) { return w == std::floor(w); })) {
    const auto more = numeric::width_bins(rows.score(), rows.label(), weight, sums_.size(), threads);
    for (std::size_t j = 0; j < sums_.size(); ++j)
      sums_[j].add({u128{more[j].mass} * fine, u128{more[j].hits} * fine, more[j].score * fine});
    return;
  }
  // in a unit of its own: that of numeric::mass_unit would depend on how the data are split
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double x = std::abs(rows.score()[i]), whole = std::floor(weight[i]);
    const u128 mass = static_cast<u128>(whole) * fine + static_cast<u128>(std::nearbyint((weight[i] - whole) * 0x1p40));
    sums_[numeric::width_bin(x, sums_.size())].add({mass, rows.label()[i] ? mass : 0, numeric::to_fixed(x) * mass});
  }
}

u128 WidthState::mass() const {
  u128 out = 0;
  for (const Sums& s : sums_) out += s.mass;
  return out;
}

bool WidthState::knows(const measure::Estimator& estimator) {
  return estimator.from_bins != nullptr && estimator.binning == numeric::Binning::width;
}

bool WidthState::merge(const WidthState& other) {
  if (other.sums_.size() != sums_.size()) return false;
  for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j].add(other.sums_[j]);
  return true;
}

Result<Estimate> WidthState::finish(const measure::Estimator& estimator, measure::Options options) const {
  if (!knows(estimator))
    return Error{.code = Errc::unsupported,
                 .what = std::string(estimator.name) + " is not a function of sums over equal-width bins",
                 .remedy = "measure the rows themselves, or an estimator with bins of equal width"};
  const u128 total = mass();
  if (total == 0) return Error{.code = Errc::undefined, .what = "no rows were added"};
  // Masses of 64 bits are enough from here on: whole weights stay exact, of others the last bits go.
  const bool whole =
      std::all_of(sums_.begin(), sums_.end(), [](const Sums& s) { return s.mass % fine == 0 && s.hits % fine == 0; });
  int shift = whole ? 40 : 0;
  while (shift < 40 && total >> shift >= u128{1} << 62) ++shift;
  std::vector<numeric::BinSums> sums(sums_.size());
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const Sums& s = sums_[j];
    const auto kept = static_cast<std::uint64_t>(s.mass >> shift);
    // the mean score stays that of the bin, also where its mass has been cut
    sums[j] = {kept, static_cast<std::uint64_t>(s.hits >> shift),
               (s.mass >> shift) << shift == s.mass ? s.score >> shift : s.score / s.mass * kept};
  }
  options.bins = static_cast<int>(sums_.size());
  return estimator.from_bins(sums, std::uint64_t{1} << (40 - shift), options);
}

std::string WidthState::to_bytes() const {
  std::string out;
  out.reserve(sums_.size() * 48);
  for (const Sums& s : sums_)
    for (const u128 x : {s.mass, s.hits, s.score}) put(x, out);
  return out;
}

bool WidthState::from_bytes(std::string_view bytes) {
  if (bytes.size() != sums_.size() * 48) return false;
  std::vector<Sums> read(sums_.size());
  u128 total = 0;
  for (std::size_t j = 0; j < read.size(); ++j) {
    const auto at = [&](std::size_t i) { return taken<u128>(bytes, 48 * j + 16 * i); };
    read[j] = {at(0), at(1), at(2)};
    const auto scale = static_cast<u128>(numeric::score_scale);
    if (read[j].mass > most || read[j].hits > read[j].mass || read[j].score / scale > read[j].mass) return false;
    if ((total += read[j].mass) > most) return false;
  }
  sums_ = std::move(read);
  return true;
}

}  // namespace tare::inner::state
