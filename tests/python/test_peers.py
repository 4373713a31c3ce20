"""Other programs on the same data: each test states the rule under which both agree, and the known differences stand as
expectations. A peer that is not installed is skipped (python/requirements-peers.txt installs them)."""

import warnings

import numpy as np
import pytest

import tare

pytest.importorskip("scipy")
pytest.importorskip("sklearn")
from scipy.special import logit, softmax  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.metrics import log_loss  # noqa: E402

EXACT = 1e-9
N = 15 * 600  # a multiple of the bins: then every rule for equal counts gives the same bins


@pytest.fixture(scope="module")
def data():
    """Distinct scores, none on the edge of a bin; underconfident below 0.6 and overconfident above."""
    rng = np.random.default_rng(3)
    p = rng.beta(2, 1, N)
    return p, (rng.random(N) < 0.3 + 0.5 * p).astype(int)


@pytest.fixture(scope="module")
def many(network):
    z = network["test_logits"].astype(np.float64)
    return softmax(z, axis=1), network["test_labels"].astype(np.int64)


def peer(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name, exc_type=ImportError)


# torchmetrics: [a, b), a bin of its own for 1; counts in the type of the scores


def test_torchmetrics_agrees_off_the_edges(data, many):
    torch, tm = peer("torch"), peer("torchmetrics.functional.classification")
    p, y = data
    for norm, ours in (("l1", tare.ece_ew(probs=p, labels=y)), ("l2", tare.ece_ew(probs=p, labels=y, norm=2)),
                       ("max", tare.mce_ew(probs=p, labels=y))):
        theirs = tm.binary_calibration_error(torch.tensor(p), torch.tensor(y), n_bins=15, norm=norm)
        assert float(theirs) == pytest.approx(ours, abs=EXACT)
    matrix, label = many
    top, hit = torch.tensor(matrix.max(axis=1)), torch.tensor(matrix.argmax(axis=1) == label).int()
    theirs = tm.binary_calibration_error(top, hit, n_bins=15)
    assert float(theirs) == pytest.approx(tare.ece_ew(probs=matrix, labels=label), abs=EXACT)


def test_torchmetrics_adds_up_many_classes_in_float32(many):
    """The multiclass function converts to float32 and adds row after row, so that the sum of a bin of thousands is off in its
    fourth digit after the point. The same sums by hand give its number; ours is that of exact sums."""
    torch, tm = peer("torch"), peer("torchmetrics.functional.classification")
    matrix, label = many
    theirs = float(tm.multiclass_calibration_error(torch.tensor(matrix), torch.tensor(label), 10, n_bins=15))
    score, hit = matrix.max(axis=1).astype(np.float32), matrix.argmax(axis=1) == label
    at = np.searchsorted(torch.linspace(0, 1, 16).numpy(), score, side="right")
    gaps = [abs(float(np.cumsum(score[at == b], dtype=np.float32)[-1]) - hit[at == b].sum()) for b in np.unique(at)]
    assert theirs == pytest.approx(sum(gaps) / len(hit), abs=1e-8)
    assert theirs != pytest.approx(tare.ece_ew(probs=matrix, labels=label), abs=1e-6)


def test_torchmetrics_has_a_bin_of_its_own_for_one():
    torch, tm = peer("torch"), peer("torchmetrics.functional.classification")
    p, y = np.array([0.95, 1.0]), np.array([1, 0])  # on paper: one bin, mean 0.975 and 0.5; in two: (0.05 + 1) / 2
    assert tare.ece_ew(probs=p, labels=y, bins=10) == pytest.approx(0.475, abs=1e-12)
    assert float(tm.binary_calibration_error(torch.tensor(p), torch.tensor(y), n_bins=10)) == pytest.approx(0.525, abs=1e-6)


def test_torchmetrics_counts_to_two_to_the_24th():
    torch, tm = peer("torch"), peer("torchmetrics.functional.classification")
    n = 3 * 2**23
    p, y = np.full(n, 0.875, dtype=np.float32), np.ones(n, dtype=np.int8)
    y[::4] = 0  # true error 0.875 - 0.75
    assert tare.ece_ew(probs=p, labels=y) == pytest.approx(0.125, abs=1e-12)
    assert abs(float(tm.binary_calibration_error(torch.tensor(p), torch.tensor(y), n_bins=15)) - 0.125) > 0.01


# netcal: [a, b) with the last closed


def test_netcal_metrics_agree_off_the_edges(data):
    metrics = peer("netcal.metrics")
    p, y = data
    assert metrics.ECE(15).measure(p, y) == pytest.approx(tare.ece_ew(probs=p, labels=y), abs=EXACT)
    assert metrics.MCE(15).measure(p, y) == pytest.approx(tare.mce_ew(probs=p, labels=y), abs=EXACT)


def test_netcal_calibrators(data):
    binning, scaling = peer("netcal.binning"), peer("netcal.scaling")
    p, y = data
    for theirs, ours, tolerance in ((binning.HistogramBinning(bins=15), "histogram", EXACT), (binning.IsotonicRegression(), "isotonic", EXACT),
                                    (scaling.TemperatureScaling(), "temperature", 1e-4)):  # its optimiser stops early
        theirs.fit(p, y)
        mine = tare.calibrator(ours, "probs").fit(p, y).predict_proba(p)[:, 1]
        assert np.abs(theirs.transform(p) - mine).max() < tolerance, ours


def test_netcal_measures_nan_without_a_word(data):
    metrics = peer("netcal.metrics")
    p, y = data[0].copy(), data[1]
    p[17] = np.nan
    with pytest.raises(tare.Error, match="row 17"):
        tare.ece_ew(probs=p, labels=y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isfinite(metrics.ECE(15).measure(p, y))


# uncertainty-calibration: (a, b]; equal counts by midpoints


def test_uncertainty_calibration_agrees(data, many):
    uc = peer("calibration")
    p, y = data
    assert uc.get_ece(p, y, num_bins=15) == pytest.approx(tare.ece_ew(probs=p, labels=y), abs=EXACT)
    assert uc.get_ece_em(p, y, num_bins=15) == pytest.approx(tare.ece_em(probs=p, labels=y), abs=EXACT)
    for scheme, ours in ((uc.utils.get_equal_bins, tare.debias_em), (uc.utils.get_equal_prob_bins, tare.debias_ew)):
        theirs = uc.utils.lower_bound_scaling_ce(p, y, p=2, debias=True, num_bins=15, binning_scheme=scheme)
        assert theirs == pytest.approx(ours(probs=p, labels=y), abs=EXACT)
    matrix, label = many
    assert uc.get_ece(matrix, label, num_bins=15) == pytest.approx(tare.ece_ew(probs=matrix, labels=label), abs=EXACT)


def test_uncertainty_calibration_keeps_bias_in_the_mean_over_classes():
    """It clamps and takes the root per class; of a perfectly calibrated model only the mean of the squares averages out."""
    uc = peer("calibration")
    rng = np.random.default_rng(5)
    p = rng.dirichlet(np.ones(10), 2000)
    y = (p.cumsum(axis=1) > rng.random((2000, 1))).argmax(axis=1)
    theirs = uc.utils.lower_bound_scaling_ce(p, y, p=2, debias=True, num_bins=15, binning_scheme=uc.utils.get_equal_bins, mode="marginal")
    assert tare.debias_em(probs=p, labels=y, reduction="classwise") < theirs


# probcal: [a, b); quantile edges


def test_probcal_agrees_off_the_edges(data):
    metrics = peer("probcal.metrics")
    p, y = data
    assert metrics.ece(y, p, strategy="width") == pytest.approx(tare.ece_ew(probs=p, labels=y), abs=EXACT)
    assert metrics.ece(y, p, strategy="mass") == pytest.approx(tare.ece_em(probs=p, labels=y), abs=EXACT)
    assert metrics.ece(y, p, strategy="mass", norm="l2") == pytest.approx(tare.ece_em(probs=p, labels=y, norm=2), abs=EXACT)
    z = tare.test(probs=p, labels=y, statistics="spiegelhalter", resamples=99, detectable=False)["spiegelhalter"]["statistic"]
    assert metrics.spiegelhalter_z(y, p).z == pytest.approx(z, abs=EXACT)


def test_probcal_sweep_agrees_while_its_bins_do(data):
    """Its quantile edges fall between rows, ours cut at floor(i b / n): a row may change bins when b does not divide n, so the
    two agree to the weight of a few rows."""
    metrics = peer("probcal.metrics")
    p, y = data
    assert metrics.ece_sweep(y, p, max_bins=N) == pytest.approx(tare.sweep_em(probs=p, labels=y), abs=20 / N)


def test_probcal_debiases_another_quantity(data):
    """A sum of roots, clamped per bin (l1), where ours is the root of an unclamped sum (l2)."""
    metrics = peer("probcal.metrics")
    p, y = data
    assert abs(metrics.ece_debiased(y, p) - tare.debias_em(probs=p, labels=y)) > 1e-3


# relplot: a grid for sigma (10 bisections) and for scores (2000 points)


def test_relplot_agrees_to_its_grid(data):
    relplot = peer("relplot")
    p, y = data
    assert relplot.smECE(p, y) == pytest.approx(tare.smece(probs=p, labels=y), abs=1e-3)
    # 1 / 16 is a double: int(p / bin_size) then is the bin, which it is not for 0.3 / 0.1
    assert relplot.metrics.binnedECE(p, y, nbins=16) == pytest.approx(tare.ece_ew(probs=p, labels=y, bins=16), abs=EXACT)
    assert relplot.metrics.binning(np.array([0.3]), np.array([0]), 0.1).nonzero()[0] == [2]


# venn-abers and betacal


def test_venn_abers_is_two_isotonic_fits(data):
    """p0 and p1 of a score are isotonic regressions on the data and one more row, labelled 0 or 1."""
    va = peer("venn_abers.venn_abers")
    p, y = data[0][:300], data[1][:300]
    p0, p1, c = va.calc_p0p1(np.column_stack([1 - p, p]), y)
    at = np.array([0.2, 0.5, 0.77, 0.9])
    _, bracket = va.calc_probs(p0, p1, c, np.column_stack([1 - at, at]))
    for score, expected in zip(at, bracket):
        for label in (0, 1):
            one = tare.IsotonicCalibration("probs").fit(np.append(p, score), np.append(y, label))
            assert one.predict_proba([score])[0, 1] == pytest.approx(expected[label], abs=EXACT)


def test_betacal_agrees_to_its_optimiser(data):
    """It is scikit-learn's logistic regression on ln p and -ln(1 - p), stopped at a gradient of 1e-4; carried on to 1e-10 the
    same regression is ours."""
    betacal = peer("betacal")
    p, y = data
    theirs = betacal.BetaCalibration("abm").fit(p[:, None], y).predict(p)
    features = np.column_stack([np.log(p), -np.log1p(-p)])

    def regression(tol):
        return LogisticRegression(C=np.inf, tol=tol, max_iter=10000).fit(features, y).predict_proba(features)[:, 1]

    assert np.abs(theirs - regression(1e-4)).max() < EXACT
    ours = tare.BetaCalibration("probs").fit(p, y).predict_proba(p)[:, 1]
    assert np.abs(ours - regression(1e-10)).max() < EXACT
    # at the optimum the residuals are orthogonal to every feature, and the log loss is not above theirs
    assert np.abs((ours - y) @ np.column_stack([features, np.ones(N)])).max() / N < 1e-12
    assert log_loss(y, ours) <= log_loss(y, theirs)


def test_scikit_learns_temperature_is_ours():
    """scikit-learn 1.8 and later; of two classes it doubles the margin, so its temperature is twice ours."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.datasets import make_classification
    from sklearn.frozen import FrozenEstimator
    from sklearn.naive_bayes import GaussianNB

    X, y = make_classification(1500, n_classes=3, n_informative=5, random_state=1)
    base = GaussianNB().fit(X[:500], y[:500])
    try:
        theirs = CalibratedClassifierCV(FrozenEstimator(base), method="temperature", ensemble=False).fit(X[500:], y[500:])
    except ValueError:
        pytest.skip("this scikit-learn has no temperature scaling")
    ours = tare.CalibratedClassifier(base, method="temperature", cv="prefit").fit(X[500:], y[500:])
    assert np.abs(theirs.predict_proba(X) - ours.predict_proba(X)).max() < 1e-3


def test_logits_of_two_classes_are_log_odds(data):
    p, y = data
    assert tare.ece_ew(logits=logit(p), labels=y) == pytest.approx(tare.ece_ew(probs=p, labels=y), abs=1e-12)
