"""test, bbc and compare: the answers of the C++ program."""

import json
import re

import numpy as np
import pytest
from conftest import ROOT

import tare

FILE = "data/resnet110_cifar10.npz"


@pytest.fixture(autouse=True)
def at_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_test_is_the_programs(program):
    report = tare.test(FILE, resamples=199, detectable=False)
    assert report.to_json() == program("test", FILE, "--resamples", "199", "--no-detectable", "--json")
    assert report.rejected and report.p_value == pytest.approx(1 / 200)
    assert report["ks"]["p_value"] == pytest.approx(1 / 200)
    pytest.importorskip("pandas")
    assert len(report.to_frame()) == len(report.to_dict()["tests"])


def test_a_calibrated_model_is_not_rejected():
    rng = np.random.default_rng(11)
    p = rng.beta(2, 1, 2000)
    report = tare.test(probs=p, labels=rng.random(2000) < p, statistics="debias_em", resamples=199)
    assert not report.rejected and report.p_value > 0.05
    assert 0 < report.detectable["tce"] < 0.2


def test_bbc_on_a_named_truth_is_the_programs(program):
    words = dict(n=[200], replicates=100, estimators=["ece_ew", "sweep_em"])
    report = tare.bbc(model="resnet110_c10", **words)
    assert report.to_json() == program("bbc", "--model", "resnet110_c10", "--n", "200", "--replicates", "100", "--estimators",
                                       "ece_ew,sweep_em", "--json", "--quiet")
    perfect = tare.bbc(model="resnet110_c10", perfect=True, **words)
    assert perfect.to_dict()["tce"]["2"] == 0
    own = tare.bbc(beta=(1, 1), curve="power:2", **words)
    # the true l1 error of hit rate c^2 at uniform scores: the integral of c - c^2 is 1/6
    assert own.to_dict()["tce"]["1"] == pytest.approx(1 / 6, abs=1e-9)


def test_bbc_on_data_is_the_programs(program):
    report = tare.bbc(FILE, replicates=40, estimators=["ece_em"], norm=2)
    text = program("bbc", FILE, "--replicates", "40", "--estimators", "ece_em", "--norm", "2", "--json", "--quiet")
    assert report.to_json() == text
    assert report.corrections[0]["corrected"] is not None
    pytest.importorskip("pandas")
    assert len(report.to_frame()) >= 1


def test_compare_is_the_programs(program):
    def judged(text):  # all but the seconds
        out = json.loads(text)
        for m in out["methods"]:
            m.pop("fit_seconds", None)
            (m.get("fit") or {}).pop("seconds", None)
        return out

    methods = ["temperature", "isotonic"]
    ours = tare.compare(FILE, methods=methods, resamples=50)
    text = program("compare", FILE, "--methods", ",".join(methods), "--resamples", "50", "--json", "--quiet")
    assert judged(ours.to_json()) == judged(text)
    with np.load(FILE) as file:
        arrays = tare.compare(val_logits=file["val_logits"], val_labels=file["val_labels"], test_logits=file["test_logits"],
                              test_labels=file["test_labels"], methods=methods, resamples=50)
    assert arrays.winner == ours.winner
    assert arrays["temperature"]["brier"] == ours["temperature"]["brier"]


def test_compare_with_one_fold_says_so(binary):
    p, y = binary
    one = tare.compare(probs=p, labels=y, methods="platt", resamples=50)
    assert one.to_dict()["cross_validated"] is True
    assert "platt" in repr(one)


def test_report_is_the_programs_page(program, tmp_path, binary):
    """But for the command that made it, the lines that apply the winner, and the time that fits took."""
    words = ("tare fit", "tare.calibrator", "tare report", "tare.report", "tare apply", "predict_proba")

    def told(page):
        lines = [line for line in page.splitlines() if not any(w in line for w in words)]
        return [re.sub(r'data-v="[^"]*">[0-9.]+ (ms|s)<', "<", line) for line in lines]

    page = tmp_path / "page.html"
    program("report", FILE, "--no-bias", "--no-classes", "--methods", "temperature", "--quiet", "-o", page)
    ours = tare.report(FILE, bias=False, classes=False, methods="temperature")
    ours.save(tmp_path / "ours.html")
    assert (tmp_path / "ours.html").read_text(encoding="utf-8") == ours.html
    assert len(told(ours.html)) > 10
    assert told(ours.html) == told(page.read_text(encoding="utf-8"))
    assert repr(ours) and "<iframe" in ours._repr_html_()
    one = tare.report(probs=binary[0], labels=binary[1], replicates=20)
    assert "tare.report(probs=probs, labels=labels, replicates=20)" in one.html.replace("&quot;", '"')
    named = tare.report(probs=binary[0], labels=binary[1], bias=False, title="a/b <c>").html
    assert "<title>Calibration of a/b &lt;c&gt;</title>" in named


def test_compare_takes_confidences_with_hits():
    rng = np.random.default_rng(5)
    confidence = rng.uniform(0.3, 1, 400)
    correct = (rng.uniform(size=400) < 0.7 * confidence).astype(int)
    found = tare.compare(confidences=confidence, correct=correct, methods=["platt"], resamples=50).to_dict()
    assert found["winner"]["method"] == "platt"
    assert found["methods"][1]["error"] == pytest.approx(1 - correct.mean(), abs=1e-12)


def test_weights_that_sum_to_one_are_explained():
    rng = np.random.default_rng(6)
    p = rng.uniform(0.1, 0.9, 1000)
    y = (rng.uniform(size=1000) < p).astype(int)
    with pytest.warns(UserWarning, match="multiply the weights by 1000"):
        found = tare.measure(probs=p, labels=y, weights=np.full(1000, 1e-3), estimators=["ece_ew"], norm=1, intervals=False)
    plain = tare.measure(probs=p, labels=y, estimators=["ece_ew"], norm=1, intervals=False)
    assert float(found["ece_ew"]) == pytest.approx(float(plain["ece_ew"]), abs=1e-12)
