"""Excel files, through openpyxl: the first sheet that has rows, whose first row names the columns."""

from __future__ import annotations

import os
from typing import Any, Iterator

import numpy as np

from . import _tare
from ._errors import Error, unreadable

ENDINGS = (".xlsx", ".xlsm")


def is_excel(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike)) and str(os.fspath(source)).lower().endswith((*ENDINGS, ".xls"))


def rows(path: Any) -> Iterator[tuple[Any, ...]]:
    """The names of the columns, then the values of each row; empty rows are left out."""
    shown = _tare.clean(str(path))
    if str(path).lower().endswith(".xls"):
        raise Error(f"{shown}: .xls, the format of Excel before 2007, is not read", "unsupported", "save it as .xlsx or .csv")
    try:
        import openpyxl
    except ImportError:
        raise Error("Excel files are read with openpyxl, which is not installed", "unsupported", "pip install 'tare[excel]'") from None
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except OSError as why:
        raise unreadable(shown, why) from why
    except Exception as why:  # zipfile.BadZipFile, KeyError and what else a damaged file brings about
        raise Error(f"{shown}: is not an Excel file: {_tare.clean(str(why))}", "bad_input", "save it as .xlsx or .csv") from why
    try:
        width = 0
        for sheet in book.worksheets:
            for row in sheet.iter_rows(values_only=True):
                if all(cell is None for cell in row):
                    continue
                if not width:
                    width = max(i + 1 for i, cell in enumerate(row) if cell is not None)
                    yield tuple("" if cell is None else str(cell) for cell in row[:width])
                else:
                    yield (*row[:width], *[None] * (width - len(row)))
            if width:
                return
        raise Error(f"{shown}: has no rows", "bad_input", "at least one prediction is needed")
    finally:
        book.close()


def arrays(path: Any, given: dict[str, Any], group: Any, classes: Any) -> tuple[dict[str, Any], Any, Any, str]:
    """The columns by their roles, the groups of rows by their names, the names of the classes, and what was used."""
    from ._arrays import used_of
    from ._groups import columns_of_file
    from ._labels import after_common_beginning
    from ._tables import columns_of

    head, *body = rows(path)
    shown, names = _tare.clean(str(path)), list(head)
    column = {name: [row[i] for row in body] for i, name in enumerate(names)}
    if not body:
        raise Error(f"{shown}: has no rows", "bad_input", "at least one prediction is needed")
    try:
        chosen = columns_of(names, given)
    except Error as why:
        raise Error(f"{shown}: {why.message}", why.code, why.hint) from None
    out = {}
    for role, (members, _) in chosen.items():
        parts = [_numbers(column[name], name, shown, words=role in ("labels", "predictions", "correct")) for name in members]
        out[role] = parts[0] if len(parts) == 1 else np.column_stack(parts)
    several = next((members for members, _ in chosen.values() if len(members) > 1), None)
    if classes is None and several and "labels" in out and out["labels"].dtype.kind == "O":  # p_ant is about ant
        about = after_common_beginning(several)
        classes = about if set(out["labels"]) <= set(about) else several if set(out["labels"]) <= set(several) else None
    wanted = [] if group is None else columns_of_file(group)
    for name in wanted:
        if name not in column:
            raise Error(f"{shown}: there is no column {_tare.clean(name)!r}, only {', '.join(map(_tare.clean, names))}", "bad_input")
    groups = {name: np.array(column[name], dtype=object) for name in wanted}
    return out, groups or None, classes, used_of({role: members for role, (members, _) in chosen.items()}, "column")


def _numbers(values: list[Any], name: str, shown: str, words: bool) -> np.ndarray:
    if all(isinstance(x, (int, float)) for x in values):
        return np.array(values)
    row = next(i for i, x in enumerate(values) if not isinstance(x, (int, float)))
    if values[row] is None:
        raise Error(f"{shown}: row {row + 2}, column {_tare.clean(name)!r} is empty", "bad_input", "fill it, or leave out such rows")
    if words:
        return np.array([x if isinstance(x, str) else str(x) for x in values], dtype=object)
    raise Error(f"{shown}: row {row + 2}, column {_tare.clean(name)!r}: {_tare.clean(str(values[row]))!r} is not a number", "bad_input",
                "only labels and predicted classes may be texts")
