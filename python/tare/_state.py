"""Predictions of any number, kept as a running state."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from . import _calls, _groups, _hdf5, _tables, _tare
from ._arrays import fold
from ._calibrators import Calibrator, calibrator
from ._errors import Error, unreadable
from ._options import spoken

if TYPE_CHECKING:
    from typing_extensions import Self

_USUAL_OF_A_GROUP = 4096  # cells, as for each class


class State:
    """Predictions of any number, batch by batch, in a few megabytes.

    However rows are split, ordered and merged, the state is the same, bit for bit, and so is every number. It keeps scores in
    cells: with no more different scores than cells the numbers are those of the rows; with more, each score is known to within
    its cell, no cell crosses the edge of a bin, and the answer says how wide cells are. Log loss and Brier score of more than
    two classes are exact. A state can be pickled, copied, compared with ``==`` and used by several threads.

        state = tare.State()
        for z, y in batches:
            state.update(logits=z, labels=y)
        state.merge(another).measure()

    Parameters
    ----------
    cells : int, optional
        The most cells, 256 to 4,194,304; if not given 65,536, or 4,096 for each class (classwise) or group.
    bins : int
        Of equal width, whose edges no cell crosses: binned estimators with so many bins are those of the rows.
    reduction : {"top_label", "positive", "classwise"}, optional
        As for :func:`measure`; if not given the first rows decide.
    by : str, optional
        What rows are grouped by, such as ``"country"``: one state for each group, and a dict of answers.
    classes : list, optional
        The names of the classes in the order of the columns, where labels are names. They are kept in a pickle, not in a file.
    """

    _source = "a running state"  # what answers say they are about

    _names: list[Any] | None = None  # of the classes

    def __init__(self, *, cells: int | None = None, bins: int = _calls._BINS, reduction: str | None = None, by: str | None = None,
                 classes: Any = None) -> None:
        self._names = None if classes is None else list(classes)
        if by is not None and not isinstance(by, str):
            raise Error(f"by is {by!r}, not a name", "bad_option", "groups of rows are given to update(by=...)")
        cells = _USUAL_OF_A_GROUP if cells is None and by is not None else cells
        empty = _tare.make_state(0, _calls._reduction(reduction), _calls._whole("bins", bins), None if cells is None else _calls._whole("cells", cells))
        self._keep(by, empty, {None: empty} if by is None else {})

    def _keep(self, by: str | None, empty: Any, states: dict[Any, Any]) -> Self:
        self._by = by
        self._empty = empty  # what the state of a new group begins as
        self._states = states  # by group; of the group None where there are no groups
        self._lock = threading.Lock()  # of the dict; each state has its own
        return self

    # rows

    def update(self, table: Any = None, /, *, logits: Any = None, probs: Any = None, confidences: Any = None, labels: Any = None, correct: Any = None,
               predictions: Any = None, weights: Any = None, by: Any = None, ignore_index: Any = None, threads: int | None = None) -> Self:
        """Adds rows, which are given as to :func:`measure`: arrays, or a table and its columns. After an error the state is as it was.

        Parameters
        ----------
        table : path, list of paths, pyarrow.dataset.Dataset or Arrow stream, optional
            Parquet files, or whatever has ``__arrow_c_stream__``, or an HDF5 file. It is read batch by batch, row groups in parallel. The
            other arguments name its columns; the groups are in the column ``State.by``.
        by : array of shape (n,), optional
            The group of each row: text, whole numbers or booleans. Where the state is one with ``by``.
        ignore_index : int, optional
            Rows with this label are left out.
        threads : int, optional
            All cores if not given. The state does not depend on it.
        """
        rows = dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct, predictions=predictions, weights=weights)
        if table is not None:
            hdf5 = _hdf5.is_hdf5(table)
            if not hdf5 and not _tables.is_table(table):
                raise Error(f"{_tables.shown(table)} is no table to be read in batches", "bad_option",
                            "pass a .parquet or .h5 file, or arrays by their keywords")
            self._check_by(self._by is not None or by is not None)
            if hdf5:
                _hdf5.add(self, table, rows, None, _calls._threads(threads))
                return self
            _tables.add_table(self, table, rows, _calls._threads(threads))
            return self
        if by is not None and ignore_index is not None:
            raise Error("rows cannot be left out where there are groups", "unsupported", "leave them out before: x[labels != ignore_index]")
        data = fold(**rows, classes=self._names, ignore_index=ignore_index,
                    reduce_to=None if by is not None else self._empty.described()["reduction"])
        self._check_by(by is not None)
        if self._by is None:
            self._states[None].add(data, _calls._threads(threads))
        else:
            with self._lock:
                self._add_groups(data, by, _calls._threads(threads))
        return self

    def _check_by(self, given: bool) -> None:
        if given and self._by is None:
            raise Error("groups were given, and the state has none", "bad_option", "make it with State(by=NAME)")
        if not given and self._by is not None:
            raise Error(f"the state has groups by {self._by!r}, and none were given", "bad_option", "pass by=, the group of each row")

    def _add_groups(self, data: dict[str, Any], by: Any, threads: int | None) -> None:
        """All or nothing: a state of all these rows, thrown away, meets every error but too large a sum of weights."""
        rows = dict(_groups.split(by, data))
        _groups.same_kind([*self._states, *rows])
        about = self._about()
        self._fresh(about, about["classes"]).add(data, threads)
        states = {key: self._states.get(key) or self._fresh(about) for key in rows}

        def weight(key: Any) -> float:
            return states[key].described()["weight"] + float(rows[key]["weights"].sum(dtype=float))

        for key in sorted(rows, key=weight, reverse=True) if "weights" in data else rows:  # the largest fails first
            states[key].add(rows[key], threads)
        self._states.update(states)

    def _sibling(self) -> State:
        """Of the same kind, with no rows."""
        about = self._empty.described()
        empty = _tare.make_state(0, about["reduction"], about["bins"], about["cells"])
        return State.__new__(State)._keep(self._by, empty, {None: empty} if self._by is None else {})

    @staticmethod
    def _fresh(about: dict[str, Any], classes: int = 0) -> Any:
        return _tare.make_state(classes, about["reduction"], about["bins"], about["cells"])

    def merge(self, other: State) -> Self:
        """Adds all rows of another state, group by group where there are groups. After an error the state is as it was."""
        if not isinstance(other, State):
            raise TypeError(f"a State is merged with a State, not with {type(other).__name__}")
        if self._by != other._by:
            raise Error(f"one state is by {self._by!r}, the other by {other._by!r}", "bad_input", "make both with the same groups")
        if self._by is None:
            self._states[None].merge(other._states[None])
            return self
        theirs, their_about = dict(other._states), other._about()
        with self._lock:
            _groups.same_kind([*self._states, *theirs])
            about = self._about()
            self._fresh(about, about["classes"]).merge(self._fresh(their_about, their_about["classes"]))
            merged = {key: self._states[key].copy() if key in self._states else self._fresh(about) for key in theirs}
            for key, state in merged.items():
                state.merge(theirs[key])
            self._states.update(merged)
        return self

    # answers

    def _each(self, call: Any) -> Any:
        if self._by is None:
            return call(self)
        return {key: call(self[key]) for key in self.groups}

    def measure(self, **options: Any) -> Any:
        """:func:`measure` on all rows so far, with its options; a dict of measurements where there are groups."""
        return self._each(lambda one: _calls.measure(one, **{"bins": one.bins} | options))

    def test(self, **options: Any) -> Any:
        """:func:`test` on all rows so far, with its options; a dict of reports where there are groups."""
        return self._each(lambda one: _calls.test(one, **{"bins": one.bins} | options))

    def fit(self, method: str, **options: Any) -> Any:
        """A fitted :func:`calibrator` of one number per row; a dict of calibrators where there are groups.

        Its input is "probs", of class 1, where the reduction is positive, and "confidences" where it is top_label.
        """
        return self._each(lambda one: one._fit(method, options))

    def _fit(self, method: str, options: dict[str, Any]) -> Calibrator:
        input = "probs" if self.reduction == "positive" else "confidences"
        return calibrator(method, input, **options)._learn({"state": self._only(), "source": self._source})

    def _only(self) -> Any:
        """The state of the library, for calls that take one."""
        if self._by is not None:
            raise Error(f"this state has groups by {self._by!r}", "bad_option", "use its own methods, or take one group: state[KEY]")
        return self._states[None]

    # what it is

    def _about(self) -> dict[str, Any]:
        out = self._empty.described()
        for state in [] if self._by is None else list(self._states.values()):
            one = state.described()
            out |= {"rows": out["rows"] + one["rows"], "classes": out["classes"] or one["classes"],
                    "reduction": out["reduction"] or one["reduction"]}
        return out

    @property
    def rows(self) -> int:
        """How many rows were added."""
        return self._about()["rows"]

    @property
    def classes(self) -> int | None:
        """Of the predictions; None while that is not known."""
        return self._about()["classes"] or None

    @property
    def reduction(self) -> str | None:
        """top_label, positive or classwise; None while the first rows have yet to decide."""
        return self._about()["reduction"] or None

    @property
    def bins(self) -> int:
        """Of equal width, whose edges no cell crosses."""
        return self._empty.described()["bins"]

    @property
    def cells(self) -> int:
        """The most cells of one state."""
        return self._empty.described()["cells"]

    @property
    def by(self) -> str | None:
        """What rows are grouped by; None: nothing."""
        return self._by

    @property
    def groups(self) -> list[Any]:
        """The groups so far, in ascending order; ``state[group]`` is the state of one."""
        return sorted(key for key in self._states if key is not None)

    def __getitem__(self, group: Any) -> State:
        if group is None or group not in self._states:
            raise KeyError(group)
        return _alone(self._states[group].copy())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, theirs = dict(self._states), dict(other._states)
        return (self._by == other._by and (self._by is None or self._empty.equal(other._empty)) and mine.keys() == theirs.keys()
                and all(state.equal(theirs[key]) for key, state in mine.items()))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        about = self._about()
        words = [f"{about['rows']:,} rows"]
        if about["classes"]:
            words.append(f"{about['classes']} classes")
        if about["reduction"]:
            words.append(about["reduction"])
        if self._by is not None:
            words.append(f"{len(self._states)} groups by {self._by}")
        return f"<tare.State: {', '.join(words)}>"

    # keeping

    def copy(self) -> State:
        """One that shares nothing with this one."""
        if self._by is None:
            return _alone(self._states[None].copy())
        with self._lock:
            states = {key: state.copy() for key, state in self._states.items()}
        return State.__new__(State)._keep(self._by, self._empty, states)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> State:
        return self.copy()

    def to_bytes(self) -> bytes:
        """The same bytes for the same rows, on any machine: what a ``.state`` file holds, if there are no groups."""
        if self._by is None:
            return self._states[None].bytes()
        return _groups.pack(self._by, self._empty.bytes(), {key: self._states[key].bytes() for key in self.groups})

    @staticmethod
    def from_bytes(data: Any) -> State:
        """What :meth:`to_bytes` or ``tare partial`` made. Every byte is checked."""
        data = bytes(data)
        if _groups.is_packed(data):
            by, empty, parts = _groups.unpack(data)
            states = {key: _tare.load_state(part) for key, part in parts.items()}
            return State.__new__(State)._keep(by, _tare.load_state(empty), states)
        return _alone(_tare.load_state(data))

    def __reduce__(self) -> Any:
        return State.from_bytes, (self.to_bytes(),), {"_names": self._names} if self._names else None

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def save(self, path: Any) -> None:
        """Writes the file that :func:`measure`, ``tare measure`` and ``tare merge`` read; its name ends in ``.state``."""
        _tare.write_file(os.fspath(path), self.to_bytes())  # whole or not at all

    @staticmethod
    def load(path: Any) -> State:
        """Reads what :meth:`save` or ``tare partial -o`` wrote."""
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as why:
            raise unreadable(str(os.fspath(path)), why) from why
        try:
            return State.from_bytes(data)
        except Error as why:
            raise Error(f"{os.fspath(path)}: {why.message}", why.code, why.hint) from None


for _method in (State.__init__, State.update):  # not as decorators: type checkers see the methods as they are
    setattr(State, _method.__name__, spoken(_method))


def _alone(state: Any) -> State:
    """Without groups, the state itself is what describes them all."""
    return State.__new__(State)._keep(None, state, {None: state})
