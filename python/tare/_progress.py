"""A bar for work that takes seconds: tqdm's, where it is installed and somebody looks."""

from __future__ import annotations

import sys
from typing import Any, Callable

from ._errors import Error


def _watched() -> bool:
    """Is there a terminal, or a notebook?"""
    return "ipykernel" in sys.modules or bool(getattr(sys.stderr, "isatty", lambda: False)())


class Bar:
    """Called with a stage, and how much of it is done. It appears after a second and goes when the work is done."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make, self._bar, self._stage = make, None, ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._bar is None or stage != self._stage:
            self.close()
            self._bar, self._stage = self._make(total=total, desc=stage, leave=False, delay=1), stage
        bar: Any = self._bar
        bar.total = total
        bar.update(done - bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *ended: Any) -> None:
        self.close()


class Told:
    """A function of the caller, or none."""

    def __init__(self, function: Callable[[str, int, int], Any] | None) -> None:
        self.function = function

    def __enter__(self) -> Callable[[str, int, int], Any] | None:
        return self.function

    def __exit__(self, *ended: Any) -> None:
        pass


def progress_of(wanted: Any) -> Any:
    """A context whose value the library calls; None, True and False as told in :func:`tare.measure`."""
    if callable(wanted):
        return Told(wanted)
    if wanted not in (None, True, False):
        raise Error(f"progress is {wanted!r}", "bad_option", "it is True, False or a function of (stage, done, total)")
    if wanted is False or (wanted is None and not _watched()):
        return Told(None)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Told(None)
    return Bar(tqdm)
