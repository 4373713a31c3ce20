// The objective of affine.hpp as a function of all parameters in one array: rows (W_k, b_k) for a full W,
// w then b for a diagonal one. Features are divided by their root mean square, which the caller multiplies back.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <optional>
#include <vector>

#include "tare/fit/affine/affine.hpp"
#include "tare/numeric/memory.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::fit {

class AffineProblem {
 public:
  AffineProblem(const MulticlassView& view, const AffineTask& task, int threads);

  [[nodiscard]] std::size_t classes() const { return k_; }
  [[nodiscard]] std::size_t size() const { return task_.diagonal ? 2 * k_ : k_ * (k_ + 1); }
  [[nodiscard]] double scale() const { return scale_; }  // features of the problem = features / scale
  // Where the parameters of class c stand.
  [[nodiscard]] std::size_t weight_at(std::size_t c, std::size_t j) const {
    return task_.diagonal ? c : c * (k_ + 1) + j;
  }
  [[nodiscard]] std::size_t intercept_at(std::size_t c) const { return task_.diagonal ? k_ + c : c * (k_ + 1) + k_; }

  double operator()(std::span<const double> x, std::span<double> gradient) const;
  double operator()(std::span<const double> x, std::span<double> gradient, std::span<double> hessian) const;
  [[nodiscard]] double nll(std::span<const double> x) const;

  [[nodiscard]] std::size_t rows() const { return order_.size(); }
  [[nodiscard]] bool streamed() const { return cache_.empty(); }  // features are made anew for every pass

 private:
  friend class AffinePreconditioner;
  friend class AffineCurvature;
  friend class Separation;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  struct Block {
    Eigen::Map<const Matrix> x;  // features and a column of ones
    std::size_t first, count;
  };
  struct BlockSums {
    double loss = 0;
    Eigen::VectorXd gradient = {}, diagonal = {};
    Eigen::MatrixXd hessian = {}, moments = {};
  };

  // Calls body(block, part) over all blocks; a part sees its blocks in order, and parts are added in order.
  template <class Body>
  BlockSums over_blocks(const Body& body) const;
  void fill(std::size_t first, std::size_t count, double* out) const;
  Matrix probabilities(const Block& block, std::span<const double> x, double& loss) const;
  void add_gradient(const Block& block, const Matrix& residual, Eigen::VectorXd& gradient) const;
  void add_hessian(const Block& block, const Matrix& q, Eigen::MatrixXd& hessian) const;
  double add_penalty_slope(std::span<const double> x, std::span<double> gradient) const;  // returns the penalty
  void add_penalty(Eigen::Ref<Eigen::MatrixXd> hessian) const;
  MulticlassView view_;
  AffineTask task_;
  int threads_;
  std::size_t k_;
  double scale_ = 1, lambda_, mu_;  // penalties per squared scaled parameter
  std::size_t block_rows_;
  // Rows are visited in an order that their content decides: sums of products round, so another order of the
  // input would change the last bits of the fit.
  std::vector<std::size_t> order_;
  std::vector<std::int32_t> label_;         // in this order
  std::vector<double> share_;               // weight / total
  numeric::LargeArray<double> cache_ = {};  // all features, where they fit
};

template <class Body>
AffineProblem::BlockSums AffineProblem::over_blocks(const Body& body) const {
  const std::size_t n = rows(), blocks = (n + block_rows_ - 1) / block_rows_, stride = k_ + 1;
  const std::size_t groups = std::min<std::size_t>(8, blocks);  // fixed: threads must not change a sum
  std::vector<BlockSums> part(groups);
  numeric::parallel_for(groups, threads_, [&](std::size_t g) {
    numeric::LargeArray<double> scratch(cache_.empty() ? block_rows_ * stride : 0);
    for (std::size_t c = g * blocks / groups; c < (g + 1) * blocks / groups; ++c) {
      numeric::stop_if_asked();
      const std::size_t first = c * block_rows_, count = std::min(block_rows_, n - first);
      if (cache_.empty()) fill(first, count, scratch.data());
      const double* data = cache_.empty() ? scratch.data() : cache_.data() + first * stride;
      body(Block{{data, static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(stride)}, first, count}, part[g]);
    }
  });
  const auto add = [](auto& to, const auto& from) {
    if (to.size() == 0)
      to = from;
    else if (from.size() != 0)
      to += from;
  };
  for (std::size_t g = 1; g < groups; ++g) {
    part[0].loss += part[g].loss;
    add(part[0].gradient, part[g].gradient);
    add(part[0].diagonal, part[g].diagonal);
    add(part[0].hessian, part[g].hessian);
    add(part[0].moments, part[g].moments);
    part[g] = {};
  }
  return std::move(part[0]);
}

// Proof that an unpenalised matrix fit has no optimum: a class that one linear function tells from all others without
// error. Along that function, added to the row of W of the class, no row's loss rises and some fall for ever.
class Separation {
 public:
  explicit Separation(const AffineProblem& problem) : p_(problem) {}

  // A class that is separable from all others, if one is found among those that the parameters x get all right.
  [[nodiscard]] std::optional<std::size_t> find(std::span<const double> x) const;
  // True if the largest output of every row is that of its label, and no other is as large.
  [[nodiscard]] bool all_rows_right(std::span<const double> x) const;
  // True if a linear function with an intercept is positive on the rows of class c and negative on all others.
  [[nodiscard]] bool separable(std::size_t c) const;

 private:
  [[nodiscard]] std::vector<std::size_t> all_right(std::span<const double> x) const;
  [[nodiscard]] std::vector<std::int32_t> top_labels(std::span<const double> x) const;  // -1 where two share the top
  const AffineProblem& p_;
};

}  // namespace tare::detail::fit
