"""Pictures with matplotlib, drawn as the report draws them: nothing is said by colour alone.

Every function takes an answer (:class:`tare.Measurement`, :class:`tare.Comparison`, :class:`tare.BiasReport`, :class:`tare.WatchReport`),
or data as the function that makes it takes them, draws into ``ax`` (or into a new figure) and returns the Axes. A figure can be saved
as it is: ``ax.figure.savefig("x.png")``.
"""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from . import _curves as _smooth
from ._bars import draw_bars, extents, fill_strip
from ._display import ReliabilityDisplay
from ._drawing import BAR, DARK, GRID, GROUND, REFERENCES, axes
from ._plot_common import columns_of, curve_of, line_of, measurement_of, title_of, unit_axes, words_of
from ._plots_calibrators import before_after, map, models
from ._plots_of_comparisons import compare
from ._plots_analysis import bins, detectable, estimators, rejection
from ._plots_reports import bias, groups, watch
from ._results import Estimate, Measurement

__all__ = ["reliability", "histogram", "compare", "bias", "groups", "watch", "estimators", "rejection", "detectable", "bins", "map", "before_after", "models",
           "ReliabilityDisplay"]


def _split(ax: Any) -> Any:
    """The room of `ax` with a strip at its bottom: the diagram keeps the upper part."""
    spec = ax.get_subplotspec()
    if spec is None:  # made by add_axes
        from mpl_toolkits.axes_grid1.axes_divider import make_axes_locatable

        return make_axes_locatable(ax).append_axes("bottom", size="17%", pad=0.12)
    upper, lower = spec.subgridspec(2, 1, height_ratios=(6, 1), hspace=0.08)
    ax.set_subplotspec(upper)
    return ax.figure.add_subplot(lower, sharex=ax)


def _draw_smooth(ax: Any, m: Measurement, e: Estimate, found: Any, axis: str, band: bool, curve: bool, ref_line: bool,
                 points: Mapping[str, Any]) -> str:
    score_word, mean_word, rate = words_of(m)
    kind = _smooth.set_axes(ax, [found], axis)
    if ref_line:
        _smooth.draw_diagonal(ax, [found])
    if found.basis == "values":
        _smooth.draw_values(ax, found, rate)
    else:
        if band:
            _smooth.draw_band(ax, found)
        if kind == "linear":
            _, _, count, score, label = columns_of(e)
            _smooth.draw_bins(ax, score, label, count, f"{rate} at its {mean_word}, area by rows", dict(points))
        else:  # bins of equal width say nothing there
            _smooth.draw_bins(ax, *_smooth.axis_bins(found, ax), f"{rate} in parts of the axis, area by rows", dict(points))
        if curve:
            _smooth.draw_curve(ax, found)
    ax.grid(True, color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
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
        mean confidence hatched, pale where rows are few. Of more than twenty classes the twenty with the largest errors have curves, the others bars.
    axis : {"auto", "linear", "logit", "rank"}
        Of the curve: where the rows have room, unless one is named.
    estimator, norm, class_index
        Whose bins; of a classwise measurement one class, by index or by name; if none is named the one with the largest error beyond noise.
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
    m = measurement_of(what, data)
    e = line_of(m, estimator, norm, class_index)
    found = curve_of(m, e) if style == "curve" else None
    ax = axes(ax, (5.2, 6.4 if found is None else 7.0))
    if found is None:
        draw_bars(ax, m, e, band, curve, ref_line, points or {})
        kind = "linear"
    else:
        kind = _draw_smooth(ax, m, e, found, axis, band, curve, ref_line, points or {})
    ax.set_title(title_of(m, e, name), fontsize="small")
    ax.legend(loc="upper left", fontsize="x-small", framealpha=0.9, handlelength=1.6, labelspacing=0.35)
    rows = "weight" if m.input.weighted else "rows"
    if counts and kind != "rank":
        words, strip = ax.get_xlabel(), _split(ax)
        if found is None:
            fill_strip(strip, e, words, rows, extents(m, e))
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
    m = measurement_of(what, data)
    e = line_of(m, REFERENCES[0], None, class_index)
    lower, upper, count, score, label = columns_of(e)
    ax = axes(ax, (5.2, 4.2))
    score_word, mean_word, rate = words_of(m)
    ax.bar(lower, count / count.sum(), upper - lower, align="edge", color=BAR, edgecolor=DARK, linewidth=0.7)
    for value, style, words in ((np.average(label, weights=count), "-", rate), (np.average(score, weights=count), "--", mean_word)):
        ax.axvline(value, color=GROUND, linewidth=3.6)
        ax.axvline(value, color=DARK, linestyle=style, linewidth=2, label=f"{words} {100 * value:.1f}%")
    unit_axes(ax, score_word, "share of the weight" if m.input.weighted else "share of rows")
    ax.set_title(title_of(m, e, name), fontsize="small")
    ax.legend(loc="upper left", fontsize="small")
    return ax
