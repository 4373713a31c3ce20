// tare: can a classifier's confidences be believed, how much of that answer is noise and bias, and how to repair them.
//
//   version.hpp      the version, and of the library that runs
//   result.hpp       Result<T>, Error: no function of this library throws
//   run.hpp          Run: threads, seed, progress, cancel
//   predictions.hpp  from_logits, from_probs, from_confidences
//   files.hpp        read files; write a report, a picture
//   estimators.hpp   the table of estimators; estimate
//   verdict.hpp      Verdict: the one decision, in numbers and in a sentence
//   measurement.hpp  measure: every estimator with noise and interval, and the verdict
//   curve.hpp        calibration_curve: a smooth curve, and a band for the whole true one
//   tests.hpp        test: p-values, and what n could have shown
//   calibrators.hpp  fit, apply, save, load; compare
//   simulation.hpp   known truths: draw, true_error, bias
//   state.hpp        State: rows that keep coming
//
// Everything const may be called from several threads at once. Threads live within one call; none stays.
#pragma once

#include <tare/calibrators.hpp>
#include <tare/curve.hpp>
#include <tare/estimators.hpp>
#include <tare/files.hpp>
#include <tare/measurement.hpp>
#include <tare/predictions.hpp>
#include <tare/result.hpp>
#include <tare/run.hpp>
#include <tare/simulation.hpp>
#include <tare/state.hpp>
#include <tare/tests.hpp>
#include <tare/verdict.hpp>
#include <tare/version.hpp>
