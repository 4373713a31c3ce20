#include "tare/numeric/special.hpp"

#include <math.h>  // lgamma_r is POSIX, and not in namespace std
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace tare::detail::numeric {
namespace {

namespace bm = boost::math;

}  // namespace

double beta(double a, double b) { return bm::beta(a, b); }
double ibeta(double a, double b, double x) { return bm::ibeta(a, b, x); }
double ibetac(double a, double b, double x) { return bm::ibetac(a, b, x); }
double ibeta_inv(double a, double b, double p, double* complement) { return bm::ibeta_inv(a, b, p, complement); }
double gamma_q(double a, double x) { return bm::gamma_q(a, x); }
double gamma_q_inv(double a, double q) { return bm::gamma_q_inv(a, q); }
double tgamma_delta_ratio(double a, double delta) { return bm::tgamma_delta_ratio(a, delta); }
double digamma(double x) { return bm::digamma(x); }
double trigamma(double x) { return bm::trigamma(x); }
double erfc_inv(double p) { return bm::erfc_inv(p); }
double normal_quantile(double p) { return bm::quantile(bm::normal(), p); }

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

namespace quick {

using InDouble = bm::policies::promote_double<false>;
using Policy = bm::policies::policy<InDouble>;
using Silent = bm::policies::policy<InDouble, bm::policies::domain_error<bm::policies::ignore_error>,
                                    bm::policies::overflow_error<bm::policies::ignore_error>,
                                    bm::policies::evaluation_error<bm::policies::ignore_error>>;

double log_gamma(double x) { return bm::lgamma(x, Policy()); }
double ibeta(double a, double b, double x) { return bm::ibeta(a, b, x, Policy()); }
double ibetac(double a, double b, double x) { return bm::ibetac(a, b, x, Policy()); }
double ibeta_inv(double a, double b, double p) { return bm::ibeta_inv(a, b, p, Silent()); }

}  // namespace quick
}  // namespace tare::detail::numeric
