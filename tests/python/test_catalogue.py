"""What the command line has, Python has: list, paper, verdict."""

import importlib.util
import json
import os

import numpy as np
import pytest

import tare


def test_the_list_is_the_programs(program):
    theirs = json.loads(program("list", "--json"))
    ours = tare.list()
    for kind in ("estimators", "tests", "calibrators"):
        assert [e.name for e in getattr(ours, kind)] == [row["name"] for row in theirs[kind]]
        assert [e.summary for e in getattr(ours, kind)] == [row["summary"] for row in theirs[kind]]
    assert ours.models == [row["name"] for row in theirs["models"]]
    assert "rank_poly" in ours and ours["rank_poly"].estimand == "tce" and ours["temperature"].kind == "calibrator"
    assert "rank_poly" in repr(ours) and "<td>platt</td>" in ours._repr_html_()
    with pytest.raises(KeyError, match="there is no 'platte'\nhint: did you mean platt?"):
        ours["platte"]
    assert "list" not in tare.__all__ and "list" in dir(tare)


def test_a_verdict_alone(binary):
    p, y = binary
    v = tare.verdict(probs=p, labels=y)
    assert isinstance(v, tare.Verdict) and v == tare.measure(probs=p, labels=y).verdict and v.miscalibrated
    assert str(v) == v.sentence and v.sentence in v._repr_html_()
    with pytest.raises(tare.Error, match="there is no verdict without redrawn labels, or classwise"):
        tare.verdict(probs=p, labels=y, intervals=False)
    with pytest.raises(TypeError, match="did you mean probs"):
        tare.verdict(prob=p, labels=y)


@pytest.mark.skipif("TARE_NUMPY_ONLY" in os.environ and not importlib.util.find_spec("tare_data"), reason="needs tare-data")
def test_papers_are_recomputed(tmp_path):
    names = [item["name"] for item in tare.paper()["items"]]
    assert "fig1" in names and "table2" in names
    found = tare.paper(["fig1"], out=tmp_path / "out", quick=True)
    assert (tmp_path / "out" / "index.html").exists() and "claims" in json.dumps(found)
    with pytest.raises(tare.Error, match="there is no folder to write to\nhint: pass out=FOLDER"):
        tare.paper(["fig1"])
    with pytest.raises(tare.Error, match="figure_one"):
        tare.paper(["figure_one"], out=tmp_path / "out")


def test_masked_logits_are_probability_zero():
    """-inf is a class that cannot be: as if it had a logit far below the others."""
    rng = np.random.default_rng(2)
    z = rng.normal(size=(400, 4))
    z[:, 3] = -np.inf
    y = (2 * z[:, :3] + rng.gumbel(size=(400, 3))).argmax(axis=1)
    low = np.where(np.isinf(z), -800.0, z)
    for name in ("ece_ew", "brier", "nll", "accuracy"):
        assert getattr(tare, name)(logits=z, labels=y) == pytest.approx(getattr(tare, name)(logits=low, labels=y), abs=1e-14), name
    model = tare.TemperatureScaling("logits").fit(z, y)
    assert model.parameters_["temperature"] == pytest.approx(tare.TemperatureScaling("logits").fit(low, y).parameters_["temperature"], rel=1e-6)
    assert (model.predict_proba(z)[:, 3] == 0).all()


@pytest.mark.parametrize("call, hint", [
    (lambda p, y: tare.measure(probs=100 * p, labels=y), "these look like percentages: divide them by 100"),
    (lambda p, y: tare.measure(probs=p * 1.2, labels=y), "rows that only want rescaling: p / p.sum(axis=1, keepdims=True)"),
    (lambda p, y: tare.measure(probs=p, labels=y + 1), "labels are 0 to K-1; where they count from 1 pass labels - 1, or name them with classes="),
])
def test_hints_name_what_exists(call, hint):
    rng = np.random.default_rng(1)
    p = rng.dirichlet(np.ones(3), 50) * 0.8 + 0.2 / 3
    with pytest.raises(tare.Error) as caught:
        call(p, np.arange(50) % 3)
    assert caught.value.hint.endswith(hint)
