// Eigen's vectors, as the minimisers see them.
#pragma once

#include <Eigen/Core>
#include <span>

namespace tare::inner::numeric {

using Vector = Eigen::VectorXd;

inline std::span<double> view(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

}  // namespace tare::inner::numeric
