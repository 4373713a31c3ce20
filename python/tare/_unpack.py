"""Files that others read for the command line: Parquet, Feather, Arrow and Excel as CSV, HDF5 as .npz, in a folder of its own, batch by batch."""

from __future__ import annotations

import csv
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from . import _excel, _hdf5
from ._tables import ENDINGS as _TABLES
from ._tables import _dataset, _import

ENDINGS = (*_TABLES, *_hdf5.ENDINGS, *_excel.ENDINGS, ".xls")


def _flat(batch: Any) -> Any:
    """Lists of numbers as a column for each place, categories as what they stand for, float32 as float64, decimals as they are written."""
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
            column = column.dictionary_decode() if pa.types.is_dictionary(kind) else column
            wanted = pa.float64() if pa.types.is_floating(column.type) else pa.string() if pa.types.is_decimal(column.type) else column.type
            names.append(name)
            columns.append(column.cast(wanted))
    return pa.record_batch(columns, names=names)


def _convert(path: str, folder: str) -> str:
    if _hdf5.is_hdf5(path):
        return _as_npz(path, os.path.join(folder, Path(path).name + ".npz"))
    target = os.path.join(folder, Path(path).name + ".csv")
    if os.path.exists(target):
        return target
    if _excel.is_excel(path):
        with open(target, "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerows([_cell(cell) for cell in row] for row in _excel.rows(path))
        return target
    writer, tables = None, _import("pyarrow.csv")
    for batch in _dataset(path).to_batches():
        flat = _flat(batch)
        writer = writer or tables.CSVWriter(target, flat.schema)
        writer.write(flat)
    if writer is not None:
        writer.close()
    return target


def _cell(value: Any) -> Any:
    """Of a sheet, as text that means the same."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else value


def _as_npz(path: str, target: str) -> str:
    """The arrays of an HDF5 file, a few rows at a time."""
    if os.path.exists(target):
        return target
    with _hdf5.opened(path) as file, zipfile.ZipFile(target, "w") as out:
        members = _hdf5.members(file)
        for name, item in members.items():
            text = _hdf5.is_text(item)
            column = np.array(_hdf5._rows(item).tolist(), dtype=np.str_) if text else None
            dtype = item.dtype.newbyteorder("=") if column is None else column.dtype
            with out.open(_npz_name(name, members) + ".npy", "w", force_zip64=True) as to:
                np.lib.format.write_array_header_1_0(to, {"descr": dtype.str, "fortran_order": False, "shape": item.shape})
                step = max(1, 2**25 // max(1, dtype.itemsize * int(np.prod(item.shape[1:]))))
                for first in range(0, item.shape[0], step):
                    rows = item[first:first + step] if column is None else column[first:first + step]
                    to.write(np.ascontiguousarray(rows, dtype).tobytes())
    return target


def _npz_name(path: str, members: Any) -> str:
    """As its name says what it holds, where only one array is called so; else its path."""
    plain = _hdf5.plain_name(path)
    return plain if sum(_hdf5.plain_name(other) == plain for other in members) == 1 else path


def _renamed(words: list[str], path: str) -> list[str]:
    """Arrays of an HDF5 file by the names that they have in the .npz."""
    with _hdf5.opened(path) as file:
        members = _hdf5.members(file)
        names = {name: _npz_name(name, members) for name in members}
    return [names.get(word.strip("/"), word) for word in words]


def as_text(words: list[str], folder: str) -> list[str]:
    """The words of a command line, with files that the program reads in place of others; ``file.parquet:column`` and ``--probs=…`` too."""
    for path in [word for word in words if _hdf5.is_hdf5(word) and os.path.isfile(word)]:
        words = _renamed(words, path)
    return [_word(word, folder) for word in words]


def _word(word: str, folder: str) -> str:
    option, equals, value = word.partition("=")
    if option.startswith("--") and equals:
        return f"{option}={_word(value, folder)}"
    path, _, member = word.rpartition(":")
    if word.lower().endswith(ENDINGS) and os.path.isfile(word):
        return _convert(word, folder)
    if path.lower().endswith(ENDINGS) and os.path.isfile(path):
        return f"{_convert(path, folder)}:{_renamed([member], path)[0] if _hdf5.is_hdf5(path) else member}"
    return word
