"""Files that other libraries read: HDF5, Excel, Parquet, Feather, Arrow; in Python and by `python -m tare`."""

import csv
import decimal
import json
import subprocess
import sys

import numpy as np
import pytest

import tare

RNG = np.random.default_rng(12)
NAMES = np.array(["cow", "ant", "bee"])
P = RNG.dirichlet(np.ones(3), 400).round(6)
P[:, 2] = (1 - P[:, 0] - P[:, 1]).round(6)
Y = np.array([0, 1, 2, *(RNG.choice(3, p=np.abs(p) / np.abs(p).sum()) for p in P[3:])])
COLUMNS = {f"p_{name}": P[:, j] for j, name in enumerate(NAMES)}
EXPECTED = {(e.name, e.norm): e.value for e in tare.measure(probs=P, labels=Y, intervals=False)}


def values(found):
    return {(e.name, e.norm): e.value for e in found}


def run(*words, check=True):
    done = subprocess.run([sys.executable, "-m", "tare", *map(str, words)], capture_output=True, text=True)
    assert not check or done.returncode == 0, done.stderr
    return done


def program(*words):
    lines = json.loads(run("measure", *words, "--json", "--no-interval").stdout)["estimates"]
    return {(e["name"], e["norm"]): e["value"] for e in lines}


@pytest.fixture
def hdf5(tmp_path):
    h5py = pytest.importorskip("h5py")

    def make(name="x.h5", **arrays):
        with h5py.File(tmp_path / name, "w") as file:
            for path, array in arrays.items():
                file[path] = array
        return tmp_path / name

    return make


LAYOUTS = {
    "plain": ({"probs": P, "labels": Y}, {}),
    "float32": ({"probs": P.astype("f4"), "labels": Y.astype("u1")}, {}),
    "a group": ({"resnet/probs": P, "resnet/labels": Y, "about/year": [2026]}, {}),
    "two groups": ({"a/probs": P, "a/labels": Y, "b/probs": P[::-1].copy(), "b/labels": Y}, {"probs": "a/probs"}),
    "splits": ({"val/probs": P[:9], "val/labels": Y[:9], "test/probs": P, "test/labels": Y}, {}),
    "names of splits": ({"val_probs": P[:9], "val_labels": Y[:9], "test_probs": P, "test_labels": Y}, {}),
    "other names": ({"softmax_of_it": P, "truth": Y, "more": [[1.0]]}, {"probs": "softmax_of_it", "labels": "truth"}),
    "vectors": ({"p0": P[:, 0], "p1": P[:, 1], "p2": P[:, 2], "labels": Y}, {"probs": ["p0", "p1", "p2"]}),
    "text": ({"probs": P[:, [1, 2, 0]], "labels": NAMES[Y].astype("S")}, {}),  # in the order of the alphabet
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("large", [False, True], ids=["at once", "in batches"])
def test_hdf5(layout, large, hdf5, monkeypatch):
    from tare import _hdf5

    arrays, names = LAYOUTS[layout]
    path = hdf5(**arrays)
    if large:
        monkeypatch.setattr(_hdf5, "MOST_BYTES", 0)
        monkeypatch.setattr(_hdf5, "_BATCH_BYTES", 1000)
    wanted = EXPECTED if layout != "float32" else values(tare.measure(probs=P.astype("f4"), labels=Y, intervals=False))
    found = tare.measure(path, **names, intervals=False)
    assert found.input.source == str(path) and found.input.n == len(Y)
    assert values(found) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name not in ("vectors", "text", "float32")])
def test_hdf5_and_the_program(layout, hdf5):
    arrays, names = LAYOUTS[layout]
    assert program(hdf5(**arrays), *[word for role, name in names.items() for word in (f"--{role}", name)],
                   *(["--labels", "a/labels"] if layout == "two groups" else [])) == pytest.approx(EXPECTED, rel=1e-12)


def test_hdf5_with_two_folds(hdf5):
    path = hdf5(**{"val/logits": np.log(P[:200] + 1e-9), "val/labels": Y[:200], "test/logits": np.log(P[200:] + 1e-9), "test/labels": Y[200:]})
    found = tare.compare(path, methods=["temperature"], resamples=50)
    same = tare.compare(val_logits=np.log(P[:200] + 1e-9), val_labels=Y[:200], test_logits=np.log(P[200:] + 1e-9), test_labels=Y[200:],
                        methods=["temperature"], resamples=50)
    assert found["temperature"].nll == same["temperature"].nll
    assert tare.measure(path, split="val", intervals=False).input.n == 200
    assert "temperature" in run("compare", path, "--methods", "temperature", "--resamples", "50").stdout


def test_hdf5_states_groups_and_classes(hdf5):
    site = np.array(["north", "south"])[np.arange(len(Y)) % 2]
    path = hdf5(probs=P, labels=Y, site=site.astype("S"))
    assert tare.State().update(path) == tare.State().update(probs=P, labels=Y)
    assert tare.State(by="site").update(path) == tare.State(by="site").update(probs=P, labels=Y, by=site)
    named = tare.measure(path, classes=["a,b", "c", "d"], reduction="classwise", estimators=["ece_ew"], intervals=False)
    assert {e.class_name for e in named} == {None, "a,b", "c", "d"}
    groups = tare.measure(path, group="site", estimators=["ece_ew"]).groups
    assert {g.group for g in groups} == {"north", "south"}


@pytest.mark.parametrize("arrays, call, message", [
    ({"x": P}, {}, "no name says what it holds: x"),
    ({"probs": P}, {}, "has no labels; it holds probs"),
    ({"probs": P, "labels": Y[:7]}, {}, "labels has 7 rows, but probs has 400 rows"),
    ({"probs": P, "labels": Y}, {"labels": "label"}, "holds nothing named 'label'; it holds labels, probs"),
    ({"a/probs": P, "b/probs": P, "labels": Y}, {}, "several arrays could be the probs: a/probs, b/probs"),
    ({"probs": P, "logits": P, "labels": Y}, {}, "holds logits and probs"),
    ({"probs": P, "labels": Y}, {"split": "val"}, "holds no predictions of val"),
    ({"probs": P, "labels": Y}, {"split": "train"}, "split is 'train'"),
    ({"probs": P * 2, "labels": Y}, {}, "not in [0, 1]"),
    ({"probs": P, "labels": Y}, {"labels": Y}, "both a file and labels were given"),
])
def test_what_is_wrong_with_hdf5(arrays, call, message, hdf5):
    path = hdf5(**arrays)
    with pytest.raises(tare.Error) as caught:
        tare.measure(path, **call)
    assert message in caught.value.message, caught.value.message


def test_hdf5_that_is_none_or_not_there(tmp_path):
    pytest.importorskip("h5py")
    (tmp_path / "x.h5").write_bytes(b"nothing")
    with pytest.raises(tare.Error, match="is not an HDF5 file"):
        tare.measure(tmp_path / "x.h5")
    with pytest.raises(FileNotFoundError, match="no such file"):
        tare.measure(tmp_path / "y.h5")
    assert run("measure", tmp_path / "x.h5", check=False).returncode == 2


@pytest.mark.parametrize("module, file, extra", [("h5py", "x.h5", "hdf5"), ("openpyxl", "x.xlsx", "excel"), ("pyarrow.dataset", "x.parquet", "parquet")])
def test_without_the_library(module, file, extra, tmp_path, monkeypatch):
    (tmp_path / file).write_bytes(b"PK\3\4")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(tare.Error, match="not installed") as caught:
        tare.measure(tmp_path / file)
    assert caught.value.hint == f"pip install 'tare[{extra}]'"


def sheet(path, rows):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.create_sheet("notes").append(["nothing"])
    book.save(path)
    return path


@pytest.mark.parametrize("labels", [NAMES[Y].tolist(), Y.tolist()], ids=["names", "numbers"])
def test_excel(labels, tmp_path):
    path = sheet(tmp_path / "x.xlsx", [[], [*COLUMNS, "label"], *([*map(float, p), label] for p, label in zip(P, labels)), [None, None]])
    found = tare.measure(path, intervals=False)
    assert values(found) == EXPECTED and found.input.source == str(path)
    assert program(path) == EXPECTED
    assert values(tare.measure(path, probs=list(COLUMNS), labels="label", intervals=False)) == EXPECTED


def test_what_is_wrong_with_excel(tmp_path):
    pytest.importorskip("openpyxl")
    for rows, message in (([], "has no rows"), ([["p", "y"]], "has no rows"), ([["p", "y"], [0.5, None]], "row 2, column 'y' is empty"),
                          ([["p", "y"], [0.5, 1], ["x", 0]], "row 3, column 'p': 'x' is not a number"), ([["a", "b"], [1, 2]], "no name says what it holds")):
        with pytest.raises(tare.Error, match="x.xlsx") as caught:
            tare.measure(sheet(tmp_path / "x.xlsx", rows))
        assert message in caught.value.message, caught.value.message
    (tmp_path / "y.xlsx").write_bytes(b"PK\3\4 and nothing else")
    with pytest.raises(tare.Error, match="is not an Excel file"):
        tare.measure(tmp_path / "y.xlsx")
    (tmp_path / "y.xls").write_bytes(b"\xd0\xcf\x11\xe0")
    with pytest.raises(tare.Error, match="before 2007") as caught:
        tare.measure(tmp_path / "y.xls")
    assert caught.value.hint == "save it as .xlsx or .csv"


def tables():
    pyarrow = pytest.importorskip("pyarrow")
    words = pyarrow.array(NAMES[Y])
    exact = {name: pyarrow.array([decimal.Decimal(repr(float(x))) for x in column], pyarrow.decimal128(20, 6)) for name, column in COLUMNS.items()}
    pandas = pytest.importorskip("pandas")
    return {
        "words": (pyarrow.table({**COLUMNS, "label": words}), []),
        "categories": (pyarrow.table({**COLUMNS, "label": words.dictionary_encode()}), []),
        "numbers": (pyarrow.table({**COLUMNS, "label": pyarrow.array(Y, pyarrow.uint8())}), []),
        "nullable": (pyarrow.Table.from_pandas(pandas.DataFrame({**COLUMNS, "label": pandas.array(Y, "Int16")})), []),
        "decimals": (pyarrow.table({**exact, "label": words}), []),
        "lists": (pyarrow.table({"probs": pyarrow.array(P.tolist()), "label": Y}), []),
        "another name": (pyarrow.table({**COLUMNS, "what it was": words}), ["--labels", "what it was"]),
        "with =": (pyarrow.table({**COLUMNS, "what it was": words}), ["--labels=what it was"]),
    }


@pytest.mark.parametrize("name", ["words", "categories", "numbers", "nullable", "decimals", "lists", "another name", "with ="])
def test_parquet_and_the_program(name, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table, words = tables()[name]
    parquet.write_table(table, tmp_path / "x.parquet", row_group_size=100)
    assert program(tmp_path / "x.parquet", *words) == EXPECTED


def test_feather_arrow_and_the_program(tmp_path):
    pyarrow, feather = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.feather")
    table = tables()["categories"][0]
    feather.write_feather(table, tmp_path / "x.feather")
    with pyarrow.OSFile(str(tmp_path / "x.arrow"), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as out:
        out.write_table(table)
    assert program(tmp_path / "x.feather") == EXPECTED
    assert program(tmp_path / "x.arrow") == EXPECTED


def test_booleans_and_the_program(tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"p": P[:, 0], "label": pyarrow.array((Y == 0).tolist())}), tmp_path / "x.parquet")
    expected = {(e.name, e.norm): e.value for e in tare.measure(probs=P[:, 0], labels=Y == 0, intervals=False)}
    assert program(tmp_path / "x.parquet") == expected


def test_names_of_classes_in_parquet(tmp_path):
    """In batches nobody knows all of them: the error says how to read it."""
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("words", "categories"):
        parquet.write_table(tables()[name][0], tmp_path / "x.parquet")
        with pytest.raises(tare.Error, match="label: ") as caught:
            tare.measure(tmp_path / "x.parquet")
        assert "read_table(FILE), probs=[...], labels='label'" in caught.value.hint
        assert values(tare.measure(parquet.read_table(tmp_path / "x.parquet"), probs=list(COLUMNS), labels="label", intervals=False)) == EXPECTED


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_say_which_class_they_are_about(library):
    """p_cow, p_ant and p_bee with labels cow, ant and bee: not in the order of the alphabet."""
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    frame = make({**COLUMNS, "label": NAMES[Y].tolist()})
    assert values(tare.measure(frame, probs=list(COLUMNS), labels="label", intervals=False)) == EXPECTED
    if library == "pandas":
        assert values(tare.measure(probs=frame[list(COLUMNS)], labels=frame["label"], intervals=False)) == EXPECTED


def test_weights_are_never_guessed(tmp_path):
    """A column `weight` may be kilograms."""
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"p": P[:, 0], "label": (Y == 0).astype(int), "weight": np.linspace(40, 110, len(Y))})
    parquet.write_table(table, tmp_path / "x.parquet")
    expected = values(tare.measure(probs=P[:, 0], labels=Y == 0, intervals=False))
    assert values(tare.measure(tmp_path / "x.parquet", intervals=False)) == expected
    with open(tmp_path / "x.csv", "w", newline="") as file:
        csv.writer(file).writerows([["p", "label"], *zip(P[:, 0].tolist(), (Y == 0).astype(int).tolist())])
    assert values(tare.measure(tmp_path / "x.csv", intervals=False)) == expected
    weighted = tare.measure(tmp_path / "x.parquet", weights="weight", intervals=False)
    assert weighted.input.weighted


def test_what_was_used_is_said(tmp_path, hdf5):
    """By the attribute, in the text and in a notebook."""
    with open(tmp_path / "x.csv", "w", newline="") as file:
        csv.writer(file).writerows([["id", "y_prob", "y_true"], *zip(range(len(Y)), P[:, 0].tolist(), (Y == 0).astype(int).tolist())])
    rows = [[*COLUMNS, "label"], *([*map(float, p), label] for p, label in zip(P, NAMES[Y].tolist()))]
    for found, used in ((tare.measure(tmp_path / "x.csv"), "scores: column y_prob · labels: column y_true · weights: none"),
                        (tare.measure(hdf5(**{"net/probs": P, "net/labels": Y})), "scores: array net/probs · labels: array net/labels · weights: none"),
                        (tare.measure(sheet(tmp_path / "x.xlsx", rows)), "scores: columns p_cow to p_bee · labels: column label · weights: none")):
        assert found.input.used == used == found.to_dict()["input"]["used"]
        assert used in " ".join(repr(found).split()) and used in found._repr_html_()
    arrays = tare.measure(probs=P, labels=Y, intervals=False)
    assert arrays.input.used is None and "scores:" not in repr(arrays)
