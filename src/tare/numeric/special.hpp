// Special functions, by Boost.Math under its names. Its headers take seconds to compile: special.cpp alone includes
// them.
#pragma once

namespace tare::detail::numeric {

// Computed in long double.
double beta(double a, double b);
double ibeta(double a, double b, double x);
double ibetac(double a, double b, double x);
double ibeta_inv(double a, double b, double p, double* complement);  // and 1 minus it
double gamma_q(double a, double x);
double gamma_q_inv(double a, double q);
double tgamma_delta_ratio(double a, double delta);
double digamma(double x);
double trigamma(double x);
double erfc_inv(double p);
double normal_quantile(double p);

// ln |Gamma(x)| that any thread may call: std::lgamma writes the sign to a global variable.
double log_gamma(double x);

// Computed in double: cheaper, and less exact in the last digits.
namespace quick {
double log_gamma(double x);
double ibeta(double a, double b, double x);
double ibetac(double a, double b, double x);
double ibeta_inv(double a, double b, double p);  // throws nothing
}  // namespace quick

// The 97.5% quantile of the standard normal distribution: a 95% interval reaches so many standard errors to each side.
inline constexpr double z95 = 1.959963984540054;

}  // namespace tare::detail::numeric
