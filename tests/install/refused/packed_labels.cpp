// labels must lie side by side
#include <tare/tare.hpp>

tare::Result<tare::Predictions> refused(const std::vector<double>& scores, const std::vector<bool>& hits) {
  return tare::from_confidences(scores, hits);
}
