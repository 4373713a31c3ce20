"""CalibratedClassifier and the scorers, judged by scikit-learn's own checks."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import tare


@parametrize_with_checks([tare.CalibratedClassifier(), tare.CalibratedClassifier(GaussianNB(), method="isotonic", cv=3)])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    return make_classification(2000, n_features=12, n_informative=4, n_redundant=6, n_classes=3, random_state=2)


def test_it_repairs_a_naive_classifier(data):
    X, y = data
    plain = cross_val_predict(GaussianNB(), X, y, method="predict_proba")
    repaired = cross_val_predict(tare.CalibratedClassifier(GaussianNB(), method="temperature"), X, y, method="predict_proba")
    assert tare.ece_em(probs=repaired, labels=y) < 0.6 * tare.ece_em(probs=plain, labels=y)
    assert np.array_equal(repaired.argmax(axis=1), plain.argmax(axis=1))  # a temperature keeps the predicted class


def test_the_calibrator_sees_out_of_fold_predictions(data):
    X, y = data
    cv = KFold(4, shuffle=True, random_state=1)
    ours = tare.CalibratedClassifier(GaussianNB(), method="dirichlet", cv=cv).fit(X, y)
    scores = cross_val_predict(GaussianNB(), X, y, method="predict_proba", cv=cv)
    by_hand = tare.DirichletCalibration("probs").fit(scores, y)
    expected = by_hand.predict_proba(GaussianNB().fit(X, y).predict_proba(X))
    assert np.allclose(ours.predict_proba(X), expected, atol=1e-12)


def test_fitted_estimators(data):
    X, y = data
    base = LogisticRegression().fit(X[:1000], y[:1000])
    prefit = tare.CalibratedClassifier(base, cv="prefit").fit(X[1000:], y[1000:])
    assert prefit.estimator_ is base
    frozen = tare.CalibratedClassifier(FrozenEstimator(base)).fit(X[1000:], y[1000:])
    assert np.allclose(prefit.predict_proba(X), frozen.predict_proba(X), atol=1e-12)


def test_words_as_classes_and_decision_functions(data):
    X, y = data
    words = np.array(["ant", "bee", "cow"])[y]
    svm = tare.CalibratedClassifier(LinearSVC(), method="vector", response="decision_function").fit(X, words)
    assert list(svm.classes_) == ["ant", "bee", "cow"] and svm.score(X, words) > 0.5
    two = tare.CalibratedClassifier(LinearSVC(), method="platt", response="decision_function").fit(X[y < 2], words[y < 2])
    assert two.predict_proba(X).shape == (2000, 2)
    with pytest.raises(tare.Error, match="LinearSVC has no predict_proba"):
        tare.CalibratedClassifier(LinearSVC()).fit(X, y)


def test_a_calibrator_with_options(data):
    X, y = data
    method = tare.HistogramBinning("probs", bins=7)
    ours = tare.CalibratedClassifier(GaussianNB(), method=method).fit(X, y)
    assert ours.calibrator_.bins == 7 and not hasattr(method, "model_")
    assert np.array_equal(pickle.loads(pickle.dumps(ours)).predict_proba(X), ours.predict_proba(X))
    with pytest.raises(tare.Error, match="takes logits"):
        tare.CalibratedClassifier(GaussianNB(), method=tare.BBQ("logits")).fit(X, y)
    with pytest.raises(tare.Error, match="did you mean isotonic"):
        tare.CalibratedClassifier(GaussianNB(), method="isotonc").fit(X, y)


def test_a_rare_class_may_miss_a_fold():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.repeat([0, 1, 2], [30, 29, 1])
    ours = tare.CalibratedClassifier(GaussianNB(), cv=KFold(3, shuffle=True, random_state=0)).fit(X, y)
    assert ours.predict_proba(X).shape == (60, 3)


def test_scorers(data):
    X, y = data
    folds = KFold(3)
    ours = cross_val_score(GaussianNB(), X, y == 1, scoring=tare.metrics.neg_brier, cv=folds)
    theirs = [-brier_score_loss((y == 1)[b], GaussianNB().fit(X[a], (y == 1)[a]).predict_proba(X[b])[:, 1]) for a, b in folds.split(X)]
    assert ours == pytest.approx(theirs, abs=1e-14)
    search = GridSearchCV(tare.CalibratedClassifier(GaussianNB()), {"method": ["temperature", "vector"]},
                          scoring=tare.metrics.neg_nll, cv=folds).fit(X, y)
    assert search.best_params_["method"] in ("temperature", "vector") and search.best_score_ < 0
    many = {"ece": tare.metrics.scorer("ece_em", bins=10, norm=2), "accuracy": tare.metrics.accuracy}
    model = GaussianNB().fit(X, y)
    assert many["ece"](model, X, y) == -tare.ece_em(probs=model.predict_proba(X), labels=y, bins=10, norm=2)
    assert many["accuracy"](model, X, y) == model.score(X, y)
    assert repr(pickle.loads(pickle.dumps(many["ece"]))) == "tare.metrics.scorer('ece_em', bins=10, norm=2)"
    with pytest.raises(tare.Error, match="no estimator"):
        tare.metrics.scorer("ece")
