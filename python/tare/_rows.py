"""The lines of answers: attributes with types, and the same by key, as a mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import total_ordering
from typing import Any, Iterator, TypeVar

from ._errors import Error, MissingKey, did_you_mean

R = TypeVar("R", bound="Row")
_PYTHON = {"class": "class_index", "from": "from_"}  # keys of the JSON that are words of the language


class Row(Mapping[str, Any]):
    """One line of an answer: ``row.value`` and ``row["value"]`` are the same, ``dict(row)`` is all of it."""

    @classmethod
    def _of(cls: type[R], row: Mapping[str, Any]) -> R:
        known = {f.name for f in fields(cls)}  # type: ignore[arg-type]
        named = {_PYTHON.get(key, key): value for key, value in row.items()}
        return cls(**{key: value for key, value in named.items() if key in known})

    def __getitem__(self, key: str) -> Any:
        name = _PYTHON.get(key, key)
        if isinstance(name, str) and not name.startswith("_") and name in self._names():
            return getattr(self, name)
        raise MissingKey(f"a {type(self).__name__} has no {key!r}", "bad_option", did_you_mean(str(key), self._names()))

    @classmethod
    def _names(cls) -> list[str]:
        return [f.name for f in fields(cls)]  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __hash__(self) -> int:
        return hash(repr(self))


@dataclass(frozen=True, eq=False)
class Range(Row):
    """A number with its 95% interval, where it has one."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class Bin(Row):
    """One bin of a diagram: its edges, how many rows it holds, their mean score and the share of hits among them."""

    lower: float
    upper: float
    count: float
    mean_score: float
    mean_label: float


@dataclass(frozen=True, eq=False)
class CurveCell(Row):
    """Neighbouring scores of a calibration curve: their ends, mean, rows, share of hits, the smooth estimate at the mean, and the band.

    With basis ``rising`` the true curve is at least ``low`` from ``last`` on and at most ``high`` up to ``first``.
    """

    first: float
    last: float
    mean_score: float
    count: float
    rate: float
    curve: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class BandPiece(Row):
    """Where the band of a curve is constant: for scores ``from_`` to ``to``."""

    from_: float
    to: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Curve(Row):
    """The calibration curve: a smooth estimate, and a band that holds the whole true curve in at least 95 of 100 samples.

    ``basis`` is what the band rests on: ``rising`` (the true curve never falls), ``values`` (nothing: each of a few scores has an exact
    interval), ``spans`` (nothing: the data contradict a rising curve, and the band is for its means over spans), ``none`` (``reason`` says
    why there is no band). ``diagonal`` is ``inside``, ``outside`` or ``unknown``; ``outside`` the share of rows where it is.
    """

    basis: str
    level: float
    diagonal: str
    outside: float
    reason: str | None
    meaning: str
    sentence: str | None
    axis: str
    band: list[BandPiece]
    cells: list[CurveCell]

    @classmethod
    def _of(cls, row: Mapping[str, Any]) -> "Curve":
        lists = {"band": [BandPiece._of(p) for p in row["band"]], "cells": [CurveCell._of(c) for c in row["cells"]]}
        return super()._of({**row, **lists})


@dataclass(frozen=True, eq=False)
class Input(Row):
    """What was measured: rows, classes (0 where only confidences are known), kind, reduction, name, and what the weights mean.

    ``used`` says which columns or arrays of a file play which part; it is None where the caller passed arrays, each by its name.
    """

    n: int
    k: int
    kind: str
    reduction: str
    source: str
    weighted: bool
    total_weight: float
    note: str | None
    used: str | None = None


@dataclass(frozen=True, eq=False)
class Verdict(Row):
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
    def _of(cls, row: Mapping[str, Any]) -> Verdict:
        ranges = {k: Range._of(row[k]) if row[k] is not None else None for k in ("mean_gap", "slope")}
        return super()._of({**row, **ranges})

    @property
    def miscalibrated(self) -> bool:
        """Is calibration rejected?"""
        return self.outcome == "miscalibrated"

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        import html

        return f"<p>{html.escape(self.sentence)}</p>"


@total_ordering
@dataclass(frozen=True, eq=False, repr=False)
class Estimate(Row):
    """One line of a measurement. It is a number, too: ``float(e)``, ``round(e, 3)``, ``f"{e:.3f}"``, ``e < 0.05``.

    ``value`` is None where the quantity does not exist, and ``reason`` says why. ``low`` and ``high`` are an interval for the true
    quantity, where a valid one exists (``interval`` names it, ``interval_reason`` says why there is none); ``floor`` and
    ``floor_high`` the mean and the 95% quantile of the same estimator on a perfectly calibrated model, and ``verdict`` is "within
    noise" or "above noise". ``squared``, ``squared_se`` and ``se`` are standard errors where the estimator has them, ``parts`` its
    other numbers, ``per_bin`` its bins, ``class_index`` and ``class_name`` the class of a classwise measurement. With
    ``measure(bias=True)``, ``bias``, ``rmse`` and ``corrected`` are those on data like these.
    """

    name: str
    norm: int | None
    value: float | None
    bins: int | None = None
    class_index: int | None = None
    class_name: str | None = None
    reason: str | None = None
    estimand: str | None = None
    low: float | None = None
    high: float | None = None
    interval: str | None = None
    interval_reason: str | None = None
    floor: float | None = None
    floor_high: float | None = None
    verdict: str | None = None
    squared: float | None = None
    squared_se: float | None = None
    se: float | None = None
    bias: float | None = None
    rmse: float | None = None
    corrected: float | None = None
    bias_reason: str | None = None
    parts: dict[str, float] = field(default_factory=dict)
    per_bin: list[Bin] = field(default_factory=list)

    @classmethod
    def _of(cls, row: Mapping[str, Any]) -> Estimate:
        return super()._of({**row, "per_bin": [Bin._of(b) for b in row["per_bin"]]})

    def __float__(self) -> float:
        if self.value is None:
            raise Error(f"{self.name} has no value: {self.reason}", "undefined")
        return self.value

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        return numpy.array(float(self), dtype=dtype)

    def __round__(self, digits: int | None = None) -> Any:
        return round(float(self), digits)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __lt__(self, other: Any) -> bool:
        try:
            return float(self) < float(other)
        except TypeError:
            return NotImplemented

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mapping):
            return dict(self) == dict(other)
        try:
            return self.value is not None and self.value == float(other)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return NotImplemented

    __hash__ = Row.__hash__

    def __str__(self) -> str:
        return f"{self.value:.6g}" if self.value is not None else f"n/a ({self.reason})"

    def __repr__(self) -> str:
        norm = f", norm={self.norm}" if self.norm else ""
        floor = f", noise {self.floor:.3g} to {self.floor_high:.3g}: {self.verdict}" if self.floor is not None else ""
        return f"<{self.name}{norm}: {self}{floor}>"


@dataclass(frozen=True, eq=False)
class TestResult(Row):
    """One test of a report: the statistic, its p-value, and where it stays if the model is calibrated."""

    __test__ = False  # not for pytest

    name: str
    title: str
    norm: int | None
    two_sided: bool
    statistic: float | None
    p_value: float | None
    accepted_low: float | None
    accepted_high: float | None
    rejected: bool | None
    reason: str | None
    evidence: dict[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Detectable(Row):
    """The smallest true error that the first statistic finds at this n, with this ``power``; None, and the ``reason``."""

    tce: float | None
    norm: int
    alpha: float
    power: float
    path: str
    exponent: float | None
    statistic: str
    reason: str | None


@dataclass(frozen=True, eq=False)
class Group(Row):
    """One group: its rows, mean score and share of hits, the gap between them with its interval, and the evidence that it is off.

    ``shrunken_gap`` allows for luck in small groups, ``error`` is the estimated true error where it was asked for, ``p_value`` is
    of the mean gap (``p_gap``) and the shape (``p_shape``) together, ``benjamini_hochberg`` and ``holm`` allow for the number of
    groups, and ``found`` says that the group is off.
    """

    column: str
    group: str
    n: int
    confidence: float
    accuracy: float
    gap: float
    low: float | None
    high: float | None
    shrunken_gap: float
    error: dict[str, Any] | None
    p_gap: float
    p_shape: float | None
    p_value: float
    log_p_value: float
    benjamini_hochberg: float
    holm: float
    found: bool


@dataclass(frozen=True, eq=False)
class Bias(Row):
    """How wrong one estimator is at one n: mean, bias with its standard error, spread and root mean square error."""

    estimator: str
    norm: int | None
    bins: int | None
    n: int
    replicates: int
    undefined: int
    reason: str | None
    mean: float | None
    bias: float | None
    se: float | None
    sd: float | None
    rmse: float | None
    mean_bins: float | None


@dataclass(frozen=True, eq=False)
class Correction(Row):
    """A measured value, the bias it has on data like these, and what it is without."""

    estimator: str
    norm: int | None
    value: float | None
    mean: float | None
    sd: float | None
    bias: float | None
    rmse: float | None
    corrected: float | None
    reason: str | None


@dataclass(frozen=True, eq=False)
class Difference(Row):
    """One method less another in one criterion, negative is better; ``change`` is "better", "worse" or "noise"."""

    criterion: str
    against: str
    value: float
    low: float
    high: float
    change: str


@dataclass(frozen=True, eq=False)
class Method(Row):
    """One calibrator of a comparison: its scores, its calibration errors, and its differences to the others.

    ``error`` is the share of wrong predictions, ``selection`` the score that chooses on the validation data, ``fit`` how the fit
    ended; ``reason`` says why a method could not be fitted.
    """

    method: str
    reason: str | None = None
    error: float | None = None
    nll: float | None = None
    nll_infinite_rows: int | None = None
    brier: float | None = None
    selection: float | None = None
    fit_seconds: float | None = None
    fit: dict[str, Any] | None = None
    groups: dict[str, Any] | None = None
    estimates: list[Estimate] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)

    @classmethod
    def _of(cls, row: Mapping[str, Any]) -> Method:
        return super()._of({**row, "estimates": [Estimate._of(e) for e in row.get("estimates") or []],
                            "differences": [Difference._of(d) for d in row.get("differences") or []]})

    def difference(self, criterion: str = "brier", against: str = "uncalibrated") -> Difference | None:
        """To another method, where it was computed."""
        return next((d for d in self.differences if d.criterion == criterion and d.against == against), None)


@dataclass(frozen=True, eq=False)
class Day(Row):
    """What is said of one day; ``alerts`` are some of lost, lately, changed, moved and drifted."""

    name: str
    rows: int
    mean_score: float
    hit_rate: float
    moved: dict[str, Any] | None
    drift: dict[str, Any] | None
    evidence: float | None
    detector: float | None
    reference_evidence: float | None
    alerts: list[str]
