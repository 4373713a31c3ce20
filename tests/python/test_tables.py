"""Tables that are read in batches: the numbers are those of the rows, and an error says where it is."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tare

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
dataset = pytest.importorskip("pyarrow.dataset")


def answers(result):
    out = result.to_dict()
    del out["input"]
    return out


@pytest.fixture
def rows(binary):
    p, y = binary
    return {"p": p, "y": y, "country": np.random.default_rng(3).choice(["AT", "DE", "FR"], len(p)), "w": 1 + np.arange(len(p)) % 3}


@pytest.fixture
def path(rows, tmp_path):
    parquet.write_table(pyarrow.table(rows), tmp_path / "data.parquet", row_group_size=700)
    return tmp_path / "data.parquet"


def test_a_file_has_the_numbers_of_its_rows(path, rows):
    expected = tare.measure(probs=rows["p"], labels=rows["y"])
    m = tare.measure(path, probs="p", labels="y")
    assert answers(m) == answers(expected)
    assert m.input["source"] == str(path) and m.input["n"] == len(rows["p"])
    assert answers(tare.measure(str(path))) == answers(expected)  # the names say what they are
    quick = {"resamples": 40, "detectable": False}
    assert answers(tare.test(path, **quick))["tests"] == answers(tare.test(probs=rows["p"], labels=rows["y"], **quick))["tests"]
    assert tare.bbc(path, replicates=20).corrections != []
    page = tare.report(path, bias=False, probs="p").html
    assert "data.parquet" in page and "probs=&#39;p&#39;" in page.replace("&#x27;", "&#39;").replace("'", "&#39;")
    weighted = tare.measure(path, probs="p", labels="y", weights="w", intervals=False)
    assert answers(weighted) == answers(tare.measure(probs=rows["p"], labels=rows["y"], weights=rows["w"], intervals=False))


def test_every_kind_of_table_is_the_same_state(path, rows, tmp_path):
    whole = tare.State().update(probs=rows["p"], labels=rows["y"])
    table = pyarrow.table(rows)
    half = len(rows["p"]) // 2
    (tmp_path / "parts").mkdir()
    parts = [tmp_path / "parts" / f"{i}.parquet" for i in range(2)]
    for part, rest in zip(parts, (table.slice(0, half), table.slice(half))):
        parquet.write_table(rest, part)
    tables = [path, str(path), [path], parts, tuple(map(str, parts)), tmp_path / "parts", dataset.dataset(path), dataset.dataset(tmp_path / "parts"),
              dataset.dataset(table), table, table.to_reader(max_chunksize=100), pytest.importorskip("polars").DataFrame(rows),
              dataset.dataset(path).filter(dataset.field("p") >= 0)]
    for one in tables:
        state = tare.State().update(one, probs="p", labels="y", threads=3)
        assert state == whole and state.to_bytes() == whole.to_bytes(), one
    some = tare.State().update(dataset.dataset(path).filter(dataset.field("country") == "DE"), probs="p", labels="y")
    assert some == tare.State().update(probs=rows["p"][rows["country"] == "DE"], labels=rows["y"][rows["country"] == "DE"])


def test_groups_come_from_a_column(path, rows, tmp_path):
    by = tare.State(by="country").update(probs=rows["p"], labels=rows["y"], by=rows["country"])
    assert tare.State(by="country").update(path, probs="p", labels="y") == by
    assert tare.State(by="country").update(pyarrow.table(rows), probs="p", labels="y") == by
    assert tare.State(by="country").update(dataset.dataset(path).filter(dataset.field("p") >= 0), probs="p", labels="y") == by
    dataset.write_dataset(pyarrow.table(rows), tmp_path / "hive", format="parquet",
                          partitioning=dataset.partitioning(pyarrow.schema([("country", pyarrow.string())]), flavor="hive"))
    hive = dataset.dataset(tmp_path / "hive", partitioning="hive")
    assert tare.State(by="country").update(hive, probs="p", labels="y") == by
    with pytest.raises(tare.Error, match="there is no column 'shop', only p, y, country, w"):
        tare.State(by="shop").update(path)


@pytest.mark.parametrize("kind", ["columns", "star", "fixed lists", "lists", "large lists", "float32 lists"])
def test_matrices(kind, network, tmp_path):
    z, y = network["val_logits"].astype(float), network["val_labels"]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    if kind == "float32 lists":
        p = p.astype("f4")
    columns, given = {f"p_{c}": p[:, c] for c in range(10)}, [f"p_{c}" for c in range(10)]
    flat = pyarrow.array(p.ravel())
    if kind == "star":
        given = "p_*"
    elif kind != "columns":
        starts = np.arange(len(p) + 1) * 10
        columns = {"p": {
            "fixed lists": lambda: pyarrow.FixedSizeListArray.from_arrays(flat, 10),
            "large lists": lambda: pyarrow.LargeListArray.from_arrays(pyarrow.array(starts, pyarrow.int64()), flat),
        }.get(kind, lambda: pyarrow.ListArray.from_arrays(pyarrow.array(starts, pyarrow.int32()), flat))()}
        given = "p"
    table = pyarrow.table(columns | {"label": y})
    parquet.write_table(table, tmp_path / "m.parquet", row_group_size=999)
    whole = tare.State().update(probs=p, labels=y)
    assert tare.State().update(tmp_path / "m.parquet", probs=given) == whole
    assert tare.State().update(tmp_path / "m.parquet") == whole
    assert tare.State().update(table.slice(7), probs=given).merge(tare.State().update(table.slice(0, 7), probs=given)) == whole
    groups = np.arange(len(y)) % 2
    parquet.write_table(table.append_column("g", pyarrow.array(groups)), tmp_path / "g.parquet", row_group_size=999)
    assert tare.State(by="g").update(tmp_path / "g.parquet", probs=given) == tare.State(by="g").update(probs=p, labels=y, by=groups)


def test_a_label_is_the_name_of_its_column(tmp_path):
    """As in CSV files."""
    table = pyarrow.table({"p_1": [0.7, 0.2], "p_3": [0.3, 0.8], "label": [1, 3]})
    parquet.write_table(table, tmp_path / "t.parquet")
    assert tare.measure(tmp_path / "t.parquet", intervals=False, reduction="top_label")["accuracy"].value == 1
    with pytest.raises(tare.Error, match="in the order of the classes"):
        tare.State(by="label").update(table)


def written(tmp_path, **columns):
    parquet.write_table(pyarrow.table(columns), tmp_path / "bad.parquet", row_group_size=100)
    return tmp_path / "bad.parquet"


@pytest.mark.parametrize("by", [None, "g"])
def test_what_is_wrong_is_named_with_file_and_row_group(by, tmp_path):
    rng = np.random.default_rng(1)
    p, y, g = rng.random(1000), rng.integers(0, 2, 1000), np.arange(1000) % 2
    state = tare.State(by=by)
    before = state.to_bytes()
    for column, row, value, words in [("p", 423, None, "row group 4: p: row 23 is null"), ("y", 999, None, "row group 9: y: row 99 is null"),
                                      ("p", 555, 3.2, "row group 5: p: row 55: probability is 3.2"), ("y", 0, 7, "row group 0: y: row 0: label is 7")]:
        columns = {"p": p.tolist(), "y": y.tolist(), "g": g}
        columns[column][row] = value
        with pytest.raises(tare.Error) as caught:
            state.update(written(tmp_path, **columns))
        assert f"bad.parquet, {words}" in caught.value.message and caught.value.hint
        assert state.to_bytes() == before
    twice = p.tolist()
    twice[250] = twice[850] = None
    for _ in range(5):
        with pytest.raises(tare.Error, match="row group 2: p: row 50 is null"):
            state.update(written(tmp_path, p=twice, y=y, g=g))
    with pytest.raises(tare.Error, match="row 423 is null"):
        tare.State().update(pyarrow.table({"p": pyarrow.array([*p[:423], None, *p[424:]]), "y": y}).to_reader(max_chunksize=100))
    lists = pyarrow.array([[0.5, 0.5]] * 150 + [[0.2, None]] + [[1.0]])
    with pytest.raises(tare.Error, match="row group 1: p: row 50, column 1 is null"):
        tare.State().update(written(tmp_path, p=lists.slice(0, 151), y=[0] * 151))
    with pytest.raises(tare.Error, match="row group 1: p: row 51 has 1 numbers, the first has 2"):
        tare.State().update(written(tmp_path, p=lists, y=[0] * 152))


@pytest.mark.parametrize("call, words", [
    (lambda t: tare.measure(t, probs="q", labels="y"), "probs: there is no column 'q', only p, y, name"),
    (lambda t: tare.measure(t, probs=["p", "q"], labels="y"), "there is no column 'q'"),
    (lambda t: tare.measure(t, probs=np.ones(3), labels="y"), "probs is not the name of a column"),
    (lambda t: tare.measure(t, probs="name", labels="y"), "name: holds text, not numbers"),
    (lambda t: tare.measure(t, probs="p", labels="name"), "labels hold 3 classes ('a', 'b', 'c'), but probs has one number per row, for two classes\nhint: "
     "name every class in the order of the columns: classes=['a', 'b', …]"),
    (lambda t: tare.measure(t, probs=["p", "y"], labels="y"), "y: is not of the type of column 'p'"),
    (lambda t: tare.measure(t, probs="p", labels="y", split="val"), "both a state and split"),
    (lambda t: tare.measure(t.rename_columns(["a", "b", "c"])), "no name says what it holds: a, b, c"),
    (lambda t: tare.measure(t.rename_columns(["p", "prob", "y"])), "several columns could be the probs: p, prob"),
    (lambda t: tare.measure(t.rename_columns(["p", "b", "c"])), "probs must come with labels"),
    (lambda t: tare.measure(t, probs="p", labels="y", reduction="top"), "reduction is 'top'"),
    (lambda t: tare.measure(t.slice(0, 0), probs="p", labels="y"), "no rows were added"),
    (lambda t: tare.measure(t["p"]), "measure() does not guess what an array holds"),
    (lambda t: tare.compare(t), "read in batches"),
    (lambda t: tare.State().update(t, probs="p", labels="y", by=["a"]), "the state has none"),
    (lambda t: tare.State().update("rows.npz"), "rows.npz is no table"),
    (lambda t: tare.measure([0.5, 0.2]), "measure() does not guess what an array holds"),
    (lambda t: tare.measure([]), "names of Parquet files"),
    (lambda t: tare.measure("nowhere.parquet"), "nowhere.parquet"),
    (lambda t: tare.measure(__file__.replace(".py", ".nothing.parquet")), ".nothing.parquet: no such file"),
])
def test_every_mistake_is_named(call, words):
    with pytest.raises(tare.Error) as caught:
        call(pyarrow.table({"p": [0.5, 0.25, 1.0], "y": [1, 0, 1], "name": ["a", "b", "c"]}))
    assert words in str(caught.value)


def test_messages_are_clean(tmp_path):
    table = pyarrow.table({"\x1b[2J": [0.5], "\x9b": [1]})
    parquet.write_table(table, tmp_path / "\x1b[2J.parquet")
    for call in (lambda: tare.measure(table), lambda: tare.measure(table, probs="p"), lambda: tare.measure(tmp_path / "\x1b[2J.parquet"),
                 lambda: tare.measure(table, probs="\x1b[2J", labels="\x1b[2J"), lambda: tare.measure("\x1b[2J.parquet"),
                 lambda: tare.State(by="\x1b").update(table, probs="\x1b[2J", labels="\x9b")):
        with pytest.raises(tare.Error) as caught:
            call()
        assert not set(str(caught.value)) & set("\x1b\x9b"), str(caught.value)


def test_broken_files(path):
    data = bytearray(path.read_bytes())
    for broken in (b"", b"PAR1", bytes(data[:-20]), bytes(data[: len(data) // 2])):
        path.write_bytes(broken)
        with pytest.raises(tare.Error) as caught:
            tare.measure(path, probs="p", labels="y")
        assert "data.parquet" in caught.value.message and caught.value.code == "io"


def test_confidences(rows, tmp_path):
    for names in (("confidence", "correct"), ("c", "h")):
        table = pyarrow.table({names[0]: rows["p"], names[1]: rows["y"].astype(bool)})
        given = {} if names[1] == "correct" else {"confidences": "c", "correct": "h"}
        assert tare.State().update(table, **given) == tare.State().update(confidences=rows["p"], correct=rows["y"])
    table = pyarrow.table({"conf": rows["p"], "pred": rows["y"], "label": np.ones_like(rows["y"])})
    assert tare.State().update(table) == tare.State().update(confidences=rows["p"], correct=rows["y"])


def test_memory_does_not_grow_with_the_table(tmp_path):
    """4 million rows, 36 MB of numbers, in row groups of 100,000: what is kept at any time is far less."""
    script = f"""
        import resource, numpy as np, pyarrow as pa, pyarrow.parquet as pq, tare
        path = {str(tmp_path / "long.parquet")!r}
        def rows(n):
            with pq.ParquetWriter(path, pa.schema([("p", pa.float64()), ("y", pa.int8())])) as out:
                for i in range(n // 100_000):
                    out.write_table(pa.table({{"p": np.random.default_rng(i).random(100_000), "y": np.zeros(100_000, "i1")}}))
        rows(1_000_000)
        tare.State().update(path)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        rows(8_000_000)
        assert tare.State().update(path).rows == 8_000_000
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 40  # of 72 MB


@pytest.mark.parametrize("table", [
    "pyarrow.RecordBatchReader.from_batches(batch.schema, itertools.repeat(batch))",
    "pyarrow.RecordBatchReader.from_batches(batch.schema, (batch for _ in itertools.count()))",
    "[path] * 100_000",
])
@pytest.mark.parametrize("by", [None, "g"])
def test_ctrl_c_stops_reading(table, by, tmp_path):
    script = f"""
        import itertools, os, signal, threading, numpy as np, pyarrow, pyarrow.parquet, tare
        batch = pyarrow.record_batch({{"p": np.random.rand(10_000), "y": np.zeros(10_000, "i1"), "g": np.zeros(10_000, "i1")}})
        path = {str(tmp_path / "long.parquet")!r}
        pyarrow.parquet.write_table(pyarrow.table(batch), path)
        state = tare.State(by={by!r})
        threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            state.update({table}, probs="p", labels="y")
        except KeyboardInterrupt:
            print("interrupted", state.rows)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=100)
    assert done.stdout == "interrupted 0\n", done.stderr


@pytest.mark.parametrize("by", [None, "g"])
@pytest.mark.parametrize("what, seen", [(KeyboardInterrupt(), KeyboardInterrupt), (ValueError("no more rows"), tare.Error)])
def test_batches_that_fail(what, seen, by):
    batch = pyarrow.record_batch({"p": [0.5], "y": [1], "g": [0]})

    def batches():
        yield batch
        raise what

    state = tare.State(by=by)
    with pytest.raises(seen, match="the Arrow stream failed: .*no more rows" if seen is tare.Error else None):
        state.update(pyarrow.RecordBatchReader.from_batches(batch.schema, batches()), probs="p", labels="y")
    assert state.rows == 0


def test_without_pyarrow(path, monkeypatch):
    import builtins

    real = builtins.__import__

    def refuse(name, *rest, **more):
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest, **more)

    import importlib

    monkeypatch.setattr(importlib, "import_module", lambda name: refuse(name))
    with pytest.raises(tare.Error, match=r"tare\[parquet\]"):
        tare.measure(path)


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow"])
def test_the_command_line_and_measure_read_what_pyarrow_reads(rows, tmp_path, ending):
    table = pyarrow.table({"p": rows["p"], "y": rows["y"]})
    path = tmp_path / f"data.{ending}"
    if ending == "parquet":
        parquet.write_table(table, path, row_group_size=700)
    elif ending == "feather":
        pytest.importorskip("pyarrow.feather").write_feather(table, path)
    else:
        with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    expected = answers(tare.measure(probs=rows["p"], labels=rows["y"], intervals=False))
    assert answers(tare.measure(path, intervals=False)) == expected
    for words in ([str(path)], ["--probs", f"{path}:p", "--labels", f"{path}:y"]):
        done = subprocess.run([sys.executable, "-m", "tare", "measure", *words, "--no-interval", "--json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["estimates"] == expected["estimates"]
    missing = subprocess.run([sys.executable, "-m", "tare", "measure", "nothing.parquet"], capture_output=True, text=True)
    assert missing.returncode == 2 and missing.stderr.startswith("error: nothing.parquet: no such file")


def test_lists_of_numbers_are_columns_on_the_command_line(tmp_path):
    lists = pyarrow.table({"probs": [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], "label": [2, 0]})
    parquet.write_table(lists, tmp_path / "lists.parquet")
    words = [sys.executable, "-m", "tare", "measure", str(tmp_path / "lists.parquet"), "--no-interval", "--json", "--estimators", "brier"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["estimates"][0]["value"] == pytest.approx(0.32)  # (0.38 + 0.26) / 2
