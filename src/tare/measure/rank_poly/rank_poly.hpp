// Leave-one-out estimate of the true squared calibration error. With r = label - score and m the prediction of r from
// all other rows by polynomials in the rank of the score, D = mean(r m) has expectation 0 for a calibrated model, for
// every n, and mean(d^2) where d = E[label | score] - score is such a polynomial (docs/methods/rank_poly.md).
// K terms, K <= min(16, n^0.4), or min(64, n^0.4) where bins show a rougher curve than 16 terms can, are chosen by the
// largest D_K - sqrt(K N_K); value = sqrt(D (1 + L / (4 (D^2 + L)))), 0 where D <= 0. N and L are the variances of D
// where d is zero and where it is not. Norm 2 only.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tare/core/results.hpp"
#include "tare/measure/rank_poly/certain_rows.hpp"
#include "tare/measure/rank_poly/rank_basis.hpp"
#include "tare/measure/sample.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

// What rank_poly sums over the rows, for every number of terms, with vectors over the nodes of the basis.

// Sums of r^j, j = 1 .. 4, at the nodes of a basis, divided by the number of rows. r: label - score.
class RankGaps {
 public:
  RankGaps(const numeric::Ordered& data, const RankBasis& basis, int threads);
  // With other labels for these rows.
  void add(const numeric::Ordered& data, const RankBasis& basis, std::span<const Flip> flips);
  [[nodiscard]] std::array<const double*, 4> powers() const { return {at(0), at(1), at(2), at(3)}; }

 private:
  [[nodiscard]] const double* at(std::size_t j) const { return sums_.data() + j * stride_; }
  [[nodiscard]] std::array<double*, 4> all();
  std::size_t stride_;
  numeric::AlignedArray<double> sums_;
};

// What is summed over the rows, per number of terms less one. h: leverage; m: leave-one-out prediction of r, 0 where
// the leverage is above 1/2.
struct RankSums {
  static constexpr std::size_t most_terms = RankBasis::most_terms;
  std::array<std::array<double, most_terms>, most_terms> spread = {};  // mean r^2 phi_k phi_l, l <= k
  std::array<double, most_terms> rm = {};                              // mean r m
  std::array<double, most_terms> r2m2 = {};                            // mean r^2 m^2
  std::array<double, most_terms> m2 = {};                              // mean m^2
  std::array<double, most_terms> f2 = {};                              // mean f^2 and f^4 of the fit to all rows
  std::array<double, most_terms> f4 = {};
  std::array<double, most_terms> h2r4 = {};  // sum h^2 r^4
};

RankSums rank_sums(const RankBasis& basis, const RankGaps& gaps, double rows);

// The squared error that the other rows predict, with 1, 2, ... terms of a basis, and the number of terms to take.

// With a given number of terms.
struct RankTerms {
  double squared = 0;     // D
  double null = 0;        // N, its variance if the model is calibrated
  double away = 0;        // L, its variance where the error is not small
  double per_square = 0;  // so much variance of D, over labels and scores, for every unit of true squared error
};

class RankPath {
 public:
  // Of more than one row; basis: of these rows, and alive as long as the path.
  RankPath(const Sample& sample, const RankBasis& basis);

  [[nodiscard]] const std::vector<RankTerms>& terms() const { return terms_; }
  // The number of terms with the largest D - sqrt(K N), less one.
  [[nodiscard]] std::size_t chosen() const { return chosen_; }
  [[nodiscard]] const RankTerms& best() const { return terms_[chosen_]; }
  // Had two of the surest labels gone the other way.
  [[nodiscard]] RankPath flipped(const Sample& sample) const;

 private:
  void find_terms(double rows);
  const RankBasis* basis_;
  RankGaps gaps_;
  std::vector<RankTerms> terms_ = {};
  std::size_t chosen_ = 0;
};

// For K = 1, 2, ..., 16 at most; of more than one row.
std::vector<RankTerms> rank_poly_path(const Sample& sample);

// z = max_K (D_K / sqrt(N_K) - sqrt(K)), a statistic for perfect calibration, with the N_K of labels that vary by
// score (1 - score). The residuals would say too much where misses are few: a handful makes D and its noise at once.
Result<double> rank_poly_z(const Sample& sample);

// spread: of `squared`, with se_null = sqrt(N) and per_square as above; widest: the same at the highest K, for an
// interval that also allows for what the chosen degree cannot see. parts: these numbers, the degree of the chosen
// polynomials, K - 1, se = sqrt(L) and z.
Result<Estimate> rank_poly(const Sample& sample, const Options& options = {});

// What 16 terms at most say about the error of norm 2.
struct RankInterval {
  bool clear = false;       // the squared error is above its noise by more than the skew of the interval
  double high = 1;          // end of the 95% interval
  double flipped_high = 1;  // the same, had two of the surest labels gone the other way
  std::string note = {};    // where bins show a rougher curve: a warning, and
  double rough_high = 0;    // the end that allows for it
  double rough_factor = 1;  // where they may: by how much the end grows to allow for it
  PartEnds ends = {};       // all of this taken together
};
RankInterval rank_poly_interval(const Sample& sample);

extern const Estimator rank_poly_estimator;

// Why there is no error by polynomials in rank: what rank_poly and rank_sign cannot be asked.

// A row is predicted from the others.
inline std::optional<Error> without_others(const Estimator& estimator, const Sample& sample) {
  if (sample.ordered().weight() > 1) return std::nullopt;
  return Error{.code = Errc::undefined,
               .what = std::string(estimator.name) + " predicts a row from the others, and there are none",
               .remedy = "more than one row is needed"};
}

// The same, and each exists in one norm.
inline std::optional<Error> rank_refusal(const Estimator& estimator, const Sample& sample, const Options& options) {
  if (has_norm(estimator, options.norm)) return without_others(estimator, sample);
  return norm_refusal(estimator.name, usual_norm(estimator), options.norm);
}

// A 95% interval for the true error of norm 2, from a squared error D that noise does not bias (Estimate::spread): all
// q that D does not contradict, (D - q)^2 <= z^2 (se_null^2 + per_square q).

// skew: standard deviations that count below D where the true error is 0.
ValueInterval square_interval(const Estimate& estimate, double skew);

}  // namespace tare::detail::measure
