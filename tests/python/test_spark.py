"""Spark: however it splits the rows, whichever way they go, and whatever dies on the way, the state is that of the rows."""

import itertools
import os
import shutil
import signal
import sys

import numpy as np
import pytest

import tare

pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
if not shutil.which("java"):
    pytest.skip("there is no Java", allow_module_level=True)

from pyspark.sql import SparkSession, functions  # noqa: E402
from tare import _spark_rows  # noqa: E402

N = 150_000
LONG = pytest.mark.skipif(os.environ.get("TARE_LONG") != "1", reason="long: make spark-test")


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """A machine of two cores that runs a task up to four times. Java's second compiler costs more here than it gains."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    where = tmp_path_factory.mktemp("spark")
    session = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", False).config("spark.ui.showConsoleProgress", False).config(
        "spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").config("spark.driver.memory", "1g").config(
        "spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1").config(
        "spark.sql.shuffle.partitions", 2).config("spark.sql.warehouse.dir", str(where)).config("spark.log.level", "OFF").getOrCreate()
    yield session
    session.stop()


def made(kind):
    """Scores and labels; uniform ones fill more cells than a state has, clicks and float32 ones fewer and finer."""
    random = np.random.default_rng(18)
    u = random.random(N)
    p = {"uniform": u, "tied": np.floor(u * 64) / 64, "clicks": 0.01 + 0.005 * u, "float32": (u**4).astype(np.float32)}[kind]
    if kind == "uniform":
        p[:8] = [0, 1, 0.5, 1 / 15, 14 / 15, 2**-49, 1 - 2**-53, 5e-324]
    return p, (random.random(N) < p).astype(np.int32)


@pytest.fixture(scope="module")
def rows(spark, tmp_path_factory):
    """A file of uniform scores in seven row groups, what Spark reads of it, and its state."""
    p, y = made("uniform")
    country = np.array(["de", "fr", None], object)[np.minimum(np.arange(N) % 100, 2)]
    path = str(tmp_path_factory.mktemp("rows") / "rows.parquet")
    pq.write_table(pa.table({"p": p, "y": y, "country": country, "day": np.arange(N) % 2, "w": (1 + np.arange(N) % 3) / 2}), path, row_group_size=N // 7 + 1)
    return {"path": path, "df": spark.read.parquet(path), "p": p, "y": y, "country": country, "day": np.arange(N) % 2,
            "state": tare.State().update(probs=p, labels=y).to_bytes()}


NAMES = {"score": "p", "label": "y"}


@pytest.mark.parametrize("partitions", [1, 3, 7, 64])
def test_partitions_make_no_difference(rows, partitions):
    df = rows["df"].repartition(partitions)
    assert tare.spark.collect(df, **NAMES, path="arrow").to_bytes() == rows["state"]
    if partitions == 3 or os.environ.get("TARE_LONG") == "1":
        assert tare.spark.collect(df, **NAMES, path="sql").to_bytes() == rows["state"]


def test_files_make_no_difference(rows, tmp_path):
    assert tare.spark.collect(rows["path"], **NAMES).to_bytes() == rows["state"]
    rows["df"].repartition(9).write.parquet(str(tmp_path / "folder"))
    assert tare.spark.collect(tmp_path / "folder", **NAMES).to_bytes() == rows["state"]


@pytest.mark.parametrize("kind", ["tied", "clicks", pytest.param("float32", marks=LONG)])
def test_cells_of_sql_are_as_fine_as_those_of_the_rows(spark, kind):
    p, y = made(kind)
    df = spark.createDataFrame(pa.table({"p": p, "y": y == 1}))
    for cells in (256, None) if kind == "tied" else (None,):
        assert tare.spark.collect(df, **NAMES, cells=cells) == tare.State(cells=cells).update(probs=p, labels=y)


def test_finer_and_finer(spark, monkeypatch):
    """Cells are asked for again until they are fine enough, also where the scores of all rows are too many to fetch."""
    monkeypatch.setattr(tare._spark_cells, "_FETCHED", 20_000)
    p, y = made("clicks")
    p = 0.01 + (p - 0.01) * 1e-6
    df = spark.createDataFrame(pa.table({"p": p, "y": y}))
    assert tare.spark.collect(df, **NAMES, cells=4096) == tare.State(cells=4096).update(probs=p, labels=y)


def groups(rows):
    """By the rows themselves."""
    for key in itertools.product([None, "de", "fr"], [0, 1]):
        some = np.array([one == key[0] for one in rows["country"]]) & (rows["day"] == key[1])
        if some.any():
            yield key, tare.State(cells=4096).update(probs=rows["p"][some], labels=rows["y"][some])


def test_groups_by_three_ways(rows):
    expected = dict(groups(rows))
    for df, path in ((rows["df"], "sql"), (rows["df"].repartition(5), "arrow"), (rows["path"], None)):
        found = tare.spark.collect(df, **NAMES, by=["country", "day"], path=path)
        assert list(found) == list(expected)
        assert found == expected


def test_days_roll_up(rows, tmp_path):
    for day in (0, 1):
        some = rows["df"].filter(f"day = {day}")
        tare.spark.partial(some, **NAMES, by="country", path=["sql", "arrow"][day]).write.parquet(str(tmp_path / f"day={day}"))
    saved = rows["df"].sparkSession.read.parquet(str(tmp_path))
    merged = tare.spark.merge(saved, by="country")
    assert merged.columns == ["country", "state"] and merged.count() == 3
    assert tare.spark.collect(merged, by="country") == tare.spark.collect(rows["df"], **NAMES, by="country")
    (whole,) = tare.spark.merge(saved).collect()
    assert bytes(whole["state"]) == tare.State(cells=4096).update(probs=rows["p"], labels=rows["y"]).to_bytes()
    found = tare.spark.measure(saved, by=["day"], estimators="ece_ew", intervals=False)
    some = rows["day"] == 1
    assert found[1]["ece_ew"].value == pytest.approx(tare.ece_ew(probs=rows["p"][some], labels=rows["y"][some]), rel=1e-11)


def test_a_measurement_is_that_of_the_rows(spark):
    p, y = made("tied")
    found = tare.spark.measure(spark.createDataFrame(pa.table({"p": p, "y": y})), **NAMES, norm=1)
    expected = tare.measure(probs=p, labels=y, norm=1)
    assert found.verdict == expected.verdict and [e.value for e in found] == [e.value for e in expected]


def test_weights_and_confidences(rows):
    p, y = rows["p"], rows["y"]
    weights = (1 + np.arange(N) % 3) / 2
    assert tare.spark.collect(rows["df"], **NAMES, weights="w") == tare.State().update(probs=p, labels=y, weights=weights)
    for path in ("sql", "arrow"):
        found = tare.spark.collect(rows["df"], **NAMES, reduction="top_label", path=path)
        assert found == tare.State().update(confidences=p, correct=y)


def test_logits(spark, network):
    z, y = network["val_logits"].astype(float), network["val_labels"].astype(int)
    df = spark.createDataFrame(pa.table({"z": list(z), "y": y} | {f"z{i}": z[:, i] for i in range(10)})).repartition(3)
    assert tare.spark.collect(df, logits="z", labels="y") == tare.State().update(logits=z, labels=y)
    columns = [f"z{i}" for i in range(10)]
    found = tare.spark.collect(df, logits=columns, labels="y", reduction="classwise")
    assert found == tare.State(reduction="classwise").update(logits=z, labels=y)


class Mortal(_spark_rows.MakeStates):
    """Its process is killed half-way when a partition is tried for the first time, and leaves a file that says so."""

    deaths = None

    def __call__(self, batches):
        def until_killed():
            from pyspark import TaskContext

            task = TaskContext.get()
            for i, batch in enumerate(batches):
                if i == 2 and task.attemptNumber() == 0:
                    (self.deaths / str(task.partitionId())).touch()
                    os.kill(os.getpid(), signal.SIGKILL)
                yield batch

        yield from super().__call__(until_killed())


def test_a_worker_that_is_killed_changes_nothing(rows, tmp_path):
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers do not find this file
    what = _spark_rows.rows_of("p", "y", None, None, None, None, None, None, 15, None)
    df = rows["df"].select("p", "y").repartition(2)
    mortal = Mortal(what)
    mortal.deaths = tmp_path
    frame = df.mapInArrow(mortal, _spark_rows.schema_of(df, []))
    (whole,) = tare.spark.merge(frame.select("state")).collect()
    assert bytes(whole["state"]) == rows["state"] and sorted(os.listdir(tmp_path)) == ["0", "1"]


class Crash(Exception):
    pass


def test_a_stream_that_crashes_before_its_checkpoint_changes_nothing(rows, tmp_path):
    """Each batch replaces what its first try has left."""
    spark = rows["df"].sparkSession
    rows["df"].select("p", "y").repartition(6).write.parquet(str(tmp_path / "in"))
    tried = []

    def save(df, batch):
        tried.append(batch)
        tare.spark.partial(df, **NAMES).write.mode("overwrite").parquet(str(tmp_path / "states" / f"batch={batch}"))
        if tried == [0, 1]:
            raise Crash  # after the write, before the checkpoint

    def run():
        stream = spark.readStream.schema("p double, y int").option("maxFilesPerTrigger", 2).parquet(str(tmp_path / "in"))
        query = stream.writeStream.foreachBatch(save).option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True).start()
        query.awaitTermination()

    with pytest.raises(Exception, match="Crash"):
        run()
    run()
    assert tried == [0, 1, 1, 2]
    assert tare.spark.collect(spark.read.parquet(str(tmp_path / "states"))).to_bytes() == rows["state"]


def test_the_query_of_the_program(rows, program, tmp_path):
    query = program("sql", "--score", "p", "--label", "y", "--table", "predictions", "--dialect", "spark")
    rows["df"].createOrReplaceTempView("predictions")
    rows["df"].sparkSession.sql(query).toPandas().to_csv(tmp_path / "cells.csv", index=False)
    program("partial", tmp_path / "cells.csv", "-o", tmp_path / "cells.state")
    assert (tmp_path / "cells.state").read_bytes() == rows["state"]


@pytest.fixture(scope="module")
def network_frame(spark, network):
    z, y = network["val_logits"].astype(float), network["val_labels"].astype(int)
    return spark.createDataFrame(pa.table({"z": list(z), "y": y}))


def test_a_temperature_is_that_of_all_rows(network_frame, network):
    z, y = network["val_logits"].astype(float), network["val_labels"].astype(int)
    own = tare.TemperatureScaling("logits").fit(z, y)
    found = [tare.spark.fit_temperature(network_frame.repartition(k), logits="z", labels="y", sample=500) for k in (2, 5)]
    assert found[0].parameters_["temperature"] == pytest.approx(own.parameters_["temperature"], rel=1e-7)
    assert found[0].report_["status"] == "converged" and found[0].report_["gradient"] < 1e-9
    for name in ("nll_before", "nll_after"):
        assert found[0].report_[name] == pytest.approx(own.report_[name], rel=1e-12)
    assert tare.spark.fit_temperature(network_frame, logits="z", labels="y").to_json() == own.to_json()  # fewer rows than the sample


def test_the_bits_of_a_temperature_do_not_depend_on_partitions(network_frame):
    ordered = network_frame.orderBy(functions.col("z")[0])
    found = {tare.spark.fit_temperature(ordered.repartitionByRange(k, functions.col("z")[0]), logits="z", labels="y", sample=5_000).to_json() for k in (1, 4)}
    assert len(found) == 1


def test_a_temperature_that_does_not_exist(spark):
    df = spark.createDataFrame([([2.0, 0.0], 0), ([0.0, 1.0], 1)] * 5, "z array<double>, y int")
    with pytest.raises(tare.Error, match="every row is classified right"):
        tare.spark.fit_temperature(df, logits="z", labels="y", sample=2)


def test_a_calibrated_column(rows, network_frame, network, tmp_path, program):
    z = network["val_logits"].astype(float)
    model = tare.TemperatureScaling("logits").fit(z, network["val_labels"])
    model.save(tmp_path / "t.json")
    np.savez(tmp_path / "z.npz", logits=z)
    program("apply", tmp_path / "t.json", tmp_path / "z.npz", "-o", tmp_path / "out.npy")
    expected = np.load(tmp_path / "out.npy")
    for given in (model, tmp_path / "t.json"):
        out = tare.spark.apply(given, network_frame, "z").toArrow()
        assert np.array_equal(np.array(out.column("calibrated").to_pylist()), expected)
        assert out.column_names == ["z", "y", "calibrated"]
    platt = tare.PlattScaling("probs").fit(rows["p"], rows["y"])
    frame = rows["df"].selectExpr("case when y = 1 then p end as p", "y").limit(1000)
    out = tare.spark.apply(platt, frame, "p", to="better").toArrow()
    given, found = (out.column(name).to_numpy() for name in ("p", "better"))
    there = ~np.isnan(given)
    assert np.array_equal(found[there], platt.predict_proba(given[there])[:, 1]) and np.isnan(found[~there]).all() and (~there).any()


@pytest.mark.parametrize("change, path, words", [
    ("p as q, y", None, "there is no column 'p', only q, y"),
    ("if(p > 0.9, null, p) as p, y", "sql", r"p: [0-9,]+ rows are null"),
    ("if(p > 0.9, null, p) as p, y", "arrow", r"partition \d: p: row \d+ is null"),
    ("p * 2 as p, y", "sql", r"p: [0-9,]+ rows are not in \[0, 1\], such as 2"),
    pytest.param("p * 2 as p, y", "arrow", r"p: row 1: probability is 2, not in \[0, 1\]", marks=LONG),
    ("if(p > 0.5, double('nan'), p) as p, y", "sql", r"rows are not in \[0, 1\], such as nan"),
    ("p, y + 1 as y", "sql", r"y: [0-9,]+ rows are neither 0 nor 1, such as 2"),
    pytest.param("p, y + 1 as y", "arrow", "label is 2, not in 0..1", marks=LONG),
    ("p, y / 2 as y", "sql", r"y: [0-9,]+ rows are neither 0 nor 1, such as 0.5"),
    ("p, if(p > 0.9, null, y) as y", "sql", r"y: [0-9,]+ rows are null"),
    ("string(p) as p, y", None, "p: has the type string, which is no number"),
])
def test_what_is_wrong_is_said(rows, change, path, words):
    rows["df"].createOrReplaceTempView("rows")
    with pytest.raises(tare.Error, match=words) as found:
        tare.spark.measure(rows["df"].sparkSession.sql(f"select {change} from rows"), **NAMES, path=path)
    assert found.value.hint


def test_wrong_options_are_refused(rows):
    df = rows["df"]
    for options, words in [({"score": "p"}, "score must come with label"), ({}, "there is no column 'state'"),
                           ({**NAMES, "path": "rdd"}, "path is 'rdd'"), ({**NAMES, "weights": "w", "path": "sql"}, "without weights"),
                           ({**NAMES, "by": "w"}, "by: w has the type double"), ({**NAMES, "cells": 3}, "cells"),
                           ({**NAMES, "by": ["day", "day"]}, "by is"), ({**NAMES, "reduction": "classwise"}, "classwise")]:
        with pytest.raises(tare.Error, match=words):
            tare.spark.collect(df, **options)
    with pytest.raises(tare.Error, match="list is no DataFrame"):
        tare.spark.measure([1, 2], **NAMES)
    with pytest.raises(tare.Error, match="there is no column 'q'"):
        tare.spark.measure(rows["path"], score="q", label="y")
    with pytest.raises(tare.Error, match="cannot be read"):
        tare.spark.measure("missing.parquet", **NAMES)


@LONG
def test_an_error_of_a_state_is_met_when_the_frame_is(rows):
    frame = tare.spark.partial(rows["df"].selectExpr("p * 2 as p", "y"), **NAMES, path="arrow")
    with pytest.raises(Exception, match="p: row 1: probability is 2, not in"):
        frame.collect()


def test_no_rows(rows):
    none = rows["df"].filter("p > 2")
    for path in ("sql", "arrow"):
        assert tare.spark.collect(none, **NAMES, path=path).rows == 0
        assert tare.spark.partial(none, **NAMES, path=path).count() == 0
        with pytest.raises(tare.Error, match="no rows"):
            tare.spark.measure(none, **NAMES, path=path)
