"""Choosing, keeping, showing and checking a calibrator; the gate and the example for MLflow. The truth is known: labels are drawn."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import tare
from conftest import ROOT


def drawn(seed, n, temperature, k=4):
    """Logits, and labels drawn from softmax(z / temperature)."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, k)) * 3
    p = np.exp(z / temperature - (z / temperature).max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return z, (p.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).astype(np.int32).clip(0, k - 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("production")
    for name, (seed, n, t) in {"val": (1, 3000, 2), "good": (2, 3000, 2), "bad": (3, 3000, 4), "calibrated": (4, 3000, 1)}.items():
        z, y = drawn(seed, n, t)
        np.savez(folder / f"{name}.npz", logits=z, labels=y)
    z, y = drawn(1, 3000, 2)
    order = np.random.default_rng(9).permutation(len(z))
    np.savez(folder / "shuffled.npz", logits=z[order], labels=y[order])
    z2, y2 = drawn(2, 3000, 2)
    np.savez(folder / "both.npz", val_logits=z, val_labels=y, test_logits=z2, test_labels=y2)
    return folder


@pytest.fixture(scope="module")
def tare_here(folder):
    program = os.environ.get("TARE_PROGRAM")
    words = [program] if program else [sys.executable, "-m", "tare"]

    def run(*given):
        return subprocess.run([*words, *map(str, given)], cwd=folder, capture_output=True, text=True)

    return run


@pytest.fixture(scope="module")
def best(folder, tare_here):
    done = tare_here("fit", "--cv", "val.npz", "--folds", 3, "--seed", 7, "-o", "best.json")
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "best.json").read_text())


def test_what_is_recommended_is_kept_with_where_it_comes_from(best, folder, tare_here):
    compared = tare_here("compare", "val.npz", "--folds", 3, "--seed", 7, "--json")
    assert best["method"] == json.loads(compared.stdout)["winner"]["method"]
    from_ = best["provenance"]
    assert from_["seed"] == "7" and from_["folds"] == "3" and from_["rows"] == "3000" and from_["version"] == best["tare"] == tare.__version__
    assert from_["chosen_by"].startswith("brier, 3-fold") and "isotonic" in from_["compared"] and len(from_["data"]) == 32
    plain = tare_here("fit", best["method"], "val.npz", "--json")
    assert json.loads(plain.stdout)["parameters"] == best["parameters"]  # of all rows
    assert tare_here("fit", "--cv", "shuffled.npz", "--folds", 3, "--seed", 7, "-o", "shuffled.json").returncode == 0
    shuffled = json.loads((folder / "shuffled.json").read_text())
    assert shuffled["provenance"]["data"] == from_["data"] and shuffled["parameters"] == best["parameters"]
    loaded = tare.load(folder / "best.json")
    assert loaded.provenance_ == from_ and json.loads(loaded.to_json())["provenance"] == from_
    assert "provenance" not in json.loads(loaded.fit(*drawn(5, 500, 2)).to_json())


def test_compare_saves_what_it_recommends(folder, tare_here):
    some = ["--methods", "temperature,platt", "--resamples", 100, "--folds", 3]
    assert tare_here("compare", "both.npz", *some, "--save", "val.json").returncode == 0
    assert tare_here("compare", "both.npz", *some, "--save", "all.json", "--refit", "all", "--quiet").returncode == 0
    val, all_ = (json.loads((folder / f"{name}.json").read_text()) for name in ("val", "all"))
    assert val["provenance"]["rows"] == "3000" and all_["provenance"]["rows"] == "6000"
    z, y = (np.concatenate(parts) for parts in zip(drawn(1, 3000, 2), drawn(2, 3000, 2)))
    assert all_["parameters"] == pytest.approx(tare.TemperatureScaling("logits").fit(z, y).parameters_)
    assert val["provenance"]["data"] != all_["provenance"]["data"]


def test_the_identity_is_saved_where_nothing_is_better(folder, tare_here):
    for words in (["fit", "--cv", "calibrated.npz", "-o", "none.json"],
                  ["compare", "calibrated.npz", "--methods", "isotonic,histogram", "--resamples", 100, "--save", "none.json"]):
        done = tare_here(*words)
        assert done.returncode == 0 and "leave the model as it is: this map changes nothing" in done.stderr
        saved = json.loads((folder / "none.json").read_text())
        assert saved["parameters"] == {"temperature": 1.0} and "changes nothing" in saved["fit"]["note"]
        assert saved["fit"]["nll_before"] == pytest.approx(saved["fit"]["nll_after"], rel=1e-12)
        for more in (["apply", "none.json", "calibrated.npz", "-o", "p.npy"], ["export", "none.json", "-o", "none.hpp"], ["show", "none.json"]):
            assert tare_here(*more).returncode == 0, more
        (folder / "none.json").unlink()


def test_what_cannot_be_asked_is_refused(best, folder, tare_here):
    for words, reason in [(["fit", "--cv", "temperature", "val.npz", "-o", "x.json"], "--cv chooses"), (["fit", "-o", "x.json"], "METHOD"),
                          (["fit", "--cv", "val.npz", "--bins", 3, "-o", "x.json"], "no use for --bins"),
                          (["compare", "val.npz", "--save", "val.npz"], "val.npz"), (["show", "val.npz"], "not a model"),
                          (["show", "best.json", "--class", 4], "no class 4"), (["check", "best.json", "none.npz"], "none.npz"),
                          (["check", "best.json", "--confidences", "val.npz", "--correct", "val.npz"], "")]:
        done = tare_here(*words)
        assert done.returncode == 2 and reason in done.stderr and not (folder / "x.json").exists(), done.stderr


def test_show_prints_and_draws(best, folder, tare_here):
    text = tare_here("show", "best.json").stdout
    assert f"temperature  {best['parameters']['temperature']:.6g}" in text and best["provenance"]["data"] in text and "*" in text
    # T = 2 moves certainties towards 1/4: right of it the map lies below the diagonal, and is never above it
    chart = [line.split("|")[1] for line in text.splitlines() if "|" in line]
    heights = {c: [len(chart) - r for r in range(len(chart)) if chart[r][c] == "*"] for c in range(50)}
    assert all(len(h) == 1 for h in heights.values()) and [heights[c] for c in range(50)] == sorted(heights[c] for c in range(50))
    for method in ("matrix", "isotonic", "histogram", "vector", "beta", "ensemble_temperature", "scaling_binning", "prior_shift"):
        assert tare_here("fit", method, "val.npz", "-o", f"{method}.json", "--quiet").returncode == 0
        shown = tare_here("show", f"{method}.json")
        assert shown.returncode == 0 and method in shown.stdout and max(map(len, shown.stdout.splitlines())) <= 80
    assert "Its matrix" in tare_here("show", "matrix.json").stdout and "knots" in tare_here("show", "isotonic.json").stdout
    assert "class 2" in tare_here("show", "isotonic.json", "--class", 2).stdout


def test_show_draws_what_a_matrix_does_to_logits_that_sum_to_zero(best, folder, tare_here):
    """W = I / 2 + r_i + c_j is temperature 2 for such rows, whatever r and c are."""
    k, rng = best["k"], np.random.default_rng(3)
    w = np.eye(k) / 2 + rng.normal(0, 20, (k, 1)) + rng.normal(0, 20, k)
    same = {"method": "matrix", "parameters": {"W": w.ravel().tolist(), "b": [0.0] * k, "lambda": 0.0, "mu": 0.0}}
    for name, changes in (("t2", {"method": "temperature", "parameters": {"temperature": 2.0}}), ("same", same)):
        (folder / f"{name}.json").write_text(json.dumps({**best, **changes}))
    charts = [tare_here("show", f"{name}.json").stdout.split("\n\n") for name in ("t2", "same")]
    assert charts[0][-1] == charts[1][-1] and charts[0][-1].count("*") == 50
    shades = np.array([[line[2 + 2 * j:4 + 2 * j] for j in range(k)] for line in charts[1][2].splitlines()])
    assert set(np.diag(shades)) == {" @"} and len(set(shades[~np.eye(k, dtype=bool)])) == 1


def test_check_says_whether_it_still_holds(best, tare_here):
    good, bad = tare_here("check", "best.json", "good.npz"), tare_here("check", "best.json", "bad.npz", "--json")
    assert good.returncode == 0 and "nothing is found against it" in good.stdout
    assert bad.returncode == 1 and json.loads(bad.stdout)["gate"]["rejected"] is True
    assert tare_here("check", "best.json", "bad.npz").stdout.startswith(f"After {best['method']}: it does not hold on these rows.")


def test_the_gate_for_continuous_checks(best, folder):
    words = [os.environ["TARE_PROGRAM"]] if "TARE_PROGRAM" in os.environ else [sys.executable, "-m", "tare"]
    z, y = drawn(6, 200, 2)
    np.savez(folder / "few.npz", logits=z, labels=y)
    for given, code in ((["few.npz", "best.json", "page.html"], 0), (["good.npz", "best.json"], 0), (["bad.npz", "best.json", ""], 1), (["bad.npz"], 1), (["none.npz"], 2)):
        done = subprocess.run(["sh", ROOT / "examples" / "ci" / "gate.sh", *given], cwd=folder, env={**os.environ, "TARE": " ".join(words)}, capture_output=True)
        assert done.returncode == code, done.stderr
    assert f"after {best['method']} of best.json" in (folder / "page.html").read_text()
    assert subprocess.run(["sh", ROOT / "examples" / "ci" / "gate.sh"], cwd=folder, capture_output=True).returncode == 2


def test_mlflow(folder, monkeypatch, tmp_path):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.syspath_prepend(ROOT / "examples" / "python")
    import mlflow_logging

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    z, y = drawn(3, 500, 4)
    with mlflow.start_run() as run:
        found = mlflow_logging.log_calibration(logits=z, labels=y)
    kept = mlflow.get_run(run.info.run_id).data
    assert kept.tags["calibration.verdict"] == found.verdict.outcome and any("ece_ew" in name for name in kept.metrics)
