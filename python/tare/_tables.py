"""Tables that are read batch by batch into a state: Parquet files, pyarrow datasets, and whatever streams Arrow."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Callable, Iterator

import numpy as np

from . import _tare
from ._arrays import _MAIN, _ROLES, _check_truth, as_array
from ._errors import Error, unreadable
from ._labels import is_words

if TYPE_CHECKING:
    from ._state import State

Columns = dict[str, tuple[list[str], list[str]]]  # by role: names, and what they say about the classes


_FORMATS = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "ipc", ".ipc": "ipc"}
ENDINGS = tuple(_FORMATS)  # of files that pyarrow reads


def is_table(source: Any) -> bool:
    """Not a file that the library reads by itself."""
    if isinstance(source, (str, os.PathLike)):
        path = str(os.fspath(source))
        return path.endswith(ENDINGS) or os.path.isdir(path)
    return isinstance(source, (list, tuple)) or hasattr(source, "__arrow_c_stream__") or hasattr(source, "get_fragments")


def columns_with_words(source: Any, given: dict[str, Any]) -> dict[str, Any] | None:
    """The named columns of a frame in memory whose labels are no numbers; None: it is streamed."""
    if type(source).__name__ not in ("DataFrame", "Table") or not hasattr(source, "__getitem__"):
        return None
    label, there = given.get("labels"), {role: x for role, x in given.items() if x is not None}
    known = [str(name) for name in getattr(source, "column_names", None) or source.columns]
    named = [name for x in there.values() for name in ([x] if isinstance(x, str) else x if isinstance(x, (list, tuple)) else [None])]
    if not isinstance(label, str) or not all(name in known for name in named) or not is_words(source[label]):
        return None
    several = source.select if hasattr(source, "column_names") else source.__getitem__
    return {role: source[x] if isinstance(x, str) else several(list(x)) for role, x in there.items()}


def _listed(names: list[str]) -> str:
    return ", ".join(_tare.clean(name) for name in names)


def shown(source: Any) -> str:
    """What answers say they are about."""
    if isinstance(source, (str, os.PathLike)):
        return str(os.fspath(source))
    if isinstance(source, (list, tuple)):
        return f"{os.fspath(source[0])} and {len(source) - 1} more" if len(source) > 1 else str(os.fspath(source[0]))
    return "a table"


def _import(module: str) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise Error("this table is read with pyarrow, which is not installed", "unsupported", "pip install 'tare[parquet]'") from None


def _dataset(source: Any) -> Any:
    if hasattr(source, "get_fragments"):
        return source
    paths = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    if not paths or not all(isinstance(path, (str, os.PathLike)) for path in paths):
        raise Error("the list has to hold the names of Parquet files", "bad_option", "pass arrays by their keywords: probs=, labels=")
    names = [str(os.fspath(path)) for path in paths]
    try:
        form = _FORMATS.get(os.path.splitext(names[0])[1], "parquet")
        return _import("pyarrow.dataset").dataset(names[0] if len(names) == 1 else names, format=form)
    except (OSError, ValueError) as why:  # pyarrow's errors are among them
        if isinstance(why, Error):
            raise
        raise unreadable(_tare.clean(shown(paths)), why) from why


def _named(names: list[str], role: str, given: Any) -> tuple[list[str], list[str]]:
    if isinstance(given, str):
        columns, classes = _tare.columns_named(names, given)
        if columns:
            return columns, classes
        given = [given]
    if not isinstance(given, (list, tuple)) or not given or not all(isinstance(name, str) for name in given):
        raise Error(f"{role} is not the name of a column", "bad_option", "with a table, name its columns: probs=\"p\", labels=\"y\"")
    for name in given:
        if name not in names:
            raise Error(f"{role}: there is no column {name!r}, only {_listed(names)}", "bad_input")
    return list(given), []


def columns_of(names: list[str], given: dict[str, Any]) -> Columns:
    """Which columns play which role: as told, else as their names say, by the rules for CSV files."""
    out: Columns = {role: _named(names, role, x) for role, x in given.items() if x is not None}

    def fill(role: str) -> None:
        found = _tare.columns_for(names, role)
        if len(found) > 1:
            raise Error(f"several columns could be the {role}: {_listed([one[0][0] for one in found])}", "bad_input", f"say which: {role}=NAME")
        if found and role not in out:
            out[role] = found[0]

    if not any(role in out for role in _MAIN):
        for role in _MAIN:
            fill(role)
    mains = [role for role in _MAIN if role in out]
    if len(mains) != 1:
        what = f"there are {' and '.join(mains)}" if mains else f"no name says what it holds: {_listed(names)}"
        raise Error(what, "bad_input", "say which column to take: logits=, probs= or confidences=, and labels=")
    if not any(role in out for role in ("correct", "predictions", "labels")):
        fill("labels" if mains[0] != "confidences" else "correct")
    if mains[0] == "confidences" and "correct" not in out:
        fill("labels")
        fill("predictions")
    _check_truth(mains[0], out, "")
    return out


def _arrays(batch: Any, columns: Columns) -> dict[str, np.ndarray]:
    out = {}
    for role in _ROLES:
        if role in columns:
            parts = [as_array(batch.column(name), name) for name in columns[role][0]]
            out[role] = parts[0] if len(parts) == 1 else np.column_stack(parts)
    return out


class _Reader:
    """Adds pieces of a table to states of the kind of one that is given."""

    def __init__(self, state: State, names: list[str], given: dict[str, Any], threads: int | None) -> None:
        self.columns = columns_of(names, given)
        self.by, self.threads = state.by, threads
        classes = next((classes for _, classes in self.columns.values() if classes), [])
        if self.by is not None:
            if self.by not in names:
                raise Error(f"by: there is no column {self.by!r}, only {_listed(names)}", "bad_input")
            if classes and classes != [str(i) for i in range(len(classes))]:
                raise Error(f"with groups, classes are not named {classes[0]!r}", "unsupported", "name the columns in the order of the classes")
        self.names = list(dict.fromkeys([name for columns, _ in self.columns.values() for name in columns] + ([self.by] if self.by else [])))

    def add(self, state: State, stream: Any, threads: int | None) -> None:
        """All that a pyarrow.RecordBatchReader, or a stream of the library, has."""
        if self.by is None:
            own = stream if isinstance(stream, _tare.Stream) else _tare.Stream(stream.__arrow_c_stream__())
            _tare.add_stream(state._states[None], own, self.columns, threads)
            return
        for batch in stream:
            if batch.num_rows:
                state._add_groups(_arrays(batch, self.columns), batch.column(self.by), threads)

    def exactly(self, why: Error, state: State, stream: Callable[[], Any]) -> Error:
        """With groups, an error counts rows from the beginning of a batch; without, from that of the piece."""
        try:
            if self.by is not None:
                _tare.add_stream(state._empty.copy(), _tare.Stream(stream().__arrow_c_stream__()), self.columns, 1)
        except Error as exact:
            return exact
        return why


def _batch_rows(dataset: Any, names: list[str]) -> int:
    """Few batches are quick; rows of many numbers, as lists may be, come in smaller ones."""
    lists = any(hasattr(dataset.schema.field(name).type, "value_type") for name in names)
    return 2**14 if lists else max(2**19 // len(names), 2**14)


def _opened(piece: Any, options: dict[str, Any]) -> Any:
    return piece.scanner(**options).to_reader()


def _pieces(dataset: Any, names: list[str]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What can be read by itself: row groups of Parquet files, else files; each with its name."""
    options = {"schema": dataset.schema, "columns": names, "batch_size": _batch_rows(dataset, names), "use_threads": False}
    for fragment in dataset.get_fragments():
        path = getattr(fragment, "path", "")
        for piece in fragment.split_by_row_group() if hasattr(fragment, "split_by_row_group") else [fragment]:
            group = next(iter(getattr(piece, "row_groups", None) or []), None)
            where = path if group is None else f"{path}, row group {group.id}"
            yield where, partial(_opened, piece, options)


def _with_words(why: Error, reader: _Reader) -> Error:
    """Labels that are names of classes: of batches nobody knows the others."""
    label = reader.columns.get("labels", ([""], []))[0][0]
    if not label or not why.message.startswith((f"{label}: holds text", f"{label}: is dictionary-encoded")):
        return why
    return Error(why.message, why.code, "class numbers are read in batches; for names of classes read the whole table, and name its columns: "
                                        f"tare.measure(pyarrow.parquet.read_table(FILE), probs=[...], labels={label!r})")


def _add_pieces(total: State, reader: _Reader, dataset: Any) -> None:
    """Several at once, each worker into a state of its own: their order does not matter."""
    workers = reader.threads or os.cpu_count() or 1
    states: SimpleQueue[State] = SimpleQueue()
    for _ in range(workers):
        states.put(total._sibling())

    def work(where: str, stream: Callable[[], Any]) -> None:
        state = states.get()
        try:
            reader.add(state, stream(), 1)
        except Error as first:
            why = _with_words(reader.exactly(first, state, stream), reader)
            raise Error(f"{_tare.clean(where)}: {why.message}" if where else why.message, why.code, why.hint) from None
        except (OSError, ValueError) as why:  # pyarrow's errors are among them
            raise Error(_tare.clean(f"{where}: {why}"), "io") from why
        finally:
            states.put(state)

    pool = ThreadPoolExecutor(workers)
    try:
        for job in [pool.submit(work, *piece) for piece in _pieces(dataset, reader.names)]:
            job.result()  # the first piece that is wrong is the one that is named
    finally:
        pool.shutdown(cancel_futures=True)
    for _ in range(workers):
        total.merge(states.get())


def _add_stream(total: State, source: Any, given: dict[str, Any], threads: int | None) -> None:
    if total.by is None:
        stream = _tare.Stream(source.__arrow_c_stream__())
        _Reader(total, stream.names(), given, threads).add(total, stream, threads)
        return
    batches = _import("pyarrow").RecordBatchReader.from_stream(source)
    reader = _Reader(total, batches.schema.names, given, threads)
    try:
        reader.add(total, batches, threads)
    except (OSError, ValueError) as why:  # pyarrow's errors are among them
        if isinstance(why, Error):
            raise
        raise Error(_tare.clean(f"the table: the Arrow stream failed: {why}"), "io") from why


def add_table(state: State, source: Any, given: dict[str, Any], threads: int | None) -> None:
    """All of a table, or nothing."""
    total = state._sibling()
    if isinstance(source, (str, os.PathLike, list, tuple)) or hasattr(source, "get_fragments"):
        dataset = _dataset(source)
        reader = _Reader(state, dataset.schema.names, given, threads)
        if getattr(dataset, "_scan_options", None):  # filtered: pyarrow does not tell its files
            reader.add(total, dataset.scanner(columns=reader.names).to_reader(), threads)
        else:
            _add_pieces(total, reader, dataset)
    else:
        try:
            _add_stream(total, source, given, threads)
        except Error as why:
            if why.code == "io" and "KeyboardInterrupt" in why.message:  # batches made in Python: all that is left of it is text
                raise KeyboardInterrupt from None
            raise
    state.merge(total)
