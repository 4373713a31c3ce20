"""For which group is it wrong? group= of measure, test, compare and report."""

import numpy as np
import pytest

import tare


def rows(n=1200, seed=0):
    """Group b hits less often than its scores say."""
    rng = np.random.default_rng(seed)
    p, region = rng.random(n), np.array(["a", "b", "c"])[rng.integers(0, 3, n)]
    y = (rng.random(n) < np.clip(p - 0.15 * (region == "b"), 0, 1)).astype(int)
    return p, y, region


def test_the_group_that_is_off_comes_first():
    p, y, region = rows()
    groups = tare.measure(probs=p, labels=y, group=region).groups
    assert groups.found == ["b"] and next(iter(groups))["group"] == "b"
    inside = region == "b"
    assert groups["b"]["gap"] == pytest.approx(p[inside].mean() - y[inside].mean())
    assert groups["b"]["n"] == inside.sum() and len(groups) == 3 and groups.p_value < 0.01
    assert "1 of 3 groups of group is miscalibrated: b (too high by" in repr(groups)
    pytest.importorskip("pandas")
    assert list(groups.to_frame()["group"])[0] == "b"


def test_exact_p_values_are_those_of_scipy():
    scipy_stats = pytest.importorskip("scipy.stats")
    region = np.repeat([1, 2], 40)
    y = np.r_[np.ones(31, int), np.zeros(9, int), np.ones(20, int), np.zeros(20, int)]
    groups = tare.measure(probs=np.full(80, 0.5), labels=y, group=region).groups
    assert groups["1"]["p_gap"] == pytest.approx(scipy_stats.binomtest(31, 40, 0.5).pvalue, rel=1e-10)


def test_frames_dicts_and_files_name_their_columns(tmp_path):
    pandas = pytest.importorskip("pandas")
    p, y, region = rows()
    age = np.random.default_rng(1).integers(18, 80, len(p))
    frame = pandas.DataFrame({"region": pandas.Categorical(region), "age": age})
    by_frame = tare.measure(probs=p, labels=y, group=frame, group_bins=3).groups.to_dict()
    by_dict = tare.measure(probs=p, labels=y, group={"region": list(region), "age": age}, group_bins=3).groups.to_dict()
    assert by_frame == by_dict and [c["name"] for c in by_frame["columns"]] == ["region", "age"]
    pandas.DataFrame({"probability": p, "outcome": y, "region": region, "age": age}).to_csv(tmp_path / "t.csv", index=False)
    by_file = tare.measure(tmp_path / "t.csv", group=["region", "age"], group_bins=3).groups.to_dict()
    assert by_file["groups"] == by_dict["groups"]


def test_test_compare_and_report_take_them():
    p, y, region = rows()
    assert tare.test(probs=p, labels=y, group=region, detectable=False).groups.found == ["b"]
    compared = tare.compare(probs=p, labels=y, group=region, methods=["platt"])
    assert compared["uncalibrated"]["groups"]["groups"][0]["group"] == "b"
    assert 'id="groups"' in tare.report(probs=p, labels=y, group=region, bias=False).html


def test_rows_that_are_left_out_lose_their_group():
    p, y, region = rows()
    whole = tare.measure(probs=p[100:], labels=y[100:], group=region[100:]).groups
    y = y.copy()
    y[:100] = -100
    assert tare.measure(probs=p, labels=y, group=region, ignore_index=-100).groups == whole


def test_missing_groups_are_a_group():
    p, y, region = rows()
    region = region.astype(object)
    region[:30] = None
    assert tare.measure(probs=p, labels=y, group=region).groups["(missing)"]["n"] == 30


@pytest.mark.parametrize("group, message", [
    ("region", "there is no file"), (np.zeros((1200, 2)), "not one group per row"), (np.zeros(3), "not one group for each of 1200 rows"),
    (np.random.default_rng(0).random(1200), "different numbers"),
])
def test_wrong_groups_get_a_sentence(group, message):
    p, y, _ = rows()
    with pytest.raises(tare.Error, match=message):
        tare.measure(probs=p, labels=y, group=group)


def test_a_state_has_no_rows_to_group():
    p, y, region = rows()
    state = tare.State()
    state.update(probs=p, labels=y)
    with pytest.raises(tare.Error, match="a state keeps no rows"):
        tare.measure(state, group="region")
