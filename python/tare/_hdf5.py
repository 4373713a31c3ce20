"""HDF5 files, through h5py: arrays as they are, or in batches into a state where they are large."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _tare
from ._errors import Error, did_you_mean, unreadable

if TYPE_CHECKING:
    from ._state import State

ENDINGS = (".h5", ".hdf5", ".hdf", ".he5")
MOST_BYTES = 2**30  # what is larger is not read at once
_BATCH_BYTES = 2**25
_MAIN = ("logits", "probs", "confidences")
_SPLITS = {"val": "val", "valid": "val", "validation": "val", "dev": "val", "test": "test"}


def is_hdf5(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike)) and str(os.fspath(source)).lower().endswith(ENDINGS)


def opened(path: Any) -> Any:
    """The file; who opens it closes it."""
    try:
        import h5py
    except ImportError:
        raise Error("HDF5 files are read with h5py, which is not installed", "unsupported", "pip install 'tare[hdf5]'") from None
    try:
        return h5py.File(path, "r")
    except OSError as why:
        if os.path.exists(path) and not h5py.is_hdf5(path):
            raise Error(f"{_tare.clean(str(path))}: is not an HDF5 file", "bad_input", "the ending says that it is one") from why
        raise unreadable(_tare.clean(str(path)), why) from why


def members(file: Any) -> dict[str, Any]:
    """Every array of the file by its path, "test/logits"; no images or tables of records."""
    import h5py

    out: dict[str, Any] = {}

    def look(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset) and 0 < item.ndim <= 2 and (item.dtype.kind in "biuf" or is_text(item)):
            out[name] = item

    file.visititems(look)
    return out


def is_text(item: Any) -> bool:
    import h5py

    return item.dtype.kind == "S" or h5py.check_string_dtype(item.dtype) is not None


def plain_name(path: str) -> str:
    """As an array of an .npz would be called: "test/logits" is test_logits, "resnet/probs" is probs."""
    first, *rest = path.split("/")
    return "_".join([_SPLITS[first.lower()], *rest]) if rest and first.lower() in _SPLITS else path.rpartition("/")[2]


def _found(there: dict[str, Any], role: str, split: str) -> list[str]:
    paths = list(there)
    return [paths[i] for i in _tare.members_for([plain_name(path) for path in paths], role, split)]


def has_split(path: Any, split: str) -> bool:
    with opened(path) as file:
        there = members(file)
        return any(_found(there, role, split + "_") for role in _MAIN)


def _listed(names: Any) -> str:
    return ", ".join(_tare.clean(name) for name in names)


class _Chosen:
    """Which arrays play which role: as told, else as their names say."""

    def __init__(self, file: Any, path: Any, split: str | None, given: dict[str, Any]) -> None:
        self.path, self.there = _tare.clean(str(path)), members(file)
        self.roles: dict[str, list[str]] = {role: self._named(role, names) for role, names in given.items()}
        if split not in (None, "", "val", "test"):
            raise Error(f"split is {split!r}", "bad_option", "it is test or val")
        self.split = self._split(split)
        mains = [role for role in _MAIN if role in self.roles]
        if not mains:
            mains = [role for role in _MAIN if self._fill(role)]
        if len(mains) != 1:
            what = f"holds {' and '.join(mains)}" if mains else f"no name says what it holds: {_listed(self.there) or 'nothing'}"
            raise Error(f"{self.path}: {what}", "bad_input", "say which array to take: logits=, probs= or confidences=, and labels=")
        self.main = mains[0]
        self._complete()

    def _named(self, role: str, names: Any) -> list[str]:
        out = [names] if isinstance(names, str) else list(names) if isinstance(names, (list, tuple)) else []
        if not out or not all(isinstance(name, str) for name in out):
            raise Error(f"both a file and {role} were given", "bad_option", "pass one of them; with a file, names of its arrays")
        for i, name in enumerate(out):
            out[i] = name.strip("/")
            if out[i] not in self.there:
                raise Error(f"{self.path}: holds nothing named {_tare.clean(name)!r}; it holds {_listed(self.there)}", "bad_input",
                            did_you_mean(name, self.there))
        return out

    def _split(self, asked: str | None) -> str:
        if asked:
            if not any(_found(self.there, role, asked + "_") for role in _MAIN) and not any(role in self.roles for role in _MAIN):
                raise Error(f"{self.path}: holds no predictions of {asked}; it holds {_listed(self.there)}", "bad_input")
            return asked + "_"
        for split in ("test_", "", "val_"):
            if any(_found(self.there, role, split) for role in _MAIN):
                return split
        return ""

    def _fill(self, role: str) -> bool:
        """By its name: beside the predictions, if there is one, else anywhere."""
        named = next((self.roles[main][0] for main in _MAIN if main in self.roles), None)
        beside = {} if named is None else {name: x for name, x in self.there.items() if name.rpartition("/")[0] == named.rpartition("/")[0]}
        splits = [self.split] if named is None else [self.split, "", "test_", "val_"]
        found = next((f for where in (beside, self.there) for split in splits if (f := _found(where, role, split))), [])
        if len(found) > 1:
            raise Error(f"{self.path}: several arrays could be the {role}: {_listed(found)}", "bad_input", f"say which: {role}={found[0]!r}")
        if found and role not in self.roles:
            self.roles[role] = found
        return bool(found)

    def _complete(self) -> None:
        if self.main != "confidences":
            wanted = ["labels"]
        elif "correct" in self.roles or (not {"labels", "predictions"} & self.roles.keys() and self._fill("correct")):
            wanted = []
        else:
            wanted = ["labels", "predictions"]
        for role in wanted:
            if role not in self.roles and not self._fill(role):
                raise Error(f"{self.path}: has no {role}; it holds {_listed(self.there)}", "bad_input", f"say where they are: {role}=NAME")

    def rows(self) -> int:
        sizes = {name: self.there[name].shape[0] for names in self.roles.values() for name in names}
        if len(set(sizes.values())) > 1:
            (one, n), (other, m) = next(((a, b) for a in sizes.items() for b in sizes.items() if a[1] != b[1]))
            raise Error(f"{self.path}: {_tare.clean(other)} has {m} rows, but {_tare.clean(one)} has {n} rows", "bad_input",
                        "every array must have one entry per prediction")
        return next(iter(sizes.values()))

    def bytes(self) -> int:
        return sum(self.there[name].size * max(self.there[name].dtype.itemsize, 1) for names in self.roles.values() for name in names)

    def read(self, first: int = 0, end: int | None = None) -> dict[str, np.ndarray]:
        return {role: _side_by_side([_rows(self.there[name], first, end) for name in names], self.path) for role, names in self.roles.items()}


def _rows(item: Any, first: int = 0, end: int | None = None) -> np.ndarray:
    if not is_text(item):
        return item[first:end]
    return np.array([x.decode("utf-8", "replace") if isinstance(x, bytes) else x for x in item[first:end].reshape(-1)], dtype=object)


def _side_by_side(columns: list[np.ndarray], path: str) -> np.ndarray:
    if len(columns) > 1 and any(column.ndim != 1 for column in columns):
        raise Error(f"{path}: several arrays were named, and one has columns of its own", "bad_input", "name one matrix, or vectors")
    return columns[0] if len(columns) == 1 else np.column_stack(columns)


def arrays(path: Any, split: str | None, given: dict[str, Any], group: Any) -> tuple[dict[str, Any], Any, str]:
    """What the file holds by its roles, the groups of rows by their names, and what was used."""
    from ._arrays import used_of
    from ._groups import columns_of_file

    with opened(path) as file:
        chosen = _Chosen(file, path, split, given)
        chosen.rows()
        names = [] if group is None else columns_of_file(group)
        groups = {name: _rows(chosen.there[chosen._named("group", name)[0]]).reshape(-1) for name in names}
        return chosen.read(), groups or None, used_of(chosen.roles, "array")


def is_large(path: Any, split: str | None, given: dict[str, Any]) -> bool:
    with opened(path) as file:
        return _Chosen(file, path, split, given).bytes() > MOST_BYTES


def add(state: State, path: Any, given: dict[str, Any], split: str | None, threads: int | None) -> None:
    """All rows, batch by batch, or nothing."""
    total = state._sibling()
    with opened(path) as file:
        chosen = _Chosen(file, path, split, {role: names for role, names in given.items() if names is not None})
        n = chosen.rows()
        step = max(1, _BATCH_BYTES // max(1, chosen.bytes() // max(n, 1)))
        total._names = state._names or _words(chosen, n, step)
        by = None if state.by is None else chosen.there[chosen._named("by", state.by)[0]]
        for first in range(0, max(n, 1), step):
            end = min(n, first + step)
            groups = {} if by is None else {"by": _rows(by, first, end)}
            try:
                total.update(**chosen.read(first, end), **groups, threads=threads)
            except Error as why:
                where = f", rows from {first} on" if first else ""
                raise Error(f"{chosen.path}{where}: {why.message}", why.code, why.hint) from None
    state.merge(total)


def _words(chosen: _Chosen, n: int, step: int) -> list[str] | None:
    """The classes, where labels are texts: a batch may not have them all."""
    if "labels" not in chosen.roles or chosen.main == "confidences" or not is_text(chosen.there[chosen.roles["labels"][0]]):
        return None
    item, found = chosen.there[chosen.roles["labels"][0]], set()
    for first in range(0, n, step):
        found |= set(_rows(item, first, first + step).tolist())
    return sorted(found)
