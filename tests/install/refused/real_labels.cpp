// labels are integers
#include <tare/tare.hpp>

tare::Result<tare::Predictions> refused(const std::vector<double>& scores, const std::vector<double>& hits) {
  return tare::from_confidences(scores, hits);
}
