"""Rows of Spark as states: what runs on its workers, and the frames that go to them and come back.

A frame of states has the columns of the groups, ``state`` and ``error``: what is wrong with the rows is data until the
driver raises it. Nothing is written by a worker, so a task that dies and is run again changes nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Iterator

import numpy as np

from . import _tare
from ._errors import Error
from ._state import _USUAL_OF_A_GROUP, State

Key = tuple  # one value for each column of the groups

_ROWS_AT_ONCE = 2**18  # with groups: so many rows are sorted by group together
_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMBERS = (*_WHOLE, "float", "double")


def import_pyspark() -> Any:
    """pyspark.sql, or what to install."""
    try:
        import pyarrow  # noqa: F401
        import pyspark.sql as sql
    except ImportError:
        raise Error("tare.spark needs pyspark and pyarrow, which are not installed", "unsupported", "pip install 'tare[spark]'") from None
    return sql


@dataclass
class Rows:
    """Which columns hold what, and the states that are made of them."""

    columns: dict[str, list[str]]  # by role, as State.update has them
    by: list[str]
    options: dict[str, Any] = field(default_factory=dict)  # of State
    is_score: bool = False  # one number between 0 and 1, and 0 or 1

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys([*self.by, *(name for names in self.columns.values() for name in names)]))

    def empty(self) -> State:
        return State(**self.options)


def rows_of(score: Any, label: Any, logits: Any, probs: Any, labels: Any, weights: Any, by: Any, cells: int | None, bins: int,
            reduction: str | None) -> Rows:
    """The arguments of the public functions."""
    def named(role: str, given: Any, one: bool = True) -> list[str]:
        names = [given] if isinstance(given, str) else list(given) if isinstance(given, (list, tuple)) else []
        if not names or not all(isinstance(name, str) for name in names) or (one and len(names) > 1):
            raise Error(f"{role} is {given!r}, not the name of a column", "bad_option", f"pass {role}=NAME")
        return names

    groups = [] if by is None or (isinstance(by, (list, tuple)) and not by) else named("by", by, False)
    given = {name: x for name, x in (("score", score), ("logits", logits), ("probs", probs)) if x is not None}
    if len(given) != 1:
        what = f"{' and '.join(given)} were given" if given else "no predictions were given"
        raise Error(what, "bad_option", "pass score= and label=, or logits= or probs= and labels=")
    truth, others = ("label", "labels") if score is not None else ("labels", "label")
    if {"label": label, "labels": labels}[truth] is None or {"label": label, "labels": labels}[others] is not None:
        raise Error(f"{next(iter(given))} must come with {truth}", "bad_option", f"pass {truth}=NAME")
    if score is not None:
        roles = ("confidences", "correct") if reduction == "top_label" else ("probs", "labels")
        if reduction == "classwise":
            raise Error("reduction is 'classwise', and a score is one number", "bad_option", "pass logits= or probs= and labels=")
        columns = {roles[0]: named("score", score), roles[1]: named("label", label)}
    else:
        role = next(iter(given))
        columns = {role: named(role, given[role], False), "labels": named("labels", labels)}
    if weights is not None:
        columns["weights"] = named("weights", weights)
    cells = _USUAL_OF_A_GROUP if cells is None and groups else cells
    rows = Rows(columns, groups, {"cells": cells, "bins": bins, "reduction": reduction}, score is not None)
    if len(set(groups)) < len(groups) or {"state", "error"} & set(groups):
        raise Error(f"by is {groups}", "bad_option", "name each column once, and call none of them state or error")
    rows.empty()  # checks its options
    return rows


def frame_of(df: Any, rows: Rows) -> Any:
    """The columns that are needed and nothing else, each checked for its type."""
    sql = import_pyspark()
    if not hasattr(df, "mapInArrow"):
        raise Error(f"{type(df).__name__} is no DataFrame of Spark", "bad_option", "pass a DataFrame, or the names of Parquet files")
    chosen = []
    for name in rows.names:
        if name not in df.columns:
            raise Error(f"there is no column {name!r}, only {', '.join(df.columns)}", "bad_input", "name a column of the DataFrame")
        kind = df.schema[name].dataType.simpleString()
        column = df[name]
        if name in rows.by:
            if not kind.startswith(("string", "varchar", "char", "boolean", "date", "timestamp", *_WHOLE)):
                raise Error(f"by: {name} has the type {kind}", "unsupported", f"group by text, whole numbers or dates: cast({name} as string)")
        elif kind.startswith("decimal"):
            column = column.cast("double")
        elif (kind if rows.is_score else kind.removeprefix("array<").removesuffix(">")) not in (*_NUMBERS, "boolean"):
            raise Error(f"{name}: has the type {kind}, which is no number", "bad_input", f"convert it: cast({name} as double)")
        chosen.append(column.alias(name))
    return df.select(*chosen)


# what runs on workers

def split(table: Any, by: list[str]) -> Iterator[tuple[Key, Any]]:
    """The rows of each group of a pyarrow table."""
    import pyarrow

    if not by:
        yield (), table
        return
    code = np.zeros(table.num_rows, np.int64)
    for name in by:
        column = table.column(name)
        column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
        coded = column.dictionary_encode(null_encoding="encode")
        _, code = np.unique(code * (len(coded.dictionary) + 1) + coded.indices.to_numpy(zero_copy_only=False), return_inverse=True)
    order = np.argsort(code, kind="stable")
    table = table.take(pyarrow.array(order))
    ends = np.cumsum(np.bincount(code))
    for start, end in zip([0, *ends[:-1].tolist()], ends.tolist()):
        part = table.slice(start, end - start)
        yield tuple(part.column(name)[0].as_py() for name in by), part


def add(state: State, reader: Any, rows: Rows) -> None:
    """All of a pyarrow.RecordBatchReader."""
    columns: dict[str, tuple[list[str], list[str]]] = {role: (names, []) for role, names in rows.columns.items()}
    _tare.add_stream(state._only(), _tare.Stream(reader.__arrow_c_stream__()), columns, 1)


def add_rows(states: dict[Key, State], schema: Any, batches: Iterator[Any], rows: Rows) -> None:
    """A stream of rows, each to the state of its group."""
    import pyarrow

    def state_of(key: Key) -> State:
        if key not in states:
            states[key] = rows.empty()
        return states[key]

    if not rows.by:
        add(state_of(()), pyarrow.RecordBatchReader.from_batches(schema, batches), rows)
        return
    waiting: list[Any] = []
    for batch in chain(batches, [None]):
        if batch is not None:
            waiting.append(batch)
        if batch is None or sum(one.num_rows for one in waiting) >= _ROWS_AT_ONCE:
            for key, part in split(pyarrow.Table.from_batches(waiting, schema), rows.by):
                add(state_of(key), part.to_reader(), rows)
            waiting = []


def packed(why: Error) -> str:
    from pyspark import TaskContext

    task = TaskContext.get()
    where = f"partition {task.partitionId()}: " if task is not None else ""
    return json.dumps([where + why.message, why.code, why.hint])


def table_of(states: dict[Key, State], types: dict[str, Any], why: str | None = None) -> Any:
    """A batch of a frame of states."""
    import pyarrow

    rows = [] if why else [(key, state) for key, state in states.items() if state.rows]
    arrays = [pyarrow.array([key[i] for key, _ in rows] if not why else [None], kind) for i, kind in enumerate(types.values())]
    arrays.append(pyarrow.array([state.to_bytes() for _, state in rows] if not why else [None], pyarrow.binary()))
    arrays.append(pyarrow.array([None] * len(rows) if not why else [why], pyarrow.string()))
    return pyarrow.RecordBatch.from_arrays(arrays, [*types, "state", "error"])


def types_of(schema: Any, by: list[str]) -> dict[str, Any]:
    return {name: schema.field(name).type for name in by}


@dataclass
class MakeStates:
    """For mapInArrow: the rows of a partition become one row for each group."""

    rows: Rows

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        first = next(batches, None)
        if first is None:
            return
        types = types_of(first.schema, self.rows.by)
        states: dict[Key, State] = {}
        try:
            add_rows(states, first.schema, chain([first], batches), self.rows)
        except Error as why:
            yield table_of({}, types, packed(why))
            return
        yield table_of(states, types)


@dataclass
class MergeStates:
    """For mapInArrow: the rows of a frame of states that are in a partition, merged by group."""

    by: list[str]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        merged: dict[Key, State] = {}
        types: dict[str, Any] = {}
        for batch in batches:
            types = types_of(batch.schema, self.by)
            for row in batch.to_pylist():
                if row["error"] is not None:
                    yield table_of({}, types, row["error"])
                    return
                key = tuple(row[name] for name in self.by)
                try:
                    merge_into(merged, key, row["state"])
                except Error as why:
                    yield table_of({}, types, packed(why))
                    return
        if merged:
            yield table_of(merged, types)


def merge_into(states: dict[Key, State], key: Key, data: Any) -> None:
    if data is None:
        raise Error("a state is null", "bad_input", "leave those rows out")
    state = State.from_bytes(data)
    if key in states:
        states[key].merge(state)
    else:
        states[key] = state


# frames

def schema_of(df: Any, by: list[str]) -> Any:
    types = import_pyspark().types
    return types.StructType([types.StructField(name, df.schema[name].dataType) for name in by] +
                            [types.StructField("state", types.BinaryType()), types.StructField("error", types.StringType())])


def merged_nearby(frame: Any, by: list[str]) -> Any:
    """A state and group for each 64 MB or so of states, not for each partition of the rows."""
    return frame.hint("rebalance").mapInArrow(MergeStates(by), frame.schema)


def one_each(frame: Any, by: list[str]) -> Any:
    """One row for each group, and no column of errors: an error ends the query that meets it."""
    functions = import_pyspark().functions
    near = merged_nearby(frame, by)
    merged = (near.repartition(*by) if by else near.repartition(1)).mapInArrow(MergeStates(by), frame.schema)
    said = functions.raise_error(functions.get_json_object("error", "$[0]"))
    return merged.select(*by, functions.when(functions.col("error").isNotNull(), said.cast("binary")).otherwise(functions.col("state")).alias("state"))


def collected(frame: Any, by: list[str]) -> dict[Key, State]:
    """All states of a frame, on the driver."""
    out: dict[Key, State] = {}
    for row in merged_nearby(frame, by).collect():
        if row["error"] is not None:
            raise Error(*json.loads(row["error"]))
        merge_into(out, tuple(row[name] for name in by), row["state"])
    return in_order(out)


def in_order(states: dict[Key, State]) -> dict[Key, State]:
    """By group, nulls first."""
    return dict(sorted(states.items(), key=lambda one: [(value is not None, value) for value in one[0]]))
