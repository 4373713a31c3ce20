"""Pictures with matplotlib, drawn as the report draws them: nothing is said by colour alone.

Every function takes an answer (:class:`tare.Measurement`, :class:`tare.Comparison`, :class:`tare.BiasReport`, :class:`tare.WatchReport`),
or data as the function that makes it takes them, draws into ``ax`` (or into a new figure) and returns the Axes. A figure can be saved
as it is: ``ax.figure.savefig("x.png")``.
"""

from __future__ import annotations

from typing import Any, Iterable, Mapping

import numpy as np

from . import _curves as _smooth
from ._calls import _USUAL, measure
from ._display import ReliabilityDisplay
from ._drawing import (BAND, BAR, BETTER, COUNT, CURVE, DARK, GRID, GROUND, MONOTONE, OVER, REFERENCES, UNDER, UNDER_GROUND, axes,
                       series_look)
from ._errors import Error
from ._plots_of_calibrators import before_after, map, models
from ._plots_of_questions import bins, detectable, estimators, rejection
from ._plots_of_reports import bias, groups, watch
from ._results import Comparison, Estimate, Measurement

__all__ = ["reliability", "histogram", "compare", "bias", "groups", "watch", "estimators", "rejection", "detectable", "bins", "map", "before_after", "models",
           "ReliabilityDisplay"]


def _measured(what: Any, data: dict[str, Any]) -> Measurement:
    if isinstance(what, Measurement):
        if data:
            raise Error(f"both a measurement and {next(iter(data))} were given", "bad_option",
                        "pass one of them; a measurement has its own bins, names and data")
        return what
    return measure(what, **data) if what is not None else measure(**data)


def _line(m: Measurement, estimator: str, norm: int | None, class_index: int | str | None) -> Estimate:
    """The estimate whose bins are drawn; classwise without a class: the one with the largest value."""
    found = [e for e in m if e.name == estimator and norm in (None, e.norm) and e.per_bin]
    if class_index is not None:
        found = [e for e in found if class_index in (e.class_index, e.class_name)]
    if not found:
        raise Error(f"there are no bins of {estimator} to draw", "undefined",
                    "ece_ew, ece_em, sweep_em and their relatives have bins; measure them first")
    found = [e for e in found if e.norm == found[0].norm]
    return max(found, key=float)


def _words(m: Measurement) -> tuple[str, str, str]:
    """Score, its mean, and the share of hits."""
    if m.input.reduction == "top_label":
        return "confidence", "mean confidence", "accuracy"
    one = "class 1" if m.input.reduction == "positive" else "the class"
    return f"probability of {one}", "mean probability", "observed rate"


def _columns(e: Estimate) -> tuple[np.ndarray, ...]:
    return tuple(np.array([b[k] for b in e.per_bin]) for k in ("lower", "upper", "count", "mean_score", "mean_label"))


def _title(m: Measurement, e: Estimate, name: str | None) -> str:
    norm = f" (l{e.norm})" if e.norm else ""
    head = f"{e.name}{norm} {100 * float(e):.2f}%"
    if e.floor_high is not None:
        head += f"; by chance up to {100 * e.floor_high:.2f}%"
    cls = f", class {e.class_index if e.class_name is None else e.class_name}" if e.class_index is not None else ""
    shown = name if name is not None else m.name
    return (f"{shown}\n" if shown else "") + f"{head}\nn = {m.n:,}, {m.input.reduction}{cls}"


def _unit(ax: Any, x: str, y: str) -> None:
    ax.set_xlim(0, 1)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(True, color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)


def _short(value: float, _: Any = None) -> str:
    """1, 10, 100, 1k, 10k, 1M."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


def _split(ax: Any) -> Any:
    """The room of `ax` with a strip at its bottom: the diagram keeps the upper part."""
    spec = ax.get_subplotspec()
    if spec is None:  # made by add_axes
        from mpl_toolkits.axes_grid1.axes_divider import make_axes_locatable

        return make_axes_locatable(ax).append_axes("bottom", size="17%", pad=0.12)
    upper, lower = spec.subgridspec(2, 1, height_ratios=(6, 1), hspace=0.08)
    ax.set_subplotspec(upper)
    return ax.figure.add_subplot(lower, sharex=ax)


def _fill_strip(strip: Any, e: Estimate, word: str, rows: str, where: tuple[np.ndarray, np.ndarray]) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    count, (left, right) = _columns(e)[2], where
    strip.bar(left, count, right - left, align="edge", color=COUNT, edgecolor=DARK, linewidth=0.7 if len(count) <= 100 else 0)
    strip.set_yscale("log")
    low = float(np.floor(np.log10(count.min()) + 1e-12))
    high = max(float(np.ceil(np.log10(count.max()) - 1e-12)), low + 1)
    strip.set_ylim(10.0**low / 2, 10.0**high)  # a bin of one row can be seen
    powers = np.arange(low, high + 1, max(1, int(np.ceil((high - low) / 3))))
    strip.yaxis.set_major_locator(FixedLocator([10.0**power for power in powers]))
    strip.yaxis.set_minor_locator(NullLocator())
    strip.yaxis.set_major_formatter(FuncFormatter(_short))
    _unit(strip, word, rows)


def _draw_band(ax: Any, m: Measurement, e: Estimate) -> None:
    """Where the bars of a calibrated model end, 95 of 100 times."""
    band = m.bands.get(e.name, [])
    if len(band) != len(e.per_bin) or e.class_index is not None:
        return
    low, high = np.array(band).T
    score = _columns(e)[3]
    middle = (low + high) / 2
    for width, colour, label in ((3.6, GROUND, None), (1.6, BAND, "95 of 100, if calibrated")):
        ax.errorbar(score, middle, yerr=(high - low) / 2, fmt="none", ecolor=colour, elinewidth=width, capthick=width,
                    capsize=3 if len(score) <= 60 else 1.5, label=label, zorder=3)


def _draw_curve(ax: Any, m: Measurement, e: Estimate) -> None:
    """The isotonic fit: flat over each of its blocks, where there are scores."""
    blocks = next((x.per_bin for x in m if x.name == MONOTONE and x.class_index == e.class_index and x.per_bin), None)
    if blocks is None:
        return
    reference = next((x for x in m if x.name == REFERENCES[0] and x.class_index == e.class_index and x.per_bin), e)
    first, last = reference.per_bin[0].lower, reference.per_bin[-1].upper
    steps = [(max(b.lower, first), min(b.upper, last), b.mean_label) for b in blocks if b.upper > first and b.lower < last]
    x = np.array([edge for left, right, _ in steps for edge in (left, right)])
    y = np.repeat([rate for _, _, rate in steps], 2)
    ax.plot(x, y, color=GROUND, linewidth=3.6, zorder=2.5)
    ax.plot(x, y, color=CURVE, linewidth=1.8, label="isotonic fit (CORP)", zorder=2.6)


def _pale(count: np.ndarray) -> np.ndarray:
    """How strongly bars are drawn: at 100 rows fully."""
    return np.clip(np.sqrt(count / 100), 0.25, 1)


def _extents(m: Measurement, e: Estimate) -> tuple[np.ndarray, np.ndarray]:
    """Where the rows of each bin are; without a curve its edges."""
    lower, upper, _, score, _ = _columns(e)
    if m.curve is None or e.class_index is not None:
        return lower, upper
    first, last = (np.array([getattr(c, k) for c in m.curve.cells]) for k in ("first", "last"))
    left, right = lower.copy(), upper.copy()
    for i, (low, high) in enumerate(zip(lower, upper)):
        inside = ((last > low) | ((last == 0) & (low == 0))) & (first <= high)
        if inside.any():
            left[i], right[i] = max(first[inside].min(), low), min(last[inside].max(), high)
    thin = right - left < 0.005
    left[thin], right[thin] = score[thin] - 0.0025, score[thin] + 0.0025
    return left, right


def _draw_bars(ax: Any, m: Measurement, e: Estimate, band: bool, curve: bool, ref_line: bool, points: Mapping[str, Any]) -> None:
    _, _, count, score, label = _columns(e)
    lower, upper = _extents(m, e)
    width, shared, alpha = upper - lower, np.minimum(score, label), _pale(count)
    line = 0.7 if len(lower) <= 100 else 0
    score_word, mean_word, rate = _words(m)
    for bar, strength in zip(ax.bar(lower, shared, width, align="edge", color=BAR, label=rate, edgecolor=DARK, linewidth=line), alpha):
        bar.set_alpha(float(strength))
    over = score > label
    for rows, hatch, ink, ground, words in ((over, "///", OVER, GROUND, f"{score_word} above it"),
                                            (~over, "xxx", UNDER, UNDER_GROUND, f"{score_word} below it")):
        if rows.any():
            bars = ax.bar(lower[rows], np.abs(score - label)[rows], width[rows], bottom=shared[rows], align="edge", facecolor=ground,
                          hatch=hatch, edgecolor=ink, linewidth=line, label=words)
            for bar, strength in zip(bars, alpha[rows]):
                bar.set_alpha(float(strength))
    ax.hlines(label, lower, upper, color=DARK, linewidth=2, alpha=alpha)
    if ref_line:
        ax.plot([0, 1], [0, 1], "--", color=DARK, linewidth=1.5, label="perfectly calibrated")
    if band:
        _draw_band(ax, m, e)
    if curve:
        _draw_curve(ax, m, e)
    look: dict[str, Any] = dict(marker="o", linestyle="none", markerfacecolor=GROUND, markeredgecolor=DARK, zorder=3.5,
                                markersize=5 if len(score) <= 60 else 2.5, label=f"{rate} at its {mean_word}")
    if not {"color", "c"}.isdisjoint(points):
        del look["markeredgecolor"]
    ax.plot(score, label, **(look | dict(points)))
    _unit(ax, score_word, rate)
    ax.set_ylim(0, 1)


def _draw_smooth(ax: Any, m: Measurement, e: Estimate, found: Any, axis: str, band: bool, curve: bool, ref_line: bool,
                 points: Mapping[str, Any]) -> str:
    _, _, count, score, label = _columns(e)
    score_word, mean_word, rate = _words(m)
    if ref_line:
        _smooth.draw_diagonal(ax, found)
    if found.basis == "values":
        _smooth.draw_values(ax, found, rate)
    else:
        if band:
            _smooth.draw_band(ax, found)
        _smooth.draw_bins(ax, score, label, count, f"{rate} at its {mean_word}, area by rows", dict(points))
        if curve:
            _smooth.draw_curve(ax, found)
    ax.grid(True, color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    kind = _smooth.set_axes(ax, found, axis)
    ax.set_ylabel(f"{rate}, %")
    ax.set_xlabel(f"{score_word}, %" + {"linear": "", "logit": " (logit axis)", "rank": " (axis by rank)"}[kind])
    return kind


def reliability(what: Any = None, /, *, ax: Any = None, style: str = "curve", axis: str = "auto", estimator: str = REFERENCES[0],
                norm: int | None = None, class_index: int | str | None = None, counts: bool = True, curve: bool = True, band: bool = True,
                name: str | None = None, ref_line: bool = True, points: Mapping[str, Any] | None = None, **data: Any) -> Any:
    """The reliability diagram: the calibration curve with a band that holds the whole true curve in 95 of 100 samples.

    Parameters
    ----------
    what : Measurement or path, optional
        What to draw; otherwise data, as for :func:`tare.measure`.
    ax : matplotlib Axes, optional
        Where; a new figure if not given. The strip with the rows is taken from its room.
    style : {"curve", "bars"}
        The smooth curve with its band; scores on at most 30 values are dots with exact intervals. Or one bar per bin, the gap to the
        mean confidence hatched, pale where rows are few. Classes have bars.
    axis : {"auto", "linear", "logit", "rank"}
        Of the curve: where the rows have room, unless one is named.
    estimator, norm, class_index
        Whose bins; of a classwise measurement the class with the largest error if none is named, by index or by name.
    counts : bool
        Draw where the rows are, in a strip below.
    curve : bool
        Draw the smooth estimate; with bars the isotonic fit (CORP), where ``corp`` was measured.
    band : bool
        Draw the band of the whole curve; with bars brackets where those of a calibrated model would end, 95 of 100 times.
    name : str, optional
        What the model is called; if not given the name it was measured with.
    ref_line : bool
        Draw the diagonal.
    points : dict, optional
        For matplotlib, of the points at the mean score of each bin: ``{"color": "red", "marker": "s"}``.

    Returns
    -------
    matplotlib Axes
    """
    _smooth.checked(style, "style", _smooth.STYLES)
    _smooth.checked(axis, "axis", _smooth.AXES)
    m = _measured(what, data)
    e = _line(m, estimator, norm, class_index)
    found = m.curve if style == "curve" and e.class_index is None else None
    ax = axes(ax, (5.2, 6.4 if found is None else 7.0))
    if found is None:
        _draw_bars(ax, m, e, band, curve, ref_line, points or {})
        kind = "linear"
    else:
        kind = _draw_smooth(ax, m, e, found, axis, band, curve, ref_line, points or {})
    ax.set_title(_title(m, e, name), fontsize="small")
    ax.legend(loc="upper left", fontsize="x-small", framealpha=0.9, handlelength=1.6, labelspacing=0.35)
    rows = "weight" if m.input.weighted else "rows"
    if counts and kind != "rank":
        words, strip = ax.get_xlabel(), _split(ax)
        if found is None:
            _fill_strip(strip, e, words, rows, _extents(m, e))
        else:
            _smooth.draw_density(strip, found, ax)
            strip.set_xlabel(words)
            strip.set_ylabel(rows)
        ax.set_xlabel("")
        ax.tick_params(labelbottom=False)
    if found is not None and band:
        _smooth.caption(ax, found)
    return ax


def histogram(what: Any = None, /, *, ax: Any = None, class_index: int | str | None = None, name: str | None = None, **data: Any) -> Any:
    """The share of rows per bin of ece_ew, with mean confidence and accuracy marked. Arguments as in :func:`reliability`."""
    m = _measured(what, data)
    e = _line(m, REFERENCES[0], None, class_index)
    lower, upper, count, score, label = _columns(e)
    ax = axes(ax, (5.2, 4.2))
    score_word, mean_word, rate = _words(m)
    ax.bar(lower, count / count.sum(), upper - lower, align="edge", color=BAR, edgecolor=DARK, linewidth=0.7)
    for value, style, words in ((np.average(label, weights=count), "-", rate), (np.average(score, weights=count), "--", mean_word)):
        ax.axvline(value, color=GROUND, linewidth=3.6)
        ax.axvline(value, color=DARK, linestyle=style, linewidth=2, label=f"{words} {100 * value:.1f}%")
    _unit(ax, score_word, "share of the weight" if m.input.weighted else "share of rows")
    ax.set_title(_title(m, e, name), fontsize="small")
    ax.legend(loc="upper left", fontsize="small")
    return ax


def compare(what: Comparison | Mapping[str, Measurement] | Iterable[Measurement], /, *, ax: Any = None,
            criterion: str = _USUAL["criterion"], estimator: str = REFERENCES[0]) -> Any:
    """Several at once.

    Parameters
    ----------
    what : Comparison, dict or list of Measurement
        A comparison of calibrators is drawn as differences of ``criterion`` to the uncalibrated model, with their intervals;
        measurements as calibration curves over each other, by the keys of the dict or by the names they were measured with.
    ax : matplotlib Axes, optional
    criterion : {"brier", "nll", "debias_em_squared"}
    estimator : str
        Whose bins the curves go through.

    Returns
    -------
    matplotlib Axes
    """
    if isinstance(what, Comparison):
        return _differences(what, ax, criterion)
    named = dict(what) if isinstance(what, Mapping) else {m.name or f"model {i + 1}": m for i, m in enumerate(what)}
    return _curves(named, ax, estimator)


def _differences(comparison: Comparison, ax: Any, criterion: str) -> Any:
    rows = [(m.method, d) for m in comparison for d in [m.difference(criterion)] if d is not None]
    if not rows:
        raise Error(f"the comparison has no differences of {criterion}", "undefined", "brier, nll and debias_em_squared have them")
    ax = axes(ax, (6, 0.4 * len(rows) + 1.5))
    for i, (method, d) in enumerate(rows):
        mark = {"better": "v", "worse": "^", "noise": "o"}[d.change]
        ax.errorbar(d.value, i, xerr=[[d.value - d.low], [d.high - d.value]], fmt=mark, color=DARK,
                    markerfacecolor=BETTER if d.change == "better" else GROUND, capsize=3)
    ax.axvline(0, color=DARK, linestyle="--", linewidth=1.5)
    ax.set_yticks(range(len(rows)), [m + (" (winner)" if m == comparison.winner else "") for m, _ in rows])
    ax.invert_yaxis()
    ax.set_xlabel(f"{criterion}: difference to the uncalibrated model, left is better")
    ax.grid(True, axis="x", color=GRID, linewidth=0.6)
    return ax


def _curves(measurements: Mapping[str, Measurement], ax: Any, estimator: str) -> Any:
    ax = axes(ax, (5.2, 5.2))
    ax.plot([0, 1], [0, 1], "--", color=DARK, linewidth=1.5, label="perfectly calibrated")
    for i, (name, m) in enumerate(measurements.items()):
        e = _line(m, estimator, None, None)
        _, _, _, score, label = _columns(e)
        ax.plot(score, label, markersize=5, **series_look(i), label=f"{name}: {e.name} {100 * float(e):.2f}%")
        _, mean_word, rate = _words(m)
        _unit(ax, mean_word, rate)
    ax.set_ylim(0, 1)
    ax.legend(loc="upper left", fontsize="small")
    return ax
