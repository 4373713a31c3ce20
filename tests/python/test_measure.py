"""measure and the functions of the estimators: the same bits as the C++ program, and scikit-learn's numbers."""

import json
import pickle

import numpy as np
import pytest
from conftest import ROOT

import tare
from tare._calls import TABLES

NAMES = [row["name"] for row in TABLES["estimators"]]
FILE = "data/resnet110_cifar10.npz"


def without_source(text):
    out = json.loads(text)
    del out["input"]["source"], out["input"]["used"]
    return out


def test_every_byte_is_the_programs(program, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert tare.measure(FILE).to_json() == program("measure", FILE, "--json")
    assert tare.measure(FILE, split="val", reduction="classwise", intervals=False, norm=2, bins=10).to_json() == program(
        "measure", FILE, "--split", "val", "--reduction", "classwise", "--no-interval", "--norm", "2", "--bins", "10", "--json")


def test_columns_of_a_file_by_their_names(tmp_path):
    (tmp_path / "t.csv").write_text("who,won,no,yes\n1,yes,0.25,0.75\n2,no,0.5,0.5\n3,yes,0.125,0.875\n")
    arrays = tare.measure(probs=[[0.25, 0.75], [0.5, 0.5], [0.125, 0.875]], labels=[1, 0, 1], intervals=False)
    named = tare.measure(tmp_path / "t.csv", probs=["no", "yes"], labels="won", intervals=False)
    assert [e.value for e in named] == [e.value for e in arrays]
    one = tare.measure(tmp_path / "t.csv", probs="yes", labels="won", classes=["no", "yes"], intervals=False)
    assert one["brier"].value == pytest.approx(tare.brier(probs=[0.75, 0.5, 0.875], labels=[1, 0, 1]))
    with pytest.raises(tare.Error, match="both a file and probs were given\nhint: pass one of them; with a file, names of its arrays or columns"):
        tare.measure(tmp_path / "t.csv", probs=[0.5], labels="won")


def test_arrays_give_the_bits_of_files(network, monkeypatch):
    monkeypatch.chdir(ROOT)
    from_file = tare.measure(FILE, seed=3)
    from_arrays = tare.measure(logits=network["test_logits"], labels=network["test_labels"], seed=3, threads=1)
    assert without_source(from_arrays.to_json()) == without_source(from_file.to_json())


@pytest.mark.parametrize("name", NAMES)
def test_a_function_is_its_line_of_the_table(name, network, binary):
    row = next(r for r in TABLES["estimators"] if r["name"] == name)
    function = getattr(tare, name)
    p, y = binary
    for data in ({"logits": network["test_logits"], "labels": network["test_labels"]}, {"probs": p, "labels": y}):
        m = tare.measure(**data, intervals=False, estimators=[name])
        for norm in row["norms"] or [None]:
            options = {} if norm is None else {"norm": norm}
            assert function(**data, **options) == m[name, norm].value
    z, y = network["val_logits"], network["val_labels"]
    classwise = tare.measure(logits=z, labels=y, reduction="classwise", intervals=False, estimators=[name])
    options = {"norm": row["norms"][-1]} if row["norms"] else {}
    if classwise[name].value is not None:
        assert function(logits=z, labels=y, reduction="classwise", **options) == classwise[name, options.get("norm")].value


def test_bins_and_norm_arrive(binary):
    p, y = binary
    assert tare.ece_ew(probs=p, labels=y, bins=7) != tare.ece_ew(probs=p, labels=y)
    # on paper: scores 0.2 and 0.8, two rows each, one hit each; one bin: |0.5 - 0.5| = 0; two bins: 0.3
    score, label = [0.2, 0.2, 0.8, 0.8], [0, 1, 0, 1]
    assert tare.ece_ew(probs=score, labels=label, bins=1) == 0
    assert tare.ece_ew(probs=score, labels=label, bins=2, norm=2) == pytest.approx(0.3, abs=1e-13)
    assert tare.mce_ew(probs=score, labels=label, bins=2) == pytest.approx(0.3, abs=1e-13)


def test_a_weight_of_two_is_the_row_twice(binary):
    p, y = binary
    w = 1 + np.arange(len(p)) % 3
    for name in NAMES:
        assert getattr(tare, name)(probs=p, labels=y, weights=w) == getattr(tare, name)(probs=np.repeat(p, w), labels=np.repeat(y, w)), name


def test_confidences_three_ways(network):
    z, y = network["test_logits"].astype(float), network["test_labels"]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    c, k = p.max(axis=1), p.argmax(axis=1)
    hits = tare.measure(confidences=c, correct=k == y, intervals=False)
    classes = tare.measure(confidences=c, predictions=k, labels=y, intervals=False)
    assert [e.value for e in hits] == [e.value for e in classes]
    assert hits["ece_em"].value == pytest.approx(tare.ece_em(logits=z, labels=y), abs=1e-12)


def test_against_scikit_learn(binary, network):
    sklearn = pytest.importorskip("sklearn.metrics")
    p, y = binary
    assert tare.brier(probs=p, labels=y) == pytest.approx(sklearn.brier_score_loss(y, p), abs=1e-14)
    clipped = np.clip(p, 1e-3, 1 - 1e-3)  # scikit-learn clips at machine precision; away from it there is no difference
    assert tare.nll(probs=clipped, labels=y) == pytest.approx(sklearn.log_loss(y, clipped), abs=1e-13)
    z, y10 = network["test_logits"].astype(float), network["test_labels"]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    assert tare.nll(logits=z, labels=y10) == pytest.approx(sklearn.log_loss(y10, e / e.sum(axis=1, keepdims=True)), abs=1e-12)
    assert tare.accuracy(logits=z, labels=y10) == sklearn.accuracy_score(y10, z.argmax(axis=1))


@pytest.mark.parametrize("strategy, estimator", [("uniform", "ece_ew"), ("quantile", "ece_em")])
def test_bins_are_those_of_calibration_curve(strategy, estimator):
    """scikit-learn's uniform bins are (a, b] as ours are, and its quantile bins have our counts where nothing ties. They
    agree in every bin once scores lie on no edge."""
    rng = np.random.default_rng(3)
    p = rng.beta(2, 1, 3000)
    y = (rng.random(3000) < p).astype(int)
    rate, mean = pytest.importorskip("sklearn.calibration").calibration_curve(y, p, n_bins=10, strategy=strategy)
    bins = tare.measure(probs=p, labels=y, bins=10, estimators=[estimator], intervals=False)[estimator].per_bin
    assert [b["mean_label"] for b in bins] == pytest.approx(rate, abs=1e-12)
    assert [b["mean_score"] for b in bins] == pytest.approx(mean, abs=1e-12)


def test_an_answer_is_a_table_and_numbers(network):
    m = tare.measure(logits=network["test_logits"], labels=network["test_labels"])
    assert "ece_ew" in repr(m) and "Overconfident" in repr(m)
    assert "<table>" in m._repr_html_() and "<svg" in m._repr_html_()
    assert m.input["reduction"] == "top_label" and m.input["n"] == 10000
    assert m["ece_ew"].norm == 1 and m["ece_ew", 2].value > m["ece_ew", 1].value
    assert float(m["ece_ew"]) == m["ece_ew"].value > m["ece_ew"].floor_high
    assert sum(b["count"] for b in m["ece_ew"].per_bin) == 10000
    assert len(m) == len(list(m)) == len(m.estimates)
    with pytest.raises(KeyError):
        m["ece"]
    again = pickle.loads(pickle.dumps(m))
    assert again == m and repr(again) == repr(m)
    pytest.importorskip("pandas")
    frame = m.to_frame()
    assert list(frame.loc[frame.name == "ece_ew", "value"]) == [m["ece_ew", 1].value, m["ece_ew", 2].value]


def test_what_does_not_exist_has_a_reason():
    m = tare.measure(probs=[0.0, 1.0, 0.5], labels=[1, 1, 0], intervals=False)
    assert m["nll"].value is None and m["nll"].reason
    with pytest.raises(tare.Error) as caught:
        float(m["nll"])
    assert caught.value.code == "undefined"
    with pytest.raises(tare.Error) as caught:
        tare.nll(probs=[0.0, 1.0, 0.5], labels=[1, 1, 0])
    assert caught.value.code == "undefined"


def test_the_verdict_is_one_decision():
    m, t = tare.measure(FILE), tare.test(FILE)
    v = m.verdict
    assert v == t.verdict and t.rejected
    assert v.outcome == "miscalibrated" and v.p_value < v.alpha and 0 < v.low < v.value < v.high
    assert v.direction == "over" and v.shape == "none" and v.mean_gap.low > 0
    assert str(v) == v.sentence == m.to_dict()["verdict"]["sentence"]
    assert pickle.loads(pickle.dumps(v)) == v
    assert tare.measure(FILE, reduction="classwise", estimators="ece_ew").verdict is None
