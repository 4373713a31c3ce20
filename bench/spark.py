"""What states cost inside Spark, beside what Spark does by itself: one table, one run, the same rows, the same two cores.

    python bench/spark.py [n]          n rows of a Parquet file (20,000,000)

CPU time of this process and all that it has started, Java above all: the median of three rounds, after one that warms up
Java's compiler. Exits with 1 if a ratio is above its target, or if the three ways do not make the same state.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import pyarrow
import pyarrow.parquet

warnings.filterwarnings("ignore")
ECE = """select sum(n * abs(rate - score)) / sum(n) as ece from (
  select count(*) as n, avg(p) as score, avg(y) as rate from rows group by least(ceil(p * 15), 15))"""
FILES, ROUNDS = 8, 3


def cpu_seconds() -> float:
    """Of all processes that descend from this one, the dead ones among them."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        children.setdefault(int(fields[1]), []).append(pid)
        ticks[pid] = sum(map(int, fields[11:15]))
    total, waiting = 0, [os.getpid()]
    while waiting:
        pid = waiting.pop()
        total += ticks[pid]
        waiting += children.get(pid, [])
    return total / os.sysconf("SC_CLK_TCK")


def write_rows(folder: Path, n: int) -> None:
    random = np.random.default_rng(1)
    for i in range(FILES):
        p = random.random(n // FILES)
        y = (random.random(len(p)) < p**1.3).astype(np.int32)
        pyarrow.parquet.write_table(pyarrow.table({"p": p, "y": y}), folder / f"{i}.parquet", row_group_size=2**20)


def counted(batches: Iterator[Any]) -> Iterator[Any]:
    """Does nothing with its rows."""
    yield pyarrow.RecordBatch.from_arrays([pyarrow.array([sum(batch.num_rows for batch in batches)])], ["n"])


def session() -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.bindAddress": "127.0.0.1",
                "spark.driver.host": "127.0.0.1", "spark.driver.memory": "3g", "spark.sql.shuffle.partitions": "2", "spark.log.level": "OFF"}
    return SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()


def main(n: int) -> int:
    import tare.spark

    folder = Path(tempfile.mkdtemp())
    try:
        write_rows(folder, n)
        spark = session()
        df = spark.read.parquet(str(folder))
        df.createOrReplaceTempView("rows")
        names = {"score": "p", "label": "y"}
        work: dict[str, Callable[[], Any]] = {
            "Spark SQL, ECE of 15 bins": lambda: spark.sql(ECE).first()["ece"],
            "files, pyarrow on the workers": lambda: tare.spark.collect(str(folder), **names),
            "cells by SQL": lambda: tare.spark.collect(df, **names, path="sql"),
            "mapInArrow that does nothing": lambda: df.mapInArrow(counted, "n long").collect(),
            "mapInArrow, states": lambda: tare.spark.collect(df, **names, path="arrow"),
        }
        spent: dict[str, list[float]] = {what: [] for what in work}
        answers = {}
        for _ in range(1 + ROUNDS):
            for what, call in work.items():
                start = cpu_seconds()
                answers[what] = call()
                spent[what].append((cpu_seconds() - start) / n * 1e9)
        spark.stop()
    finally:
        shutil.rmtree(folder)
    return shown({what: statistics.median(times[1:]) for what, times in spent.items()}, answers, n)


def shown(cost: dict[str, float], answers: dict[str, Any], n: int) -> int:
    plain, files, sql, nothing, arrow = cost
    targets = {files: (plain, 1.5), sql: (plain, 2.5), arrow: (nothing, 1.25)}
    missed = 0
    print(f"{n:,} rows, CPU ns per row\n\n| | ns | ratio | to | target |\n|---|--:|--:|---|--:|")
    for what, ns in cost.items():
        beside, most = targets.get(what, (plain, 0.0))
        ratio = ns / cost[beside]
        missed += most > 0 and ratio > most
        print(f"| {what} | {ns:.0f} | {ratio:.2f} | {beside} | {most or ''} |")
    same = answers[files].to_bytes() == answers[sql].to_bytes() == answers[arrow].to_bytes()
    print("\nThe three ways make the same state." if same else "\nThe states differ.")
    return 1 if missed or not same else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000))
