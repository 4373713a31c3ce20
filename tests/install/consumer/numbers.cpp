// Prints numbers of the public interface as hexadecimal floats: two programs that print the same lines got the same
// bits. A program may solve and integrate by itself with the same Eigen and Boost as the library, built with other
// flags.
#include <cstdio>
#include <string>
#include <tare/tare.hpp>
#include <vector>

#ifdef OWN_EIGEN_AND_BOOST
#include <Eigen/Dense>
#include <boost/math/special_functions/beta.hpp>

// The same templates as those of numeric/solve and fit/affine, of this program's flags.
double own_work() {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(40, 40);
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j) a(i, j) = 1.0 / (1 + i + j) + (i == j ? 2.0 : 0.0);
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(40);
  const Eigen::LLT<Eigen::MatrixXd> llt(a);
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(a);
  return (a * llt.solve(b) - b).norm() + (a * ldlt.solve(b) - b).norm() + boost::math::ibeta(2.5, 0.5, 0.3) +
         boost::math::ibeta_inv(2.5, 0.5, 0.3);
}
#else
double own_work() { return 1; }
#endif

namespace {

void show(const std::string& what, double value) { std::printf("%s %a\n", what.c_str(), value); }

void show(const tare::Measurement& m, const std::string& of) {
  for (const tare::EstimateRow& line : m.estimates) {
    const std::string name = of + ' ' + line.estimator + ' ' + std::to_string(line.norm.value_or(0));
    if (line.value) show(name, *line.value);
    if (line.low) show(name + " low", *line.low);
    if (line.high) show(name + " high", *line.high);
    if (line.noise) show(name + " noise", *line.noise);
    if (line.noise_high) show(name + " noise_high", *line.noise_high);
  }
}

}  // namespace

int main(int, char** argv) {
  if (!(own_work() > 0)) return 1;
  const auto val = tare::read(argv[1], "val").value(), test = tare::read(argv[1], "test").value();
  show(tare::measure(test, {}, {.threads = 2}).value(), "test");
  for (const tare::Method& method : tare::methods()) {
    const tare::FitOptions options{.lambda = 0.01, .mu = 0.01, .max_iterations = 30};
    const auto model = tare::fit(method.name, val, options, {.threads = 2});
    if (!model) {
      std::fprintf(stderr, "%s\n", tare::message(model.error()).c_str());
      return 1;
    }
    const auto after = model->apply(test).value();
    const std::string name(method.name);
    show(name + " brier", tare::estimate(after, {.estimator = "brier"}).value().value);
    show(name + " nll_after", model->report().nll_after.value_or(-1));
    const auto m = tare::measure(after, {.norms = {2}, .resample = false}).value();
    show(m, name);
  }
  const auto truth = tare::truth("resnet110_c10").value();
  show("true error", tare::true_error(truth).value());
  const auto bias = tare::bias_of(truth, {.sizes = {200}, .replicates = 20}).value();
  for (const tare::BiasLine& line : bias.lines)
    if (line.mean) show("bias " + line.estimator, *line.mean);
  const auto report = tare::test(test, {.resamples = 99, .detectable = false}).value();
  for (const tare::TestLine& line : report.lines)
    if (line.value) show("test " + line.statistic, *line.value);
}
