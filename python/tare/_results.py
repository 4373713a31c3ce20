"""Answers: a table when printed, numbers when asked."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass
from typing import Any, Iterator

from . import _tare


class Result:
    """What a call found. Printed it is the table of the command line; ``to_dict()`` is its JSON; it can be pickled."""

    _rows = ""          # the key of the list that to_frame() shows
    _shown: tuple = ()  # its columns in a notebook

    def __init__(self, text_json: str, text: str, svg: str = "") -> None:
        self._json = text_json
        self._text = text
        self._svg = svg
        self._dict = json.loads(text_json)

    def to_dict(self) -> dict[str, Any]:
        """Every number, unrounded, under the keys of ``tare … --json``. What does not exist is None, with a reason."""
        return json.loads(self._json)

    def to_json(self) -> str:
        """The same as text, byte for byte what the command line prints."""
        return self._json

    def to_frame(self) -> Any:
        """One row per line of the table, as a pandas.DataFrame."""
        import pandas

        rows = [{k: v for k, v in row.items() if not isinstance(v, (list, dict))} for row in self._dict[self._rows]]
        return pandas.DataFrame(rows)

    def __getstate__(self) -> tuple[str, str, str]:
        return self._json, self._text, self._svg

    def __setstate__(self, state: tuple[str, str, str]) -> None:
        Result.__init__(self, *state)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._json == other._json  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        def cell(value: Any) -> str:
            return html.escape("" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value))

        rows = self._dict[self._rows]
        shown = [c for c in self._shown if any(row.get(c) is not None for row in rows)]
        head = "".join(f"<th>{html.escape(c)}</th>" for c in shown)
        body = "".join("<tr>" + "".join(f"<td>{cell(row.get(c))}</td>" for c in shown) + "</tr>" for row in rows)
        return f"{self._svg}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


@dataclass(frozen=True)
class Range:
    """A number with its 95% interval, where it has one."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Verdict:
    """The one decision about a model; printed it is its sentence.

    ``outcome`` is "miscalibrated", "nothing_found" or "cannot_tell": miscalibrated exactly when ``p_value`` is below ``alpha``,
    exactly when ``low`` is above 0. ``value``, ``low`` and ``high`` are the estimated true error (root mean square gap) and its
    95% interval, ``detectable`` an error that would have been found, ``direction`` "over", "under" or "none", ``mean_gap`` mean
    score less mean label, ``shape`` "too_extreme", "too_timid" or "none", ``certain_and_wrong`` the rows with a probability of 0
    for what happened.
    """

    outcome: str
    p_value: float | None
    test: str
    alpha: float
    value: float | None
    low: float | None
    high: float | None
    norm: int
    detectable: float | None
    direction: str
    mean_gap: Range
    shape: str
    slope: Range | None
    certain_and_wrong: float
    sentence: str

    @classmethod
    def _of(cls, row: dict[str, Any]) -> Verdict:
        ranges = {k: Range(**row[k]) if row[k] is not None else None for k in ("mean_gap", "slope")}
        return cls(**{**row, **ranges})

    def __str__(self) -> str:
        return self.sentence


class Estimate:
    """One line of a measurement; ``float(estimate)`` is its value.

    Attributes: ``name``, ``norm``, ``bins``, ``value``, ``reason`` (why there is no value), ``low`` and ``high`` (an interval for
    the true quantity, where a valid one exists), ``floor`` and ``floor_high`` (mean and 95% quantile of the same estimator on a
    perfectly calibrated model), ``verdict``, ``squared``, ``se``, ``parts``, ``per_bin`` and the other keys of the JSON.
    """

    def __init__(self, row: dict[str, Any]) -> None:
        self._row = row

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._row["class" if name == "class_index" else name]
        except KeyError:
            raise AttributeError(f"an estimate has no '{name}', only {', '.join(self._row)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(k for k in self._row if k.isidentifier())]

    def __float__(self) -> float:
        if self._row["value"] is None:
            from ._errors import Error

            raise Error(f"{self._row['name']} has no value: {self._row['reason']}", "undefined")
        return self._row["value"]

    def __repr__(self) -> str:
        norm = f", norm={self.norm}" if self.norm else ""
        value = f"{self.value:.6g}" if self.value is not None else f"n/a ({self.reason})"
        floor = f", noise {self.floor:.3g} to {self.floor_high:.3g}: {self.verdict}" if self.floor is not None else ""
        return f"<{self.name}{norm}: {value}{floor}>"


class Groups(Result):
    """For which group is it wrong? The strongest evidence first; ``found`` are the names of those that are off."""

    _rows = "groups"
    _shown = ("column", "group", "n", "confidence", "accuracy", "gap", "low", "high", "shrunken_gap", "p_value", "benjamini_hochberg",
              "holm", "found")

    @property
    def found(self) -> list[str]:
        """Groups that are off, with false discoveries at most ``alpha``."""
        return [row["group"] for row in self._dict["groups"] if row["found"]]

    @property
    def p_value(self) -> float:
        """Of "right on average in every group"."""
        return self._dict["p_value"]

    @property
    def sentences(self) -> list[str]:
        """The answer in words."""
        return list(self._dict["sentences"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.to_dict()["groups"])

    def __len__(self) -> int:
        return len(self._dict["groups"])

    def __getitem__(self, group: str) -> dict[str, Any]:
        for row in self.to_dict()["groups"]:
            if row["group"] == group:
                return row
        raise KeyError(group)


def _groups_of(row: dict[str, Any]) -> Groups | None:
    found = row.get("groups")
    return None if found is None else Groups(json.dumps(found), "\n".join(found["sentences"]))


class Measurement(Result):
    """Every estimator on one fold: ``m["ece_ew"]``, ``m["ece_ew", 2]`` and iteration give :class:`Estimate`."""

    _rows = "estimates"
    _shown = ("name", "norm", "class", "bins", "value", "low", "high", "floor", "floor_high", "verdict", "reason")

    @property
    def input(self) -> dict[str, Any]:
        """n, k, kind and the reduction that was used."""
        return dict(self._dict["input"])

    @property
    def verdict(self) -> Verdict | None:
        """The one decision; None for classwise measurements and without resampling."""
        row = self._dict["verdict"]
        return None if row is None else Verdict._of(row)

    @property
    def groups(self) -> Groups | None:
        """With ``group``: every group, the strongest evidence first."""
        return _groups_of(self._dict)

    @property
    def estimates(self) -> list[Estimate]:
        return [Estimate(row) for row in self._dict["estimates"]]

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self._dict["estimates"])

    def __getitem__(self, key: str | tuple) -> Estimate:
        """By name, by (name, norm), or by (name, norm, class) for classwise measurements; without a norm the first."""
        name, norm, cls = (*key, None, None)[:3] if isinstance(key, tuple) else (key, None, None)
        for row in self._dict["estimates"]:
            if row["name"] == name and norm in (None, row["norm"]) and row["class"] == cls:
                return Estimate(row)
        raise KeyError(key)


class TestReport(Result):
    """p-values, the smallest error this n could have detected, and whether calibration is rejected."""

    __test__ = False  # not for pytest
    _rows = "tests"
    _shown = ("name", "norm", "statistic", "p_value", "reason")

    @property
    def verdict(self) -> Verdict:
        """The one decision, by the first statistic."""
        return Verdict._of(self._dict["verdict"])

    @property
    def p_value(self) -> float | None:
        """Of the first statistic."""
        return self._dict["tests"][0]["p_value"]

    @property
    def rejected(self) -> bool:
        """Is the verdict miscalibrated: does the first statistic reject calibration at ``alpha``?"""
        return self._dict["verdict"]["outcome"] == "miscalibrated"

    @property
    def groups(self) -> Groups | None:
        """With ``group``: every group, the strongest evidence first."""
        return _groups_of(self._dict)

    @property
    def detectable(self) -> dict[str, Any] | None:
        return self._dict.get("detectable")

    def __getitem__(self, name: str) -> dict[str, Any]:
        for row in self._dict["tests"]:
            if row["name"] == name:
                return dict(row)
        raise KeyError(name)


class WatchReport(Result):
    """Days against a reference: what moved, what drifted, and evidence that calibration is lost."""

    _rows = "days"
    _shown = ("name", "rows", "mean_score", "hit_rate", "evidence", "detector", "reference_evidence")

    @property
    def days(self) -> list[dict[str, Any]]:
        """What is said of each day, as in the JSON; ``alerts`` are some of lost, lately, changed, moved and drifted."""
        return list(self.to_dict()["days"])

    @property
    def alerts(self) -> list[str]:
        """Of the last day."""
        days = self._dict["days"]
        return list(days[-1]["alerts"]) if days else []

    @property
    def sentences(self) -> list[str]:
        """The answers in words."""
        return list(self._dict["sentences"])


class BiasReport(Result):
    """How wrong each estimator is on data like these."""

    _rows = "results"
    _shown = ("estimator", "norm", "bins", "n", "mean", "bias", "se", "sd", "rmse")

    @property
    def corrections(self) -> list[dict[str, Any]]:
        """With data: the measured values, and what they are after correction. Empty for a named truth."""
        return list(self.to_dict().get("corrections", []))


class Comparison(Result):
    """Every calibrator on the same rows, and which one to take."""

    _rows = "methods"
    _shown = ("method", "error", "nll", "brier", "reason")

    @property
    def winner(self) -> str:
        return self._dict["winner"]["method"]

    def __getitem__(self, method: str) -> dict[str, Any]:
        for row in self.to_dict()["methods"]:
            if row["method"] == method:
                return row
        raise KeyError(method)


class Report:
    """One page of everything: ``save(path)`` writes it, ``html`` is its text, printed it is its verdict in a sentence."""

    def __init__(self, html_text: str, sentence: str) -> None:
        self.html = html_text
        self.sentence = sentence

    def save(self, path: Any) -> None:
        """Writes the page, which needs no other file."""
        _tare.write_file(os.fspath(path), self.html)  # whole or not at all

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 40em; border: 0"></iframe>'
