"""Labels of any kind: text, categories, booleans, objects. They become class indices, and their names are kept."""

from __future__ import annotations

import os
from typing import Any, Sequence

import numpy as np

from ._errors import Error

_NUMBER = (int, float, np.number, np.bool_)


def _told(x: Any) -> tuple[list[Any], np.ndarray] | None:
    """Categories of pandas, in their order, and the code of each row."""
    if not hasattr(getattr(x, "dtype", None), "categories") or type(x).__module__.partition(".")[0] != "pandas":
        return None
    column = x.cat if hasattr(x, "cat") else x
    return list(column.categories), np.asarray(column.codes)


def _things(x: Any) -> list[Any] | None:
    """The labels as Python objects; None where they are numbers, which stay what they are."""
    module = type(x).__module__.partition(".")[0]
    if isinstance(x, np.ndarray) or module == "pandas":
        kind = getattr(getattr(x, "dtype", None), "kind", "O")
        if kind in "biufc" and not hasattr(x.dtype, "na_value"):
            return None
        things = np.asarray(x).tolist() if not hasattr(x, "ravel") or np.ndim(x) < 2 else np.asarray(x).ravel().tolist()
    elif isinstance(x, (list, tuple)):
        if not x or isinstance(x[0], _NUMBER) or hasattr(x[0], "__len__") and not isinstance(x[0], (str, bytes)) or hasattr(x[0], "__array__"):
            return None
        things = list(x)
    elif module == "polars" and hasattr(x, "to_list"):
        things = x.to_list() if not (x.dtype.is_numeric() or str(x.dtype) == "Boolean") else None
    elif module == "pyarrow" and hasattr(x, "to_pylist"):
        numbers = str(x.type).startswith(("int", "uint", "float", "double", "half", "bool"))
        things = None if numbers else x.to_pylist()
    else:
        return None
    if things is None or (things and all(isinstance(v, (*_NUMBER, bool)) for v in things) and not any(v != v for v in things)):
        return None
    return things


def is_words(x: Any) -> bool:
    """Are labels names of classes, not numbers?"""
    return _told(x) is not None or _things(x) is not None


def _sorted(values: Sequence[Any], role: str) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        kinds = sorted({type(v).__name__ for v in values})
        raise Error(f"{role} mix {' and '.join(kinds)}", "bad_input", "make them one type, or pass classes= in the order of the columns") from None


def _factored(things: list[Any], role: str) -> tuple[list[Any], np.ndarray]:
    """The different values in ascending order, and for each row which of them it has."""
    index: dict[Any, int] = {}
    try:
        codes = np.fromiter((index.setdefault(value, len(index)) for value in things), np.int32, len(things))
    except TypeError:
        raise Error(f"{role}: a row holds {things[0]!r}, which is no class", "bad_input", "one class per row: text, a number or a boolean") from None
    missing = [v for v in index if v is None or v != v or str(v) == "<NA>"]
    if missing:
        row = int(np.flatnonzero(np.isin(codes, [index[v] for v in missing]))[0])
        raise Error(f"{role}: row {row} is missing", "bad_input", "drop the row: without a label there is nothing to compare with")
    order = _sorted(list(index), role)
    rank = np.empty(len(order), np.int32)
    rank[[index[v] for v in order]] = np.arange(len(order), dtype=np.int32)
    return order, rank[codes]


def shown(values: Sequence[Any], most: int = 5) -> str:
    words = [repr(v.item() if isinstance(v, np.generic) else v) for v in list(values)[:most]]
    return ", ".join(words) + (", …" if len(values) > most else "")


def _unknown(role: str, row: int, value: Any, classes: Sequence[Any]) -> Error:
    return Error(f"{role}: row {row} is {shown([value])}, which is not among the classes {shown(classes)}", "bad_input",
                 "classes= names every class, in the order of the columns")


def _columns(main: Any) -> list[Any] | None:
    """The names of a frame's columns; None where they only count."""
    names = list(main.columns) if getattr(main, "ndim", 0) == 2 and hasattr(main, "columns") and not callable(main.columns) else []
    names = names or (list(main.columns) if hasattr(main, "get_columns") else [])  # polars
    names = names or list(getattr(main, "column_names", None) or [])  # pyarrow
    return names if names and names != list(range(len(names))) else None


def checked_classes(classes: Any, k: int | None, main: str) -> list[Any]:
    if isinstance(classes, (str, bytes)) or not hasattr(classes, "__iter__"):
        raise Error(f"classes is {classes!r}, not a list", "bad_option", 'name every class in the order of the columns: classes=["no", "yes"]')
    out = [c.item() if isinstance(c, np.generic) else c for c in classes]
    if len(set(out)) != len(out):
        raise Error(f"classes names a class twice: {shown(out)}", "bad_option", "name every class once, in the order of the columns")
    if k is not None and len(out) != k:
        columns = "one number per row, for two classes" if k == 2 else f"{k} columns"
        raise Error(f"classes names {len(out)} classes, but {main} has {columns}", "bad_option", "name every class, in the order of the columns")
    return out


def _by_number(array: np.ndarray, classes: list[Any], role: str) -> np.ndarray:
    """Numbers that are names of classes: each becomes its place among them."""
    known = np.asarray(classes)
    order = np.argsort(known, kind="stable")
    at = np.minimum(np.searchsorted(known[order], array), len(known) - 1)
    wrong = known[order][at] != array
    if wrong.any():
        row = int(np.argmax(wrong))
        raise _unknown(role, row, array[row], classes)
    return order[at].astype(np.int32)


def after_common_beginning(names: list[Any]) -> list[Any]:
    """What columns p_ant, p_bee and p_cow are about."""
    if len(names) < 2 or not all(isinstance(name, str) for name in names):
        return names
    common = os.path.commonprefix(names)
    end = max(common.rfind(mark) for mark in "_.:- ") + 1
    return [name[end:] for name in names]


def _order(values: list[Any], main: Any, main_name: str, role: str, k: int | None) -> list[Any]:
    """The classes where they were not named: a frame's columns, categories, or what the labels hold in ascending order."""
    columns = _columns(main)
    for named in [] if columns is None else [columns, after_common_beginning(columns)]:
        if set(values) <= set(named):
            return named
    if k is not None and len(values) != k:
        width = "one number per row, for two classes" if getattr(main, "ndim", 1) == 1 else f"{k} columns"
        raise Error(f"{role} hold {len(values)} classes ({shown(values)}), but {main_name} has {width}", "bad_input",
                    f"name every class in the order of the columns: classes=[{shown(values[:2])}, …]")
    return values


def encoded(there: dict[str, Any], classes: Any, main: Any, main_name: str, k: int | None, as_array: Any, prefix: str) -> tuple[dict[str, Any], list[Any] | None]:
    """labels and predictions as class indices, and the names of the classes where there are any."""
    roles = [role for role in ("labels", "predictions") if role in there]
    named = None if classes is None else checked_classes(classes, k, main_name)
    numbers = named is not None and all(isinstance(c, _NUMBER) for c in named)
    out: dict[str, Any] = {}
    words: dict[str, tuple[list[Any], np.ndarray, bool]] = {}
    for role in roles:
        told = _told(there[role])
        things = None if told else _things(there[role])
        if told and (told[1] < 0).any():
            raise Error(f"{prefix}{role}: row {int(np.argmax(told[1] < 0))} is missing", "bad_input", "drop the row: without a label there is nothing to compare with")
        if told or things is not None:
            words[role] = (*told, True) if told else (*_factored(things or [], prefix + role), False)
        elif numbers or (named is None and k is not None and all(isinstance(c, int) for c in _columns(main) or [""])):
            named = named or _columns(main) or []
            out[role] = _by_number(as_array(there[role], prefix + role).ravel(), named, prefix + role)
    if not words:
        return out, named
    if named is None:
        values = max((v for v, _, _ in words.values()), key=len)
        if len(words) == 2 and not any(ordered for _, _, ordered in words.values()):
            values = _sorted(list({v for found, _, _ in words.values() for v in found}), prefix + "labels")
        named = _order(values, main, main_name, prefix + "labels", k)
    index = {value: i for i, value in enumerate(named)}
    for word, (values, codes, _) in words.items():
        place = np.array([index.get(v, -1) for v in values] or [0], np.int32)[codes]
        if (place < 0).any():
            row = int(np.argmax(place < 0))
            raise _unknown(prefix + word, row, values[codes[row]], named)
        out[word] = place
    return out, named
