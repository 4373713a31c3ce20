// Four predictions by hand: mean confidence 0.75, accuracy 0.5, one bin, so the error is 0.25.
#include <cmath>
#include <cstring>
#include <tare/tare.hpp>

double measured_early();

int main() {
  if (std::abs(measured_early() - 0.25) > 1e-15) return 1;
  if (std::strcmp(tare::version(), TARE_VERSION) != 0) return 2;
  const auto bad = tare::from_probs(std::vector<double>{0.5, 3.2}, 1, std::vector<int>{0, 1});
  if (bad || bad.error().place.row != 1) return 3;
  try {
    (void)bad.value();
    return 4;
  } catch (const tare::Failure& failure) {  // thrown by the library, caught here: one type
    return failure.error().code == tare::Errc::bad_input ? 0 : 5;
  }
}
