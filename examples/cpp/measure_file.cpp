// measure_file FILE [SPLIT]: every estimator on the predictions of one file, as a table; errors as data.
#include <iostream>
#include <string>
#include <tare/tare.hpp>

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "measure_file FILE [SPLIT]\n";
    return 2;
  }
  const auto predictions = tare::read(argv[1], argc > 2 ? argv[2] : "");
  if (!predictions) {
    std::cerr << tare::message(predictions.error()) << '\n';
    return predictions.error().code == tare::Errc::io ? 66 : 65;
  }
  const tare::Progress progress = [](std::string_view stage, std::size_t done, std::size_t total) {
    if (done == total) std::cerr << stage << ": done\n";
  };
  const auto m = tare::measure(*predictions, {.norms = {1}}, {.threads = 0, .progress = progress});
  if (!m) {
    std::cerr << tare::message(m.error()) << '\n';
    return 1;
  }
  for (const tare::EstimateRow& line : m->estimates) {
    std::cout << line.estimator << ' ';
    if (!line.value) {
      std::cout << line.reason << '\n';
      continue;
    }
    std::cout << *line.value;
    if (line.low && line.high) std::cout << " [" << *line.low << ", " << *line.high << ']';
    if (line.noise_high) std::cout << ", noise up to " << *line.noise_high;
    std::cout << '\n';
  }
  std::cout << m->verdict.sentence << '\n';
}
