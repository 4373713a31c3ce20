"""Parquet, Feather and Arrow files for the command line, which reads text: as CSV in a folder of its own, batch by batch."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ._tables import ENDINGS, _dataset, _import


def _flat(batch: Any) -> Any:
    """Lists of numbers as a column for each place, and float32 as the float64 it is."""
    pa, compute = _import("pyarrow"), _import("pyarrow.compute")
    names, columns = [], []
    for name, column in zip(batch.schema.names, batch.columns):
        kind = column.type
        if hasattr(kind, "value_type") and not pa.types.is_dictionary(kind):
            width = kind.list_size if pa.types.is_fixed_size_list(kind) else compute.max(compute.list_value_length(column)).as_py() or 0
            for place in range(width):
                names.append(f"{name}_{place}")
                columns.append(compute.list_element(column, place).cast(pa.float64()))
        elif pa.types.is_nested(kind):
            continue
        else:
            names.append(name)
            columns.append(column.cast(pa.float64()) if pa.types.is_floating(kind) else column)
    return pa.record_batch(columns, names=names)


def _convert(path: str, folder: str) -> str:
    csv = _import("pyarrow.csv")
    target = os.path.join(folder, Path(path).name + ".csv")
    if not os.path.exists(target):
        writer = None
        for batch in _dataset(path).to_batches():
            flat = _flat(batch)
            writer = writer or csv.CSVWriter(target, flat.schema)
            writer.write(flat)
        if writer is not None:
            writer.close()
    return target


def as_text(words: list[str], folder: str) -> list[str]:
    """The words of a command line, with files that pyarrow reads in place of their names; ``file.parquet:column`` too."""
    out = []
    for word in words:
        path, _, member = word.rpartition(":")
        if word.endswith(ENDINGS) and os.path.isfile(word):
            word = _convert(word, folder)
        elif path.endswith(ENDINGS) and os.path.isfile(path):
            word = f"{_convert(path, folder)}:{member}"
        out.append(word)
    return out
