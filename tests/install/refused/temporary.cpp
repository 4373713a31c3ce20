// this temporary would be gone before it is used
#include <tare/tare.hpp>

tare::Result<void> refused(const tare::Calibrator& model, std::span<double> out) {
  return model.apply_rows(std::vector<double>{0.5, 0.5}, out);
}
