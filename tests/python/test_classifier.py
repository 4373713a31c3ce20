"""CalibratedClassifier and the scorers, judged by scikit-learn's own checks."""

import pickle

import numpy as np
import pytest

import tare

pytest.importorskip("sklearn")
from sklearn.datasets import make_classification  # noqa: E402
from sklearn.ensemble import RandomForestClassifier  # noqa: E402
from sklearn.frozen import FrozenEstimator  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.metrics import brier_score_loss  # noqa: E402
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score, train_test_split  # noqa: E402
from sklearn.naive_bayes import GaussianNB  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402


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
    prefit = tare.CalibratedClassifier(base, method="temperature", cv="prefit").fit(X[1000:], y[1000:])
    assert prefit.estimator_ is base
    frozen = tare.CalibratedClassifier(FrozenEstimator(base), method="temperature").fit(X[1000:], y[1000:])
    assert np.allclose(prefit.predict_proba(X), frozen.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("trees, seed", [(30, 0), (30, 1), (5, 0)])
def test_the_default_does_no_harm_to_a_forest(trees, seed):
    """Its votes of exactly 0 and 1 once made a temperature of 231 and a Brier score of .2305 of one of .0862."""
    X, y = make_classification(4000, n_features=20, n_informative=4, flip_y=.1, random_state=1)
    a, b, ya, yb = train_test_split(X, y, test_size=.5, random_state=seed)
    forest = RandomForestClassifier(trees, random_state=seed)
    raw = brier_score_loss(yb, forest.fit(a, ya).predict_proba(b)[:, 1])
    for method in ("auto", "temperature", "platt", "beta", "vector", "dirichlet"):
        repaired = tare.CalibratedClassifier(forest, method=method, cv=3).fit(a, ya).predict_proba(b)[:, 1]
        assert brier_score_loss(yb, repaired) < raw, method


def test_auto_takes_the_lowest_brier_score(data):
    X, y = data
    forest = RandomForestClassifier(20, random_state=0)
    ours = tare.CalibratedClassifier(forest, cv=KFold(4)).fit(X, y)
    scores = cross_val_predict(forest, X, y, method="predict_proba", cv=KFold(4))
    expected = {"uncalibrated": scores}
    for name in ("temperature", "platt", "beta"):
        expected[name] = np.empty_like(scores)
        for a, b in KFold(4).split(X):
            expected[name][b] = tare.calibrator(name, "probs").fit(scores[a], y[a]).predict_proba(scores[b])
    brier = {name: tare.brier(probs=p, labels=y) for name, p in expected.items()}
    assert ours.selection_ == pytest.approx(brier, rel=1e-12)
    assert ours.calibrator_.method == min(brier, key=brier.get)


class Honest(LogisticRegression):
    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def test_auto_leaves_a_calibrated_classifier_alone():
    rng = np.random.default_rng(0)
    p = rng.uniform(size=3000)
    y = (rng.uniform(size=3000) < p).astype(int)
    base = Honest().fit(p[:, None], y)
    chosen = [tare.CalibratedClassifier(base, cv="prefit").fit(p[i::3][:, None], y[i::3]) for i in range(3)]
    alone = next(c for c in chosen if c.calibrator_.method == "uncalibrated")  # the others chose by luck, and won nothing
    assert np.allclose(alone.predict_proba(p[:, None])[:, 1], p, atol=1e-15)
    assert np.array_equal(pickle.loads(pickle.dumps(alone)).predict_proba(p[:, None]), alone.predict_proba(p[:, None]))
    shuffled = rng.permutation(1000)
    again = tare.CalibratedClassifier(base, cv="prefit").fit(p[::3][shuffled][:, None], y[::3][shuffled])
    assert again.selection_ == pytest.approx(chosen[0].selection_, rel=1e-12)  # the order of the rows is no matter


def test_auto_on_decision_functions(data):
    X, y = data
    svm = tare.CalibratedClassifier(LinearSVC(), response="decision_function").fit(X, y)
    assert set(svm.selection_) == {"uncalibrated", "temperature", "platt", "beta"}
    assert np.allclose(svm.predict_proba(X).sum(axis=1), 1)


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
