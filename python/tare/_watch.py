"""Days against a reference: has the curve moved, have only the scores drifted, is calibration lost?"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable, Mapping

from . import _calls, _tare
from ._errors import Error, unreadable
from ._results import WatchReport
from ._state import State

if TYPE_CHECKING:
    from typing_extensions import Self


def _read(path: Any) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as why:
        raise unreadable(str(os.fspath(path)), why) from why


def _bytes(state: Any) -> bytes:
    if isinstance(state, State):
        state._only()  # no groups
        return state.to_bytes()
    return bytes(state) if isinstance(state, (bytes, bytearray, memoryview)) else _read(state)


def _name(state: Any, otherwise: str) -> str:
    return os.path.splitext(os.path.basename(os.fspath(state)))[0] if isinstance(state, (str, os.PathLike)) else otherwise


class Watch:
    """A running watch: a reference, and the days after it one by one.

    Three questions are answered apart, because drift of the scores changes every calibration error while nothing is wrong: has
    the calibration curve moved, have only the scores drifted, is calibration lost? Evidence that it is lost may be looked at
    every day, for ever. A watch can be pickled, and saved in the file that ``tare watch`` reads.

        watch = tare.Watch(reference)
        day = watch.day(today, "2026-03-01")
        if "lost" in day["alerts"]: ...

    Parameters
    ----------
    reference : State, bytes of one, or path
        The period to compare with.
    name : str, optional
        What it is called.
    alpha : float
        How often there may be a false alarm: ever for lost and changed, on each day for moved and drifted.
    run_length : float
        Mean days between false alarms of the detector (lately), at least.
    resamples : int
        Redrawings of a day's labels.
    seed : int
        The same seed gives the same bits.
    """

    def __init__(self, reference: Any, *, name: str | None = None, alpha: float = 0.05, run_length: float = 5000,
                 resamples: int = 999, seed: int = 1) -> None:
        self._watch = _tare.make_watch(_bytes(reference), name or _name(reference, "reference"),
                                       {"alpha": float(alpha), "run_length": float(run_length),
                                        "resamples": _calls._whole("resamples", resamples), "seed": _calls._whole("seed", seed)})

    def day(self, state: Any, name: str | None = None) -> dict[str, Any]:
        """Adds the next day, a state, its bytes or a path, and returns what is said of it. After an error the watch is as it was.

        Parameters
        ----------
        name : str, optional
            Such as the date; each day has its own. If not given, the name of the file, or its number.
        """
        data = _bytes(state)
        self._watch.add(data, name or _name(state, f"day {len(self.report().days) + 1}"))
        return self.report().days[-1]

    def report(self) -> WatchReport:
        """All days so far."""
        return WatchReport(*self._watch.report())

    def to_bytes(self) -> bytes:
        """What a ``.watch`` file holds."""
        return self._watch.bytes()

    @staticmethod
    def from_bytes(data: Any) -> Watch:
        """What :meth:`to_bytes` or ``tare watch --save`` made. Every byte is checked."""
        return Watch.__new__(Watch)._keep(_tare.load_watch(bytes(data)))

    def _keep(self, watch: Any) -> Self:
        self._watch = watch
        return self

    def save(self, path: Any) -> None:
        """Writes the file that ``tare watch`` goes on from; its name ends in ``.watch``."""
        _tare.write_file(os.fspath(path), self.to_bytes())  # whole or not at all

    @staticmethod
    def load(path: Any) -> Watch:
        """Reads what :meth:`save` or ``tare watch --save`` wrote."""
        data = _read(path)
        try:
            return Watch.from_bytes(data)
        except Error as why:
            raise Error(f"{os.fspath(path)}: {why.message}", why.code, why.hint) from None

    def __reduce__(self) -> Any:
        return Watch.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        report = self.report().to_dict()
        return f"<tare.Watch: {len(report['days'])} days since {report['reference']['name']}>"


def watch(reference: Any, days: Mapping[str, Any] | Iterable[Any], *, alpha: float = 0.05, run_length: float = 5000,
          resamples: int = 999, seed: int = 1) -> WatchReport:
    """Days against a reference, all at once; :class:`Watch` takes them one by one.

    Parameters
    ----------
    reference : State, bytes of one, or path
        The period to compare with.
    days : dict or sequence
        States, bytes or paths in the order of time; the keys of a dict are their names.
    alpha, run_length, resamples, seed
        As for :class:`Watch`.

    Returns
    -------
    WatchReport
        One line per day when printed.
    """
    out = Watch(reference, alpha=alpha, run_length=run_length, resamples=resamples, seed=seed)
    named = list(days.items()) if isinstance(days, Mapping) else [(_name(day, f"day {i + 1}"), day) for i, day in enumerate(days)]
    for name, day in named:
        out._watch.add(_bytes(day), str(name))
    return out.report()
