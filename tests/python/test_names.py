"""Names of classes and columns are taken as they are, whatever stands in them."""

import csv
import json

import numpy as np
import pytest

import tare

RNG = np.random.default_rng(8)
P = RNG.dirichlet(np.ones(3), 240).round(6)
P[:, 2] = 1 - P[:, 0] - P[:, 1]
CODES = np.array([0, 1, 2, *(RNG.choice(3, p=p / p.sum()) for p in P[3:])])
NAMES = [
    ["a,b", "c", "d"],
    ["one\nline", "two\r\nlines", "three"],
    ['say "so"', "'", '"'],
    ["", "x", "y"],
    ["großes Ö", "日本", "🙂‍↔️"],
    ["names.txt", "other.txt", "x.csv"],
    [" left", "right ", "a:b"],
    ["[0-9]", "*", "?"],
    ["None", "NA", "nan"],
    ["a", "A", "á"],
]
IN_TEXT = [names for names in NAMES if not {"", "NA", " left"} & set(names)]  # cells are trimmed there, and may be missing


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files whose names are those of classes and columns, and which nobody must open."""
    monkeypatch.chdir(tmp_path)
    for name in ("names.txt", "other.txt", "p", "y", "a", "1"):
        (tmp_path / name).write_text("one\ntwo\nthree\nfour\n")
    return tmp_path


def table(path, header, labels):
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(header)
        rows.writerows([*map(repr, map(float, p)), label] for p, label in zip(P, labels))


def classes_of(found):
    return sorted({row.class_name for row in found if row.class_name is not None})


def classwise(*args, **data):
    return tare.measure(*args, **data, reduction="classwise", estimators=["ece_ew"], intervals=False)


EXPECTED = float(classwise(probs=P, labels=CODES)["ece_ew", 1].value)


@pytest.mark.parametrize("names", NAMES, ids=map(repr, NAMES))
def test_classes_of_arrays(names):
    found = classwise(probs=P, labels=CODES, classes=names)
    assert classes_of(found) == sorted(names) and found["ece_ew", 1].value == EXPECTED
    words = classwise(probs=P, labels=np.array(names, object)[CODES], classes=names)
    assert classes_of(words) == sorted(names) and words["ece_ew", 1].value == EXPECTED


@pytest.mark.parametrize("names", NAMES, ids=map(repr, NAMES))
def test_classes_of_a_file_with_numbers(names):
    np.savez("rows.npz", probs=P, labels=CODES)
    found = classwise("rows.npz", classes=names)
    assert classes_of(found) == sorted(names) and found["ece_ew", 1].value == EXPECTED


@pytest.mark.parametrize("names", IN_TEXT, ids=map(repr, IN_TEXT))
def test_classes_of_a_table_with_words(names):
    table("rows.csv", ["p_0", "p_1", "p_2", "label"], np.array(names, object)[CODES])
    found = classwise("rows.csv", classes=names)
    assert classes_of(found) == sorted(names) and found["ece_ew", 1].value == EXPECTED


@pytest.mark.parametrize("columns", [["p,0", "p,1", "p,2"], ["a:b", "rows.csv:p", "c"], ["p", "a", "names.txt"], ["*", "?", "[0-9]"],
                                     ["x-y", "x", "y"], ['"p"', "p\nq", "ö"]], ids=repr)
@pytest.mark.filterwarnings("ignore:the columns are named")
def test_columns_by_name(columns):
    label = "the, label"
    table("rows.csv", [*columns, label], CODES)
    assert classwise("rows.csv", probs=columns, labels=label)["ece_ew", 1].value == EXPECTED
    assert classwise("rows.csv", probs=columns, labels=[label])["ece_ew", 1].value == EXPECTED
    order = [2, 0, 1]
    turned = classwise("rows.csv", probs=[columns[i] for i in order], labels=label, classes=[columns[i] for i in order])
    assert turned.to_dict()["input"]["k"] == 3 and classes_of(turned) == sorted(columns)


def test_a_column_is_no_file(folder):
    table("rows.csv", ["p_0", "p_1", "p_2", "y"], CODES)  # y is a file, too
    np.savez("rows.npz", p=P, y=CODES)
    assert classwise("rows.csv", probs="p_*", labels="y")["ece_ew", 1].value == EXPECTED
    assert classwise("rows.npz", probs="p", labels="y")["ece_ew", 1].value == EXPECTED
    with pytest.raises(tare.Error, match="holds nothing named 'other.txt'"):
        tare.measure("rows.npz", probs="p", labels="other.txt")


def test_names_in_wholes(folder):
    """Every answer that shows names has them whole."""
    table("rows.csv", ["p_0", "p_1", "p_2", "label"], CODES)
    page = tare.report("rows.csv", classes=["a,b", "c", "names.txt"], replicates=20, bias=False)
    assert "a,b" in page.html
    with pytest.raises(tare.Error, match="4 names for 3 classes"):
        tare.measure("rows.csv", classes=["a,b", "c", "d", "e"])
    with pytest.raises(tare.Error, match="2 names for 3 classes"):
        tare.measure("rows.csv", classes=["a,b", "c"])


def test_estimators_and_methods_are_lists():
    with pytest.raises(tare.Error, match="ece_ew,brier"):
        tare.measure(probs=P, labels=CODES, estimators=["ece_ew,brier"])
    with pytest.raises(tare.Error, match="platt,beta"):
        tare.compare(probs=P, labels=CODES, methods=["platt,beta"], resamples=20)


def test_groups_with_commas():
    groups = np.array(["a,b", "a", "b"])[np.arange(len(P)) % 3]
    found = tare.measure(probs=P, labels=CODES, group={"x,y": groups}, estimators=["ece_ew"])
    assert {(row.column, row.group) for row in found.groups} == {("x,y", name) for name in ("a,b", "a", "b")}
    with open("rows.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["p_0", "p_1", "p_2", "label", "x,y"])
        rows.writerows([*map(repr, map(float, p)), label, group] for p, label, group in zip(P, CODES, groups))
    again = tare.measure("rows.csv", group=["x,y"], estimators=["ece_ew"])
    assert json.dumps([dict(row) for row in again.groups]) == json.dumps([dict(row) for row in found.groups])
