"""Running states: any split of the rows is the same state, and its numbers are those of the rows."""

import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import ROOT

import tare


def answers(result):
    """All numbers; where the rows came from may differ."""
    out = result.to_dict()
    del out["input"]
    return out


def split_rows(arrays, seed):
    """Parts of any size, in any order."""
    rng = np.random.default_rng(seed)
    n = len(next(iter(arrays.values())))
    cuts = np.sort(rng.integers(0, n, 6))
    parts = [p for p in np.split(rng.permutation(n), cuts) if len(p)]
    return [{name: a[part] for name, a in arrays.items()} for part in parts]


def kinds(network, binary):
    p, y = binary
    z, labels = network["val_logits"], network["val_labels"]
    return {
        "positive": ({}, {"probs": p, "labels": y}),
        "weighted": ({}, {"probs": p, "labels": y, "weights": 0.5 + np.arange(len(p)) % 7}),
        "top_label": ({}, {"logits": z, "labels": labels}),
        "classwise": ({"reduction": "classwise"}, {"logits": z[:1500], "labels": labels[:1500]}),
        "confidences": ({}, {"confidences": p, "correct": y}),
    }


KINDS = ("positive", "weighted", "top_label", "classwise", "confidences")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cells", [None, 256])
def test_any_split_is_the_same_state(kind, cells, network, binary):
    options, arrays = kinds(network, binary)[kind]
    whole = tare.State(cells=cells, **options).update(**arrays)
    for seed in range(3):
        one, first, second = (tare.State(cells=cells, **options) for _ in range(3))
        for i, part in enumerate(split_rows(arrays, seed)):
            one.update(**part, threads=1 + seed)
            (first if i % 2 else second).update(**part)
        assert one == whole and one.to_bytes() == whole.to_bytes()
        assert second.merge(first) is second
        assert second == whole and second.to_bytes() == whole.to_bytes()
    assert whole.rows == len(arrays.get("labels", arrays.get("correct"))) and whole.cells == (cells or (4096 if kind == "classwise" else 65536))


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_are_those_of_the_rows(kind, network, binary):
    options, arrays = kinds(network, binary)[kind]
    state = tare.State(**options).update(**arrays)
    # labels of all classes are redrawn together, those of a state class by class
    how = {"intervals": False} if kind == "classwise" else {"seed": 3}
    cells, rows = answers(state.measure(**how)), answers(tare.measure(**arrays, **options, **how))
    for one, other in zip(cells["estimates"], rows["estimates"]):
        if one["name"] == "brier" and one["class"] is None and kind in ("top_label", "classwise"):
            other |= {"parts": one["parts"], "bins": one["bins"]}  # a state has the total of the full matrix, not its parts
    assert cells == rows
    assert cells == answers(tare.measure(state, **how))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "classwise"])
def test_tests_are_those_of_the_rows(kind, network, binary):
    _, arrays = kinds(network, binary)[kind]
    cells, rows = answers(tare.State().update(**arrays).test(resamples=99)), answers(tare.test(**arrays, resamples=99))
    levels = [one.pop("level") for one in (cells, rows)]
    assert cells == rows
    if kind in ("positive", "weighted"):  # with more classes it is one shift for each, which a state does not have
        assert levels[0].pop("shift") == pytest.approx(levels[1].pop("shift"), rel=1e-9)  # fitted: sums in another order
        assert levels[0] == levels[1]


def test_bins_are_those_of_the_state(binary):
    p, y = binary
    state = tare.State(bins=7).update(probs=p, labels=y)
    assert state.bins == 7
    assert state.measure(intervals=False)["ece_ew"].bins == 7
    assert state.measure(intervals=False)["ece_ew"].value == tare.ece_ew(probs=p, labels=y, bins=7)
    assert state.measure(intervals=False, bins=20)["ece_ew"].value == tare.ece_ew(probs=p, labels=y, bins=20)


def test_more_scores_than_cells_are_said():
    rng = np.random.default_rng(5)
    p = rng.random(20_000)
    y = (rng.random(20_000) < p**1.3).astype(int)
    state = tare.State(cells=1024).update(probs=p, labels=y)
    m = state.measure(intervals=False)
    assert "known to within" in m.input["note"]
    assert m["ece_ew"].value == pytest.approx(tare.ece_ew(probs=p, labels=y), abs=1e-13)  # no cell crosses an edge
    assert m["ece_em"].value == pytest.approx(tare.ece_em(probs=p, labels=y), abs=1e-3)
    assert len(state.to_bytes()) < 20_000


def test_the_program_reads_it_and_we_read_the_programs(program, tmp_path, monkeypatch, network):
    monkeypatch.chdir(tmp_path)
    state = tare.State().update(logits=network["test_logits"], labels=network["test_labels"])
    state.save("ours.state")
    program("partial", ROOT / "data" / "resnet110_cifar10.npz", "-o", tmp_path / "theirs.state", "--quiet")
    assert (tmp_path / "ours.state").read_bytes() == (tmp_path / "theirs.state").read_bytes()
    assert tare.State.load("theirs.state") == state
    from_file = tare.measure("ours.state")
    assert answers(from_file) == answers(state.measure())
    theirs = json.loads(program("measure", tmp_path / "ours.state", "--json"))
    assert answers(from_file) == {k: v for k, v in theirs.items() if k != "input"}
    quick = {"resamples": 40, "detectable": False}
    assert answers(tare.test("ours.state", **quick)) == answers(state.test(**quick))
    small = tare.State().update(logits=network["test_logits"][:500], labels=network["test_labels"][:500])
    small.save("small.state")
    assert "Overconfident" in tare.report("small.state", bias=False).sentence
    assert "tare.report(state" in tare.report(small, bias=False).html
    assert tare.bbc("small.state", replicates=20).corrections == tare.bbc(small, replicates=20).corrections != []


def test_pickle_and_copies(network, binary):
    for options, arrays in kinds(network, binary).values():
        state = tare.State(cells=300, **options).update(**arrays)
        for again in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state), state.copy(), tare.State.from_bytes(state.to_bytes())):
            assert again == state and again.to_bytes() == state.to_bytes() and repr(again) == repr(state)
            again.update(**arrays)
            assert again != state and again.rows == 2 * state.rows
    empty = tare.State(bins=20, reduction="positive")
    assert pickle.loads(pickle.dumps(empty)) == empty != tare.State(bins=20)
    assert tare.State() != "state"
    with pytest.raises(TypeError):
        hash(empty)


def test_fit(network, binary):
    p, y = binary
    state = tare.State().update(probs=p, labels=y)
    for method in ("platt", "beta", "isotonic", "histogram"):
        fitted, rows = state.fit(method), tare.calibrator(method, "probs").fit(p, y)
        assert fitted.input == "probs"
        np.testing.assert_allclose(fitted.predict_proba(p), rows.predict_proba(p), atol=1e-9)
    assert state.fit("histogram", bins=4, binning="mass").bins == 4
    top = tare.State().update(logits=network["val_logits"], labels=network["val_labels"]).fit("isotonic")
    assert top.input == "confidences" and top.predict_proba([0.2, 0.9]).shape == (2,)
    classwise = tare.State(reduction="classwise").update(logits=network["val_logits"][:100], labels=network["val_labels"][:100])
    with pytest.raises(tare.Error, match="classwise state"):
        classwise.fit("platt")


@pytest.mark.parametrize("by", [
    lambda c: c, lambda c: c.tolist(), lambda c: c.astype(object), lambda c: np.unique(c, return_inverse=True)[1],
    lambda c: c == "DE", lambda c: pytest.importorskip("polars").Series(c.tolist()), lambda c: pytest.importorskip("pandas").Series(c),
    lambda c: pytest.importorskip("pyarrow").array(c.tolist()), lambda c: pytest.importorskip("pyarrow").chunked_array([c[:5].tolist(), c[5:].tolist()]),
])
def test_groups(by, binary):
    p, y = binary
    country = np.random.default_rng(2).choice(["AT", "DE", "FR"], len(p), p=[0.1, 0.6, 0.3])
    groups = by(country)
    state = tare.State(by="country").update(probs=p, labels=y, by=groups)
    keys = np.asarray(groups)
    assert state.by == "country" and state.groups == sorted(set(keys.tolist())) and state.rows == len(p)
    measured = state.measure(intervals=False)
    assert list(measured) == state.groups
    for key, m in measured.items():
        assert answers(m) == answers(tare.measure(probs=p[keys == key], labels=y[keys == key], intervals=False))
        assert state[key].rows == (keys == key).sum()
    assert state.test(resamples=40, detectable=False).keys() == state.fit("platt").keys() == measured.keys()


def test_groups_of_any_split(binary, tmp_path):
    p, y = binary
    arrays = {"probs": p, "labels": y, "by": np.random.default_rng(2).integers(0, 40, len(p))}
    whole = tare.State(by="shop", cells=300).update(**arrays)
    parts = [tare.State(by="shop", cells=300).update(**part) for part in split_rows(arrays, 4)]
    merged = parts[0]
    for part in parts[1:]:
        merged.merge(part)
    assert merged == whole and merged.to_bytes() == whole.to_bytes()
    whole.save(tmp_path / "shops.state")
    for again in (pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole), tare.State.load(tmp_path / "shops.state")):
        assert again == whole and again.to_bytes() == whole.to_bytes() and again.by == "shop" and again.groups == whole.groups
        assert again.update(**arrays) != whole
    with ThreadPoolExecutor(4) as pool:
        together = tare.State(by="shop", cells=300)
        list(pool.map(lambda part: together.update(**part), split_rows(arrays, 5)))
    assert together == whole
    assert whole.copy().merge(whole).rows == 2 * len(p)


def test_several_threads(network):
    """Updates, merges and questions at once: nothing is lost, nothing hangs."""
    arrays = {"logits": network["val_logits"], "labels": network["val_labels"]}
    whole = tare.State().update(**arrays)
    a, b = tare.State(), tare.State()
    parts = [part for seed in range(4) for part in split_rows(arrays, seed)]
    with ThreadPoolExecutor(6) as pool:
        jobs = [pool.submit((a if i % 2 else b).update, **part) for i, part in enumerate(parts)]
        jobs += [pool.submit(lambda: (a == b, a.rows, a.copy().merge(b).merge(a))) for _ in range(10)]
        for job in jobs:
            job.result(timeout=120)
    assert a.merge(b).rows == 4 * whole.rows
    assert a == whole.merge(whole).merge(whole)


def test_after_an_error_nothing_has_changed(binary):
    p, y = binary
    before = tare.State(by="k").update(probs=p[:100], labels=y[:100], by=np.arange(100) % 3)
    state = before.copy()
    bad = p[:10].copy()
    bad[7] = 3.2
    with pytest.raises(tare.Error, match="row 7: probability is 3.2"):
        state.update(probs=bad, labels=y[:10], by=np.arange(10))
    with pytest.raises(tare.Error, match="3 classes, but the state is of 2"):
        state.update(probs=np.full((4, 3), 1 / 3), labels=[0, 1, 2, 0], by=[9, 8, 1, 2])
    with pytest.raises(tare.Error, match="1e12"):
        state.update(probs=p[:4], labels=y[:4], by=[0, 1, 2, 3], weights=[1, 1, 1.2e12, 1])
    heavy = state.copy().update(probs=[0.5], labels=[1], by=[1], weights=[9e11])
    heavy_before = heavy.copy()
    with pytest.raises(tare.Error, match="1e12"):
        heavy.update(probs=p[:4], labels=y[:4], by=[0, 1, 2, 3], weights=[1, 9e11, 1, 1])
    assert heavy == heavy_before
    with pytest.raises(tare.Error, match="bins"):
        state.merge(tare.State(by="k", bins=3).update(probs=p[:1], labels=y[:1], by=[7]))
    assert state == before and state.groups == [0, 1, 2]
    alone = tare.State().update(probs=p, labels=y)
    copied = alone.copy()
    with pytest.raises(tare.Error, match="row 7"):
        alone.update(probs=bad, labels=y[:10])
    assert alone == copied


@pytest.mark.parametrize("call, words", [
    (lambda: tare.State(cells=255), "cells is 255, not in 256 .. 4,194,304"),
    (lambda: tare.State(cells=10**30), f"cells is {10**30}, not in 256"),
    (lambda: tare.State(cells=2.5), "cells is 2.5, not a whole number"),
    (lambda: tare.State(bins=0), "bins is 0, not in 1 .. 10,000"),
    (lambda: tare.State(cells=256, bins=200), "too few for 200 bins"),
    (lambda: tare.State(reduction="top"), "reduction is 'top'"),
    (lambda: tare.State(by=["DE"]), "not a name"),
    (lambda: tare.State().measure(), "no rows were added"),
    (lambda: tare.State().update(), "no predictions"),
    (lambda: tare.State().update(probs=[0.5]), "labels"),
    (lambda: tare.State().update(probs=[0.5], labels=[1], by=["DE"]), "the state has none"),
    (lambda: tare.State(by="x").update(probs=[0.5], labels=[1]), "groups by 'x', and none were given"),
    (lambda: tare.State(by="x").update(probs=[0.5], labels=[1], by=["a", "b"]), "by has 2 rows, but probs has 1"),
    (lambda: tare.State(by="x").update(probs=[0.5], labels=[1], by=[1.5]), "neither text nor a whole number"),
    (lambda: tare.State(by="x").update(probs=[0.5, 0.5], labels=[1, 1], by=["a", None]), "a group is None"),
    (lambda: tare.State(by="x").update(probs=[0.5], labels=[1], by=["a"]).update(probs=[0.5], labels=[1], by=[1]), "some groups are int, others str"),
    (lambda: tare.State(by="x").merge(tare.State()), "one state is by 'x', the other by None"),
    (lambda: tare.State().merge(tare.State(cells=512)), "cells"),
    (lambda: tare.measure(tare.State(by="x")), "has groups by 'x'"),
    (lambda: tare.measure(tare.State(), probs=[0.5]), "both a state and probs"),
    (lambda: tare.measure(tare.State(), split="val"), "both a state and split"),
    (lambda: tare.compare(tare.State().update(probs=[0.5, 0.4], labels=[1, 0])), "state"),
    (lambda: tare.State.from_bytes(b"nothing"), "no state"),
    (lambda: tare.State.from_bytes(b"TAREGRPS"), "no state"),
    (lambda: tare.State.load("nowhere.state"), "nowhere.state"),
])
def test_every_mistake_is_named(call, words):
    with pytest.raises(tare.Error) as caught:
        call()
    assert words in str(caught.value)


def test_no_changed_byte_passes(binary):
    p, y = binary
    for state in (tare.State().update(probs=p[:50], labels=y[:50]),
                  tare.State(by="x").update(probs=p[:50], labels=y[:50], by=["a"] * 20 + ["b"] * 30)):
        data = state.to_bytes()
        for i in range(len(data)):
            for wrong in (data[:i], data[:i] + bytes([data[i] ^ 1]) + data[i + 1:]):
                with pytest.raises(tare.Error):
                    tare.State.from_bytes(wrong)


def test_a_state_is_merged_with_states_only():
    with pytest.raises(TypeError, match="dict"):
        tare.State().merge({})
    with pytest.raises(KeyError):
        tare.State(by="x")["DE"]
    with pytest.raises(KeyError):
        tare.State()[None]
