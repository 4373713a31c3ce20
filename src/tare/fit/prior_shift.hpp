// Prior shift: p'(c | x) ~ p(c | x) exp(b_c), one intercept per class and nothing else. It is Bayes' rule for data in
// which the classes have other shares than those the model was calibrated for, and look the same otherwise (label
// shift): then exp(b_c) is the new share of class c divided by the old one.
// Saerens, Latinne and Decaestecker 2002, "Adjusting the outputs of a classifier to new a priori probabilities".
//
// With the old shares (`prior`) no labels are needed: the new shares are those of largest likelihood
// (class_shares.hpp). Without, the intercepts are fitted to the labels by maximum likelihood; at the optimum the
// mean probability of every class is the share of its labels. The intercepts are saved centred. One column: one number.
// Probabilities of exactly 0 stay 0.
#pragma once

#include "tare/fit/spec.hpp"

namespace tare::detail::fit {

Result<Model> prior_shift(const MulticlassView& view, const Options& options = {});

extern const Calibrator prior_shift_calibrator;

}  // namespace tare::detail::fit
