"""What there is: the tables of the library, and the papers that it recomputes."""

from __future__ import annotations

import builtins
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Iterator

from ._calls import TABLES
from ._errors import Error, MissingKey, did_you_mean
from ._options import names, whole
from ._rows import Row


@dataclass(frozen=True, eq=False)
class Entry(Row):
    """An estimator, a test, a calibrator or a published model: its name, what it is, and where it comes from."""

    kind: str
    name: str
    title: str
    summary: str
    citation: str
    estimand: str | None = None


class Catalogue:
    """Every estimator, test, calibrator and published model; printed it is a table, ``catalogue[name]`` is one entry."""

    def __init__(self) -> None:
        self.estimators = [_entry("estimator", row) for row in TABLES["estimators"]]
        self.tests = [_entry("test", row) for row in TABLES["tests"]]
        self.calibrators = [_entry("calibrator", row) for row in TABLES["calibrators"]]
        self.models: builtins.list[str] = [*TABLES["models"]]

    def __iter__(self) -> Iterator[Entry]:
        return iter([*self.estimators, *self.tests, *self.calibrators])

    def keys(self) -> builtins.list[str]:
        """All names."""
        return [entry.name for entry in self]

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __getitem__(self, name: str) -> Entry:
        for entry in self:
            if entry.name == name:
                return entry
        raise MissingKey(f"there is no {name!r}", "bad_option", did_you_mean(str(name), self.keys()))

    def to_frame(self) -> Any:
        """One row per entry, as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame([dict(entry) for entry in self])

    def __repr__(self) -> str:
        parts = []
        for head, entries in (("estimators", self.estimators), ("tests", self.tests), ("calibrators", self.calibrators)):
            parts.append(head + "\n" + "\n".join(f"  {e.name:<22}{e.summary} ({e.citation})" for e in entries))
        return "\n\n".join([*parts, "models of tare.bbc\n  " + ", ".join(self.models)])

    def _repr_html_(self) -> str:
        from ._result import table

        return table([dict(entry) for entry in self], ["kind", "name", "title", "summary", "citation"])


def _entry(kind: str, row: dict[str, Any]) -> Entry:
    return Entry._of({"kind": kind, **row, "estimand": row.get("estimand") or None})


def list() -> Catalogue:
    """Every estimator, test and calibrator, what it says and where it comes from: ``tare.list()["rank_poly"].summary``."""
    return Catalogue()


def paper(items: Any = None, *, out: Any = None, quick: bool = False, seed: int = 1) -> dict[str, Any]:
    """Recomputes figures and tables of Guo et al. 2017 and Roelofs et al. 2022 beside the published numbers, as ``tare paper`` does.

    Parameters
    ----------
    items : list of str, optional
        Figures, tables or groups; without ``out`` all that there are is listed instead.
    out : path, optional
        Folder to write to; ``index.html`` there shows everything. What is finished in it stays.
    quick : bool
        Fewer replicates.
    seed : int
        The same seed gives the same bytes.

    Returns
    -------
    dict
        Every claim and whether it was reproduced; without ``out`` what can be recomputed.
    """
    chosen = names(items, "items")
    if out is None and chosen:
        raise Error("there is no folder to write to", "bad_option", "pass out=FOLDER")
    words = ["--list"] if out is None else [*chosen, "-o", os.fspath(out), "--seed", str(whole("seed", seed)), *(["--quick"] if quick else [])]
    done = subprocess.run([sys.executable, "-m", "tare", "paper", *words, "--json", *([] if out is None else ["--quiet"])], capture_output=True, text=True)
    if done.returncode != 0:
        what, _, hint = done.stderr.strip().removeprefix("error: ").partition("\nhint: ")
        raise Error(what, "bad_option", hint)
    return json.loads(done.stdout)
