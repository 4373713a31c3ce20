"""The calibration curve with its band, drawn with matplotlib as the program draws it."""

from __future__ import annotations

import textwrap
from typing import Any, Sequence

import numpy as np

from ._drawing import COUNT, DARK, FILL, GROUND, SMOOTH
from ._errors import Error
from ._rows import Curve

STYLES = ("curve", "bars")
AXES = ("auto", "linear", "logit", "rank")


def checked(word: str, name: str, known: tuple[str, ...]) -> str:
    if word not in known:
        raise Error(f"{name} is {word!r}", "bad_option", f"it is one of {', '.join(known)}")
    return word


def _end(curve: Curve) -> float:
    """How near to 0 and 1 a logit axis goes: what a fifth of a row can tell."""
    return max(0.2 / max(sum(c.count for c in curve.cells), 1), 1e-6)


def _ranks(curve: Curve) -> tuple[np.ndarray, np.ndarray]:
    """Scores and the share of rows below them."""
    count = np.array([c.count for c in curve.cells])
    middle = (np.cumsum(count) - count / 2) / count.sum()
    score = np.array([c.mean_score for c in curve.cells])
    first, last = curve.cells[0].first, curve.cells[-1].last
    if first < score[0]:
        score, middle = np.r_[first, score], np.r_[0.0, middle]
    if last > score[-1]:
        score, middle = np.r_[score, last], np.r_[middle, 1.0]
    return score, middle


def _logit_ticks(low: float, high: float) -> list[float]:
    tails = [10.0**-k for k in range(6, 0, -1)]
    marks = [*tails, 0.5, *(1 - t for t in reversed(tails))]
    return [m for m in marks if low <= m <= high]


def set_axes(ax: Any, curves: Sequence[Curve], kind: str) -> str:
    """Scales of scores and rates; returns the kind that was taken. Ranks are those of one curve: several share a logit axis instead."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    if kind == "auto":
        suited = {curve.axis for curve in curves}
        kind = suited.pop() if len(curves) == 1 else "linear" if suited == {"linear"} else "logit"
    percent = FuncFormatter(lambda v, _: f"{100 * v:.6g}")
    if kind == "logit":
        end = min(_end(curve) for curve in curves)
        cells = [c for curve in curves for c in curve.cells]
        low = min(max(min(min(c.first, c.curve) for c in cells), end), 0.4)
        high = max(min(max(max(c.last, c.curve) for c in cells), 1 - end), 0.6)
        for one, limits in ((ax.xaxis, ax.set_xlim), (ax.yaxis, ax.set_ylim)):
            (ax.set_xscale if one is ax.xaxis else ax.set_yscale)("logit", nonpositive="clip")
            limits(low, high)
            one.set_major_locator(FixedLocator(_logit_ticks(low, high)))
            one.set_minor_locator(NullLocator())
    elif kind == "rank":
        (curve,) = curves
        score, rank = _ranks(curve)
        ax.set_xscale("function", functions=(lambda s: np.interp(s, score, rank), lambda r: np.interp(r, rank, score)))
        ax.set_xlim(score[0], score[-1])
        ax.xaxis.set_major_locator(FixedLocator(np.unique(np.interp(np.linspace(0, 1, 6), rank, score)).tolist()))
        ax.xaxis.set_minor_locator(NullLocator())
        values = [v for c in curve.cells for v in (c.curve, c.first, c.last)]
        ax.set_ylim(np.floor(10 * min(values)) / 10, np.ceil(10 * max(values)) / 10)
    else:
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1)
    if kind == "rank":
        ax.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{100 * v:.4g}"))
    else:
        ax.xaxis.set_major_formatter(percent)
    ax.yaxis.set_major_formatter(percent)
    return kind


def draw_band(ax: Any, curve: Curve) -> None:
    if curve.basis in ("rising", "spans"):
        x = np.array([edge for p in curve.band for edge in (p.from_, p.to)])
        low, high = (np.repeat([getattr(p, name) for p in curve.band], 2) for name in ("low", "high"))
        words = "band for the whole curve, if it never falls" if curve.basis == "rising" else "band for means over spans: the curve falls"
        ax.fill_between(x, low, high, color=FILL, linewidth=0, zorder=1.5, label=f"{100 * curve.level:.0f}% {words}")


def draw_values(ax: Any, curve: Curve, rate: str) -> None:
    """A dot per value, its area by its count, with its exact interval."""
    x, y, low, high, count = (np.array([getattr(c, k) for c in curve.cells]) for k in ("first", "rate", "low", "high", "count"))
    ax.errorbar(x, y, yerr=[y - low, high - y], fmt="none", ecolor=SMOOTH, elinewidth=1.5, capsize=3,
                label=f"exact interval; all hold at once, {100 * curve.level:.0f}%", zorder=2.5)
    ax.scatter(x, y, s=250 * count / count.max() + 3, color=SMOOTH, alpha=0.75, linewidth=0, label=f"{rate} of one value, area by rows", zorder=3)


def draw_curve(ax: Any, curve: Curve) -> None:
    ax.plot([c.mean_score for c in curve.cells], [c.curve for c in curve.cells], color=SMOOTH, linewidth=2.4, label="smooth estimate", zorder=3.2)


def draw_diagonal(ax: Any, curves: Sequence[Curve]) -> None:
    x = np.unique([0.0, 1.0, *(v for curve in curves for c in curve.cells for v in (c.first, c.mean_score, c.last))])
    ax.plot(x, x, "--", color=DARK, linewidth=1.5, label="perfectly calibrated", zorder=2)


def draw_density(strip: Any, curve: Curve, ax: Any) -> None:
    """The share of rows along the axis, in columns of equal width on it."""
    to_axis, back = ax.xaxis.get_transform(), ax.xaxis.get_transform().inverted()
    low, high = ax.get_xlim()
    start, stop = (float(v) for v in to_axis.transform(np.array([low, high])))
    ends = np.linspace(start, stop, 61)
    share = np.zeros(60)
    for c in curve.cells:
        a, b = (float(to_axis.transform(np.array([np.clip(v, low, high)]))[0]) for v in (c.first, c.last))
        if b - a < 1e-12:
            share[min(max(int(np.searchsorted(ends, a, "right")) - 1, 0), 59)] += c.count
        else:
            inside = np.clip(np.minimum(ends[1:], b) - np.maximum(ends[:-1], a), 0, None)
            share += c.count * inside / (b - a)
    edges = back.transform(ends)
    share /= share.sum()
    strip.bar(edges[:-1], share, np.diff(edges), align="edge", color=COUNT, linewidth=0)
    strip.set_yticks([])
    # What is beyond a logit axis stands at its ends, and is cut where it would hide the rest.
    most = share[1:-1].max() if ax.get_xscale() == "logit" and share[1:-1].max() > 0 else share.max()
    strip.set_ylim(0, 1.02 * most)


def caption(ax: Any, curve: Curve) -> None:
    """What the band means, below everything."""
    words = " ".join(s for s in (curve.meaning, curve.sentence) if s)
    if ax.get_subplotspec() is not None and len(ax.figure.axes) <= 2:
        ax.figure.supxlabel("\n".join(textwrap.wrap(words, 78)), fontsize="x-small", ha="left", x=0.02)


def axis_bins(curve: Curve, ax: Any, parts: int = 15) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean score, share of hits and count of the rows in each of equal parts of an axis that is not linear, as the program takes them."""
    low, high = ax.get_xlim()
    inside = [c for c in curve.cells if low <= c.mean_score <= high]
    score, rate, count = (np.array([getattr(c, k) for c in inside]) for k in ("mean_score", "rate", "count"))
    start, stop, *places = ax.xaxis.get_transform().transform(np.r_[low, high, score])
    part = np.minimum((parts * (np.array(places) - start) / (stop - start)).astype(int), parts - 1)
    rows, hits, total = (np.bincount(part, weights, parts) for weights in (count, count * rate, count * score))
    some = rows > 0
    return total[some] / rows[some], hits[some] / rows[some], rows[some]


def draw_bins(ax: Any, score: np.ndarray, label: np.ndarray, count: np.ndarray, words: str, points: dict[str, Any]) -> None:
    """Circles at the mean score and the share of hits of each bin, their area by their counts."""
    look: dict[str, Any] = dict(facecolor=GROUND, edgecolor=DARK, linewidth=0.9, alpha=0.85, zorder=2.8, label=words)
    if points:
        ax.plot(score, label, **(dict(marker="o", linestyle="none", zorder=2.8, label=words) | points))
    else:
        ax.scatter(score, label, s=110 * count / count.max() + 2, **look)
