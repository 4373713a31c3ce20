// p-values of many questions, adjusted for their number: reject what is at most alpha.
//   holm                 the chance that any innocent one is rejected is at most alpha, however they depend (Holm 1979)
//   benjamini_hochberg   of those rejected, at most a share of alpha is innocent on average, if they are independent
//                        or move together (Benjamini and Hochberg 1995)
// From logarithms: evidence below 1e-308 keeps its order.
#pragma once

#include <span>
#include <vector>

namespace tare::detail::infer {

std::vector<double> holm(std::span<const double> log_p);
std::vector<double> benjamini_hochberg(std::span<const double> log_p);

}  // namespace tare::detail::infer
