"""Watching states: the numbers of the command line, day by day."""

import json
import pickle

import numpy as np
import pytest

import tare


def state(n, seed, off=0.0, a=1.0):
    rng = np.random.default_rng(seed)
    p = rng.beta(a, 1, n)
    return tare.State(reduction="positive").update(probs=p, labels=(rng.random(n) < np.clip(p + off, 0, 1)).astype(int))


@pytest.fixture(scope="module")
def reference():
    return state(4000, 1)


@pytest.fixture(scope="module")
def days():
    return {f"2026-03-{d:02}": state(400, 10 + d, 0.1 if d > 6 else 0.0) for d in range(1, 11)}


def test_is_what_the_command_line_says(reference, days, tmp_path, program):
    reference.save(tmp_path / "reference.state")
    (tmp_path / "days").mkdir()
    for name, day in days.items():
        day.save(tmp_path / "days" / f"{name}.state")
    said = json.loads(program("watch", tmp_path / "reference.state", tmp_path / "days", "--json", check=False))
    report = tare.watch(reference, days).to_dict()
    said.pop("reference"), report.pop("reference")
    assert report == said
    paths = sorted((tmp_path / "days").iterdir())
    assert tare.watch(tmp_path / "reference.state", paths).days == report["days"]


def test_loss_and_drift_are_told_apart(reference, days):
    report = tare.watch(reference, days)
    assert "lost" in report.alerts and "lost" not in report.days[5]["alerts"]
    assert report.sentences[0].startswith("Calibration is lost")
    drifted = tare.watch(reference, [state(1000, 99, a=2.0)])
    assert drifted.alerts == ["drifted"]
    assert "2026-03-10" in repr(report) and "<svg" in report._repr_html_()


def test_one_by_one_is_the_same_as_all_at_once(reference, days, tmp_path):
    watch = tare.Watch(reference)
    for name, day in days.items():
        said = watch.day(day.to_bytes(), name)
        watch = pickle.loads(pickle.dumps(watch))
    assert said["name"] == "2026-03-10"
    assert watch.report() == tare.watch(reference, days)
    watch.save(tmp_path / "x.watch")
    assert tare.Watch.load(tmp_path / "x.watch").to_bytes() == watch.to_bytes()
    assert repr(watch) == "<tare.Watch: 10 days since reference>"


def test_what_is_wrong_is_said_and_changes_nothing(reference, days):
    watch = tare.Watch(reference)
    watch.day(days["2026-03-01"])
    before = watch.to_bytes()
    for wrong, words in [(b"nothing", "no state"), (tare.State(), "no rows"), ("nowhere.state", "nowhere.state: no such file")]:
        with pytest.raises(tare.Error, match=words):
            watch.day(wrong, "tuesday")
    with pytest.raises(tare.Error, match="already"):
        watch.day(days["2026-03-02"], "day 1")
    assert watch.to_bytes() == before
    with pytest.raises(tare.Error, match="alpha"):
        tare.Watch(reference, alpha=0)
    with pytest.raises(tare.Error, match="run_length"):
        tare.Watch(reference, run_length=0)
    with pytest.raises(tare.Error, match="no running watch"):
        tare.Watch.from_bytes(before[:-1])
