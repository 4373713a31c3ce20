"""Pictures: Axes come back, and what is drawn is what was measured."""

import numpy as np
import pytest

import tare

matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("sklearn")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from sklearn.calibration import CalibrationDisplay  # noqa: E402
from sklearn.isotonic import IsotonicRegression  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402


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
    ax = tare.plot.reliability(measured, style="bars")
    bins = measured["ece_ew"].per_bin
    assert points(ax, "accuracy at").tolist() == [[b["mean_score"], b["mean_label"]] for b in bins]
    tops = sorted(p.get_y() + p.get_height() for p in ax.patches if p.get_hatch())
    assert tops == pytest.approx(sorted(max(b["mean_score"], b["mean_label"]) for b in bins))
    assert ax.get_title() == "ece_ew (l1) 3.86%; by chance up to 0.58%\nn = 10,000, top_label"
    ax.figure.canvas.draw()


def test_reliability_draws_the_curve_in_its_band(measured):
    ax = tare.plot.reliability(measured)
    curve = measured.curve
    assert curve.basis == "rising" and curve.axis == "logit" and ax.get_xscale() == "logit" and curve.diagonal == "outside"
    assert points(ax, "smooth").tolist() == [[c.mean_score, c.curve] for c in curve.cells]
    band = next(c for c in ax.collections if "whole curve" in str(c.get_label()))
    corners = band.get_paths()[0].vertices
    assert {p.low for p in curve.band} | {p.high for p in curve.band} == set(corners[:, 1])
    for cell in curve.cells:  # the estimate lies in the band
        near = [p for p in curve.band if p.from_ <= cell.mean_score <= p.to]
        assert not near or min(p.low for p in near) - 1e-12 <= cell.curve <= max(p.high for p in near) + 1e-12
    ax.figure.canvas.draw()
    assert "leaves the band" in " ".join(t.get_text() for t in ax.figure.texts).replace("\n", " ") or "leaves the band" in curve.sentence


@pytest.mark.parametrize("axis", ["linear", "logit", "rank"])
def test_the_axis_can_be_chosen(measured, axis, tmp_path):
    ax = tare.plot.reliability(measured, axis=axis)
    assert ax.get_xscale() == {"linear": "linear", "logit": "logit", "rank": "function"}[axis]
    for box in boxes(ax.figure):
        assert box.x0 >= -1 and box.y0 >= -1 and box.x1 <= ax.figure.bbox.width + 1 and box.y1 <= ax.figure.bbox.height + 1
    ax.figure.savefig(tmp_path / "x.png")
    with pytest.raises(tare.Error, match="axis is 'log'"):
        tare.plot.reliability(measured, axis="log")
    with pytest.raises(tare.Error, match="style is 'line'"):
        tare.plot.reliability(measured, style="line")


def test_few_values_are_dots_with_exact_intervals():
    from scipy.stats import binomtest

    rng = np.random.default_rng(2)
    score = rng.integers(0, 11, 500) / 10
    hit = rng.random(500) < score**2
    m = tare.measure(probs=score, labels=hit.astype(int), estimators=["ece_ew"])
    assert m.curve.basis == "values"
    for cell in m.curve.cells:
        here = score == cell.first
        exact = binomtest(int(hit[here].sum()), int(here.sum())).proportion_ci(1 - 0.05 / len(m.curve.cells), "exact")
        assert (cell.low, cell.high) == pytest.approx((exact.low, exact.high), abs=1e-9)
    ax = tare.plot.reliability(m)
    assert len(ax.collections[-1].get_offsets()) == len(m.curve.cells) or any(len(c.get_offsets()) == len(m.curve.cells) for c in ax.collections)
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
    ax = tare.plot.reliability(m, class_index=3)
    assert "class 3" in ax.get_title()
    curve = m.class_curves[3]
    assert points(ax, "smooth").tolist() == [[c.mean_score, c.curve] for c in curve.cells]
    assert sum(c.count * c.rate for c in curve.cells) == pytest.approx(np.sum(network["test_labels"] == 3))
    assert not any("smooth" in str(x.get_label()) for x in tare.plot.reliability(m, class_index=3, style="bars").lines)


@pytest.mark.parametrize("axis", ["logit", "rank"])
def test_marks_suit_the_axis(measured, axis):
    """In each fifteenth of the axis lies at most one mark, and together they hold the rows and the hits of the cells on it."""
    ax = tare.plot.reliability(measured, axis=axis)
    marks = next(c for c in ax.collections if "parts of the axis" in str(c.get_label()))
    score, rate = np.asarray(marks.get_offsets()).T
    (low, high), forward = ax.get_xlim(), ax.xaxis.get_transform().transform
    start, stop, *places = forward(np.r_[low, high, score])
    part = np.minimum(15 * (np.array(places) - start) / (stop - start), 14.999).astype(int)
    assert len(score) > 8 and len(np.unique(part)) == len(part)
    cells = [c for c in measured.curve.cells if low <= c.mean_score <= high]
    for s, r, p in zip(score, rate, part):
        there = [c for c in cells if int(min(15 * (forward(np.array([c.mean_score]))[0] - start) / (stop - start), 14.999)) == p]
        assert r == pytest.approx(sum(c.count * c.rate for c in there) / sum(c.count for c in there))
        assert s == pytest.approx(sum(c.count * c.mean_score for c in there) / sum(c.count for c in there))


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


def boxes(figure):
    figure.canvas.draw()
    return [ax.get_tightbbox() for ax in figure.axes]


def test_a_saved_picture_shows_everything(measured, network, tmp_path):
    """The strip, its labels and the title are inside the figure, without options; ticks of the strip are words."""
    full = tare.measure(logits=network["test_logits"], labels=network["test_labels"], name="a network")
    ax = tare.plot.reliability(full, style="bars")
    figure = ax.figure
    for box in boxes(figure):
        assert box.x0 >= -1 and box.y0 >= -1 and box.x1 <= figure.bbox.width + 1 and box.y1 <= figure.bbox.height + 1
    strip = figure.axes[1]
    assert strip.get_xlabel() == "confidence" and strip.get_ylabel() == "rows"
    assert [t.get_text() for t in strip.get_yticklabels()] == ["1", "100", "10k"]
    assert sum(p.get_height() for p in strip.patches) == pytest.approx(10000)
    figure.savefig(tmp_path / "x.png")
    labels = [t.get_text() for t in ax.get_legend().get_texts()]
    assert "isotonic fit (CORP)" in labels and "95 of 100, if calibrated" in labels and ax.get_title().startswith("a network\n")
    # the curve is scikit-learn's isotonic regression of hits on confidences
    z = network["test_logits"].astype(float)
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    score, hit = p.max(axis=1), p.argmax(axis=1) == network["test_labels"]
    fit = IsotonicRegression().fit(score, hit)
    x, y = points(ax, "isotonic").T
    middle = (x[0::2] + x[1::2]) / 2
    inside = [np.argmin(abs(score - m)) for m in middle]
    near = abs(score[inside] - middle) < (x[1::2] - x[0::2]) / 2
    assert near.sum() > 10 and np.allclose(y[0::2][near], fit.predict(score[inside])[near], atol=1e-9)


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
def test_two_in_one_figure_do_not_collide(measured, layout):
    figure, axes = plt.subplots(1, 2, figsize=(10, 5), layout=layout)
    for ax, estimator in zip(axes, ("ece_ew", "ece_em")):
        tare.plot.reliability(measured, ax=ax, estimator=estimator)
    found = boxes(figure)
    for i, a in enumerate(found):
        for b in found[i + 1:]:
            apart = a.x1 <= b.x0 + 2 or b.x1 <= a.x0 + 2 or a.y1 <= b.y0 + 2 or b.y1 <= a.y0 + 2
            assert apart
    free = plt.figure().add_axes([0.2, 0.2, 0.6, 0.6])
    assert tare.plot.reliability(measured, ax=free) is free and len(free.figure.axes) == 2


def test_bias_and_watch():
    report = tare.bbc(model="resnet110_c10", n=[200, 1000], replicates=20, estimators=["ece_ew", "debias_em"])
    ax = tare.plot.bias(report)
    assert points(ax, "ece_ew")[:, 1].tolist() == pytest.approx([100 * r.bias for r in report if r.estimator == "ece_ew" and r.norm == 2])
    assert [t.get_text() for t in ax.get_xticklabels()] == ["200", "1,000"]
    one = tare.plot.bias(model="resnet110_c10", n=200, replicates=20, estimators=["ece_ew"], norm=1)
    assert "n = 200" in one.get_xlabel()
    rng = np.random.default_rng(0)
    p = rng.random(900)
    states = [tare.State().update(probs=p[i::3], labels=rng.random(300) < p[i::3]) for i in range(3)]
    found = tare.watch(states[0], states[1:])
    ax = tare.plot.watch(found)
    assert points(ax, "lost")[:, 1].tolist() == pytest.approx([d.evidence / 20 for d in found])
    with pytest.raises(tare.Error, match="there is no day to draw"):
        tare.plot.watch(tare.watch(states[0], []))


def test_named_measurements(network):
    z, y = network["val_logits"], network["val_labels"]
    several = [tare.measure(logits=z / t, labels=y, intervals=False, name=f"T = {t}") for t in (1, 2)]
    labels = [t.get_text() for t in tare.plot.compare(several).get_legend().get_texts()]
    assert labels[1].startswith("T = 1: ece_ew") and labels[2].startswith("T = 2: ece_ew")


def test_displays_have_scikit_learns_signature(binary):
    p, y = binary
    display = tare.plot.ReliabilityDisplay.from_predictions(y, p, n_bins=10, strategy="quantile", name="mine", color="red", ref_line=False)
    theirs = CalibrationDisplay.from_predictions(y, p, n_bins=10, strategy="quantile")
    assert display.ax_.get_title().startswith("mine\nece_em") and len(display.measurement["ece_em"].per_bin) == 10
    score, rate = points(display.ax_, "observed rate at").T
    assert np.allclose(score, theirs.prob_pred, atol=0.02) and np.allclose(rate, theirs.prob_true, atol=0.05)
    assert not any("perfectly" in str(line.get_label()) for line in display.ax_.lines)
    words = np.where(y, "ill", "well")
    about = tare.plot.ReliabilityDisplay.from_predictions(words, p, pos_label="ill")
    assert about.measurement["ece_ew"].value == tare.ece_ew(probs=p, labels=y)
    model = LogisticRegression().fit(p[:, None], words)
    named = tare.plot.ReliabilityDisplay.from_estimator(model, p[:, None], words, n_bins=7, pos_label="ill")
    assert named.ax_.get_title().startswith("LogisticRegression\n")
    assert named.measurement["ece_ew"].value == tare.ece_ew(probs=model.predict_proba(p[:, None])[:, 0], labels=words == "ill", bins=7)
    for call, words in (
            (lambda: tare.plot.ReliabilityDisplay.from_estimator(model, p[:, None], np.full(len(p), "dead")), "y holds a class that the estimator does not know: 'dead'|dead"),
            (lambda: tare.plot.ReliabilityDisplay.from_predictions(y, p, strategy="x"), "strategy is 'x'"),
            (lambda: tare.plot.ReliabilityDisplay.from_predictions(y, p, nbins=3), "unexpected keyword argument 'nbins'\nhint: did you mean n_bins?"),
            (lambda: tare.plot.reliability(display.measurement, bins=3), "both a measurement and bins were given")):
        with pytest.raises(tare.Error, match=words.replace("?", "\\?")):
            call()


def test_groups():
    rng = np.random.default_rng(0)
    p, region = rng.random(900), np.array(["a", "b", "c"])[rng.integers(0, 3, 900)]
    y = rng.random(900) < np.clip(p - 0.2 * (region == "b"), 0, 1)
    m = tare.measure(probs=p, labels=y, group={"region": region})
    ax = tare.plot.groups(m)
    assert [t.get_text() for t in ax.get_yticklabels()][0] == "b (off)" and ax.get_xlabel().startswith("region: ")
    assert m.groups["b"].found and m.groups["b"].gap == m.groups["b"]["gap"] and "b" in m.groups and m.groups.keys()[0] == "b"
    assert m.groups.to_scalars()["region_b_gap"] == m.groups["b"].gap and m.groups.sentences[0] in m.groups._repr_html_()
    with pytest.raises(tare.Error, match="there are no groups to draw"):
        tare.plot.groups(tare.measure(probs=p, labels=y, intervals=False))


def test_rejection_is_the_cumulative_mean(binary):
    p, y = binary
    score, hit = np.maximum(p, 1 - p), (p > 0.5) == y
    order = np.argsort(-score, kind="stable")
    running = np.cumsum(hit[order]) / np.arange(1, len(p) + 1)
    line = points(tare.plot.rejection(probs=p, labels=y), "accuracy")
    kept = np.rint(line[:, 0] / 100 * len(p)).astype(int)
    assert line[:, 1] == pytest.approx(100 * running[kept - 1])
    assert kept[-1] == len(p)
    claimed = np.cumsum(score[order]) / np.arange(1, len(p) + 1)
    assert points(plt.gca(), "claimed")[:, 1] == pytest.approx(100 * claimed[kept - 1])


def test_bins_and_detectable_draw_what_is_measured(binary):
    p, y = binary
    left, right = tare.plot.bins(probs=p, labels=y, sizes=[100])
    line = points(left, "ece_ew")
    at = line[:, 0].tolist().index(10)
    assert line[at, 1] == pytest.approx(100 * tare.ece_ew(probs=p, labels=y, bins=10, norm=1))
    assert points(right, "ece_ew")[-1, 0] == len(p)
    ax = tare.plot.detectable(probs=p, labels=y, sizes=[300])
    tce = tare.test(probs=p, labels=y).to_dict()["detectable"]["tce"]
    assert [len(p), 100 * tce] in [pytest.approx(row) for row in points(ax, "smallest error").tolist()]


def test_estimators_have_one_line_each(measured):
    ax = tare.plot.estimators(measured)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["ece_ew (l1)", "ece_em (l1)"]


def test_estimators_look_the_same_everywhere():
    looks = {row["name"]: row["look"] for row in tare._calls.TABLES["estimators"]}
    assert len({(look["mark"], look["dash"]) for look in looks.values()}) == len(looks)
    ax = tare.plot.bias(model="resnet110_c10", n=[200, 400], replicates=5, estimators=["ece_ew", "sweep_em"])
    for line in ax.lines[:2]:
        assert line.get_color() == looks[line.get_label()]["colour"]


def test_map_is_what_the_calibrator_does(binary):
    p, y = np.clip(binary[0], 0.001, 0.999), binary[1]
    z = np.log(p / (1 - p))
    c = tare.calibrator("temperature", "logits").fit(z, y)
    line = points(tare.plot.map(c, logits=z, labels=y), "temperature")
    odds = np.log(line[:, 0] / (100 - line[:, 0]))
    t = c.parameters_["temperature"]
    assert line[:, 1] == pytest.approx(100 / (1 + np.exp(-odds / t)), abs=0.2)  # points are means of neighbours


def test_curves_before_and_after_and_of_models(binary, tmp_path):
    p, y = binary
    c = tare.calibrator("isotonic", "probs").fit(p, y)
    ax = tare.plot.before_after(c, probs=p, labels=y)
    assert {"before", "after isotonic"} <= {str(x.get_label()) for x in ax.lines}
    ax = tare.plot.models({"a": {"probs": p, "labels": y}, "b": {"probs": p**2, "labels": y}})
    assert {"a", "b"} <= {str(x.get_label()) for x in ax.lines}
    assert ax.get_xscale() == "linear"
    high = 1 - (1 - p) ** 8 / 256  # where the rows are, a linear axis has no room
    assert tare.plot.models({"a": {"probs": high, "labels": y}, "b": {"probs": high, "labels": y}}).get_xscale() == "logit"
    rows = tmp_path / "rows.csv"
    rows.write_text("confidence,correct\n0.9,1\n0.6,0\n0.7,1\n")  # a path is data, too
    assert tare.plot.models([rows]).lines[1].get_label() == str(rows)
    assert points(tare.plot.rejection(rows), "accuracy")[-1, 1] == pytest.approx(200 / 3)
    with pytest.raises(tare.Error, match="told apart"):
        tare.plot.models({str(i): {"probs": p, "labels": y} for i in range(9)})
    with pytest.raises(tare.Error, match="no fitted calibrator"):
        tare.plot.map(3, probs=p, labels=y)
