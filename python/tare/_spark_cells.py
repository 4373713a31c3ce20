"""Cells made by Spark SQL: no Python runs on the workers, and the driver fetches cells, not rows.

The query has to be as fine as the state of the rows is. It is when more cells come back than a state may have, or when
every cell holds one score; groups of which neither is true are asked for once more, with finer cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _tare
from ._errors import Error
from ._spark_rows import Key, Rows, import_pyspark, in_order, split
from ._state import State, _alone

_FETCHED = 2**21  # no more cells than about this are asked for at once
_FINEST = 40


def _renamed(frame: Any, rows: Rows) -> Any:
    """p, y, and g0, g1, ... for the groups: whatever the columns are called, the query is the same."""
    functions = import_pyspark().functions
    (score,), (label,) = rows.columns.values()
    y = functions.col(label)
    if dict(frame.dtypes)[label] in ("float", "double"):
        y = functions.when(y == 1, 1).when(y == 0, 0)  # anything else is null, not cut to a whole number
    return frame.select(functions.col(score).cast("double").alias("p"), y.alias("y"),
                        *(functions.col(name).alias(f"g{i}") for i, name in enumerate(rows.by)))


def _query(frame: Any, rows: Rows, groups: list[str], step: int, each_score: bool) -> Any:
    query = _tare.cells_query("p", "y", "{rows}", groups, rows.options["reduction"] or "positive", rows.options["bins"], step, each_score)
    return frame.sparkSession.sql(query, rows=frame).toArrow()


def _refuse(rows: Rows, original: Any) -> None:
    """Says what is wrong with rows that cannot be counted."""
    functions = import_pyspark().functions
    (score,), (label,) = rows.columns.values()
    p, y = functions.col(score).cast("double"), functions.col(label).cast("double")
    outside, strange = ~((p >= 0) & (p <= 1)), ~y.isin(0.0, 1.0)
    asked = {"p null": p.isNull(), "y null": y.isNull(), "outside": p.isNotNull() & outside, "strange": y.isNotNull() & strange}
    found = original.select(*(functions.count_if(x).alias(name) for name, x in asked.items()),
                            functions.max(functions.when(outside, p)).alias("one"), functions.max(functions.when(strange, y)).alias("other")).first()
    leave_out = "leave those rows out: df.filter(...)"
    for name, column in (("p null", score), ("y null", label)):
        if found[name]:
            raise Error(f"{column}: {_rows(found[name])} null", "bad_input", f"leave them out: df.dropna(subset=[{column!r}])")
    if found["outside"]:
        raise Error(f"{score}: {_rows(found['outside'])} not in [0, 1], such as {found['one']:g}", "bad_input",
                    f"a score is a probability; for logits pass logits=, else {leave_out}")
    if found["strange"]:
        raise Error(f"{label}: {_rows(found['strange'])} neither 0 nor 1, such as {found['other']:g}", "bad_input",
                    f"a label is 1 where it happened; of several classes pass probs= and labels=, else {leave_out}")


def _rows(count: int) -> str:
    return f"{count:,} rows are" if count > 1 else "1 row is"


def _is_open(part: Any, most: int) -> bool:
    """Could finer cells make another state of it?"""
    return part.num_rows <= most and not np.array_equal(part.column("tare_first").to_numpy(), part.column("tare_last").to_numpy())


def _mass(part: Any) -> int:
    return int(part.column("tare_mass").to_numpy().sum())


def _state(part: Any, most: int) -> State:
    numbers = {name: np.ascontiguousarray(part.column(name).to_numpy(), dtype=float) for name in part.column_names if name.startswith("tare_")}
    return _alone(_tare.load_cells(numbers, "the cells of Spark", most))


def _only_groups(frame: Any, keys: list[Key], groups: list[str]) -> Any:
    """The rows of these groups; nulls are equal to each other."""
    if not groups:
        return frame
    functions = import_pyspark().functions
    schema = frame.select(*groups).schema
    wanted = functions.broadcast(frame.sparkSession.createDataFrame(keys, schema).toDF(*(f"w{i}" for i in range(len(groups)))))
    same = functions.lit(True)
    for i, name in enumerate(groups):
        same = same & functions.col(name).eqNullSafe(functions.col(f"w{i}"))
    return frame.join(wanted, same, "left_semi")


def states_by_sql(original: Any, rows: Rows) -> dict[Key, State]:
    """One state for each group, the same as of the rows."""
    frame = _renamed(original, rows)
    groups = [f"g{i}" for i in range(len(rows.by))]
    most = rows.empty().cells
    step, each_score = most.bit_length() - 2, False  # where scores of all sizes occur, they have a few more cells than that
    out: dict[Key, State] = {}
    while True:
        table = _query(frame, rows, groups, step, each_score)
        if table.num_rows and table.column("tare_bad").to_numpy().any():
            _refuse(rows, original)
        parts = [(key, part) for key, part in split(table, groups) if part.num_rows]
        again = [(key, part) for key, part in parts if not each_score and _is_open(part, most)]
        open_keys = {key for key, _ in again}
        out |= {key: _state(part, most) for key, part in parts if key not in open_keys}
        if not again:
            return in_order(out)
        frame = _only_groups(frame, list(open_keys), groups)
        cells, mass = (sum(size(part) for _, part in again) for size in (len, _mass))
        each_score = mass <= _FETCHED or step == _FINEST
        finer = max(2, (min(_FETCHED, 4 * most * len(again)) // cells).bit_length())
        step = step if each_score else min(_FINEST, step + finer)
