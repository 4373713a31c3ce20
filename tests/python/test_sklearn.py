"""scikit-learn to the letter: its common checks for every calibrator, metadata routing, scorers, frozen estimators."""

import pickle

import numpy as np
import pytest

import tare
from tare._calibrators import CALIBRATORS

pytest.importorskip("sklearn")
import sklearn  # noqa: E402
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier  # noqa: E402
from sklearn.datasets import make_classification  # noqa: E402
from sklearn.frozen import FrozenEstimator  # noqa: E402
from sklearn.linear_model import LinearRegression, LogisticRegression  # noqa: E402
from sklearn.metrics import log_loss  # noqa: E402
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate  # noqa: E402
from sklearn.naive_bayes import GaussianNB  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402
from sklearn.utils import get_tags  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

COLUMNS = "a calibrator needs a column for each class, and the check has fewer"
EXPECTED = dict.fromkeys((
    "check_estimators_overwrite_params", "check_estimators_fit_returns_self", "check_readonly_memmap_input",
    "check_sample_weights_not_an_array", "check_classifier_data_not_an_array", "check_classifiers_classes", "check_classifiers_train"), COLUMNS)
EXPECTED |= {"check_dtype_object": "the error names the array and its type, in other words than scikit-learn's"}


def expected(estimator):
    more = {}
    if "temperature" in estimator.method:
        more["check_classifiers_one_label"] = "one temperature keeps the predicted class, whatever the labels are"
    if estimator.method == "matrix":
        more["check_sample_weight_equivalence_on_dense_data"] = "two fits of a flat optimum differ in the sixth digit"
    return EXPECTED | more


@parametrize_with_checks([cls("logits") for cls in CALIBRATORS.values()], expected_failed_checks=expected)
@pytest.mark.filterwarnings("ignore::tare.FitWarning")
def test_scikit_learns_checks_of_calibrators(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    return make_classification(1200, n_features=8, n_informative=4, n_classes=3, random_state=3)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_calibrators_are_estimators(data):
    for cls in CALIBRATORS.values():
        one = cls("probs")
        assert isinstance(one, (BaseEstimator, ClassifierMixin)) and is_classifier(one)
        assert get_tags(one).input_tags.positive_only and not get_tags(cls("logits")).input_tags.positive_only
        assert get_tags(one).target_tags.required
    assert not get_tags(tare.PriorShift("probs", prior=[0.5, 0.5])).target_tags.required


def test_zero_rows_and_logarithms(data):
    X, y = data
    p = GaussianNB().fit(X, y).predict_proba(X)
    one = tare.TemperatureScaling("probs").fit(p, y)
    assert one.predict_proba(p[:0]).shape == (0, 3) and one.predict(p[:0]).shape == (0,)
    assert np.allclose(np.exp(one.predict_log_proba(p)), one.predict_proba(p))
    tree = tare.CalibratedClassifier(GaussianNB(), method="isotonic").fit(X, y)
    logs = tree.predict_log_proba(X)
    assert np.isneginf(logs).any() and np.allclose(np.exp(logs), tree.predict_proba(X))
    with pytest.raises(ValueError, match="X has 2 features, but TemperatureScaling is expecting 3 features as input"):
        one.predict_proba(p[:, :2])


def test_an_infinite_log_loss_is_minus_infinity(data):
    X, y = data
    tree = DecisionTreeClassifier(random_state=0)
    scores = cross_val_score(tree, X, y, scoring=tare.metrics.neg_nll, cv=3)
    assert np.isneginf(scores).all() and not np.isnan(scores).any()
    smooth = GaussianNB().fit(X, y)
    clipped = np.clip(smooth.predict_proba(X), 1e-9, 1)
    assert tare.metrics.neg_nll(smooth, X, y) == pytest.approx(-log_loss(y, clipped / clipped.sum(axis=1, keepdims=True)), abs=1e-6)


def test_weights_may_have_any_sum(data):
    X, y = data
    model = GaussianNB().fit(X, y)
    w = np.random.default_rng(1).uniform(0.5, 2, len(y))
    for name in ("debias_em", "rank_poly", "brier"):
        score = tare.metrics.scorer(name)
        assert score(model, X, y, sample_weight=w / w.sum()) == pytest.approx(score(model, X, y, sample_weight=1000 * w), rel=1e-9), name
        assert score(model, X, y, sample_weight=np.full(len(y), 1 / 7)) == pytest.approx(score(model, X, y), rel=1e-9)
    p = model.predict_proba(X)
    for name in ("bbq", "histogram", "matrix"):
        shares = tare.calibrator(name, "probs").fit(p, y, sample_weight=np.full(len(y), 1 / len(y)))
        assert np.allclose(shares.predict_proba(p), tare.calibrator(name, "probs").fit(p, y).predict_proba(p), atol=1e-7), name


def test_scorers_ask_for_weights(data, routing):
    X, y = data
    w = np.where(y == 0, 5.0, 1.0)
    scorer = tare.metrics.scorer("brier").set_score_request(sample_weight=True)
    model = LogisticRegression().set_fit_request(sample_weight=False)
    weighted = cross_val_score(model, X, y, scoring=scorer, cv=3, params={"sample_weight": w})
    plain = cross_val_score(model, X, y, scoring=tare.metrics.neg_brier, cv=3)
    assert not np.allclose(weighted, plain)
    both = cross_validate(model, X, y, scoring={"a": scorer, "b": tare.metrics.scorer("accuracy").set_score_request(sample_weight=False)}, cv=3,
                          params={"sample_weight": w})
    assert np.allclose(both["test_a"], weighted)
    with pytest.raises(Exception, match="sample_weight"):  # neither requested nor refused
        cross_val_score(model, X, y, scoring=tare.metrics.scorer("brier"), cv=3, params={"sample_weight": w})
    assert "sample_weight" in repr(pickle.loads(pickle.dumps(scorer)).get_metadata_routing())


class Recorder(GaussianNB):
    """Remembers whether weights arrived."""

    def fit(self, X, y, sample_weight=None):
        self.weighted_ = sample_weight is not None
        return super().fit(X, y, sample_weight)


def test_requests_of_fit_are_respected(data, routing):
    X, y = data
    w, groups = np.linspace(1, 2, len(y)), np.arange(len(y)) % 4
    asks = tare.CalibratedClassifier(Recorder().set_fit_request(sample_weight=True), cv=3).fit(X, y, sample_weight=w)
    refuses = tare.CalibratedClassifier(Recorder().set_fit_request(sample_weight=False), cv=3).fit(X, y, sample_weight=w)
    assert asks.estimator_.weighted_ and not refuses.estimator_.weighted_
    with pytest.raises(Exception, match="sample_weight"):
        tare.CalibratedClassifier(Recorder(), cv=3).fit(X, y, sample_weight=w)
    split = tare.CalibratedClassifier(GaussianNB(), cv=GroupKFold(4)).fit(X, y, groups=groups)
    assert split.predict_proba(X).shape == (len(y), 3)
    inside = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), tare.CalibratedClassifier(Recorder().set_fit_request(sample_weight=True), cv=3)
                           .set_fit_request(sample_weight=True))
    assert inside.fit(X, y, sample_weight=w)[-1].estimator_.weighted_


def test_without_routing_parameters_follow_their_rows(data):
    X, y = data
    w = np.linspace(1, 2, len(y))
    assert tare.CalibratedClassifier(Recorder(), cv=3).fit(X, y, sample_weight=w).estimator_.weighted_
    assert tare.CalibratedClassifier(Recorder(), cv=3).fit(X, y).estimator_.weighted_ is False


def test_a_frozen_estimator_is_fitted_already(data):
    X, y = data
    base = LogisticRegression().fit(X[:600], y[:600])
    frozen = tare.CalibratedClassifier(FrozenEstimator(base)).fit(X[600:], y[600:])
    prefit = tare.CalibratedClassifier(base, cv="prefit").fit(X[600:], y[600:])
    assert np.array_equal(frozen.predict_proba(X), prefit.predict_proba(X)) and frozen.selection_ == prefit.selection_
    known = y[600:] < 2  # the frozen one knows a third class
    assert tare.CalibratedClassifier(FrozenEstimator(base), method="temperature").fit(X[600:][known], y[600:][known]).predict_proba(X).shape[1] == 3


def test_frames_pass_through_pipelines(data):
    pandas = pytest.importorskip("pandas")
    X, y = data
    frame = pandas.DataFrame(X, columns=[f"x{i}" for i in range(8)])
    pipe = make_pipeline(StandardScaler(), tare.CalibratedClassifier(method="sigmoid", cv=3)).set_output(transform="pandas").fit(frame, y)
    assert list(pipe[-1].feature_names_in_) == list(frame.columns) and pipe[-1].calibrator_.method == "platt"


def test_what_is_no_classifier_is_told_so(data):
    X, y = data
    for call in (lambda: tare.CalibratedClassifier(LinearRegression()).fit(X, y), lambda: tare.metrics.neg_brier(LinearRegression().fit(X, y), X, y)):
        with pytest.raises(tare.Error) as caught:
            call()
        assert caught.value.message == "LinearRegression has neither predict_proba nor decision_function"
        assert caught.value.hint == "calibration is a property of classifiers; pass one"
    with pytest.raises(tare.Error, match="y holds a class that the estimator does not know: 7"):
        tare.metrics.neg_brier(GaussianNB().fit(X, y), X, y + 5)


def test_a_search_clones_scorers_and_calibrators(data):
    X, y = data
    search = GridSearchCV(tare.CalibratedClassifier(GaussianNB(), method=tare.HistogramBinning("probs")), {"method__bins": [5, 9]},
                          scoring=tare.metrics.neg_brier, cv=3).fit(X, y)
    assert search.best_estimator_.calibrator_.bins in (5, 9)
    assert clone(tare.HistogramBinning("probs", bins=5)).bins == 5
