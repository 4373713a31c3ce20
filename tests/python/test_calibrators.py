"""Calibrators: scikit-learn's habits, scikit-learn's and the C++ program's numbers."""

import copy
import pickle

import numpy as np
import pytest

import tare
from tare._calibrators import CALIBRATORS

CLASSES = ["TemperatureScaling", "VectorScaling", "MatrixScaling", "DirichletCalibration", "PlattScaling", "BetaCalibration",
           "IsotonicCalibration", "HistogramBinning", "BBQ", "EnsembleTemperature", "ScalingBinning", "PriorShift"]
ALL = [pytest.param(cls, id=name) for name, cls in CALIBRATORS.items()]


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def test_every_row_of_the_table_has_its_class():
    assert sorted(cls.__name__ for cls in CALIBRATORS.values()) == sorted(CLASSES)
    for name, cls in CALIBRATORS.items():
        assert getattr(tare, cls.__name__) is cls and cls.method == name
        assert type(tare.calibrator(name, "logits")) is cls


@pytest.mark.parametrize("cls", ALL)
def test_habits_of_scikit_learn(cls, binary):
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.utils.validation import check_is_fitted

    p, y = binary
    one = cls("probs", threads=1)
    assert cls.__doc__ and one.get_params()["input"] == "probs"
    twin = clone(one)
    assert twin is not one and twin.get_params() == one.get_params() and repr(twin) == repr(one)
    with pytest.raises(Exception):
        check_is_fitted(one)
    with pytest.raises(ValueError, match="fit"):
        one.predict_proba(p)
    assert one.fit(p, y) is one
    check_is_fitted(one)
    out = one.predict_proba(p)
    assert out.shape == (len(p), 2) and np.allclose(out.sum(axis=1), 1)
    assert np.array_equal(one.predict(p), out.argmax(axis=1))
    assert one.set_params(threads=2) is one and one.threads == 2
    for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
        assert np.array_equal(again.predict_proba(p), out) and again.get_params() == one.get_params()
    assert one.report_["status"] in ("converged", "at_bound") and one.parameters_


@pytest.mark.parametrize("cls", ALL)
def test_saved_here_applied_there(cls, network, program, tmp_path):
    """The saved form is the program's: each reads the other's, and both give the same bits."""
    z, y = network["val_logits"][:2000], network["val_labels"][:2000]
    np.save(tmp_path / "z.npy", z)
    np.save(tmp_path / "y.npy", y)
    ours = cls("logits").fit(z, y)
    ours.save(tmp_path / "ours.json")
    program("fit", cls.method, "--logits", tmp_path / "z.npy", "--labels", tmp_path / "y.npy", "-o", tmp_path / "theirs.json", "--quiet")
    assert (tmp_path / "ours.json").read_text() == (tmp_path / "theirs.json").read_text()
    program("apply", tmp_path / "ours.json", "--logits", tmp_path / "z.npy", "-o", tmp_path / "p.npy", "--quiet")
    assert np.array_equal(np.load(tmp_path / "p.npy"), ours.predict_proba(z))
    loaded = tare.load(tmp_path / "theirs.json")
    assert type(loaded) is cls and loaded.input == "logits"
    assert np.array_equal(loaded.predict_proba(z), ours.predict_proba(z))
    assert type(cls.load(tmp_path / "theirs.json")) is cls


def test_a_file_of_another_method_is_refused(binary, tmp_path):
    tare.PlattScaling("probs").fit(*binary).save(tmp_path / "m.json")
    with pytest.raises(tare.Error, match="holds platt, not temperature"):
        tare.TemperatureScaling.load(tmp_path / "m.json")
    (tmp_path / "m.json").write_text("{")
    with pytest.raises(tare.Error, match="not JSON"):
        tare.load(tmp_path / "m.json")
    with pytest.raises(FileNotFoundError) as caught:
        tare.load(tmp_path / "nothing.json")
    assert isinstance(caught.value, tare.Error) and caught.value.code == "io"
    assert str(caught.value) == f"{tmp_path / 'nothing.json'}: no such file\nhint: check the spelling; relative names start from the working directory"


def test_temperature_is_the_minimum_of_the_log_loss(network):
    pytest.importorskip("scipy")
    from scipy.optimize import minimize_scalar
    from scipy.special import log_softmax

    z, y = network["val_logits"].astype(float), network["val_labels"]
    ours = tare.TemperatureScaling("logits").fit(z, y)

    def nll(log_t):
        return -log_softmax(z / np.exp(log_t), axis=1)[np.arange(len(y)), y].mean()

    best = minimize_scalar(nll, bounds=(-3, 3), method="bounded", options={"xatol": 1e-9})
    t = ours.parameters_["temperature"]
    assert np.log(t) == pytest.approx(best.x, abs=1e-6)
    assert ours.report_["nll_after"] == pytest.approx(best.fun, abs=1e-12)
    assert np.allclose(ours.predict_proba(z), softmax(z / t), atol=1e-14)
    assert np.array_equal(ours.predict(z), z.argmax(axis=1))


def test_isotonic_is_scikit_learns(binary):
    p, y = binary
    theirs = pytest.importorskip("sklearn.isotonic").IsotonicRegression(out_of_bounds="clip").fit(p, y)
    grid = np.linspace(0, 1, 1001)
    ours = tare.IsotonicCalibration("probs").fit(p, y)
    assert np.abs(ours.predict_proba(grid)[:, 1] - theirs.predict(grid)).max() < 1e-12
    w = 1.0 + np.arange(len(p)) % 3
    theirs.fit(p, y, sample_weight=w)
    assert np.abs(ours.fit(p, y, w).predict_proba(grid)[:, 1] - theirs.predict(grid)).max() < 1e-12


def test_platt_is_an_unpenalised_logistic_regression(binary):
    p, y = binary
    clipped = np.clip(p, 1e-3, 1 - 1e-3)
    z = np.log(clipped) - np.log1p(-clipped)
    theirs = pytest.importorskip("sklearn.linear_model").LogisticRegression(C=np.inf, tol=1e-10, max_iter=10000).fit(z[:, None], y)
    ours = tare.PlattScaling("logits").fit(z, y)
    assert np.abs(ours.predict_proba(z) - theirs.predict_proba(z[:, None])).max() < 1e-6


def test_options_arrive(binary):
    p, y = binary
    five = tare.HistogramBinning("probs", bins=5, binning="mass").fit(p, y)
    assert len(np.unique(five.predict_proba(p)[:, 1])) <= 5
    step = tare.IsotonicCalibration("probs", shape="step").fit(p, y)
    assert len(np.unique(step.predict_proba(np.linspace(0, 1, 9999))[:, 1])) < 100
    strong = tare.MatrixScaling("logits", lambda_=1e6, mu=1e6)
    assert strong.get_params()["lambda_"] == 1e6
    rng = np.random.default_rng(1)
    z, k = rng.normal(size=(500, 3)), rng.integers(0, 3, 500)
    weights = np.reshape(strong.fit(z, k).parameters_["W"], (3, 3))
    assert np.abs(weights - np.diag(np.diag(weights))).max() < 1e-3
    with pytest.raises(tare.Error, match="binning is 'x'"):
        tare.HistogramBinning("probs", binning="x").fit(p, y)


def test_a_weight_of_two_is_the_row_twice(binary):
    p, y = binary
    w = 1 + np.arange(len(p)) % 3
    for name in ("temperature", "isotonic", "histogram", "beta", "bbq"):
        weighted = tare.calibrator(name, "probs").fit(p, y, w).predict_proba(p)
        repeated = tare.calibrator(name, "probs").fit(np.repeat(p, w), np.repeat(y, w)).predict_proba(p)
        assert np.abs(weighted - repeated).max() < 1e-12, name


def test_confidences(network):
    p = softmax(network["val_logits"].astype(float))
    c, hit = p.max(axis=1), p.argmax(axis=1) == network["val_labels"]
    ours = tare.IsotonicCalibration("confidences").fit(c, hit)
    assert ours.predict_proba(c).shape == c.shape
    assert tare.ece_em(confidences=ours.predict_proba(c), correct=hit) < 0.5 * tare.ece_em(confidences=c, correct=hit)


def test_a_fit_without_an_optimum_warns():
    with pytest.warns(tare.FitWarning, match="unbounded"):
        tare.PlattScaling("logits").fit([-2.0, -1.0, 1.0, 2.0], [0, 0, 1, 1])


def test_a_fit_on_a_bound_warns_too():
    with pytest.warns(tare.FitWarning, match="at_bound"):
        tare.TemperatureScaling("logits").fit([-2.0, -1.0, 1.0, 2.0], [1, 1, 0, 0])


def test_votes_of_0_and_1():
    """Rows that say 0 or 1 count as often wrong as they were: (k + 1/2) / (m + 1). The same in float32 and float64."""
    p = np.array([0, 0, 0, 1, 1, 1, 1, .25, .75])
    y = np.array([0, 0, 1, 1, 1, 0, 1, 0, 1])
    wide, narrow = (tare.TemperatureScaling("probs").fit(p.astype(kind), y) for kind in (np.float64, np.float32))
    assert wide.parameters_["certain_rate"] == pytest.approx(2.5 / 8) and wide.parameters_ == narrow.parameters_
    assert np.array_equal(wide.predict_proba(p), narrow.predict_proba(p.astype(np.float32)))


def test_in_a_pipeline():
    pytest.importorskip("sklearn")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    rng = np.random.default_rng(5)
    z, y = rng.normal(size=(300, 3)), rng.integers(0, 3, 300)
    pipe = make_pipeline(FunctionTransformer(lambda x: 3 * x), tare.TemperatureScaling("logits")).fit(z, y)
    assert pipe.predict_proba(z).shape == (300, 3)


def test_a_model_applies_only_to_what_it_was_fitted_on(network):
    ours = tare.TemperatureScaling("logits").fit(network["val_logits"], network["val_labels"])
    with pytest.raises(tare.Error, match="10 classes"):
        ours.predict_proba(network["test_logits"][:, :5])


def test_prior_shift_without_labels():
    """Against the equations of Saerens et al. 2002, iterated."""
    rng = np.random.default_rng(5)
    old, new = np.array([0.6, 0.3, 0.1]), np.array([0.1, 0.3, 0.6])
    y = rng.choice(3, 500, p=new)
    x = np.array([[0, 0], [1.5, 0], [0, 1.5]])[y] + rng.normal(size=(500, 2))
    p = softmax(np.log(old) - ((x[:, None] - [[0, 0], [1.5, 0], [0, 1.5]]) ** 2).sum(axis=2) / 2)
    share = old
    for _ in range(5000):
        q = p * share / old
        share = (q / q.sum(axis=1, keepdims=True)).mean(axis=0)
    for prior in ([0.6, 0.3, 0.1], old):
        model = tare.PriorShift("probs", prior=prior).fit(p)
        assert np.allclose(model.parameters_["shares"], share, atol=1e-8) and "PriorShift" in repr(model)
        assert model.report_["nll_after"] is None
    q = p * share / old
    assert np.allclose(model.predict_proba(p), q / q.sum(axis=1, keepdims=True), atol=1e-7)
    with pytest.raises(tare.Error, match="prior"):
        tare.PriorShift("probs").fit(p)
    with pytest.raises(tare.Error, match="labels"):
        tare.TemperatureScaling("probs").fit(p)
    assert np.allclose(tare.PriorShift("probs").fit(p, y).predict_proba(p).mean(axis=0), np.bincount(y) / 500, atol=1e-9)
