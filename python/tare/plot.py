"""Pictures with matplotlib, drawn as the report draws them: nothing is said by colour alone.

Every function takes a :class:`tare.Measurement`, or data as :func:`tare.measure` takes them, draws into ``ax`` (or into the
current Axes of a new figure) and returns the Axes.
"""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ._calls import _BINS, _USUAL, TABLES, measure
from ._errors import Error
from ._results import Comparison, Estimate, Measurement

_BAR, _DARK, _OVER, _UNDER, _UNDER_GROUND = "#6f9bc8", "#222222", "#b22222", "#1f4e79", "#dbe9f6"
_MARKERS = "osD^vP*X"

__all__ = ["reliability", "histogram", "compare", "ReliabilityDisplay"]

_REFERENCES: list[str] = [row["name"] for row in TABLES["estimators"] if row["reference"]]  # whose bins a diagram shows; first the usual


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size)[1]


def _measured(what: Any, data: dict[str, Any]) -> Measurement:
    if isinstance(what, Measurement):
        if data:
            raise Error("both a measurement and data were given", "bad_option", "pass one of them")
        return what
    return measure(what, **data) if what is not None else measure(**data)


def _line(m: Measurement, estimator: str, norm: int | None, class_index: int | None) -> Estimate:
    """The estimate whose bins are drawn; classwise without a class: the one with the largest value."""
    found = [e for e in m if e.name == estimator and norm in (None, e.norm) and e.per_bin]
    if class_index is not None:
        found = [e for e in found if e.class_index == class_index]
    if not found:
        raise Error(f"there are no bins of {estimator} to draw", "undefined",
                    "ece_ew, ece_em, sweep_em and their relatives have bins; measure them first")
    found = [e for e in found if e.norm == found[0].norm]
    return max(found, key=lambda e: e.value)


def _words(m: Measurement) -> tuple[str, str, str]:
    if m.input["reduction"] == "top_label":
        return "confidence", "mean confidence", "accuracy"
    one = "class 1" if m.input["reduction"] == "positive" else "the class"
    return f"probability of {one}", "mean probability", "observed rate"


def _columns(e: Estimate) -> tuple[np.ndarray, ...]:
    return tuple(np.array([b[k] for b in e.per_bin]) for k in ("lower", "upper", "count", "mean_score", "mean_label"))


def _title(m: Measurement, e: Estimate) -> str:
    norm = f" (l{e.norm})" if e.norm else ""
    head = f"{e.name}{norm} {100 * e.value:.2f}%"
    if e.floor is not None:
        head += f"; a calibrated model: {100 * e.floor:.2f}%, up to {100 * e.floor_high:.2f}%"
    cls = f", class {e.class_index}" if e.class_index is not None else ""
    return f"{head}\nn = {m.input['n']:,}, {m.input['reduction']}{cls}"


def _unit(ax: Any, x: str, y: str) -> None:
    ax.set_xlim(0, 1)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(True, color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)


def reliability(what: Any = None, /, *, ax: Any = None, estimator: str = _REFERENCES[0], norm: int | None = None,
                class_index: int | None = None, counts: bool = True, **data: Any) -> Any:
    """The reliability diagram: accuracy per bin, the gap to the mean confidence hatched, counts below.

    Parameters
    ----------
    what : Measurement or path, optional
        What to draw; otherwise data, as for :func:`tare.measure`.
    ax : matplotlib Axes, optional
        Where; a new figure if not given.
    estimator, norm, class_index
        Whose bins; of a classwise measurement the class with the largest error if none is named.
    counts : bool
        Draw the number of rows per bin in a strip below.

    Returns
    -------
    matplotlib Axes
    """
    m = _measured(what, data)
    e = _line(m, estimator, norm, class_index)
    lower, upper, count, score, label = _columns(e)
    ax = _axes(ax, (5, 6))
    width, shared = upper - lower, np.minimum(score, label)
    edge = dict(edgecolor=_DARK, linewidth=0.7 if len(lower) <= 100 else 0)
    score_word, mean_word, rate = _words(m)
    ax.bar(lower, shared, width, align="edge", color=_BAR, label=rate, **edge)
    over = score > label
    for rows, hatch, ink, ground, words in ((over, "///", _OVER, "white", f"{score_word} above it"),
                                            (~over, "xxx", _UNDER, _UNDER_GROUND, f"{score_word} below it")):
        if rows.any():
            ax.bar(lower[rows], np.abs(score - label)[rows], width[rows], bottom=shared[rows], align="edge", facecolor=ground,
                   hatch=hatch, edgecolor=ink, linewidth=0.7 if len(lower) <= 100 else 0, label=words)
    ax.hlines(label, lower, upper, color=_DARK, linewidth=2)
    ax.plot([0, 1], [0, 1], "--", color=_DARK, linewidth=1.5, label="perfectly calibrated")
    ax.plot(score, label, "o", markerfacecolor="white", markeredgecolor=_DARK, markersize=5 if len(score) <= 60 else 2.5,
            label=f"{rate} at its {mean_word}")
    _unit(ax, score_word, rate)
    ax.set_ylim(0, 1)
    ax.set_title(_title(m, e), fontsize="medium")
    ax.legend(loc="upper left", fontsize="small")
    if counts:
        strip = ax.inset_axes([0, -0.32, 1, 0.14], sharex=ax)
        strip.bar(lower, count, width, align="edge", color="#999999", **edge)
        strip.set_yscale("log")
        strip.set_ylim(bottom=min(count) / 2)
        _unit(strip, score_word, "weight" if m.input["weighted"] else "rows")
        ax.set_xlabel("")
    return ax


def histogram(what: Any = None, /, *, ax: Any = None, class_index: int | None = None, **data: Any) -> Any:
    """The share of rows per bin of ece_ew, with mean confidence and accuracy marked. Arguments as in :func:`reliability`."""
    m = _measured(what, data)
    e = _line(m, _REFERENCES[0], None, class_index)
    lower, upper, count, score, label = _columns(e)
    ax = _axes(ax, (5, 4))
    score_word, mean_word, rate = _words(m)
    ax.bar(lower, count / count.sum(), upper - lower, align="edge", color=_BAR, edgecolor=_DARK, linewidth=0.7)
    for value, style, words in ((np.average(label, weights=count), "-", rate), (np.average(score, weights=count), "--", mean_word)):
        ax.axvline(value, color="white", linewidth=3.6)
        ax.axvline(value, color=_DARK, linestyle=style, linewidth=2, label=f"{words} {100 * value:.1f}%")
    _unit(ax, score_word, "share of the weight" if m.input["weighted"] else "share of rows")
    ax.set_title(_title(m, e), fontsize="medium")
    ax.legend(loc="upper left", fontsize="small")
    return ax


def compare(what: Comparison | Mapping[str, Measurement], /, *, ax: Any = None, criterion: str = _USUAL["criterion"],
            estimator: str = _REFERENCES[0]) -> Any:
    """Several at once.

    Parameters
    ----------
    what : Comparison or dict of Measurement
        A comparison of calibrators is drawn as differences of ``criterion`` to the uncalibrated model, with their intervals;
        measurements by name as calibration curves over each other.
    ax : matplotlib Axes, optional
    criterion : {"brier", "nll", "debias_em_squared"}
    estimator : str
        Whose bins the curves go through.

    Returns
    -------
    matplotlib Axes
    """
    return _differences(what, ax, criterion) if isinstance(what, Comparison) else _curves(what, ax, estimator)


def _differences(comparison: Comparison, ax: Any, criterion: str) -> Any:
    rows = [(m["method"], d) for m in comparison.to_dict()["methods"] for d in m.get("differences", [])
            if d["against"] == "uncalibrated" and d["criterion"] == criterion]
    if not rows:
        raise Error(f"the comparison has no differences of {criterion}", "undefined", "brier, nll and debias_em_squared have them")
    ax = _axes(ax, (6, 0.4 * len(rows) + 1.5))
    for i, (method, d) in enumerate(rows):
        mark = {"better": "v", "worse": "^", "noise": "o"}[d["change"]]
        ax.errorbar(d["value"], i, xerr=[[d["value"] - d["low"]], [d["high"] - d["value"]]], fmt=mark, color=_DARK,
                    markerfacecolor=_BAR if d["change"] == "better" else "white", capsize=3)
    ax.axvline(0, color=_DARK, linestyle="--", linewidth=1.5)
    ax.set_yticks(range(len(rows)), [m + (" (winner)" if m == comparison.winner else "") for m, _ in rows])
    ax.invert_yaxis()
    ax.set_xlabel(f"{criterion}: difference to the uncalibrated model, left is better")
    ax.grid(True, axis="x", color="#dddddd", linewidth=0.6)
    return ax


def _curves(measurements: Mapping[str, Measurement], ax: Any, estimator: str) -> Any:
    ax = _axes(ax, (5, 5))
    ax.plot([0, 1], [0, 1], "--", color=_DARK, linewidth=1.5, label="perfectly calibrated")
    for i, (name, m) in enumerate(measurements.items()):
        e = _line(m, estimator, None, None)
        _, _, _, score, label = _columns(e)
        ax.plot(score, label, marker=_MARKERS[i % len(_MARKERS)], markersize=5, label=f"{name}: {e.name} {100 * e.value:.2f}%")
        score_word, mean_word, rate = _words(m)
        _unit(ax, mean_word, rate)
    ax.set_ylim(0, 1)
    ax.legend(loc="upper left", fontsize="small")
    return ax


class ReliabilityDisplay:
    """A reliability diagram with scikit-learn's spelling; see :func:`reliability`.

    Attributes: ``measurement``, and after plotting ``ax_`` and ``figure_``.
    """

    def __init__(self, measurement: Measurement) -> None:
        self.measurement = measurement

    def plot(self, ax: Any = None, **options: Any) -> "ReliabilityDisplay":
        """Draws it; ``options`` are those of :func:`reliability`."""
        self.ax_ = reliability(self.measurement, ax=ax, **options)
        self.figure_ = self.ax_.figure
        return self

    @classmethod
    def from_predictions(cls, y_true: Any, *, logits: Any = None, probs: Any = None, sample_weight: Any = None, bins: int = _BINS,
                         reduction: str | None = None, ax: Any = None, **options: Any) -> "ReliabilityDisplay":
        """From true classes and predictions, which are declared as ``logits`` or ``probs``."""
        m = measure(logits=logits, probs=probs, labels=y_true, weights=sample_weight, bins=bins, reduction=reduction,
                    estimators=_REFERENCES)
        return cls(m).plot(ax, **options)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, sample_weight: Any = None, bins: int = _BINS,
                       reduction: str | None = None, ax: Any = None, **options: Any) -> "ReliabilityDisplay":
        """From a fitted classifier with ``predict_proba``."""
        labels = np.searchsorted(estimator.classes_, np.asarray(y))
        return cls.from_predictions(labels, probs=estimator.predict_proba(X), sample_weight=sample_weight, bins=bins,
                                    reduction=reduction, ax=ax, **options)
