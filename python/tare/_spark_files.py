"""Parquet files that are read by pyarrow on Spark's workers: Spark hands out names, not rows."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterator

from . import _tables, _tare
from ._errors import Error
from ._spark_rows import Key, Rows, add_rows, import_pyspark, packed, table_of, types_of
from ._state import State


def is_files(source: Any) -> bool:
    """Names of files, or a dataset of pyarrow, and no DataFrame."""
    return isinstance(source, (str, os.PathLike)) or hasattr(source, "get_fragments") or (
        isinstance(source, (list, tuple)) and all(isinstance(one, (str, os.PathLike)) for one in source))


@dataclass
class ReadFiles:
    """For mapInArrow: numbers of pieces become the states of their rows."""

    rows: Rows
    pieces: list[Any]  # fragments of a dataset
    schema: Any

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        types = types_of(self.schema, self.rows.by)
        names = self.rows.names
        states: dict[Key, State] = {}
        options = {"schema": self.schema, "columns": names, "batch_size": max(2**19 // len(names), 2**14), "use_threads": False}
        for number in (number for batch in batches for number in batch.column(0).to_pylist()):
            piece = self.pieces[number]
            try:
                reader = piece.scanner(**options).to_reader()
                add_rows(states, reader.schema, iter(reader), self.rows)
            except Error as why:
                yield table_of({}, types, packed(Error(f"{_tare.clean(piece.path)}: {why.message}", why.code, why.hint)))
                return
            except (OSError, ValueError) as why:  # pyarrow's errors are among them
                yield table_of({}, types, packed(Error(_tare.clean(f"{piece.path}: {why}"), "io")))
                return
        yield table_of(states, types)


def _pieces(dataset: Any, wanted: int) -> list[Any]:
    """Files; their row groups where files are too few to keep all workers busy."""
    files = list(dataset.get_fragments())
    if len(files) >= wanted:
        return files
    return [piece for file in files for piece in (file.split_by_row_group() if hasattr(file, "split_by_row_group") else [file])]


def frame_of_files(source: Any, rows: Rows) -> Any:
    """A frame of states, not yet merged."""
    sql = import_pyspark()
    session = sql.SparkSession.getActiveSession()
    if session is None:
        raise Error("there is no session of Spark", "bad_input", "make one first: SparkSession.builder.getOrCreate()")
    dataset = _dataset(source)
    for name in rows.names:
        if name not in dataset.schema.names:
            raise Error(f"there is no column {name!r}, only {', '.join(map(_tare.clean, dataset.schema.names))}", "bad_input")
    tasks = 2 * session.sparkContext.defaultParallelism  # few: a state that has its cells takes rows faster than a new one
    pieces = _pieces(dataset, tasks)
    types = sql.types
    from pyspark.sql.pandas.types import from_arrow_type

    schema = types.StructType([types.StructField(name, from_arrow_type(dataset.schema.field(name).type)) for name in rows.by] +
                              [types.StructField("state", types.BinaryType()), types.StructField("error", types.StringType())])
    numbers = session.range(0, len(pieces), 1, max(1, min(len(pieces), tasks)))
    return numbers.mapInArrow(ReadFiles(rows, pieces, dataset.schema), schema)


def _dataset(source: Any) -> Any:
    """As pyarrow finds it; folders such as day=2026-11-16 are a column."""
    if hasattr(source, "get_fragments"):
        return source
    paths = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    names = [str(os.fspath(path)) for path in paths]
    try:
        return _tables._import("pyarrow.dataset").dataset(names[0] if len(names) == 1 else names, format="parquet", partitioning="hive")
    except (OSError, ValueError) as why:
        if isinstance(why, Error):
            raise
        raise Error(_tare.clean(f"{_tables.shown(paths)} cannot be read: {why}"), "io") from why
