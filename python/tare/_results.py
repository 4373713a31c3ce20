"""Answers: a table when printed, numbers when asked."""

from __future__ import annotations

import html
import json
import os
from typing import Any, Callable, Iterator

from . import _tare
from ._errors import Error, MissingKey, estimator_hint
from ._result import Result, table
from ._rows import Bias, Bin, Correction, Curve, Day, Detectable, Difference, Estimate, Group, Input, Method, Range, Row, TestResult, Verdict

__all__ = ["Result", "Measurement", "TestReport", "WatchReport", "BiasReport", "Comparison", "Report", "Row", "Bias", "Bin", "Correction",
           "Day", "Detectable", "Difference", "Estimate", "Group", "Groups", "Input", "Method", "Range", "TestResult", "Verdict"]


class Groups(Result[Group]):
    """For which group is it wrong? The strongest evidence first; ``found`` are the names of those that are off."""

    _rows = "groups"
    _shown = ("column", "group", "n", "confidence", "accuracy", "gap", "low", "high", "shrunken_gap", "p_value", "benjamini_hochberg",
              "holm", "found")
    _key = "group"
    _line = Group._of

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

    def _sentences(self) -> list[str]:
        return self.sentences

    def _scalars(self) -> Iterator[tuple[str, Any]]:
        yield "groups_p_value", self.p_value
        for line in self._lines:
            yield from ((f"{line.column}_{line.group}_gap", line.gap), (f"{line.column}_{line.group}_p_value", line.p_value))


def _groups_of(row: dict[str, Any]) -> Groups | None:
    found = row.get("groups")
    return None if found is None else Groups(json.dumps(found), "\n".join(found["sentences"]))


class Measurement(Result[Estimate]):
    """Every estimator on one fold: ``m["ece_ew"]``, ``m["ece_ew", 2]`` and iteration give :class:`Estimate`.

    ``"ece_ew" in m`` and ``m.keys()`` tell which there are.
    """

    _rows = "estimates"
    _shown = ("name", "norm", "class", "class_name", "bins", "value", "low", "high", "floor", "floor_high", "verdict", "bias", "corrected", "reason")
    _line = Estimate._of

    @property
    def input(self) -> Input:
        """n, k, kind and the reduction that was used."""
        return Input._of(self._dict["input"])

    @property
    def n(self) -> int:
        """How many rows were measured."""
        return self._dict["input"]["n"]

    @property
    def name(self) -> str:
        """What the model is called: ``measure(name=...)``, or the file."""
        return self._dict["input"]["source"]

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
    def headline(self) -> Estimate | None:
        """The estimate of the true error, root mean square gap, where it was measured."""
        row = self._dict["headline"]
        return None if row is None else next((e for e in self._lines if e.name == row["name"] and e.norm == row["norm"]), None)

    @property
    def estimates(self) -> list[Estimate]:
        """All lines."""
        return list(self._lines)

    @property
    def curve(self) -> Curve | None:
        """The calibration curve with a band for the whole true one; None for classwise measurements."""
        row = self._dict.get("curve")
        return None if row is None else Curve._of(row)

    @property
    def class_curves(self) -> dict[int, Curve]:
        """Of a classwise measurement: the curves of its classes; of more than twenty classes those with the largest errors beyond noise."""
        return {row["class"]: Curve._of(row) for row in self._dict.get("class_curves", [])}

    @property
    def bands(self) -> dict[str, list[tuple[float, float]]]:
        """By estimator, for each of its bins: where the share of hits would fall for a calibrated model, 95 of 100 times."""
        return {name: [tuple(pair) for pair in rows] for name, rows in self._more.get("bands", {}).items()}

    def __getitem__(self, key: str | tuple[Any, ...]) -> Estimate:
        """By name, by (name, norm), or by (name, norm, class) for classwise measurements; without a norm the first."""
        name, norm, cls = (*key, None, None)[:3] if isinstance(key, tuple) else (key, None, None)
        for e in self._lines:
            if e.name == name and norm in (None, e.norm) and (e.class_index == cls or cls is not None and e.class_name == cls):
                return e
        hint = estimator_hint(str(name), self.keys()) if name not in self.keys() else "it has no such norm or class"
        raise MissingKey(f"{key!r} was not measured", "bad_option", hint)

    def _tables(self) -> dict[str, Any]:
        def bins() -> list[dict[str, Any]]:
            named = [{"name": e.name, "norm": e.norm, "class": e.class_index, "class_name": e.class_name} for e in self._lines]
            return [{k: v for k, v in who.items() if v is not None} | dict(b) for who, e in zip(named, self._lines) for b in e.per_bin]

        return {**super()._tables(), "bins": bins}

    def _scalars(self) -> Iterator[tuple[str, Any]]:
        from ._calls import TABLES

        first = {row["name"]: (row["norms"] or [None])[0] for row in TABLES["estimators"]}
        yield "n", self.n
        for e in self._lines:
            name = e.name + ("" if e.norm in (None, first.get(e.name)) else f"_l{e.norm}")
            name += "" if e.class_index is None else f"_class_{e.class_index if e.class_name is None else e.class_name}"
            for suffix, value in (("", e.value), ("_low", e.low), ("_high", e.high), ("_floor", e.floor), ("_floor_high", e.floor_high),
                                  ("_bias", e.bias), ("_corrected", e.corrected)):
                yield name + suffix, value
        if self.verdict is not None:
            yield from (("p_value", self.verdict.p_value), ("miscalibrated", self.verdict.miscalibrated), ("mean_gap", self.verdict.mean_gap.value))

    def _sentences(self) -> list[str]:
        if self.verdict is None:
            return [self.name]
        h = self.headline
        error = "" if h is None or h.value is None or h.low is None or h.high is None else (
            f"Estimated true error (root mean square gap): {100 * h.value:.1f}% [{100 * h.low:.1f}, {100 * h.high:.1f}].")
        return [self.name, self.verdict.sentence, error]


class TestReport(Result[TestResult]):
    """p-values, the smallest error this n could have detected, and whether calibration is rejected."""

    __test__ = False  # not for pytest
    _rows = "tests"
    _shown = ("name", "norm", "statistic", "p_value", "rejected", "reason")
    _line = TestResult._of

    @property
    def input(self) -> Input:
        """n, k, kind and the reduction that was used."""
        return Input._of(self._dict["input"])

    @property
    def n(self) -> int:
        """How many rows were tested."""
        return self._dict["input"]["n"]

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
    def detectable(self) -> Detectable | None:
        """The smallest true error that this n could have detected; None where it was not asked for."""
        row = self._dict.get("detectable")
        return None if row is None else Detectable._of(row)

    def _scalars(self) -> Iterator[tuple[str, Any]]:
        yield "n", self.n
        for line in self._lines:
            yield from ((f"{line.name}_statistic", line.statistic), (f"{line.name}_p_value", line.p_value))
        yield "p_value", self.p_value
        yield "miscalibrated", self.rejected

    def _sentences(self) -> list[str]:
        return [self.verdict.sentence]


class WatchReport(Result[Day]):
    """Days against a reference: what moved, what drifted, and evidence that calibration is lost."""

    _rows = "days"
    _shown = ("name", "rows", "mean_score", "hit_rate", "evidence", "detector", "reference_evidence")
    _line = Day._of

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

    def _sentences(self) -> list[str]:
        return self.sentences

    def _scalars(self) -> Iterator[tuple[str, Any]]:
        for day in self._lines[-1:]:
            for name in ("rows", "mean_score", "hit_rate", "evidence", "detector", "reference_evidence"):
                yield name, day[name]


class BiasReport(Result[Bias]):
    """How wrong each estimator is on data like these."""

    _rows = "results"
    _shown = ("estimator", "norm", "bins", "n", "mean", "bias", "se", "sd", "rmse")
    _key = "estimator"
    _line = Bias._of

    @property
    def true_error(self) -> dict[int, float | None]:
        """Of the truth that samples were drawn from, by norm."""
        return {int(norm): value for norm, value in self._dict["tce"].items()}

    @property
    def corrections(self) -> list[Correction]:
        """With data: the measured values, and what they are after correction. Empty for a named truth."""
        return [Correction._of(row) for row in self._dict.get("corrections", [])]

    def _tables(self) -> dict[str, Any]:
        more = {name: (lambda name=name: [dict(row) for row in self._dict[name]]) for name in ("corrections", "curves") if name in self._dict}
        return {**super()._tables(), **more}

    def _scalars(self) -> Iterator[tuple[str, Any]]:
        for line in self._lines:
            name = line.estimator + ("" if line.norm is None else f"_l{line.norm}") + f"_n{line.n}"
            yield from ((name + "_bias", line.bias), (name + "_rmse", line.rmse))
        for c in self.corrections:
            yield c.estimator + ("" if c.norm is None else f"_l{c.norm}") + "_corrected", c.corrected

    def _sentences(self) -> list[str]:
        text = self._text.split("\n\n")
        return [" ".join(part.split()) for part in text[1:2]] if self.corrections else []


class Comparison(Result[Method]):
    """Every calibrator on the same rows, and which one to take: ``winner`` by name, :meth:`best` fitted."""

    _rows = "methods"
    _shown = ("method", "winner", "error", "nll", "brier", "brier_change", "reason")
    _key = "method"
    _line = Method._of
    _refit: Callable[[str], Any] | None = None

    @property
    def winner(self) -> str:
        """The method to take; "uncalibrated" where the model is best left alone."""
        return self._dict["winner"]["method"]

    @property
    def criterion(self) -> str:
        """The score that chose the winner."""
        return self._dict["winner"]["criterion"]

    @property
    def gain(self) -> Difference | None:
        """What the best calibrator gains over leaving the model as it is."""
        row = self._dict["winner"]["gain"]
        return None if row is None else Difference._of(row)

    def best(self) -> Any:
        """The winner, fitted on all validation rows: a :class:`Calibrator`, or what leaves probabilities as they are.

        It is fitted when asked for, on the data of the comparison; a comparison that was pickled has none.
        """
        if self._refit is None:
            raise Error("the data of this comparison are gone: it was pickled or copied", "unsupported",
                        f'fit it: tare.calibrator("{self.winner}", ...).fit(...)')
        return self._refit(self.winner)

    def _flat(self) -> list[dict[str, Any]]:
        """One row per method: scores, calibration errors with their noise, and the difference in the criterion."""
        out = []
        for m in self._lines:
            d = m.difference(self.criterion)
            row: dict[str, Any] = {"method": m.method, "winner": m.method == self.winner, "error": m.error, "nll": m.nll, "brier": m.brier}
            for e in m.estimates:
                name = e.name + (f"_l{e.norm}" if e.norm else "")
                row |= {name: e.value, name + "_floor_high": e.floor_high}
            row |= {f"{self.criterion}_change": d and d.value, f"{self.criterion}_change_low": d and d.low,
                    f"{self.criterion}_change_high": d and d.high, "change": d and d.change, "reason": m.reason, "fit_seconds": m.fit_seconds}
            out.append(row)
        return out

    def _tables(self) -> dict[str, Any]:
        def differences() -> list[dict[str, Any]]:
            return [{"method": m.method, **dict(d)} for m in self._lines for d in m.differences]

        return {"methods": self._flat, "differences": differences}

    def _scalars(self) -> Iterator[tuple[str, Any]]:
        for row in self._flat():
            for name, value in row.items():
                if isinstance(value, float) and name != "fit_seconds":
                    yield f"{row['method']}_{name}", value

    def _sentences(self) -> list[str]:
        text = self._text.split("\n\n")
        return [" ".join(part.split()) for part in text[:2]]

    def _html_table(self) -> str:
        rows = self._flat()
        for row in rows:
            low, high = row[f"{self.criterion}_change_low"], row[f"{self.criterion}_change_high"]
            row["interval"] = None if low is None else f"[{low:+.4f}, {high:+.4f}]"
            row["recommended"] = "yes" if row["winner"] else None
        names = [name for name in rows[0] if name.endswith(("_l1", "_l2"))] if rows else []
        return table(rows, ["method", "recommended", "error", "nll", "brier", *names, f"{self.criterion}_change", "interval", "change", "reason"], self.winner)


class Report:
    """One page of everything: ``save(path)`` writes it, ``html`` is its text, printed it is its verdict in a sentence."""

    html: str
    sentence: str

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
