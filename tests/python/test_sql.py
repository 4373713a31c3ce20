"""`tare sql`: cells made inside a database are those that `tare partial` makes of the rows."""

import csv
import os
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

import tare


def run(*words, cwd, code=0):
    program = [os.environ["TARE_PROGRAM"]] if os.environ.get("TARE_PROGRAM") else [sys.executable, "-m", "tare"]
    done = subprocess.run([*program, *map(str, words)], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def rows(kind, n):
    random = np.random.default_rng(18)
    u = random.random(n)
    p = {"uniform": u, "piled": 1 - u**12, "tied": np.floor(u * 64) / 64}[kind]
    if kind == "uniform":
        p[:8] = [0, 1, 0.5, 1 / 15, 14 / 15, 2**-49, 1 - 2**-53, 5e-324]
    return p, (random.random(n) < p).astype(int)


def save(cursor, path):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow([column[0] for column in cursor.description])
        for row in cursor.fetchall():
            out.writerow([repr(x) if isinstance(x, float) else x for x in row])


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize("kind, n, step", [("uniform", 150_000, 16), ("piled", 150_000, 16), ("tied", 5_000, 16), ("uniform", 150_000, 18)])
def test_cells_of_a_database_are_those_of_the_rows(engine, kind, n, step, tmp_path):
    p, y = rows(kind, n)
    if engine == "duckdb":
        base = pytest.importorskip("duckdb").connect()
        given = {"p": p, "y": y}  # noqa: F841, read by name
        base.execute("create table predictions as select p, y, y as grp from given")
    else:
        base = sqlite3.connect(":memory:")
        base.execute("create table predictions (p real, y integer, grp integer)")
        base.executemany("insert into predictions values (?, ?, ?)", zip(p.tolist(), y.tolist(), (y % 2).tolist()))
    np.savez(tmp_path / "rows.npz", probs=p, labels=y)
    run("partial", "rows.npz", "-o", "rows.state", cwd=tmp_path)
    for by in ([], ["--by", "grp"]):
        query = run("sql", "--score", "p", "--label", "y", "--table", "predictions", "--dialect", engine, "--step", step, *by, cwd=tmp_path)
        save(base.execute(query), tmp_path / "cells.csv")
        run("partial", "cells.csv", "-o", "cells.state", cwd=tmp_path)
        assert (tmp_path / "cells.state").read_bytes() == (tmp_path / "rows.state").read_bytes()
    assert run("measure", "cells.csv", "--json", "--no-interval", cwd=tmp_path) == run(
        "measure", "rows.state", "--json", "--no-interval", cwd=tmp_path).replace("rows.state", "cells.csv")


def test_bad_rows_are_counted_and_refused(tmp_path):
    base = sqlite3.connect(":memory:")
    base.execute("create table t (p real, y integer)")
    base.executemany("insert into t values (?, ?)", [(0.5, 1), (1.5, 0), (None, 1), (0.25, 2), (0.75, None)])
    query = run("sql", "--score", "p", "--label", "y", "--table", "t", "--dialect", "sqlite", cwd=tmp_path)
    save(base.execute(query), tmp_path / "cells.csv")
    said = run("measure", "cells.csv", cwd=tmp_path, code=2)
    assert "cells.csv: 4 rows have a score outside [0, 1]" in said


def test_a_table_that_cannot_be_is_refused(tmp_path):
    base = sqlite3.connect(":memory:")
    base.execute("create table t (p real, y integer)")
    base.executemany("insert into t values (?, ?)", [(0.5, 1), (0.25, 0), (0.25, 1)])
    query = run("sql", "--score", "p", "--label", "y", "--table", "t", "--dialect", "sqlite", cwd=tmp_path)
    save(base.execute(query), tmp_path / "cells.csv")
    lines = (tmp_path / "cells.csv").read_text().splitlines()
    for column, value in [("tare_cell", "7"), ("tare_bin", "14"), ("tare_hits", "9"), ("tare_mass", "0.5"), ("tare_high_", "1"),
                          ("tare_step", "99"), ("tare_first", "0.3")]:
        at = lines[0].split(",").index(column)
        changed = lines[1].split(",")
        changed[at] = value
        (tmp_path / "cells.csv").write_text("\n".join([lines[0], ",".join(changed), *lines[2:]]) + "\n")
        said = run("measure", "cells.csv", cwd=tmp_path, code=2)
        assert "cells.csv" in said, column


def test_bad_options_are_refused(tmp_path):
    assert "--score" in run("sql", "--label", "y", "--table", "t", cwd=tmp_path, code=2)
    assert "no such dialect" in run("sql", "--score", "p", "--label", "y", "--table", "t", "--dialect", "cobol", cwd=tmp_path, code=2)


def test_the_module_reads_the_table(tmp_path):
    base = sqlite3.connect(":memory:")
    base.execute("create table t (p real, y integer)")
    p, y = rows("tied", 2000)
    base.executemany("insert into t values (?, ?)", zip(p.tolist(), y.tolist()))
    query = run("sql", "--score", "p", "--label", "y", "--table", "t", "--dialect", "sqlite", cwd=tmp_path)
    save(base.execute(query), tmp_path / "cells.csv")
    a, b = tare.measure(str(tmp_path / "cells.csv")), tare.measure(probs=p, labels=y)
    assert a.verdict == b.verdict and [e.value for e in a] == [e.value for e in b]
