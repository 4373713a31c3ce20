// deleted
#include <tare/tare.hpp>

double refused(const tare::Predictions& p) { return tare::estimate(p, {.estimator = "ks"})->value; }
