"""Pictures: Axes come back, and what is drawn is what was measured."""

import matplotlib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import tare

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def measured(network):
    return tare.measure(logits=network["test_logits"], labels=network["test_labels"], estimators=["ece_ew", "ece_em"])


def points(ax, label):
    line = next(x for x in ax.lines if label in str(x.get_label()))
    return line.get_xydata()


def test_reliability_draws_the_bins(measured):
    ax = tare.plot.reliability(measured)
    bins = measured["ece_ew"].per_bin
    assert points(ax, "accuracy at").tolist() == [[b["mean_score"], b["mean_label"]] for b in bins]
    tops = sorted(p.get_y() + p.get_height() for p in ax.patches if p.get_hatch())
    assert tops == pytest.approx(sorted(max(b["mean_score"], b["mean_label"]) for b in bins))
    assert "3.86%" in ax.get_title()
    ax.figure.canvas.draw()


def test_axes_are_taken(measured, binary):
    figure, (left, right) = plt.subplots(1, 2)
    assert tare.plot.reliability(measured, ax=left, estimator="ece_em", norm=2, counts=False) is left
    assert tare.plot.histogram(measured, ax=right) is right
    heights = [p.get_height() for p in right.patches]
    assert sum(heights) == pytest.approx(1)
    assert tare.plot.reliability(probs=binary[0], labels=binary[1], bins=5).get_xlabel() == ""
    with pytest.raises(tare.Error, match="no bins of smece"):
        tare.plot.reliability(measured, estimator="smece")
    figure.canvas.draw()


def test_classwise_takes_the_worst_class(network):
    m = tare.measure(logits=network["test_logits"], labels=network["test_labels"], reduction="classwise", intervals=False,
                     estimators=["ece_ew"])
    per_class = {e.class_index: e.value for e in m if e.norm == 1 and e.class_index is not None}
    worst = max(per_class, key=per_class.get)
    assert f"class {worst}" in tare.plot.reliability(m).get_title()
    assert "class 3" in tare.plot.reliability(m, class_index=3).get_title()


def test_compare_two_ways(network):
    z, y = network["val_logits"], network["val_labels"]
    before = tare.measure(logits=z, labels=y, intervals=False)
    after = tare.measure(probs=tare.TemperatureScaling("logits").fit(z, y).predict_proba(z), labels=y, intervals=False)
    curves = tare.plot.compare({"before": before, "after": after})
    assert len(points(curves, "before")) == len(before["ece_ew"].per_bin)
    differences = tare.plot.compare(tare.compare(logits=z[:1000], labels=y[:1000], methods=["temperature", "vector"], resamples=50))
    assert [t.get_text().split()[0] for t in differences.get_yticklabels()] == ["temperature", "vector"]


def test_displays_like_scikit_learns(binary):
    p, y = binary
    display = tare.plot.ReliabilityDisplay.from_predictions(y, probs=p)
    assert display.figure_ is display.ax_.figure
    model = LogisticRegression().fit(p[:, None], np.where(y, "yes", "no"))
    fitted = tare.plot.ReliabilityDisplay.from_estimator(model, p[:, None], np.where(y, "yes", "no"), ax=display.ax_)
    assert fitted.ax_ is display.ax_
    assert fitted.measurement.input["reduction"] == "positive"
