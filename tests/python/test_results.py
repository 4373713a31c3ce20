"""Results that people can use: the same access everywhere, numbers that behave, frames, scalars, reprs."""

import copy
import pickle

import numpy as np
import pytest

import tare


@pytest.fixture(scope="module")
def rows(network):
    return {"logits": network["test_logits"][:1500], "labels": network["test_labels"][:1500]}


@pytest.fixture(scope="module")
def m(rows):
    return tare.measure(**rows, name="a network")


@pytest.fixture(scope="module")
def comparison(rows):
    return tare.compare(**rows, methods=["temperature", "platt"])


def test_the_same_access_everywhere(m, rows, comparison):
    bias = tare.bbc(**rows, estimators=["ece_ew"], replicates=30)
    for result, name in ((m, "ece_ew"), (tare.test(**rows), "ks"), (bias, "ece_ew"), (comparison, "platt")):
        assert name in result and "nothing" not in result and name in result.keys()
        line = result[name]
        assert line in list(result) and len(result) == len(list(result)) and isinstance(line, tare.Row)
        for key in line.keys():
            assert line[key] is getattr(line, key) or line[key] == getattr(line, key)
        assert dict(line) == line and "nothing" not in line and pickle.loads(pickle.dumps(line)) == line
        with pytest.raises(KeyError, match="hint: "):
            result["nothing"]
        with pytest.raises(KeyError, match="has no 'valeu'|has no"):
            line["valeu"]
        with pytest.raises(AttributeError):
            line.nothing
        assert pickle.loads(pickle.dumps(result)) == result == copy.deepcopy(result)


def test_an_estimate_is_a_number(m):
    e = m["ece_ew"]
    assert float(e) == e.value and round(e, 3) == round(e.value, 3) and f"{e:.3f}" == f"{e.value:.3f}" and f"{e}" == f"{e.value:.6g}"
    assert e < 1 and e <= e.value and e > 0 and e >= m["brier"].value - 1 and e == e.value and e != e.value + 1 and e < m["accuracy"]
    assert np.mean([e, e]) == e.value and sorted([m["accuracy"], e])[0] is e
    assert repr(e).startswith("<ece_ew, norm=1: ")
    with pytest.raises(KeyError, match="the usual ECE, bins of equal width, is ece_ew"):
        m["ece"]
    with pytest.raises(KeyError, match="it has no such norm or class"):
        m["debias_em", 1]


def test_what_a_measurement_knows(m):
    assert m.n == m.input.n == m.input["n"] == 1500 and m.name == "a network"
    assert m.verdict.miscalibrated and m.headline.name == "rank_poly" and m.headline.value == m.verdict.value
    assert repr(m).startswith("a network\n")
    band = m.bands["ece_ew"]
    bins = m["ece_ew"].per_bin
    assert len(band) == len(bins) and all(0 <= low <= b.mean_score <= high <= 1 for (low, high), b in zip(band, bins))


def test_scalars_are_flat(m, rows):
    s = m.to_scalars("val/")
    assert s["val/ece_ew"] == m["ece_ew", 1].value and s["val/ece_ew_l2"] == m["ece_ew", 2].value and s["val/n"] == 1500
    assert s["val/rank_poly_low"] == m["rank_poly"].low and s["val/miscalibrated"] == 1 and s["val/p_value"] == m.verdict.p_value
    assert all(type(v) is float and np.isfinite(v) for v in s.values())
    classwise = tare.measure(probs=[[0.2, 0.8], [0.6, 0.4], [0.5, 0.5]], labels=["no", "yes", "yes"], reduction="classwise", estimators="ece_ew",
                             intervals=False)
    assert set(classwise.to_scalars()) == {"n", "ece_ew", "ece_ew_l2", "ece_ew_class_no", "ece_ew_l2_class_no", "ece_ew_class_yes", "ece_ew_l2_class_yes"}
    assert classwise["ece_ew", 1, "yes"] == classwise["ece_ew", 1, 1]
    assert tare.test(**rows).to_scalars()["p_value"] == tare.test(**rows).p_value


def test_frames(m, comparison):
    pytest.importorskip("pandas")
    bins = m.to_frame("bins")
    mine = bins[(bins.name == "ece_ew") & (bins.norm == 1)]
    assert mine["count"].sum() == 1500 and list(mine.columns)[:2] == ["name", "norm"]
    frame = comparison.to_frame().set_index("method")
    assert frame.winner.sum() == 1 and frame.winner[comparison.winner]
    change = comparison["temperature"].difference("brier")
    assert frame.brier_change["temperature"] == change.value and frame.brier_change_low["temperature"] == change.low
    assert frame.ece_ew_l1["uncalibrated"] == pytest.approx(m["ece_ew"].value)
    differences = comparison.to_frame("differences")
    assert {"method", "criterion", "against", "value", "low", "high", "change"} == set(differences.columns)
    with pytest.raises(tare.Error, match="there is no table 'bin'\nhint: did you mean bins?"):
        m.to_frame("bin")


def test_the_best_is_fitted(comparison, rows, network, tmp_path):
    best = comparison.best()
    assert best.method == comparison.winner == "temperature" and isinstance(best, tare.Calibrator)
    by_hand = tare.TemperatureScaling("logits").fit(rows["logits"], rows["labels"])
    assert best.parameters_ == by_hand.parameters_
    np.savez(tmp_path / "f.npz", **rows)
    assert tare.compare(tmp_path / "f.npz", methods=["temperature"]).best().parameters_ == by_hand.parameters_
    rng = np.random.default_rng(0)
    p = rng.uniform(size=400)
    alone = tare.compare(probs=p, labels=rng.uniform(size=400) < p, methods=["platt"])
    assert alone.winner == "uncalibrated" and np.allclose(alone.best().predict_proba(p)[:, 1], p)
    with pytest.raises(tare.Error, match="the data of this comparison are gone"):
        pickle.loads(pickle.dumps(comparison)).best()


def test_notebooks_show_the_sentence(m, comparison, rows):
    page = m._repr_html_()
    assert m.verdict.sentence in page and "Estimated true error" in page and "a network" in page and "<svg" in page
    assert "95% band for the whole curve" in page
    page = comparison._repr_html_()
    assert "Recommended: temperature" in page and '<tr style="font-weight: bold"><td>temperature</td><td>yes</td>' in page
    assert "<th>ece_ew_l1</th>" in page and "<th>interval</th>" in page
    assert tare.test(**rows).verdict.sentence in tare.test(**rows)._repr_html_()


def test_bias_of_a_measurement(rows, program, tmp_path):
    np.savez(tmp_path / "f.npz", **rows)
    m = tare.measure(tmp_path / "f.npz", bias=True, estimators=["ece_ew"], norm=1)
    assert m.to_json() == program("measure", tmp_path / "f.npz", "--bias", "--estimators", "ece_ew", "--norm", "1", "--json", "--quiet")
    e = m["ece_ew"]
    assert e.corrected is not None and abs(e.bias) < e.value and "corrected" in repr(m) and m.to_scalars()["ece_ew_corrected"] == e.corrected
    assert tare.measure(**rows, estimators=["ece_ew"])["ece_ew"].bias is None


def test_progress_is_told(rows, capsys):
    seen = []
    tare.compare(**rows, methods=["temperature", "platt"], progress=lambda stage, done, total: seen.append((stage, done, total)))
    assert seen and all(isinstance(stage, str) and 0 <= done <= total for stage, done, total in seen)
    with pytest.raises(tare.Error, match="progress is 'yes'"):
        tare.measure(**rows, progress="yes")
    tare.measure(**rows, progress=True, estimators="ece_ew")
    tare.compare(**rows, methods=["platt"])  # no terminal: silence
    assert capsys.readouterr().out == ""


def test_a_bar_of_tqdm(monkeypatch):
    from tare._progress import Bar

    class Fake:
        def __init__(self, **options):
            self.options, self.n, self.closed = options, 0, False

        def update(self, more):
            self.n += more

        def close(self):
            self.closed = True

    made = []
    with Bar(lambda **options: made.append(Fake(**options)) or made[-1]) as bar:
        bar("one", 1, 3)
        bar("one", 3, 3)
        bar("two", 1, 2)
    assert [f.n for f in made] == [3, 1] and all(f.closed for f in made) and made[0].options["desc"] == "one"
