"""Rows on a cluster: states, temperatures and calibrated columns of Spark's DataFrames (``pip install 'tare[spark]'``).

Three ways lead to the same state, bit for bit, however Spark has split the rows:

- SQL makes cells of a score, and the driver fetches those. No Python runs on the workers. The usual way of scores.
- ``mapInArrow`` hands rows to tare on the workers. The way of logits, of probabilities of several classes, and of weights.
- The names of Parquet files, instead of a DataFrame: Spark hands them out, and pyarrow reads them on the workers. The
  quickest.
"""

from __future__ import annotations

import importlib
import os
from typing import Any, Sequence

import numpy as np

from . import _spark_cells, _spark_files, _spark_rows, _spark_temperature
from ._arrays import as_array
from ._calibrators import Calibrator, load
from ._calls import _BINS
from ._errors import Error
from ._spark_rows import Key, Rows, import_pyspark
from ._state import State

__all__ = ["measure", "partial", "merge", "collect", "fit_temperature", "apply"]


def _way(df: Any, rows: Rows, path: str | None) -> str:
    if path not in (None, "sql", "arrow"):
        raise Error(f"path is {path!r}", "bad_option", "it is sql or arrow; for files pass their names instead of a DataFrame")
    if _spark_files.is_files(df):
        if path is not None:
            raise Error(f"path is {path!r}, and files are read by pyarrow", "bad_option", "leave it out, or pass spark.read.parquet(...)")
        return "files"
    by_sql = rows.is_score and "weights" not in rows.columns
    if path == "sql" and not by_sql:
        raise Error("SQL makes cells of a score without weights", "unsupported", "leave path out: mapInArrow takes all the rest")
    return path or ("sql" if by_sql else "arrow")


def _frame(df: Any, rows: Rows, way: str) -> Any:
    """A frame of states, not yet merged."""
    if way == "files":
        return _spark_files.frame_of_files(df, rows)
    frame = _spark_rows.frame_of(df, rows)
    return frame.mapInArrow(_spark_rows.MakeStates(rows), _spark_rows.schema_of(frame, rows.by))


def partial(df: Any, *, score: str | None = None, label: str | None = None, logits: str | Sequence[str] | None = None,
            probs: str | Sequence[str] | None = None, labels: str | None = None, weights: str | None = None,
            by: str | Sequence[str] | None = None, reduction: str | None = None, cells: int | None = None, bins: int = _BINS,
            path: str | None = None) -> Any:
    """A DataFrame with one row for each group: its columns ``by``, and ``state``, the bytes of a :class:`State`.

    Save it, and :func:`merge` or :func:`measure` what days, regions or batches of a stream have left.

    Parameters
    ----------
    df : DataFrame, path, list of paths or pyarrow.dataset.Dataset
        Rows of Spark, or Parquet files that pyarrow reads on the workers.
    score, label : str
        Columns of the probability of class 1, and of 1 where it happened, else 0. With ``reduction="top_label"``: of the
        confidence of the predicted class, and of 1 where it was right.
    logits, probs : str or list of str
        Instead of a score: one column of arrays, or a column for each class.
    labels : str
        With logits or probs: the column of the true classes, 0 to K-1.
    weights : str, optional
        Column of frequencies: 2 means the row twice.
    by : str or list of str, optional
        Columns that part the rows into groups. Null is a group.
    reduction, cells, bins
        Those of :class:`State`.
    path : {"sql", "arrow"}, optional
        By SQL, which is usual for a score, or by ``mapInArrow``, which is usual for the rest. The state does not depend on it.
    """
    rows = _spark_rows.rows_of(score, label, logits, probs, labels, weights, by, cells, bins, reduction)
    way = _way(df, rows, path)
    if way != "sql":
        return _spark_rows.one_each(_frame(df, rows, way), rows.by)
    frame = _spark_rows.frame_of(df, rows)
    states = _spark_cells.states_by_sql(frame, rows)
    schema = _spark_rows.schema_of(frame, rows.by)
    return frame.sparkSession.createDataFrame([(*key, state.to_bytes()) for key, state in states.items()], schema[:-1])


def merge(df: Any, by: str | Sequence[str] | None = None) -> Any:
    """States of :func:`partial` merged: a DataFrame with one row for each group.

    Parameters
    ----------
    df : DataFrame
        With a column ``state``, such as all that was saved of :func:`partial` day by day.
    by : str or list of str, optional
        Columns that stay groups; if not given all states become one.
    """
    frame, groups = _frame_of_states(df, by)
    return _spark_rows.one_each(frame, groups)


def _frame_of_states(df: Any, by: Any) -> tuple[Any, list[str]]:
    functions = import_pyspark().functions
    groups = [by] if isinstance(by, str) else list(by or [])
    for name in [*groups, "state"]:
        if name not in df.columns:
            raise Error(f"there is no column {name!r}, only {', '.join(df.columns)}", "bad_input",
                        "pass what tare.spark.partial made, or name the columns of the rows: score= and label=")
    if df.schema["state"].dataType.simpleString() != "binary":
        raise Error(f"state has the type {df.schema['state'].dataType.simpleString()}, not binary", "bad_input",
                    "pass what tare.spark.partial made")
    return df.select(*groups, "state", functions.lit(None).cast("string").alias("error")), groups


def collect(df: Any, *, score: str | None = None, label: str | None = None, logits: str | Sequence[str] | None = None,
            probs: str | Sequence[str] | None = None, labels: str | None = None, weights: str | None = None,
            by: str | Sequence[str] | None = None, reduction: str | None = None, cells: int | None = None, bins: int = _BINS,
            path: str | None = None) -> Any:
    """The :class:`State` of all rows, here; with ``by`` a dict of them by group. It tests, fits and is saved like any other.

    The arguments are those of :func:`partial`. A DataFrame of states, as that makes, needs no other argument than ``by``.
    """
    if score is logits is probs is None:
        frame, groups = _frame_of_states(df, by)
        states = _spark_rows.collected(frame, groups)
        empty = State()
    else:
        rows = _spark_rows.rows_of(score, label, logits, probs, labels, weights, by, cells, bins, reduction)
        way, groups, empty = _way(df, rows, path), rows.by, rows.empty()
        if way == "sql":
            states = _spark_cells.states_by_sql(_spark_rows.frame_of(df, rows), rows)
        else:
            states = _spark_rows.collected(_frame(df, rows, way), groups)
    if not groups:
        return states.get((), empty)
    return {_shown(key): state for key, state in states.items()}


def _shown(key: Key) -> Any:
    return key[0] if len(key) == 1 else key


def measure(df: Any, *, score: str | None = None, label: str | None = None, logits: str | Sequence[str] | None = None,
            probs: str | Sequence[str] | None = None, labels: str | None = None, weights: str | None = None,
            by: str | Sequence[str] | None = None, reduction: str | None = None, cells: int | None = None, bins: int = _BINS,
            path: str | None = None, **options: Any) -> Any:
    """:func:`tare.measure` of rows on a cluster; with ``by`` a dict of measurements by group, of several columns by tuple.

        tare.spark.measure(df, score="p", label="clicked", by="country")

    The arguments are those of :func:`partial`, and the rest are options of :func:`tare.measure`. A DataFrame of states needs
    no other argument than ``by``.
    """
    found = collect(df, score=score, label=label, logits=logits, probs=probs, labels=labels, weights=weights, by=by, reduction=reduction,
                    cells=cells, bins=bins, path=path)
    return {key: state.measure(**options) for key, state in found.items()} if isinstance(found, dict) else found.measure(**options)


def fit_temperature(df: Any, *, logits: str | Sequence[str], labels: str, sample: int = 2**20) -> Calibrator:
    """A fitted :class:`TemperatureScaling` of logits, of all rows.

    The first rows are fitted on the driver. From there Newton's steps go over all rows, with exact sums, until the temperature
    is known to nine digits: two passes if the first rows are like the rest. However Spark splits the rows, the bits are the same.

    Parameters
    ----------
    df : DataFrame
    logits : str or list of str
        One column of arrays, or a column for each class; one column of numbers is the log-odds of class 1.
    labels : str
        The column of the true classes, 0 to K-1.
    sample : int
        How many rows the driver fetches.
    """
    rows = _spark_rows.rows_of(None, None, logits, None, labels, None, None, None, _BINS, None)
    if type(sample) is not int or sample < 1:
        raise Error(f"sample is {sample!r}", "bad_option", "it is a number of rows, 1 or more")
    return _spark_temperature.fit(_spark_rows.frame_of(df, rows), rows, sample)


def apply(model: Calibrator | str | os.PathLike[str], df: Any, columns: str | Sequence[str], *, to: str = "calibrated") -> Any:
    """The DataFrame with one more column: calibrated probabilities, as ``tare apply`` writes them. Null stays null.

    Parameters
    ----------
    model : Calibrator or path
        Fitted, or saved by :meth:`Calibrator.save` or ``tare fit -o``.
    df : DataFrame
    columns : str or list of str
        What the model was fitted on: one column, of numbers or of arrays, or a column for each class.
    to : str
        The name of the new column, of numbers where the input is one number for each row, else of arrays.
    """
    functions = import_pyspark().functions
    fitted = model if isinstance(model, Calibrator) else load(model)
    fitted._fitted()
    names = [columns] if isinstance(columns, str) else list(columns)
    rows = Rows({fitted.input: names}, [])
    frame = _spark_rows.frame_of(df, rows)
    arrays = len(names) > 1 or frame.schema[0].dataType.simpleString().startswith("array")
    kind = "array<double>" if arrays else "double"

    def calibrated(*parts):  # type: ignore[no-untyped-def]
        return _calibrated(fitted, names, parts, arrays)

    array = importlib.import_module("pyarrow").Array
    calibrated.__annotations__ = {"parts": array, "return": array}  # which is how Spark knows what kind of function it is
    return df.withColumn(to, functions.arrow_udf(calibrated, kind)(*(df[name].cast(frame.schema[name].dataType) for name in names)))


def _calibrated(model: Calibrator, names: list[str], parts: Any, arrays: bool) -> Any:
    """A pyarrow array for those of the columns, on a worker."""
    import pyarrow
    from pyarrow import compute

    valid = parts[0].is_valid()
    for part in parts[1:]:
        valid = compute.and_(valid, part.is_valid())
    given = [as_array(part.filter(valid), name) for part, name in zip(parts, names)] if compute.any(valid).as_py() else []
    out: np.ndarray = np.empty(0)
    if given:
        x = given[0] if len(given) == 1 else np.column_stack(given)
        out = np.empty(x.shape)
        model._fitted().apply({model.input: x}, out, 1)
    mask = ~np.asarray(valid.to_numpy(zero_copy_only=False), bool)
    if not arrays:
        whole = np.zeros(len(mask))
        whole[~mask] = out
        return pyarrow.array(whole, mask=mask)
    width = out.shape[1] if out.ndim == 2 else 0
    ends = np.concatenate([[0], np.cumsum(np.where(mask, 0, width))]).astype(np.int32)
    return pyarrow.ListArray.from_arrays(pyarrow.array(ends), pyarrow.array(out.reshape(-1)), mask=pyarrow.array(mask))
